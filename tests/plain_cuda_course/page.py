#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: page.py ROOT

The files that docs/your-cuda-course-without-gpus.md quotes are as it quotes them."""
import sys
from pathlib import Path

root = Path(sys.argv[1])
page = (root / "docs/your-cuda-course-without-gpus.md").read_text()
faults = 0
for name, language in (("Makefile", "make"), ("CMakeLists.txt", "cmake"), (".github/workflows/check.yml", "yaml"),
                       (".clangd", "yaml")):
    text = (root / "libgpu/gpucc/examples/vector_add" / name).read_text()
    text = text.partition("\n")[2]  # the licence's line
    if f"```{language}\n{text}```\n" not in page:
        print(f"the page doesn't quote {name} as it is")
        faults += 1
sys.exit(faults)
