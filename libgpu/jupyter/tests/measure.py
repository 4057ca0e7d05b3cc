#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: measure.py      (by hand, on a quiet machine; with the environment of the tests, see CMakeLists.txt)

How long a cell takes to its output, and what a session of 100 cells holds in memory: docs/benchmarks/notebooks.md.
Prints medians. Kernels have never been compiled before; the parsed header is there, but for the first line.
"""

import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

EVERY = 21


class Notebook:
    def __init__(self):
        begin = time.monotonic()
        self.manager, self.client = start_new_kernel(kernel_name="gpu-course")
        self.started = time.monotonic() - begin

    def seconds(self, code):
        begin, failed = time.monotonic(), []

        def note(message):
            if message["msg_type"] == "error":
                failed.append(message["content"]["evalue"])
        self.client.execute_interactive(code, timeout=300, output_hook=note)
        if failed:
            raise SystemExit(f"{code}\n{failed}")
        return time.monotonic() - begin

    def megabytes(self):
        """What the kernel and the processes below it hold, a shared page divided among those that share it."""
        ids = [self.manager.provisioner.pid]
        for number in ids:
            for child in Path("/proc").glob("[0-9]*/stat"):
                try:
                    if int(child.read_text().rpartition(")")[2].split()[1]) == number:
                        ids.append(int(child.parent.name))
                except OSError:
                    pass
        total = {}
        for number in ids:
            name = Path(f"/proc/{number}/comm").read_text().strip()
            for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total[name] = total.get(name, 0) + int(line.split()[1]) / 1024
        return total

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def median(values):
    return f"{statistics.median(values):.2f} s (the longest of {len(values)}: {max(values):.2f})"


def listed(held):
    parts = ", ".join(f"{name} {size:.0f}" for name, size in held.items())
    return f"{sum(held.values()):.0f} MB: {parts}"


def main():
    cache = tempfile.mkdtemp()
    os.environ["XDG_CACHE_HOME"] = cache
    os.environ.pop("LIBGPU_CACHE_DIR", None)
    new = Notebook()
    print(f"the very first cell of a user, which parses the header: {new.seconds('1 + 1'):.2f} s")
    new.close()
    first = []
    for _ in range(5):
        one = Notebook()
        first.append(one.started + one.seconds("gpu::arange<float>(4)"))
        one.close()
    print(f"a notebook's first cell, with the start of the kernel: {median(first)}")
    notebook = Notebook()
    notebook.seconds("auto x = gpu::arange<float>(1000);")
    print(f"a cell: {median([notebook.seconds(f'auto a{k} = {k}; x(gpu::slice(0, {k + 1}))') for k in range(EVERY)])}")
    sums = [notebook.seconds(f"x * {k}.5f + gpu::sqrt(x)" + " + x" * k) for k in range(EVERY)]
    print(f"a cell with a new expression: {median(sums)}")
    cuda = []
    for k in range(EVERY):
        took = notebook.seconds(f"%%cu\n__global__ void k{k}(float* y) {{ y[threadIdx.x] = {k}; }}")
        cuda.append(took + notebook.seconds(f"k{k}({{.grid = 1, .block = 32}}, x);"))
    print(f"a %%cu cell with a new kernel, and the cell that calls it: {median(cuda)}")
    notebook.close()
    notebook = Notebook()
    for k in range(100):
        notebook.seconds(f"auto v{k} = gpu::full<float>({{100}}, {k}).eval(); v{k} + 1.f")
    held = notebook.megabytes()
    print(f"memory after 100 cells: {listed(held)}")
    reply = notebook.client.complete("gpu::to_dev", 11, reply=True, timeout=60)["content"]["matches"]
    held = notebook.megabytes()
    print(f"the same once completion was asked for ({len(reply)} names): {listed(held)}")
    notebook.close()
    shutil.rmtree(cache)


if __name__ == "__main__":
    main()
