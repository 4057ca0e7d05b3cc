#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: measure.py      (by hand, on a quiet machine; with the environment of the tests, see CMakeLists.txt)

How long a cell takes to its output, how much of that processors work, and what a session of 100 cells holds in memory:
docs/benchmarks/notebooks.md. Prints medians. Kernels have never been compiled before; the parsed header is there, but
for the first line.
"""

import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

EVERY = 11


class Notebook:
    def __init__(self):
        begin = time.monotonic()
        self.manager, self.client = start_new_kernel(kernel_name="gpu-course")
        self.started = time.monotonic() - begin

    def run(self, code):
        """(seconds to the cell's end, seconds of processors)"""
        begin, worked, failed = time.monotonic(), self.worked(), []

        def note(message):
            if message["msg_type"] == "error":
                failed.append(message["content"]["evalue"])
        self.client.execute_interactive(code, timeout=300, output_hook=note)
        if failed:
            raise SystemExit(f"{code}\n{failed}")
        return time.monotonic() - begin, self.worked() - worked

    def processes(self):
        """The kernel and all processes below it."""
        ids = [self.manager.provisioner.pid]
        for number in ids:
            for child in Path("/proc").glob("[0-9]*/stat"):
                try:
                    if int(child.read_text().rpartition(")")[2].split()[1]) == number:
                        ids.append(int(child.parent.name))
                except OSError:
                    pass
        return ids

    def worked(self):
        """Seconds of processors so far, with those of compilers that have ended."""
        ticks = 0
        for number in self.processes():
            ticks += sum(map(int, Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        """What each of them holds: private pages, and all pages of those that it shares."""
        total = {}
        for number in self.processes():
            name = Path(f"/proc/{number}/comm").read_text().strip()
            for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
                if line.startswith("Rss:"):
                    total[name] = total.get(name, 0) + int(line.split()[1]) / 1024
        return total

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def median(pairs):
    seconds, worked = zip(*pairs)
    return (f"{statistics.median(seconds):.2f} s (the longest of {len(pairs)}: {max(seconds):.2f}), "
            f"of processors {statistics.median(worked):.2f} s")


def listed(held):
    parts = ", ".join(f"{name} {size:.0f}" for name, size in held.items())
    return f"{sum(held.values()):.0f} MB: {parts}"


def main():
    cache = tempfile.mkdtemp()
    os.environ["XDG_CACHE_HOME"] = cache
    os.environ.pop("LIBGPU_CACHE_DIR", None)
    print("load", *[f"{one:.1f}" for one in os.getloadavg()])
    new = Notebook()
    print(f"the very first cell of a user, which parses the header: {median([new.run('1 + 1')])}")
    new.close()
    first = []
    for _ in range(3):
        one = Notebook()
        seconds, _ = one.run("gpu::arange<float>(4)")
        first.append((one.started + seconds, one.worked()))
        one.close()
    print(f"a notebook's first cell, with the start of the kernel: {median(first)}")
    notebook = Notebook()
    notebook.run("auto x = gpu::arange<float>(1000);")
    cells = [notebook.run(f"auto a{k} = {k}; x(gpu::slice(0, {k + 1}))") for k in range(EVERY)]
    print(f"a cell: {median(cells)}")
    sums = [notebook.run(f"x * {k}.5f + gpu::sqrt(x)" + " + x" * k) for k in range(EVERY)]
    print(f"a cell with a new expression: {median(sums)}")
    cuda = []
    for k in range(EVERY):
        cell = notebook.run(f"%%cu\n__global__ void k{k}(float* y) {{ y[threadIdx.x] = {k}; }}")
        call = notebook.run(f"k{k}({{.grid = 1, .block = 32}}, x);")
        cuda.append((cell[0] + call[0], cell[1] + call[1]))
    print(f"a %%cu cell with a new kernel, and the cell that calls it: {median(cuda)}")
    for k in range(100 - 3 * EVERY):
        notebook.run(f"auto v{k} = gpu::full<float>({{100}}, {k}).eval();")
    print(f"memory after 100 cells: {listed(notebook.megabytes())}")
    reply = notebook.client.complete("gpu::to_dev", 11, reply=True, timeout=60)["content"]["matches"]
    print(f"the same once completion was asked for ({len(reply)} names): {listed(notebook.megabytes())}")
    notebook.close()
    shutil.rmtree(cache)


if __name__ == "__main__":
    main()
