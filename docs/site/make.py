#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the kit's site: its Markdown pages, and the reference of libgpu from what Doxygen reads in the headers.

    make.py --xml FOLDER --out FOLDER [--root FOLDER]

The data flow one way: site.toml and the folders -> pages -> their text as HTML -> the layout and the search index.
"""

import argparse
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.dont_write_bytecode = True

import landing  # noqa: E402
import reference  # noqa: E402
from doxygen import read_library  # noqa: E402
from exercises import add_facts  # noqa: E402
from kit import Fault, Kit  # noqa: E402
from layout import Layout  # noqa: E402
from markdown_pages import render_markdown  # noqa: E402
from search import search_index  # noqa: E402
from sources import source_pages  # noqa: E402

HERE = Path(__file__).resolve().parent


def write_slides(kit, out):
    """The lessons' questions, one page that needs no other."""
    program = kit.root / "docs" / "syllabi" / "make.py"
    subprocess.run([sys.executable, program, "--root", kit.root, "--slides", out / "slides.html"], check=True)


def make_site(root, xml, out):
    kit = Kit(root)
    library = read_library(xml)
    pages, faults = [], []
    for make_page in [landing.page, *(partial(render_markdown, source=source) for source in kit.sources)]:
        try:
            pages.append(make_page(kit))
        except Fault as fault:
            faults.append(str(fault))
    try:
        pages += reference.pages(kit, library)
    except Fault as fault:
        faults.append(str(fault))
    if faults:
        raise Fault("\n".join(faults))
    for page in pages:
        if page.section == "Exercises":
            add_facts(kit, page)
    pages += source_pages(kit)                                     # of the files that the pages above link to

    if out.exists():
        shutil.rmtree(out)
    layout = Layout(kit, pages)
    for page in pages:
        path = out / page.url
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(layout.filled(page), encoding="utf-8")
    for source in kit.copied:
        target = out / source
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kit.root / source, target)
    for name in ("site.css", "code.css", "site.js", "icon.svg"):
        shutil.copyfile(HERE / name, out / name)
    (out / "search-index.js").write_text(search_index(pages), encoding="utf-8")
    write_slides(kit, out)
    return len(pages)


def main():
    parser = argparse.ArgumentParser(description="Makes the kit's site.")
    parser.add_argument("--root", type=Path, default=HERE.parents[1], help="the kit (default: this one)")
    parser.add_argument("--xml", type=Path, required=True, help="the folder that Doxygen wrote its XML to")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the site; made anew")
    options = parser.parse_args()
    try:
        count = make_site(options.root.resolve(), options.xml, options.out)
    except Fault as fault:
        print(*(f"docs/site: {line}" for line in str(fault).split("\n")), sep="\n", file=sys.stderr)
        return 1
    print(f"{count} pages in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
