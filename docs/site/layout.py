# SPDX-License-Identifier: MIT
"""What stands around a page's text: the navigation, what comes before and after it, and its contents."""

import html
from pathlib import Path
from string import Template

from kit import relative

DEEPEST = 3                                                       # level of headings in "On this page"


class Layout:
    def __init__(self, kit, pages):
        self.kit = kit
        self.template = Template((Path(__file__).parent / "layout.html").read_text(encoding="utf-8"))
        titles = [section["title"] for section in kit.plan["section"]]
        self.sections = {title: [page for page in pages if page.section == title] for title in titles}
        self.slides = {section["title"] for section in kit.plan["section"] if section.get("slides")}

    def filled(self, page):
        up = "../" * page.url.count("/")
        site = self.kit.plan["title"]
        front = page.url == "index.html"
        source = f" Made from <code>{html.escape(page.source)}</code>." if page.source else ""
        contents = self._contents(page)
        kind = "front" if front else "wide" if page.wide else "page" if contents else "page alone"
        return self.template.substitute(
            title=html.escape(site if front else f"{page.title} – {site}"),
            summary=html.escape(page.summary or page.title),
            up=up, kind=kind, site=html.escape(site),
            navigation=self._navigation(page), body=page.html, neighbours=self._neighbours(page),
            contents=contents, source=source, version=self.kit.version)

    def _navigation(self, page):
        return "\n".join(self._section(title, pages, page) for title, pages in self.sections.items())

    def _section(self, title, pages, current):
        own = current.section == title or current.section is None and current.url.split("/")[0] == "reference" == \
            pages[-1].url.split("/")[0]
        items = []
        for page in pages:
            here = ' aria-current="page"' if page is current else ""
            target = relative(page.url, current.url)
            items.append(f'<li><a href="{target}"{here}>{html.escape(page.short_title)}</a></li>\n')
        if title in self.slides:
            items.append(f'<li><a href="{relative("slides.html", current.url)}">Slides: all questions</a></li>\n')
        opened = " open" if own else ""
        return f"<details{opened}><summary>{html.escape(title)}</summary>\n<ul>\n{''.join(items)}</ul>\n</details>"

    def _neighbours(self, page):
        """The pages before and after it in its section."""
        if page.section is None:
            return ""
        order = self.sections[page.section]
        place = order.index(page)
        links = []
        if place > 0:
            links.append(self._neighbour(order[place - 1], page, "prev", "Before"))
        if place + 1 < len(order):
            links.append(self._neighbour(order[place + 1], page, "next", "Next"))
        return f'<nav class="neighbours" aria-label="Before and next">{"".join(links)}</nav>' if links else ""

    @staticmethod
    def _neighbour(page, current, rel, word):
        return (f'<a rel="{rel}" href="{relative(page.url, current.url)}"><span>{word}</span> '
                f"{html.escape(page.short_title)}</a>")

    @staticmethod
    def _contents(page):
        entries = [heading for heading in page.headings if heading[0] <= DEEPEST]
        if page.wide or len(entries) < 3:
            return ""
        items = "".join(f'<li class="level{level}"><a href="#{anchor}">{html.escape(text)}</a></li>'
                        for level, anchor, text in entries)
        return f'<nav class="contents" aria-label="On this page"><p>On this page</p><ul>{items}</ul></nav>'
