# SPDX-License-Identifier: MIT
"""The reference of libgpu: a page for each topic of reference.toml, and one for each class that has functions."""

import html
import re
import tomllib
from collections import defaultdict

from doxygen import code_text, plain
from kit import Fault, Page, relative
from listings import code_block

SECTION = "libgpu"
WORDS = {"+": "plus", "-": "minus", "*": "times", "/": "over", "%": "modulo", "&": "and", "|": "or", "^": "xor", "!": "not",
         "~": "complement", "<": "less", ">": "greater", "=": "equals", "()": "call", "[]": "at", ",": "comma"}


def anchor_of(name):
    """`operator+=` is `operator-plus-equals`; other names are their own anchors."""
    match = re.fullmatch(r"operator ?(\W+)", name)
    if not match:
        return re.sub(r"\W+", "-", name).strip("-")
    symbols = [match[1]] if match[1] in WORDS else list(match[1])
    return "operator-" + "-".join(WORDS.get(symbol, "x") for symbol in symbols)


def is_small(entry):
    """Options and results: fields and perhaps constructors, shown on the topic's page."""
    return entry.kind == "concept" or all(member.constructor for member in entry.functions())


def groups(members):
    """Members of one name belong together, in the order of their first."""
    found = defaultdict(list)
    for member in members:
        found[member.scope, member.name].append(member)
    return list(found.values())


def without_repeats(members):
    """Doxygen lists a member that is defined outside its class twice: only the first has default arguments."""
    def key(member):
        text = re.sub(r"^template <.*>\n(?=.*\()", "", member.declaration)
        text = re.sub(r" = [^,()]*(\(\))?(?=[,)])", "", re.sub(r"\s+", " ", text).replace("( ", "("))
        return member.name, text[text.find(member.name):]
    seen = {}
    for member in members:
        first = seen.setdefault(key(member), member)
        if first is not member and not first.has_text() and member.has_text():
            first.brief, first.details = member.brief, member.details
    return list(seen.values())


class Reference:
    def __init__(self, kit, library):
        self.kit, self.library = kit, library
        try:
            self.plan = tomllib.loads((kit.root / "docs" / "site" / "reference.toml").read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise Fault(f"reference.toml: {error}") from error
        for entry in library.classes:
            entry.members = without_repeats(entry.members)
        self.topic_of = {}
        for topic in self.plan["topic"]:
            for section in topic["sections"]:
                for header in section["headers"]:
                    if header in self.topic_of:
                        raise Fault(f"reference.toml: {header} stands in two sections")
                    self.topic_of[header] = topic["id"]
        self._complain_of_headers()
        self.urls, self.first_header = {}, {}
        self._place_all()

    def _complain_of_headers(self):
        there = set(self.library.files) - set(self.plan["leave_out"])
        faults = [f"reference.toml: {header}: in no section; give each public header a topic"
                  for header in sorted(there - set(self.topic_of))]
        faults += [f"reference.toml: {header}: there is no such public header" for header in sorted(set(self.topic_of) - there)]
        if faults:
            raise Fault("\n".join(faults))

    def _place_all(self):
        """Where each name of the library is explained."""
        for entry in self.library.classes:
            topic = self.topic_of[entry.header]
            page = f"reference/{topic}.html#{anchor_of(entry.name)}" if is_small(entry) else \
                f"reference/{topic}/{self.file_name(entry)}.html"
            self.urls[entry.id] = page
            for member in entry.members:
                shown_alone = not is_small(entry) and member.kind != "typedef"
                self.urls[member.id] = f"{page}#{anchor_of(member.name)}" if shown_alone else page
        for member in self.library.members:
            if member.header in self.topic_of:
                self.urls[member.id] = f"reference/{self.topic_of[member.header]}.html#{self.member_anchor(member)}"

    @staticmethod
    def file_name(entry):
        return re.sub(r"\W+", "-", entry.name).strip("-")

    def member_anchor(self, member):
        """Its name; behind it the header, if another one of the topic declares that name first."""
        scope = re.sub(r"^gpu(::)?", "", member.scope)
        name = (scope.replace("::", "-") + "-" if scope else "") + anchor_of(member.name)
        first = self.first_header.setdefault((self.topic_of[member.header], name), member.header)
        return name if first == member.header else f"{name}-{member.header.removesuffix('.hpp')}"

    def classes_of(self, header):
        return sorted((entry for entry in self.library.classes if entry.header == header), key=lambda entry: entry.line)

    def members_of(self, header):
        """What a namespace has, in the header's order. What no one describes is for libgpu's own use, or a refusal."""
        return sorted((member for member in self.library.members if member.header == header), key=lambda m: m.line)


class Writer:
    """Writes one page."""

    def __init__(self, reference, url):
        self.reference, self.url = reference, url
        self.parts, self.headings, self.texts = [], [], [["", "", []]]
        self.lead = ""                                             # a first sentence that awaits its paragraph

    def heading(self, level, text, anchor, code=False):
        shown = f"<code>{html.escape(text)}</code>" if code else html.escape(text)
        self.parts.append(f'<h{level} id="{anchor}">{shown}</h{level}>\n')
        self.headings.append((level, anchor, text))
        self.texts.append([anchor, text, []])

    def say(self, text):
        self.texts[-1][2].append(text)

    # --- a description ------------------------------------------------------------------------------------------------
    def inline(self, element):
        pieces = [html.escape(element.text or "", quote=False)]
        for child in element:
            pieces.append(self.mark(child))
            pieces.append(html.escape(child.tail or "", quote=False))
        return "".join(pieces)

    def mark(self, element):
        inner = self.inline(element)
        tag = element.tag
        if tag == "ref":
            url = self.reference.urls.get(element.get("refid"))
            return f'<a href="{relative(url, self.url)}">{inner}</a>' if url else inner
        if tag == "ulink":
            return f'<a href="{html.escape(element.get("url"))}">{inner}</a>'
        if tag in ("computeroutput", "verbatim"):
            return f"<code>{inner}</code>"
        if tag in ("bold", "emphasis"):
            return f"<{tag[0] if tag == 'bold' else 'em'}>{inner}</{tag[0] if tag == 'bold' else 'em'}>"
        return {"sp": " ", "linebreak": "<br>", "ndash": "–", "mdash": "—", "nonbreakablespace": "&nbsp;"}.get(tag, inner)

    def paragraphs(self, element):
        """A description's blocks: text, snippets, what is thrown, lists, tables."""
        for para in element if element is not None else ():
            if para.tag == "sect1":
                self.paragraphs(para)
            elif para.tag == "title":
                self.parts.append(f"<p><b>{self.inline(para)}</b></p>\n")
            elif para.tag == "para":
                self.paragraph(para)

    def paragraph(self, para):
        text = [self.lead, html.escape(para.text or "", quote=False)]
        self.lead = ""

        def flush():
            line = "".join(text).strip()
            if line:
                self.parts.append(f"<p>{line}</p>\n")
            text.clear()

        for child in para:
            block = {"programlisting": self.snippet, "parameterlist": self.thrown, "simplesect": self.remark,
                     "itemizedlist": self.items, "orderedlist": self.items, "table": self.table}.get(child.tag)
            if block:
                flush()
                block(child)
            else:
                text.append(self.mark(child))
            text.append(html.escape(child.tail or "", quote=False))
        flush()
        self.say(" ".join(piece for piece in [plain(para)] if para.find("programlisting") is None))

    def snippet(self, listing):
        where = listing.get("filename")
        code = code_text(listing)
        if not where:
            self.parts.append(code_block(code, "cpp"))
            return
        link = relative(self.reference.kit.url_for(f"libgpu/tests/{where}", self.url), self.url)
        self.parts.append(f'<div class="listing"><p class="caption">From the tests: <a href="{link}">{html.escape(where)}'
                          f"</a></p>\n{code_block(code, 'cpp')}</div>\n")

    def thrown(self, element):
        for item in element.findall("parameteritem"):
            names = ", ".join(self.inline(name) for name in item.iter("parametername"))
            text = " ".join(self.inline(para).strip() for para in item.find("parameterdescription").findall("para")).strip()
            word = {"exception": "Throws", "param": "Parameter", "templateparam": "Template parameter"}[element.get("kind")]
            self.parts.append(f'<p class="fact"><b>{word}</b> <code>{names}</code>{" " + text if text else ""}</p>\n')

    def remark(self, element):
        word = {"return": "Returns", "note": "Note", "warning": "Warning", "see": "See"}.get(element.get("kind"), "")
        text = " ".join(self.inline(para).strip() for para in element.findall("para"))
        self.parts.append(f'<p class="fact"><b>{word}</b> {text}</p>\n')

    def items(self, element):
        tag = "ul" if element.tag == "itemizedlist" else "ol"
        lines = (" ".join(self.inline(para) for para in item.findall("para")) for item in element.findall("listitem"))
        self.parts.append(f"<{tag}>" + "".join(f"<li>{line}</li>" for line in lines) + f"</{tag}>\n")

    def table(self, element):
        self.parts.append('<div class="table"><table>\n')
        for row in element.findall("row"):
            cells = "".join(f"<{'th' if cell.get('thead') == 'yes' else 'td'}>"
                            + " ".join(self.inline(para) for para in cell.findall("para"))
                            + f"</{'th' if cell.get('thead') == 'yes' else 'td'}>" for cell in row.findall("entry"))
            self.parts.append(f"<tr>{cells}</tr>\n")
        self.parts.append("</table></div>\n")

    def described(self, entry):
        """Doxygen takes the first sentence away from its paragraph; here it comes back."""
        self.lead = "".join(self.inline(para) for para in entry.brief.findall("para")).strip() + " "
        self.say(plain(entry.brief))
        self.paragraphs(entry.details)
        if self.lead.strip():
            self.parts.append(f"<p>{self.lead.strip()}</p>\n")
        self.lead = ""

    # --- members ------------------------------------------------------------------------------------------------------
    def group(self, members, level, anchor):
        first = members[0]
        scope = re.sub(r"^gpu(::)?", "", first.scope) if level == 3 else ""
        name = f"{scope}::{first.name}" if scope else first.name
        self.heading(level, name, anchor, code=True)
        bare = []                                                  # overloads that need no words
        for member in members:
            if not (member.has_text() or member.has_snippet() or member.values):
                bare.append(member.declaration)
                continue
            self.declarations(bare)
            bare = []
            self.declarations([member.declaration])
            self.described(member)
            self.values(member)
        self.declarations(bare)

    def declarations(self, lines):
        if lines:
            code = code_block("\n".join(line + ("" if line.startswith("#") else ";") for line in lines), "cpp")
            self.parts.append(code.replace('class="code"', 'class="code declaration"'))

    def values(self, member):
        if member.values:
            rows = "".join(f"<tr><td><code>{html.escape(name)}</code></td><td>{self.words_of(brief, details)}</td></tr>"
                           for name, brief, details in member.values)
            self.parts.append(f'<div class="table"><table>{rows}</table></div>\n')

    def words_of(self, brief, details):
        pieces = []
        for element in (brief, details):
            pieces += [self.inline(para).strip() for para in (element.findall("para") if element is not None else ())]
        return " ".join(pieces)

    def fields(self, members, anchored=False):
        if members:
            ids = [f' id="{anchor_of(member.name)}"' if anchored else "" for member in members]
            rows = "".join(f"<tr{identity}><td><code>{html.escape(member.declaration)}</code></td>"
                           f"<td>{self.words_of(member.brief, member.details)}</td></tr>"
                           for member, identity in zip(members, ids))
            self.parts.append(f'<div class="table"><table><tr><th>member</th><th>meaning</th></tr>{rows}</table></div>\n')
            self.say(" ".join(f"{m.name} {plain(m.brief)}" for m in members))

    def small_class(self, entry):
        self.heading(3, entry.name, anchor_of(entry.name), code=True)
        functions = [member.declaration for member in entry.functions()]
        self.declarations([entry.declaration] + functions)
        self.described(entry)
        self.fields([member for member in entry.members if member.kind == "variable"])

    def page(self, title, about, short, **more):
        body = f"<h1>{title}</h1>\n" + "".join(self.parts)
        texts = [(anchor, heading, " ".join(words)) for anchor, heading, words in self.texts]
        return Page(self.url, re.sub(r"<.*?>", "", title), body, short_title=short, summary=about,
                    headings=self.headings, texts=texts, **more)


def class_page(reference, topic, entry):
    writer = Writer(reference, reference.urls[entry.id])
    writer.parts.append(f'<p class="caption">In <a href="../{topic["id"]}.html">{html.escape(topic["title"])}</a>: '
                        f"<code>#include &lt;gpu/{entry.header}&gt;</code></p>\n")
    writer.declarations([entry.declaration])
    writer.described(entry)
    for identity, text in entry.bases:
        base = next((other for other in reference.library.classes if other.id == identity), None)
        if base is not None:
            names = [members[0] for members in groups(base.functions()) if not members[0].constructor]
            links = ", ".join(f'<a href="{relative(reference.urls[m.id], writer.url)}"><code>{html.escape(m.name)}</code></a>'
                              for m in names)
            bare = re.sub(r"<.*", "", text).removeprefix("gpu::")
            writer.parts.append(f'<p>Also has the functions of <a href="{relative(reference.urls[identity], writer.url)}">'
                                f"<code>{html.escape(bare)}</code></a>{': ' if links else ''}{links}.</p>\n")
    for members in groups([member for member in entry.members if member.kind not in ("variable", "typedef")]):
        writer.group(members, 2, anchor_of(members[0].name))
    writer.fields([member for member in entry.members if member.kind == "variable"], anchored=True)
    return writer.page(f"<code>gpu::{html.escape(entry.name)}</code>", plain(entry.brief), entry.name)


def topic_page(reference, topic):
    url = f"reference/{topic['id']}.html"
    writer = Writer(reference, url)
    writer.parts.append(f"<p>{_ticks(topic['about'])}</p>\n")
    writer.say(topic["about"].replace("`", ""))
    for section in topic["sections"]:
        writer.heading(2, section["title"], "section-" + anchor_of(section["title"].lower()))
        for header in section["headers"]:
            writer.described(reference.library.files[header])
        large = [entry for header in section["headers"] for entry in reference.classes_of(header) if not is_small(entry)]
        if large:
            rows = "".join(f'<tr><td><a href="{relative(reference.urls[entry.id], url)}"><code>{html.escape(entry.name)}</code></a>'
                           f"</td><td>{writer.words_of(entry.brief, None)}</td></tr>" for entry in large)
            writer.parts.append(f'<div class="table"><table class="classes">{rows}</table></div>\n')
        for header in section["headers"]:
            _header(reference, writer, header, section.get("together", False))
    return writer.page(html.escape(topic["title"]), topic["about"].replace("`", ""), topic["title"], section=SECTION)


def _header(reference, writer, header, together):
    found = groups(reference.members_of(header))
    if together:
        links = ", ".join(f'<code id="{reference.member_anchor(members[0])}">{html.escape(members[0].name)}</code>'
                          for members in found)
        writer.parts.append(f"<p>{links}</p>\n")
        writer.say(" ".join(members[0].name for members in found))
        found = []
    for members in found:
        if members[0].kind == "variable" or any(member.has_text() or member.has_snippet() for member in members):
            writer.group(members, 3, reference.member_anchor(members[0]))
    for entry in reference.classes_of(header):
        if is_small(entry):
            writer.small_class(entry)


def _ticks(text):
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text, quote=False))


def pages(kit, library):
    """The overview, the topics, and the classes of each."""
    reference = Reference(kit, library)
    rows = "".join(f'<tr><td><a href="{topic["id"]}.html">{html.escape(topic["title"])}</a></td>'
                   f"<td>{_ticks(topic['about'])}</td></tr>" for topic in reference.plan["topic"])
    names = sorted({(member.name, reference.urls[member.id]) for member in library.members if member.kind == "function"
                    and member.id in reference.urls and not member.name.startswith("operator") and member.has_text()})
    index = ", ".join(f'<a href="{relative(url, "reference/index.html")}"><code>{html.escape(name)}</code></a>'
                      for name, url in names)
    body = (f"<h1>libgpu by topic</h1>\n<p>Everything is in the namespace <code>gpu</code>, and in <code>&lt;gpu/gpu.hpp&gt;"
            f"</code> unless a page says otherwise.</p>\n<div class=\"table\"><table>{rows}</table></div>\n"
            f'<h2 id="functions">All functions</h2>\n<p class="names">{index}</p>\n')
    made = [Page("reference/index.html", "libgpu by topic", body, SECTION, "All topics",
                 "The reference of libgpu, by topic.", texts=[("", "", "Reference of libgpu by topic")])]
    made += [topic_page(reference, topic) for topic in reference.plan["topic"]]
    topics = {topic["id"]: topic for topic in reference.plan["topic"]}
    made += [class_page(reference, topics[reference.topic_of[entry.header]], entry) for entry in library.classes
             if not is_small(entry)]
    return made
