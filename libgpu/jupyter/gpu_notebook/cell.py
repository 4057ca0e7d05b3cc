# SPDX-License-Identifier: MIT
"""Splits the text of a C++ cell into pieces: declarations, variables, statements, and the expression at its end."""

import re
from dataclasses import dataclass

CONTROL = {"if", "for", "while", "do", "switch", "try", "return", "throw", "delete", "new", "goto", "break", "continue",
           "else", "catch", "case", "co_await", "sizeof"}
DECLARED = {"struct", "class", "union", "enum", "namespace", "using", "typedef", "template", "concept", "static_assert",
            "extern", "friend"}


BUILTIN = {"auto", "bool", "char", "double", "float", "int", "void"}


@dataclass
class Piece:
    """A part of a cell at its top level.

    kind: "include", "declaration" (of a type, a macro, a lambda: later cells get its text), "function" (later cells get
    its head), "variable", "statement" or "expression" (shown, as it is the last and has no semicolon).
    """
    kind: str
    text: str
    line: int          # of its first character, from 1
    name: str = ""     # of a function or variable
    type: str = ""     # of a variable: what stands before its name
    value: str = ""    # of a variable: its initialiser, without "="; empty: none
    form: str = ""     # of a variable: "=", "(", "{" or ""
    head: str = ""     # of a function: what stands before its body
    column: int = 0    # where the value, or an expression, begins in its line


class CellError(Exception):
    """The cell can't be split; the message says why and what to do."""


STRING = re.compile(r'(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\((?s:.*?)\)(?P=mark)"'
                    r'|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"' r"|'(?:\\.|[^'\\\n])+'")
COMMENT = re.compile(r"//[^\n]*|/\*(?s:.*?)\*/")


def blanked(text):
    """The text with comments, and what is in quotes, replaced by blanks of equal length; line ends stay."""
    def blank(part):
        return re.sub(r"[^\n]", " ", part)
    result, at = [], 0
    while at < len(text):
        match = COMMENT.match(text, at)
        if match:
            result.append(blank(match.group()))
        else:
            match = STRING.match(text, at)
            if not match or (at and (text[at - 1].isalnum() or text[at - 1] == "_") and text[at] == "'"):
                result.append(text[at])
                at += 1
                continue
            inside = match.group()
            result.append('"' + blank(inside[1:-1]) + '"')
        at = match.end()
    return "".join(result)


def spans(code):
    """Where the pieces of a cell stand, as (begin, end), and the brackets that are still open at its end, each with its
    place. code: blanked text. What follows the last span is a piece that isn't complete."""
    found, begin, at, depth = [], 0, 0, []
    closing = {")": "(", "]": "[", "}": "{"}
    while at < len(code):
        c = code[at]
        if c == "#" and not depth and not code[begin:at].strip():
            end = at
            while True:  # a line, and those that it continues on
                end = code.find("\n", end + 1)
                if end == -1:
                    end = len(code)
                if end == len(code) or code[end - 1] != "\\":
                    break
            found.append((begin, end))
            begin = at = end
            continue
        if c in "([{":
            depth.append((c, at))
        elif c in ")]}":
            if not depth or depth[-1][0] != closing[c]:
                raise CellError(f"line {code.count(chr(10), 0, at) + 1}: this {c} closes nothing")
            depth.pop()
            if c == "}" and not depth and ends_piece(code, begin, at):
                found.append((begin, at + 1))
                begin = at + 1
        elif c == ";" and not depth:
            found.append((begin, at + 1))
            begin = at + 1
        at += 1
    return found, depth


def pieces(text):
    """The cell's pieces in their order."""
    code = blanked(text)
    found, depth = spans(code)
    if depth:
        c, where = depth[-1]
        raise CellError(f"line {text.count(chr(10), 0, where) + 1}: this {c} is never closed")
    result = []
    for begin, end in [*found, (found[-1][1] if found else 0, len(code))]:
        there = code[begin:end]
        if not there.strip():   # nothing, or a comment
            continue
        start = begin + len(there) - len(there.lstrip())   # behind comments
        stripped = text[start:end].rstrip()
        made = classified(stripped, code[start:start + len(stripped)], text.count("\n", 0, start) + 1)
        for piece in made:
            at = start + stripped.find(piece.value or piece.text) if piece.kind == "variable" else start
            piece.column = at - (text.rfind("\n", 0, at) + 1)
            if piece.kind == "variable":
                piece.line = text.count("\n", 0, at) + 1
        result.extend(made)
    return result


def ends_piece(code, begin, at):
    """True if the brace at `at` ends a function's body or a compound statement, and not an initialiser or a struct."""
    head = code[begin:at]
    first = re.match(r"\s*(\w*)", head).group(1)
    after = code[at + 1:].lstrip()
    if re.match(r"(else|catch)\b", after) or (first == "do" and re.match(r"while\b", after)):
        return False
    if first in CONTROL or first == "namespace" or not first:
        return True
    if first in {"struct", "class", "union", "enum", "using"}:
        return False
    opening = head.find("{")
    before = head[:opening]
    if "=" in re.sub(r"operator\s*[=!<>+\-*/]+|[<>=!]=", "", before.split("(")[0]):
        return False   # auto x = [](int i) { ... };
    return bool(re.search(r"\)\s*(const|noexcept|override|->[^{;]*|\s)*$", before)) or \
        (first == "template" and "(" in before)


def is_function(code):
    before = code[:code.find("{")]
    head = r"[\w>&*\]]\s+[&*]*(operator\s*\S+|\w+)\s*\(.*\)\s*(const|noexcept|->[^{;]*|\s)*$"
    return bool(re.search(head, before, re.S)) and "=" not in before.split("(")[0]


NAME = r"[A-Za-z_]\w*"

def end_of_arguments(code, at):
    """The place behind the '>' that closes the '<' at `at`; -1 if none does."""
    depth = 0
    for k in range(at, len(code)):
        if code[k] == "<":
            depth += 1
        elif code[k] == ">":
            depth -= 1
            if depth == 0:
                return k + 1
        elif code[k] in ";{":
            return -1
    return -1


def end_of_type(code):
    """Where a type ends that stands at the beginning; 0 if there is none."""
    at = 0
    words = re.compile(r"\s*(const|static|constexpr|unsigned|signed|long|short|volatile|mutable|typename)\b")
    builtin = False
    while True:
        match = words.match(code, at)
        if not match:
            break
        builtin = builtin or match.group(1) in {"unsigned", "signed", "long", "short"}
        at = match.end()
    match = re.compile(rf"\s*(?:::)?{NAME}(?:::{NAME})*").match(code, at)
    if builtin:
        more = re.compile(r"\s*(int|char|double|long)\b").match(code, at)
        at = more.end() if more else at
    elif not match or match.group().strip() in CONTROL:
        return 0
    else:
        at = match.end()
        while True:
            if code[at:at + 1] == "<":
                at = end_of_arguments(code, at)
                if at == -1:
                    return 0
                nested = re.compile(rf"::{NAME}").match(code, at)
                if nested:
                    at = nested.end()
                    continue
            break
    match = re.compile(r"(\s*(\*|const\b))*").match(code, at)
    return match.end()


def classified(text, code, line):
    first = re.match(r"\w*", code).group()
    if code.startswith("#"):
        return [Piece("include", text, line)]
    if first in DECLARED or re.match(r"[A-Z][A-Z0-9_]+\s*\(", code):
        return [Piece("declaration", text, line)]
    if first in CONTROL or code.startswith("{"):
        return [Piece("statement", text, line)]
    if code.endswith("}") and is_function(code):
        head = text[:code.find("{")].rstrip()
        name = re.search(r"(operator\s*\S+?|\w+)\s*\(", re.sub(r"<[^<>]*>", "", code[:code.find("{")]))
        if re.search(r"\b(auto|constexpr|inline|consteval)\b", code[:code.find("(")]):
            return [Piece("declaration", text, line, name=name.group(1))]
        return [Piece("function", text, line, name=name.group(1), head=head)]
    if code.endswith(";"):
        variables = variables_of(text[:-1], code[:-1], line)
        if variables:
            return variables
        return [Piece("statement", text, line)]
    if code.endswith("}"):
        return [Piece("statement", text, line)]
    return [Piece("expression", text, line)]


def variables_of(text, code, line):
    """The variables that `int a = 1, b` or `auto x = f()` declares; nothing if it isn't a declaration."""
    end = end_of_type(code)
    if end == 0:
        return []
    kind = text[:end].strip()
    rest_code, rest = code[end:], text[end:]
    if not re.match(rf"\s*{NAME}\s*($|[=,;({{\[])", rest_code) or re.match(rf"\s*{NAME}\s*==", rest_code):
        binds = re.match(r"\s*&\s*(\w+\s*=[^=]|\[)", rest_code) or \
            ("auto" in kind and rest_code.lstrip().startswith("["))
        if binds:
            raise CellError(f"line {line}: a cell can't keep a reference or a structured binding: name a copy, or put "
                            "the line into { } with what uses it")
        return []
    result, begin, depth = [], 0, 0
    ends = []
    for k, c in enumerate(rest_code):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0 and not inside_angles(rest_code, k):
            ends.append(k)
    for stop in ends + [len(rest)]:
        part, part_code = rest[begin:stop], rest_code[begin:stop]
        begin = stop + 1
        match = re.match(rf"\s*(?P<stars>[*\s]*)(?P<name>{NAME})\s*(?P<form>[=({{\[]?)", part_code)
        if not match:
            return []
        form = match.group("form")
        names_one = kind.endswith("*") and re.fullmatch(rf"{NAME}[\s*]*", kind)
        if not form and names_one and kind.rstrip("* ") not in BUILTIN:
            return []   # a * b;
        value = part[match.end():].strip()
        if form == "[":
            return [Piece("declaration", text + ";", line)]
        if form in ("(", "{"):
            value = value[:-1]
        if form == "=" and re.match(r"\[[^\]]*\]\s*(\(|\{|<|mutable)", part_code[match.end():].strip()):
            return [Piece("declaration", "static " + text + ";" if not kind.startswith("static") else text + ";", line,
                          name=match.group("name"))]
        of = re.sub(r"\b(static|constexpr)\s+", lambda m: "const " if m.group(1) == "constexpr" else "", kind)
        result.append(Piece("variable", part, line + rest[:match.start()].count("\n"), name=match.group("name"),
                            type=of + match.group("stars").strip(), value=value, form=form))
    return result


def inside_angles(code, at):
    """True if the comma at `at` separates template arguments: a '<' before it that closes behind it."""
    for match in re.finditer(r"[\w:]<", code[:at]):
        end = end_of_arguments(code, match.end() - 1)
        if end > at:
            return True
    return False
