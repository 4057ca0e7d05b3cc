# SPDX-License-Identifier: MIT
"""Code and what terminals show, as HTML."""

import html
import re

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LANGUAGES = {"cpp": "cpp", "cu": "cpp", "hpp": "cpp", "cuda": "cpp", "lisp": "common-lisp", "h": "cpp",
             "vim": "vim", "yml": "yaml", "py": "python", "sh": "bash", "md": "markdown"}
PLAIN = ("", "text", "out", "txt")


def code_block(text, language):
    """A block of code, highlighted if its language is known."""
    if language == "console":
        body = _console(text)
    elif language in PLAIN:
        body = html.escape(text, quote=False)
    else:
        body = _highlighted(text, language)
    kind = "terminal" if language in ("console", "text") else "code"
    return f'<pre class="{kind}"><code>{body}</code></pre>\n'


def _highlighted(text, language):
    try:
        lexer = get_lexer_by_name(LANGUAGES.get(language, language), stripnl=False)
    except ClassNotFound:
        return html.escape(text, quote=False)
    return highlight(text, lexer, HtmlFormatter(nowrap=True))


def _console(text):
    """A terminal: what is typed stands out, and a comment behind it doesn't."""
    lines = []
    for line in text.split("\n"):
        typed = re.match(r"([$>] )(.*?)(\s+# .*)?$", line)
        if not typed:
            lines.append(html.escape(line, quote=False))
            continue
        prompt, command, comment = (html.escape(part or "", quote=False) for part in typed.groups())
        lines.append(f'<span class="prompt">{prompt}</span><b>{command}</b>'
                     + (f'<span class="c1">{comment}</span>' if comment else ""))
    return "\n".join(lines)
