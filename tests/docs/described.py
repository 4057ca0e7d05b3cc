#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists public functions of libgpu that lack words or a tested snippet.

    described.py XML EXCEPTIONS

Of the overloads of a function at least one says in a first sentence what it does, and one shows a snippet of a test,
or another function's snippet calls it. What isn't so stands in the list of exceptions with a reason; a line there that
isn't needed is an error as well.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "site"))

from doxygen import code_text, read_library  # noqa: E402

# What every snippet that uses a class calls.
OF_A_CLASS = re.compile(r"operator ?(?:\(\)|\[\]|[-+*/]?=|[A-Za-z].*)$")


def read_exceptions(path):
    """{function: what it may lack}"""
    excepted = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            kind, name = line.split(maxsplit=1)
            if kind not in ("text", "snippet", "both"):
                raise SystemExit(f'{path}: "{kind}" is none of text, snippet and both: {line}')
            excepted[name] = {"text", "snippet"} if kind == "both" else {kind}
    return excepted


def public_functions(library):
    """{qualified name: its overloads}; constructors say nothing that their class doesn't."""
    found = defaultdict(list)
    for member in library.members + [member for entry in library.classes for member in entry.members]:
        if member.kind == "function" and not member.constructor and not member.name.startswith("operator="):
            found[f"{re.sub(r'<.*', '', member.scope)}::{member.name}"].append(member)
    return found


def shown_code(library):
    """The text of all snippets; what a comment mentions isn't shown."""
    described = [*library.members, *library.classes, *(member for entry in library.classes for member in entry.members),
                 *library.files.values()]
    code = "\n".join(code_text(listing) for entry in described for listing in entry.details.iter("programlisting"))
    return re.sub(r"//.*", "", code)


def is_called(name, shown):
    if not name.startswith("operator"):
        return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)} *(?:<[^;()]*>)?[({{]", shown)
    return OF_A_CLASS.match(name) or f" {name.removeprefix('operator').strip()}" in shown


def main():
    xml, exceptions = Path(sys.argv[1]), Path(sys.argv[2])
    library, excepted = read_library(xml), read_exceptions(exceptions)
    shown = shown_code(library)
    functions = public_functions(library)
    classes = {f"gpu::{re.sub(r'<.*', '', entry.name)}" for entry in library.classes}
    faults, used = [], set()
    for name, overloads in sorted(functions.items()):
        bare = overloads[0].name
        lacks = set()
        of_a_class = bare.startswith("operator") and name.rpartition("::")[0] in classes
        if not any(member.has_text() for member in overloads) and not of_a_class:
            lacks.add("text")
        if not any(member.has_snippet() for member in overloads) and not is_called(bare, shown):
            lacks.add("snippet")
        if lacks and excepted.get(name, set()) >= lacks:
            used.add(name)
            lacks = set()
        if "text" in lacks:
            faults.append(f"{name}: no overload says what it does: write a sentence above one ({overloads[0].header})")
        if "snippet" in lacks:
            faults.append(f"{name}: is shown in no snippet: add @snippet room/file_test.cpp name, or call it elsewhere")
    faults += [f"tests/docs/exceptions: {name}: not needed (it is described and shown, or it is gone)"
               for name in sorted(set(excepted) - used)]
    if not {"text", "snippet"} <= set().union(*excepted.values()):
        faults.append("tests/docs/exceptions: nothing of a kind is listed, so nothing shows that a lack is noticed")
    print("\n".join(faults) or f"{len(functions)} public functions are described and shown in tested snippets")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
