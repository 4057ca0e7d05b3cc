#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: notebooks_test.py tutorials|NUMBER...|lessons

Runs notebooks as Jupyter does, from their first cell to their last: those of lessons/tutorials, or lessons as
notebooks, whose programs print what the lessons' pages show.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import nbformat
    from nbclient import NotebookClient
except ImportError as error:
    print(f"SKIP: Jupyter isn't here ({error}); ./setup --notebooks")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
NUMBER = r"[-+]?[\d.,]+(e[-+]?\d+)?"


def text_of(cell):
    """All that the cell printed and showed, pictures by their type."""
    parts = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            parts.append(output.text)
        elif output.output_type == "error":
            parts.append(f"{output.ename}: {output.evalue}")
        else:
            parts += [f"[{mime}]" if mime.startswith("image/") else output.data[mime] for mime in output.data]
    return "\n".join(parts)


def differs(kept, printed):
    """The first line in which a lesson's output isn't the page's, with "~" for any number; None if there is none."""
    kept, printed = kept.rstrip("\n").split("\n"), printed.rstrip("\n").split("\n")
    for k in range(max(len(kept), len(printed))):
        if k >= min(len(kept), len(printed)):
            return f"{len(printed)} lines, expected {len(kept)}"
        pattern = r"\s+".join(re.escape(word).replace("\\~", "~").replace("~", NUMBER) for word in kept[k].split())
        if not re.fullmatch(pattern, printed[k].strip()):
            return f"{printed[k]!r}, expected {kept[k]!r}"
    return None


def solved(notebook):
    """The notebook with each answer replaced by the solution that is folded below it; None if it has no exercises."""
    answers = [cell for cell in notebook.cells if cell.metadata.get("answer")]
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    solutions = re.findall(r"<summary>Solution</summary>\s*```cpp\n(.*?)\n```", text, re.S)
    if len(answers) != len(solutions):
        sys.exit(f"{len(answers)} answers, {len(solutions)} solutions")
    for cell, solution in zip(answers, solutions):
        cell.source = solution
    return notebook if answers else None


def faults(cell, is_solved):
    seen = text_of(cell)
    wanted = cell.metadata.get("expected", [])
    if is_solved and "solved" in cell.metadata:
        wanted = [cell.metadata["solved"]]
    found = [f"{one!r} isn't there" for one in wanted if one not in seen]
    fails = any(one.output_type == "error" for one in cell.outputs)
    if fails != bool(cell.metadata.get("fails")):
        found.append("it fails" if fails else "it doesn't fail")
    named = re.match(r"%%program (\S+)\n", cell.source)
    kept = ROOT / Path(named.group(1)).with_suffix(".out") if named else None
    if named and kept.exists() and re.search(r"^int main\(", cell.source, re.M):
        if difference := differs(kept.read_text(), seen):
            found.append(difference)
    return [f"{one}; there was:\n{seen}" for one in found]


def run(file):
    """How many cells of the notebook don't do what they should, as it is and with its exercises solved."""
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    os.chdir(file.parent)
    wrong = 0
    if stored := sum(bool(cell.get("outputs")) for cell in notebook.cells):
        wrong += 1
        print(f"{file.name}: {stored} cells have stored output")
    for is_solved in (False, True):
        notebook = solved(notebook) if is_solved else notebook
        if notebook is None:
            break
        NotebookClient(notebook, timeout=300, kernel_name="gpu-course", allow_errors=True).execute()
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for cell in code:
            if found := faults(cell, is_solved):
                wrong += 1
                print(f"{file.name}: {cell.source[:200]!r}", *found, sep="\n  ")
        print(f"{file.name}: {len(code)} cells{', solved' if is_solved else ''}")
    return wrong


def main():
    wanted = sys.argv[1:] or ["tutorials"]
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as out:
        files = sorted((ROOT / "lessons" / "tutorials").glob("*.ipynb")) if "tutorials" in wanted else []
        numbers = [one for one in wanted if one.isdigit()]
        if numbers or "lessons" in wanted:
            subprocess.run([sys.executable, ROOT / "libgpu/jupyter/lesson_notebooks.py", out, *numbers], check=True)
            files += sorted(Path(out).glob("*.ipynb"))
        wrong = sum(run(file) for file in files)
        os.chdir(ROOT)
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
