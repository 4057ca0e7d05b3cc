# SPDX-License-Identifier: MIT
"""The index that site.js searches: a script, since pages opened as files can't fetch anything."""

import json
import re


def search_index(pages):
    """[url, page, heading, text] of each section; `heading` is empty for a page's first one."""
    entries = []
    for page in pages:
        for k, (anchor, heading, text) in enumerate(page.texts):
            url = page.url + (f"#{anchor}" if k and anchor else "")
            entries.append([url, page.title, heading if k else "", re.sub(r"\s+", " ", text).strip()])
    return "window.searchIndex = " + json.dumps(entries, ensure_ascii=False, separators=(",", ":")) + ";\n"
