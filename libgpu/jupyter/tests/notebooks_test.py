#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the notebooks of lessons/tutorials as Jupyter does, from their first cell to their last."""

import os
import sys
from pathlib import Path

try:
    import nbformat
    from nbclient import NotebookClient
except ImportError as error:
    print(f"skipped: Jupyter isn't here ({error}); ./setup --notebooks")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]


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


def main():
    wrong = 0
    names = sys.argv[1:] or sorted(str(one) for one in (ROOT / "lessons" / "tutorials").glob("*.ipynb"))
    for name in names:
        notebook = nbformat.read(name, as_version=4)
        os.chdir(Path(name).parent)
        NotebookClient(notebook, timeout=120, kernel_name="gpu-course", allow_errors=True).execute()
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            seen = text_of(cell)
            expected = cell.metadata.get("expected", [])
            failed = [one for one in expected if one not in seen]
            if any(one.output_type == "error" for one in cell.outputs) != bool(cell.metadata.get("fails")):
                failed.append("(no error)" if not cell.metadata.get("fails") else "(an error)")
            if failed:
                wrong += 1
                print(f"{Path(name).name}: {cell.source!r}\n  expected {failed}, and there was:\n{seen}")
        print(f"{Path(name).name}: {sum(one.cell_type == 'code' for one in notebook.cells)} cells")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
