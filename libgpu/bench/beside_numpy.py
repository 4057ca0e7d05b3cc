#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The host backend beside NumPy, in turns: medians, and the median of the pairs' ratios.

usage: beside_numpy.py build/kit/bin/gpu_numpy_bench [PAIRS [WORD...]]     rows with these words; all, unless named

With GPU_BENCH_CPU_TIME=1 times are the processes' processor time, all threads together: what other processes do changes
it less.

NumPy isn't among the kit's packages: run it with a Python that has it.
"""
import os
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
bincount_256 4194304 int32
bincount_256 4194304 int64
bincount_65536 4194304 int64
bincount_ones 4194304 int64
histogram 4194304 float32
histogram_in_range 4194304 float32
histogram 4194304 float64
argmax 16777216 float32
exp 16777216 float32
to_host 4194304 float32
copy_to 4194304 float32
add 100 float32
add_into 100 float32
distance 100 float32
sum 100 float32
to_host 100 float32
bincount_256 100 int64
histogram 100 float32
sort 100 float32
argsort 100 float32
unique 100 float32
cumsum 100 float32
searchsorted 100 float32
median 100 float32
nonzero 100 float32
mask 100 float32
""".split("\n")[1:-1]


def matrix_task(name, n, dtype):
    rng = np.random.default_rng(7)
    a, b = (rng.standard_normal((n, n)).astype(dtype) for _ in range(2))
    symmetric, definite = a + a.T, a @ a.T + n * np.eye(n, dtype=dtype)
    return {"matmul": lambda: a @ b, "matvec": lambda: a @ b[:, 0],
            "svd": lambda: np.linalg.svd(a, full_matrices=False),
            "svdvals": lambda: np.linalg.svd(a, compute_uv=False), "qr": lambda: np.linalg.qr(a),
            "solve": lambda: np.linalg.solve(a, b[:, 0]), "eigh": lambda: np.linalg.eigh(symmetric),
            "cholesky": lambda: np.linalg.cholesky(definite)}[name]


def vector_task(name, n, dtype):
    rng = np.random.default_rng(7)
    if dtype.startswith("int"):
        x, wide = (rng.integers(0, top, n, dtype=dtype) for top in (256, 1 << 16))
        ones = np.ones(n, dtype=dtype)
        return {"bincount_256": lambda: np.bincount(x), "bincount_65536": lambda: np.bincount(wide),
                "bincount_ones": lambda: np.bincount(ones)}.get(name)
    x, y = (rng.random(n).astype(dtype) for _ in range(2))
    there, ordered = np.empty_like(x), np.sort(x)
    if name in ("sort", "argsort", "unique", "cumsum", "median"):
        return lambda: getattr(np, name)(x)
    return {"searchsorted": lambda: np.searchsorted(ordered, y), "nonzero": lambda: np.nonzero(x > 0.5),
            "mask": lambda: x[x > 0.5], "add": lambda: x + y, "add_into": lambda: np.add(x, y, out=there),
            "distance": lambda: np.sqrt(x * x + y * y), "exp": lambda: np.exp(x),
            "sum": lambda: x.sum(), "argmax": lambda: x.argmax(), "to_host": lambda: x.copy(),
            "copy_to": lambda: np.copyto(there, x), "histogram": lambda: np.histogram(x, bins=100),
            "histogram_in_range": lambda: np.histogram(x, bins=100, range=(0, 1))}.get(name)


def main():
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    words = sys.argv[3:]
    now = time.process_time if os.environ.get("GPU_BENCH_CPU_TIME") else time.perf_counter
    with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bench:
        print("| | libgpu, ms | NumPy, ms | ratio |\n|---|---|---|---|")
        for row in ROWS:
            if words and not any(word in row for word in words):
                continue
            name, n, dtype = row.split()
            task, calls = vector_task(name, int(n), dtype) or matrix_task(name, int(n), dtype), range(1)
            if int(n) <= 100:  # as in numpy_bench.cpp
                calls = range(1000)
            task()
            ours, theirs = [], []
            for _ in range(pairs):
                start = now()
                for _ in calls:
                    task()
                theirs.append(1e3 * (now() - start) / len(calls))
                bench.stdin.write(row + "\n")
                bench.stdin.flush()
                ours.append(float(bench.stdout.readline()))
            ratio = statistics.median(x / y for x, y in zip(ours, theirs))
            print(f"| {row} | {statistics.median(ours):.3g} | {statistics.median(theirs):.3g} | {ratio:.2f} |",
                  flush=True)


if __name__ == "__main__":
    main()
