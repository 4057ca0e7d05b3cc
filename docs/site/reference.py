# SPDX-License-Identifier: MIT
"""The reference of libgpu: a page for each topic of reference.toml, and one for each class that has functions."""

import re
import tomllib
from collections import defaultdict

from doxygen import plain
from kit import Fault, Page, relative
from markup import code, element, escaped, link, paragraph, table
from reference_writer import Writer, anchor_of

SECTION = "libgpu"                                                # of the navigation


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


def scope_of(member):
    """`linalg` of a member of gpu::linalg, nothing of one of gpu."""
    return re.sub(r"^gpu(::)?", "", member.scope)


def with_code(text):
    """A sentence with code between backticks, as HTML."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escaped(text))


class Reference:
    def __init__(self, kit, library):
        self.kit, self.library = kit, library
        try:
            self.plan = tomllib.loads((kit.root / "docs" / "site" / "reference.toml").read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise Fault(f"reference.toml: {error}") from error
        self.topics = {topic["id"]: topic for topic in self.plan["topic"]}
        self.topic_of = self._topics_of_headers()
        for entry in library.classes:
            entry.members = without_repeats(entry.members)
        self.first_header = {}                                     # of a name in a topic
        self.urls = self._all_urls()

    def _topics_of_headers(self):
        topic_of, faults = {}, []
        for topic in self.plan["topic"]:
            for header in (header for section in topic["sections"] for header in section["headers"]):
                if header in topic_of:
                    faults.append(f"reference.toml: {header} stands in two sections; one is right")
                topic_of[header] = topic["id"]
        there = set(self.library.files) - set(self.plan["leave_out"])
        faults += [f"reference.toml: {header}: in no section; give each public header a topic"
                   for header in sorted(there - set(topic_of))]
        faults += [f"reference.toml: {header}: there is no such public header"
                   for header in sorted(set(topic_of) - there)]
        if faults:
            raise Fault("\n".join(faults))
        return topic_of

    def _all_urls(self):
        """Where each name of the library is explained."""
        urls = {}
        for entry in self.library.classes:
            topic = self.topic_of[entry.header]
            name = anchor_of(entry.name)
            urls[entry.id] = f"reference/{topic}.html#{name}" if is_small(entry) else f"reference/{topic}/{name}.html"
            for member in entry.members:
                is_anchored = not is_small(entry) and member.kind != "typedef"
                urls[member.id] = urls[entry.id] + (f"#{anchor_of(member.name)}" if is_anchored else "")
        for member in self.library.members:
            if member.header in self.topic_of:
                urls[member.id] = f"reference/{self.topic_of[member.header]}.html#{self.anchor(member)}"
        return urls

    def anchor(self, member):
        """Its name; behind it the header, if another one of the topic declares that name first."""
        name = "-".join([*scope_of(member).split("::"), anchor_of(member.name)]).lstrip("-")
        first = self.first_header.setdefault((self.topic_of[member.header], name), member.header)
        return name if first == member.header else f"{name}-{member.header.removesuffix('.hpp')}"

    def classes_of(self, header):
        return sorted((entry for entry in self.library.classes if entry.header == header), key=lambda entry: entry.line)

    def members_of(self, header):
        """What a header adds to namespaces, in its order."""
        return sorted((member for member in self.library.members if member.header == header), key=lambda m: m.line)

    def writer(self, url):
        return Writer(url, self.urls, lambda test: self.kit.url_for(f"libgpu/tests/{test}", url))

    # --- the pages ----------------------------------------------------------------------------------------------------
    def overview(self):
        url = "reference/index.html"
        topics = table([link(f"{topic['id']}.html", escaped(topic["title"])), with_code(topic["about"])]
                       for topic in self.plan["topic"])
        functions = {(member.name, self.urls[member.id]) for member in self.library.members
                     if member.kind == "function" and member.id in self.urls and member.has_text()
                     and not member.name.startswith("operator")}
        names = ", ".join(link(relative(target, url), code(name)) for name, target in sorted(functions))
        about = "Everything is in the namespace `gpu`, and in `<gpu/gpu.hpp>` unless a page says otherwise."
        body = (element("h1", "libgpu by topic") + paragraph(with_code(about)) + topics
                + element("h2", "All functions", id="functions") + paragraph(names, "names"))
        return Page(url, "libgpu by topic", body, SECTION, "All topics", "The reference of libgpu, by topic.",
                    texts=[("", "", "Reference of libgpu by topic")])

    def topic_page(self, topic):
        writer = self.writer(f"reference/{topic['id']}.html")
        writer.parts.append(paragraph(with_code(topic["about"])))
        about = topic["about"].replace("`", "")
        writer.say(about)
        for section in topic["sections"]:
            self._write_section(writer, section)
        return writer.page(escaped(topic["title"]), about, topic["title"], SECTION)

    def _write_section(self, writer, section):
        writer.heading(2, section["title"], "section-" + anchor_of(section["title"].lower()))
        for header in section["headers"]:
            writer.described(self.library.files[header])
        entries = [entry for header in section["headers"] for entry in self.classes_of(header)]
        large = [entry for entry in entries if not is_small(entry)]
        if large:
            writer.parts.append(table(([writer.link_to(entry.id, code(entry.name)), writer.words_of(entry.brief)]
                                       for entry in large), kind="classes"))
        for header in section["headers"]:
            found = groups(self.members_of(header))
            if section.get("together"):
                names = (element("code", escaped(members[0].name), id=self.anchor(members[0])) for members in found)
                writer.parts.append(paragraph(", ".join(names)))
                writer.say(" ".join(members[0].name for members in found))
            else:
                self._write_groups(writer, found)
            for entry in self.classes_of(header):
                if is_small(entry):
                    writer.small_class(entry)

    def _write_groups(self, writer, found):
        """What nobody describes is a refusal: an overload that says in its error what to write."""
        for members in found:
            first = members[0]
            if first.kind == "variable" or any(member.has_text() or member.has_snippet() for member in members):
                name = "::".join([*filter(None, [scope_of(first)]), first.name])
                writer.group(members, 3, self.anchor(first), name)

    def class_page(self, entry):
        topic = self.topics[self.topic_of[entry.header]]
        writer = self.writer(self.urls[entry.id])
        place = link(f"../{topic['id']}.html", escaped(topic["title"]))
        writer.parts.append(paragraph(f"In {place}: {code(f'#include <gpu/{entry.header}>')}", "caption"))
        writer.declarations([entry.declaration])
        writer.described(entry)
        for identity, text in entry.bases:
            self._write_base(writer, identity, re.sub(r"<.*", "", text).removeprefix("gpu::"))
        for members in groups([member for member in entry.members if member.kind not in ("variable", "typedef")]):
            writer.group(members, 2, anchor_of(members[0].name), members[0].name)
        writer.fields([member for member in entry.members if member.kind == "variable"], anchored=True)
        return writer.page(code(f"gpu::{entry.name}"), plain(entry.brief), entry.name)

    def _write_base(self, writer, identity, name):
        base = next((entry for entry in self.library.classes if entry.id == identity), None)
        if base is None:
            return
        functions = [members[0] for members in groups(base.functions()) if not members[0].constructor]
        names = ", ".join(writer.link_to(member.id, code(member.name)) for member in functions)
        text = f"Also has the functions of {writer.link_to(identity, code(name))}"
        writer.parts.append(paragraph(f"{text}{': ' if names else ''}{names}."))


def pages(kit, library):
    """The overview, the topics, and the classes of each."""
    reference = Reference(kit, library)
    made = [reference.overview()] + [reference.topic_page(topic) for topic in reference.plan["topic"]]
    return made + [reference.class_page(entry) for entry in library.classes if not is_small(entry)]
