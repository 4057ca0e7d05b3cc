#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Linear algebra of the host backend beside NumPy's, in turns: medians, and the median of the pairs' ratios.

usage: beside_numpy.py build/kit/bin/gpu_linalg_bench [PAIRS]

NumPy isn't among the kit's packages: run it with a Python that has it.
"""
import statistics
import subprocess
import sys
import time

import numpy as np

ROWS = """
matmul 1024 float32
matmul 1024 float64
matvec 2048 float32
svd 512 float32
svd 512 float64
svdvals 512 float64
svd 16 float64
eigh 512 float32
eigh 512 float64
qr 512 float64
cholesky 1024 float64
solve 1024 float64
""".split("\n")[1:-1]


def task_of(name, n, dtype):
    rng = np.random.default_rng(7)
    a, b = (rng.standard_normal((n, n)).astype(dtype) for _ in range(2))
    symmetric, definite = a + a.T, a @ a.T + n * np.eye(n, dtype=dtype)
    return {"matmul": lambda: a @ b, "matvec": lambda: a @ b[:, 0],
            "svd": lambda: np.linalg.svd(a, full_matrices=False),
            "svdvals": lambda: np.linalg.svd(a, compute_uv=False), "qr": lambda: np.linalg.qr(a),
            "solve": lambda: np.linalg.solve(a, b[:, 0]), "eigh": lambda: np.linalg.eigh(symmetric),
            "cholesky": lambda: np.linalg.cholesky(definite)}[name]


def main():
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bench:
        print("| | libgpu, ms | NumPy, ms | ratio |\n|---|---|---|---|")
        for row in ROWS:
            name, n, dtype = row.split()
            task = task_of(name, int(n), dtype)
            task()
            ours, theirs = [], []
            for _ in range(pairs):
                start = time.perf_counter()
                task()
                theirs.append(1e3 * (time.perf_counter() - start))
                bench.stdin.write(row + "\n")
                bench.stdin.flush()
                ours.append(float(bench.stdout.readline()))
            ratio = statistics.median(x / y for x, y in zip(ours, theirs))
            print(f"| {row} | {statistics.median(ours):.3g} | {statistics.median(theirs):.3g} | {ratio:.2f} |",
                  flush=True)


if __name__ == "__main__":
    main()
