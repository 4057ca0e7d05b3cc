# SPDX-License-Identifier: MIT
"""Writes one page of the reference: headings, declarations, descriptions, and the text that the search looks at."""

import html
import re

from doxygen import code_text, plain
from kit import Page, relative
from listings import code_block
from markup import bullets, code, element, escaped, link, listing, paragraph, table

INLINE = {"computeroutput": "code", "verbatim": "code", "bold": "b", "emphasis": "em"}
SIGNS = {"sp": " ", "linebreak": "<br>", "ndash": "–", "mdash": "—", "nonbreakablespace": "&nbsp;"}
FACTS = {"exception": "Throws", "param": "Parameter", "templateparam": "Template parameter", "return": "Returns",
         "note": "Note", "warning": "Warning", "see": "See"}
SIGN_NAMES = {"+": "plus", "-": "minus", "*": "times", "/": "over", "%": "modulo", "&": "and", "|": "or", "^": "xor",
              "!": "not", "~": "complement", "<": "less", ">": "greater", "=": "equals", "()": "call", "[]": "at"}


def anchor_of(name):
    """`operator+=` is `operator-plus-equals`; other names are their own anchors."""
    match = re.fullmatch(r"operator ?(\W+)", name)
    if not match:
        return re.sub(r"\W+", "-", name).strip("-")
    signs = [match[1]] if match[1] in SIGN_NAMES else list(match[1])
    return "operator-" + "-".join(SIGN_NAMES[sign] for sign in signs)


class Writer:
    def __init__(self, url, urls, test_url):
        """`urls` says where each name of the library is explained, `test_url` where a test's page is."""
        self.url, self.urls, self.test_url = url, urls, test_url
        self.parts, self.headings, self.texts = [], [], [["", "", []]]
        self.lead = ""                                             # a first sentence that awaits its paragraph

    def heading(self, level, text, anchor, is_code=False):
        self.parts.append(element(f"h{level}", code(text) if is_code else escaped(text), id=anchor) + "\n")
        self.headings.append((level, anchor, text))
        self.texts.append([anchor, text, []])

    def say(self, text):
        """For the search."""
        self.texts[-1][2].append(text)

    def link_to(self, identity, inner):
        return link(relative(self.urls[identity], self.url), inner) if identity in self.urls else inner

    # --- a description ------------------------------------------------------------------------------------------------
    def inline(self, node):
        pieces = [escaped(node.text or "")]
        for child in node:
            pieces += [self.mark(child), escaped(child.tail or "")]
        return "".join(pieces)

    def mark(self, node):
        inner = self.inline(node)
        if node.tag == "ref":
            return self.link_to(node.get("refid"), inner)
        if node.tag == "ulink":
            return link(node.get("url"), inner)
        if node.tag in INLINE:
            return element(INLINE[node.tag], inner)
        return SIGNS.get(node.tag, inner)

    def words_of(self, *nodes):
        """The paragraphs of descriptions, in one line."""
        return " ".join(self.inline(para).strip() for node in nodes for para in node.findall("para"))

    def described(self, entry):
        """Doxygen takes the first sentence away from its paragraph; here it comes back."""
        self.lead = self.words_of(entry.brief) + " "
        self.say(plain(entry.brief))
        self.blocks(entry.details)
        if self.lead.strip():
            self.parts.append(paragraph(self.lead.strip()))
        self.lead = ""

    def blocks(self, node):
        for child in node:
            if child.tag == "sect1":
                self.blocks(child)
            elif child.tag == "title":
                self.parts.append(paragraph(element("b", self.inline(child))))
            elif child.tag == "para":
                self.paragraph(child)

    def paragraph(self, para):
        """Text, with blocks between: snippets, what is thrown, lists, tables."""
        blocks = {"programlisting": self.snippet, "parameterlist": self.thrown, "simplesect": self.remark,
                  "itemizedlist": self.items, "table": self.table}
        text = [self.lead, escaped(para.text or "")]
        self.lead = ""
        for child in para:
            if child.tag in blocks:
                self.flush(text)
                blocks[child.tag](child)
            else:
                text.append(self.mark(child))
            text.append(escaped(child.tail or ""))
        self.flush(text)
        if para.find("programlisting") is None:
            self.say(plain(para))

    def flush(self, text):
        line = "".join(text).strip()
        if line:
            self.parts.append(paragraph(line))
        text.clear()

    def snippet(self, node):
        where, block = node.get("filename"), code_block(code_text(node), "cpp")
        if where:
            test = relative(self.test_url(where), self.url)
            block = listing(f"From the tests: {link(test, escaped(where))}", block)
        self.parts.append(block)

    def fact(self, kind, inner):
        self.parts.append(paragraph(f"<b>{FACTS.get(kind, '')}</b> {inner}".strip(), "fact"))

    def thrown(self, node):
        for item in node.findall("parameteritem"):
            names = ", ".join(self.inline(name) for name in item.iter("parametername"))
            self.fact(node.get("kind"), f"<code>{names}</code> {self.words_of(item.find('parameterdescription'))}")

    def remark(self, node):
        self.fact(node.get("kind"), self.words_of(node))

    def items(self, node):
        self.parts.append(bullets(self.words_of(item) for item in node.findall("listitem")))

    def table(self, node):
        rows = [[self.words_of(cell) for cell in row.findall("entry")] for row in node.findall("row")]
        has_head = all(cell.get("thead") == "yes" for cell in node.find("row").findall("entry"))
        self.parts.append(table(rows[1:], rows[0]) if has_head else table(rows))

    # --- members ------------------------------------------------------------------------------------------------------
    def declarations(self, lines):
        if lines:
            text = "\n".join(line + ("" if line.startswith("#") else ";") for line in lines)
            self.parts.append(code_block(text, "cpp").replace('class="code"', 'class="code declaration"'))

    def group(self, members, level, anchor, name):
        """Members of one name: what is described stands below its declaration, the rest needs no words."""
        self.heading(level, name, anchor, is_code=True)
        bare = []
        for member in members:
            if not (member.has_text() or member.has_snippet() or member.values):
                bare.append(member.declaration)
                continue
            self.declarations(bare)
            bare = []
            self.declarations([member.declaration])
            self.described(member)
            if member.values:
                self.parts.append(table([code(value), self.words_of(brief, details)]
                                        for value, brief, details in member.values))
        self.declarations(bare)

    def fields(self, members, anchored=False):
        """A class's variables, as a table."""
        if members:
            rows = [[code(member.declaration), self.words_of(member.brief, member.details)] for member in members]
            ids = [anchor_of(member.name) for member in members] if anchored else ()
            self.parts.append(table(rows, ("member", "meaning"), ids=ids))
            self.say(" ".join(f"{member.name} {plain(member.brief)}" for member in members))

    def small_class(self, entry):
        self.heading(3, entry.name, anchor_of(entry.name), is_code=True)
        self.declarations([entry.declaration, *(member.declaration for member in entry.functions())])
        self.described(entry)
        self.fields([member for member in entry.members if member.kind == "variable"])

    def page(self, heading, about, short_title, section=None):
        """The page; its heading is HTML."""
        texts = [(anchor, title, " ".join(words)) for anchor, title, words in self.texts]
        title = html.unescape(re.sub(r"<.*?>", "", heading))
        return Page(self.url, title, element("h1", heading) + "\n" + "".join(self.parts), section, short_title, about,
                    self.headings, texts)
