# SPDX-License-Identifier: MIT
"""What Doxygen read in libgpu's headers, as values: its XML in, classes and members with their texts out."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

from kit import Fault


@dataclass
class Member:
    id: str
    kind: str                                                     # function, variable, typedef, enum, define
    name: str
    scope: str                                                    # "gpu::linalg", "gpu::Array", "" for a macro
    header: str                                                   # "create.hpp"
    line: int
    declaration: str
    brief: ElementTree.Element
    details: ElementTree.Element
    values: list = field(default_factory=list)                    # of an enum: (name, brief, details)
    constructor: bool = False

    def has_text(self):
        """Whether it is described in words: what it throws and a snippet alone don't say what it does."""
        return bool(plain(self.brief) or any(_own_text(para) for para in self.details.findall("para")))

    def has_snippet(self):
        return self.details.find(".//programlisting") is not None


@dataclass
class Class:
    id: str
    kind: str                                                     # class, struct, concept
    name: str                                                     # "linalg::Svd": what stands behind "gpu::"
    header: str
    line: int
    declaration: str
    brief: ElementTree.Element | None
    details: ElementTree.Element | None
    members: list
    bases: list                                                   # (id or None, text)

    def functions(self):
        return [member for member in self.members if member.kind == "function"]


@dataclass
class Library:
    classes: list
    members: list                                                 # of namespaces, and macros
    files: dict                                                   # header -> its own Description
    names: dict                                                   # of all ids: to say what a reference leads to


class Description:
    """What a file says of itself."""

    def __init__(self, element):
        self.brief, self.details = element.find("briefdescription"), element.find("detaileddescription")


def plain(element):
    """An element's text, without its marks."""
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip() if element is not None else ""


BLOCKS = ("programlisting", "parameterlist", "simplesect")


def _own_text(para):
    """A paragraph's text without the blocks in it."""
    pieces = [para.text or ""]
    for child in para:
        pieces += ["" if child.tag in BLOCKS else plain(child), child.tail or ""]
    return "".join(pieces).strip()


def code_text(listing):
    """The text of a <programlisting>."""
    def pieces(element):
        if element.tag == "sp":
            yield " "
        yield element.text or ""
        for child in element:
            yield from pieces(child)
            yield child.tail or ""
    lines = ["".join(pieces(line)).rstrip() for line in listing.iter("codeline")]
    indents = [len(line) - len(line.lstrip()) for line in lines if line]
    cut = min(indents, default=0)
    return "\n".join(line[cut:] for line in lines).strip("\n") + "\n"


def _tidy(text):
    """A type as the kit writes it: `const Array<T>&`, without libgpu's internal namespace."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"< +", "<", text)
    text = re.sub(r"(?<=\S) +>(?! ?\d)", ">", text)                 # not the one of a comparison
    text = re.sub(r" +([&*])(?=[\w ,)>&*.]|$)", r"\1", text)
    text = re.sub(r"([&*])(?=\w)", r"\1 ", text)
    return re.sub(r"\b(?:gpu::)?detail::", "", text)


def _parameter(param):
    kind, name = _tidy(plain(param.find("type"))), plain(param.find("declname"))
    array, default = plain(param.find("array")), _tidy(plain(param.find("defval")))
    if array.startswith(")"):                                     # T (&name)[N]
        return f"{kind}{name}{array}"
    return kind + (f" {name}" if name else "") + array + (f" = {default}" if default else "")


def _template(element):
    params = element.find("templateparamlist")
    if params is None:
        return ""
    return "template <" + ", ".join(_parameter(param) for param in params.findall("param")) + ">\n"


def _requires(element):
    clause = _tidy(plain(element.find("requiresclause")))
    return f"    requires {clause}\n" if clause else ""


WIDTH = 92                                                        # of a declaration's line


def _function(element):
    name = plain(element.find("name"))
    arguments = plain(element.find("argsstring"))
    behind = re.sub(r"^\(.*\)(?=[^)]*$)", "", arguments) if "->" not in arguments else arguments[arguments.index("->"):]
    behind = re.sub(r"=(default|delete|0)$", r"= \1", _tidy(re.sub(r"\bnoexcept\b.*", "noexcept", behind)))
    kind = _tidy(plain(element.find("type")))
    attributes = "static " if element.get("static") == "yes" and "static" not in kind else ""
    explicit = "explicit " if element.get("explicit") == "yes" and "explicit" not in kind else ""
    head = f"{attributes}{explicit}{kind}{' ' if kind else ''}{name}("
    params = [_parameter(param) for param in element.findall("param")]
    tail = ")" + (f" {behind}" if behind else "")
    line = head + ", ".join(params) + tail
    if len(line) > WIDTH:
        line = head + "\n    " + ",\n    ".join(params) + tail
    return _template(element) + _requires(element) + line


def _declaration(element, kind):
    if kind == "function":
        return _function(element)
    name, type_ = plain(element.find("name")), _tidy(plain(element.find("type")))
    value = plain(element.find("initializer"))
    if kind == "enum":
        return f"enum class {name}" if element.get("strong") == "yes" else f"enum {name}"
    if kind == "typedef":
        return f"{_template(element)}{_requires(element)}using {name} = {type_.removeprefix('using ')}"
    if kind == "define":
        params = [plain(param.find("defname")) for param in element.findall("param")]
        return f"#define {name}" + (f"({', '.join(params)})" if params else "")
    value = f" {_tidy(value)}" if value and len(value) < 60 else ""
    return f"{_template(element)}{type_} {name}{plain(element.find('argsstring'))}{value}"


def _place(element):
    location = element.find("location")
    if location is None:
        return "", 0
    return location.get("declfile", location.get("file")).rpartition("/")[2], int(location.get("line") or 0)


def _described(element):
    return {"brief": element.find("briefdescription"), "details": element.find("detaileddescription")}


def _member(element, scope):
    kind = {"friend": "function"}.get(element.get("kind"), element.get("kind"))
    header, line = _place(element)
    name = plain(element.find("name"))
    values = [(plain(value.find("name")), value.find("briefdescription"), value.find("detaileddescription"))
              for value in element.findall("enumvalue")]
    is_constructor = name == re.sub(r"<.*", "", scope).rpartition("::")[2]
    return Member(element.get("id"), kind, name, scope, header, line, _declaration(element, kind), values=values,
                  constructor=is_constructor, **_described(element))


def _members(compound, scope):
    for element in compound.iter("memberdef"):
        if element.get("prot") == "public" and element.get("kind") in \
                ("function", "variable", "typedef", "enum", "define", "friend"):
            if element.get("kind") == "friend" and plain(element.find("type")) in ("friend class", "friend struct"):
                continue
            if not plain(element.find("name")).startswith(("@", "~")):
                yield _member(element, scope)


def _class(compound):
    header, line = _place(compound)
    kind = compound.get("kind")
    name = _tidy(plain(compound.find("compoundname"))).removeprefix("gpu::")
    if kind == "concept":
        declaration = plain(compound.find("initializer"))
        members = []
    else:
        bare = name if "<" in name else name.rpartition("::")[2]
        declaration = f"{_template(compound)}{_requires(compound)}{kind} {bare}"
        members = list(_members(compound, "gpu::" + name))
    bases = [(base.get("refid"), _tidy(plain(base))) for base in compound.findall("basecompoundref")]
    bases = [base for base in bases if not base[1].startswith("std::")]
    return Class(compound.get("id"), kind, name, header, line, declaration, members=members, bases=bases,
                 **_described(compound))


def read_library(folder):
    """Reads the XML files of a folder; Doxygen's index says which."""
    try:
        index = ElementTree.parse(folder / "index.xml").getroot()
        compounds = [ElementTree.parse(folder / f"{entry.get('refid')}.xml").getroot().find("compounddef")
                     for entry in index.findall("compound") if entry.get("kind") in
                     ("class", "struct", "namespace", "file", "concept")]
    except (OSError, ElementTree.ParseError) as error:
        raise Fault(f"{folder}: Doxygen's XML can't be read: {error}") from error
    classes, members, files, names = [], [], {}, {}
    for compound in compounds:
        kind, name = compound.get("kind"), plain(compound.find("compoundname"))
        if kind == "file":
            files[name] = Description(compound)
            members += [member for member in _members(compound, "") if member.kind == "define"]
        elif not re.match(r"gpu\b", name) or "detail" in name:
            continue
        elif kind == "namespace":
            members += _members(compound, name)
        else:
            classes.append(_class(compound))
    members = list({member.id: member for member in members}.values())
    if len(members) < 100:
        raise Fault(f"{folder}: only {len(members)} members of libgpu; has the form of Doxygen's XML changed?")
    names.update({entry.id: entry.name for entry in classes})
    names.update({member.id: member.name for member in members})
    for entry in classes:
        names.update({member.id: f"{entry.name}::{member.name}" for member in entry.members})
    return Library(classes, members, files, names)
