# SPDX-License-Identifier: MIT
"""Makes a C++ file of each cell, with what earlier cells have left: types, functions, variables."""

import re
from dataclasses import dataclass, field

from .cell import CellError, blanked, pieces


@dataclass
class Kept:
    """Something that later cells can use, and the text that declares it to them."""
    name: str
    cell: int
    line: int
    text: str = ""
    variable: str = ""   # of a variable: its slot's name; `text` is its type, once the process has told it
    constant: bool = False


@dataclass
class Program:
    """What the cells so far have declared. Redefinition replaces."""
    kept: list = field(default_factory=list)
    cells: int = 0

    def unit(self, text, before="", after="", shown_by="::gpu::notebook::show", header=""):
        """The C++ text of the next cell, and what it declares.

        before, after: what stands around its statements. shown_by: the function that gets the value of the last
        expression. header: one that it needs besides.
        """
        number = self.cells + 1
        parts = pieces(text)
        file = f"cell {number}"
        new, body = [], []
        names = {piece.name for piece in parts if piece.name}
        out = [f'#include "{header}"'] if header else []
        out.append(self.prelude(names))
        space = f"inline namespace cell_{number} {{"
        for piece in parts:
            place = f'#line {piece.line} "{file}"'
            if piece.kind == "include":
                out += [place, piece.text, '#line 1 "(notebook)"']
                new.append(Kept("", number, piece.line, piece.text))
            elif piece.kind == "declaration":
                if re.match(r"using\s+namespace\b", piece.text):
                    out += [place, piece.text]
                    new.append(Kept("", number, piece.line, piece.text))
                    continue
                out += [space, place, piece.text, '#line 1 "(notebook)"', "}"]
                new.append(Kept(piece.name or declared_name(piece.text), number, piece.line,
                                f'{space}\n{place}\n{piece.text}\n}}'))
            elif piece.kind == "function":
                out += [space, place, piece.text, '#line 1 "(notebook)"', "}"]
                new.append(Kept(piece.name, number, piece.line, f"{space} {piece.head}; }}"))
            elif piece.kind == "variable":
                slot = f"{piece.name}_in_cell_{number}"
                constant = re.match(r"const\b", piece.type) and not piece.type.endswith("*")
                of = re.sub(r"^const\s+", "", piece.type) if constant else piece.type
                if "auto" in of.split():
                    if not piece.form:
                        raise CellError(f"line {piece.line}: auto {piece.name} needs a value")
                    of = f"std::decay_t<decltype({piece.value})>"
                open_, close = {"=": ("value =", ";"), "(": ("value(", ");"), "{": ("value{", "};")}.get(
                    piece.form, ("value{", "};"))
                out += [space, place, f"::gpu::notebook::Variable<{of}> {slot};",
                        f"static {'const ' if constant else ''}auto& {piece.name} = {slot}.value();",
                        '#line 1 "(notebook)"', "}"]
                body += [f'{slot}.set("{piece.name}", [&] {{', place, f"{of} {open_}", place,
                         " " * piece.column + piece.value, close, "return value; });"]
                new.append(Kept(piece.name, number, piece.line, variable=slot, constant=bool(constant)))
            elif piece.kind == "expression":
                body += [f"{shown_by}(", place, " " * piece.column + piece.text, ");"]
            else:
                body += [place, piece.text]
        out += ['#line 1 "(notebook)"', f'extern "C" void gpu_notebook_cell_{number}() {{', before, *body,
                '#line 1 "(notebook)"', after, "}"]
        return "\n".join(out) + "\n", new

    def prelude(self, without):
        """Declares what earlier cells have left, but for names that the cell defines again."""
        texts = [declaration(one) for one in self.kept if one.name not in without]
        return "\n".join(text for text in texts if text)

    def keep(self, new, types):
        """The cell has run: its names replace earlier ones. types: of its variables, by name."""
        self.cells += 1
        for one in new:
            if one.variable:
                one.text = types.get(one.name, "")
        names = {one.name for one in new if one.name}
        self.kept = [one for one in self.kept if not one.name or one.name not in names] + new

    def skip(self):
        """The cell didn't compile, or was stopped: its number is used up, and it leaves nothing."""
        self.cells += 1


def declaration(kept):
    if not kept.variable:
        return kept.text
    if not kept.text or "{lambda" in kept.text or "(anonymous" in kept.text:
        return ""
    return (f"inline namespace cell_{kept.cell} {{ extern ::gpu::notebook::Variable<{kept.text}> {kept.variable}; "
            f"static {'const ' if kept.constant else ''}auto& {kept.name} = {kept.variable}.value(); }}")


def declared_name(text):
    """The name of a type, an alias, or what a macro such as GPU_KERNEL(name, ...) defines; empty: none is found."""
    code = blanked(text)
    match = (re.match(r"(?:template\s*<.*?>\s*)?(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)", code, re.S)
             or re.match(r"(?:using|typedef)\s+(?!namespace)(\w+)\s*=", code)
             or re.match(r"[A-Z][A-Z0-9_]+\s*\(\s*(\w+)", code)
             or re.match(r"(?:template\s*<.*?>\s*)?[\w:<>&*\s]+?(\w+)\s*\(", code, re.S))
    return match.group(1) if match else ""


KERNEL = re.compile(r"(?:extern\s+\"C\"\s+)?__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?void\s+"
                    r"(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(([^)]*)\)")


def kernels_as_cell(text, file):
    """A cell of CUDA C++ as a cell of C++: each kernel becomes an object that can be called."""
    found = KERNEL.findall(re.sub(r"//[^\n]*|/\*(?s:.*?)\*/", " ", text))
    if not found:
        raise CellError("there is no __global__ function in this cell")
    raw = f'R"gpu_cu({text}\n)gpu_cu"'
    lines = []
    for name, parameters in found:
        types = ", ".join(type_of_parameter(one) for one in split_at_commas(parameters) if one.strip())
        lines.append(f"const ::gpu::RawKernel<void({types})> {name}(::gpu::Source({raw}, \"{file}\"), \"{name}\");")
    return "\n".join(lines), [name for name, _ in found]


def split_at_commas(text):
    result, depth, begin = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            result.append(text[begin:k])
            begin = k + 1
    return result + [text[begin:]]


def type_of_parameter(parameter):
    text = re.sub(r"\b(__restrict__|__restrict|restrict|__grid_constant__)\b", " ", parameter).strip()
    match = re.match(r"(.*?[\s*&>])\w+$", text, re.S)
    return (match.group(1) if match else text).strip()
