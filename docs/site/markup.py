# SPDX-License-Identifier: MIT
"""Pieces of HTML. What is called `text` is plain and is escaped here; what is called `inner` is HTML already."""

import html


def escaped(text):
    return html.escape(text, quote=False)


def element(name, inner, **attributes):
    """`kind` stands for the attribute class."""
    shown = "".join(f' {"class" if key == "kind" else key}="{html.escape(str(value))}"'
                    for key, value in attributes.items() if value not in (None, ""))
    return f"<{name}{shown}>{inner}</{name}>"


def code(text):
    """What fits on a phone's line stays whole: `-O3` isn't broken behind its hyphen."""
    return element("code", escaped(text), kind="whole" if len(text) <= 20 else None)


def link(target, inner):
    return element("a", inner, href=target)


def paragraph(inner, kind=None):
    return element("p", inner, kind=kind) + "\n"


def bullets(items):
    return element("ul", "".join(f"<li>{item}</li>" for item in items)) + "\n"


def table(rows, head=(), kind=None, ids=()):
    """Rows of cells, all of them HTML; `ids` are names of the rows that links lead to."""
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>\n"] if head else []
    for k, row in enumerate(rows):
        cells = "".join(f"<td>{cell}</td>" for cell in row)
        lines.append(element("tr", cells, id=ids[k] if ids else None) + "\n")
    return f'<div class="table">{element("table", "".join(lines), kind=kind)}</div>\n'


def listing(caption, block, kind=""):
    """A block of code below a line that says where it comes from."""
    return f'<div class="{f"listing {kind}".strip()}">{paragraph(caption, "caption")}{block}</div>\n'
