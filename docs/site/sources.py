# SPDX-License-Identifier: MIT
"""Pages of files that other pages link to: a manifest, a program, a folder."""

import posixpath

from kit import Page, relative
from listings import code_block
from markup import bullets, element, escaped, link, paragraph


def source_pages(kit):
    """A folder's page links to its files, so these get pages as well."""
    pages, done = [], set()
    while kit.shown - done:
        for path in sorted(kit.shown - done):
            done.add(path)
            pages.append(_folder_page(kit, path) if (kit.root / path).is_dir() else _file_page(kit, path))
    return pages


def _file_page(kit, path):
    name = posixpath.basename(path)
    language = "cmake" if name == "CMakeLists.txt" else name.rpartition(".")[2] if "." in name else ""
    body = element("h1", escaped(name)) + paragraph(escaped(path), "caption") + code_block(kit.read(path), language)
    return Page(path + ".html", path, body, source=path, wide=True)


def _folder_page(kit, path):
    url = path + "/index.html"
    names = sorted(entry.name for entry in (kit.root / path).iterdir() if not entry.name.startswith("."))
    body = element("h1", escaped(path)) + bullets(
        link(relative(kit.url_for(posixpath.join(path, name), url), url), escaped(name)) for name in names)
    return Page(url, path, body, source=path)
