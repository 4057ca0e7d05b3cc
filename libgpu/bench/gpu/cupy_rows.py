#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: cupy_rows.py OUT.json [ELEMENTS [DRAWN]...]

The rows of gpu_bench in CuPy, and matrix decompositions in NumPy: same names, same method. ELEMENTS is a logarithm, 28
unless given. DRAWN are names of calls with random shapes, such as drawn/sort/float32/17x4099/axis_0. Writes {"about": {...}, "cupy": {name: seconds}, "numpy": {name: seconds}, "missing": {name: why}}.
"""

import json
import os
import random
import sys
import time

import cupy as cp
import numpy as np

FLUSH = cp.RawKernel(r"""
extern "C" __global__ void flush(const float4* x, float* never, long long n) {
    long long step = (long long)gridDim.x * blockDim.x;
    float sum = 0;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += step) {
        float4 a = x[i];
        sum += a.x + a.y + a.z + a.w;
    }
    if (sum == -1.2345f) *never = sum;
}""", "flush")
RAW_ADD = cp.RawKernel(r"""
extern "C" __global__ void my_add(const float* a, const float* b, float* c, long long n) {
    long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}""", "my_add")
SQUARED_DIFF = cp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")
L2NORM = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
MANDELBROT = cp.ElementwiseKernel("float64 x, float64 y, int32 m", "float64 r", """
double zr = 0, zi = 0;
int n = 0;
for (; n < m && zr * zr + zi * zi <= 4.0; ++n) {
    double t = zr * zr - zi * zi + x;
    zi = 2 * zr * zi + y;
    zr = t;
}
r = n < m ? n - log(log(sqrt(zr * zr + zi * zi))) / log(2.0) : 0;""", "mandelbrot")


def uniform(*shape):
    return cp.random.rand(*shape, dtype=cp.float32)


def root(n):
    side = 1
    while side * side * 4 <= n:
        side *= 2
    return side


def repeats(seconds):
    """As gpu_bench: how often a call is measured."""
    return 3 if seconds > .1 else 5 if seconds > .01 else 9 if seconds > .002 else 15


class Measure:
    def __init__(self):
        properties = cp.cuda.runtime.getDeviceProperties(0)
        self.blocks = 16 * properties["multiProcessorCount"]
        self.flushed = cp.zeros(max(properties["l2CacheSize"], 8 << 20), dtype=cp.float32)
        self.never = cp.zeros(1, dtype=cp.float32)

    def once(self, call):
        start, stop = cp.cuda.Event(), cp.cuda.Event()
        FLUSH((self.blocks,), (256,), (self.flushed, self.never, np.int64(self.flushed.size // 4)))
        start.record()
        call()
        stop.record()
        stop.synchronize()
        return cp.cuda.get_elapsed_time(start, stop) / 1000

    def device(self, call):
        self.once(call)
        seconds = [self.once(call)]
        seconds += [self.once(call) for _ in range(repeats(seconds[0]) - 1)]
        return sorted(seconds)[len(seconds) // 2]

    @staticmethod
    def host(call, bursts=11, calls=200):
        seconds = []
        for burst in range(bursts + 1):
            cp.cuda.Device().synchronize()
            start = time.perf_counter()
            for _ in range(calls):
                call()
            if burst > 0:
                seconds.append((time.perf_counter() - start) / calls)
        cp.cuda.Device().synchronize()
        return sorted(seconds)[len(seconds) // 2]

    @staticmethod
    def first_calls(make):
        """Kernels whose text was never compiled before."""
        seconds = []
        for k in range(6):
            number = random.SystemRandom().randrange(1 << 20)
            cp.cuda.Device().synchronize()
            start = time.perf_counter()
            make(number)
            cp.cuda.Device().synchronize()
            if k > 0:
                seconds.append(time.perf_counter() - start)
        return sorted(seconds)[len(seconds) // 2]

    @staticmethod
    def cpu(call):
        call()
        seconds = []
        for _ in range(3):
            start = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - start)
            if seconds[0] > .5:
                break
        return sorted(seconds)[len(seconds) // 2]


def elementwise(n, side, measure):
    x, y, z = uniform(n), uniform(n), cp.empty(n, dtype=cp.float32)
    a, b, c = (v.reshape(side, -1) for v in (x, y, z))
    turned_x, turned_y = (v.reshape(c.shape[1], c.shape[0]).T for v in (x, y))
    half_x, half_y = x.astype(cp.float16), y.astype(cp.float16)
    half_z = cp.empty_like(half_x)
    calls = {
        "copy": lambda: cp.copyto(z, x),
        "squared_diff": lambda: SQUARED_DIFF(x, y, z),
        "expression": lambda: x ** 2 + 2 * y,
        "expression_new": lambda: x ** 2 + 2 * y,
        "half": lambda: SQUARED_DIFF(half_x, half_y, half_z),
        "every_second": lambda: x[::2] * cp.float32(2),
        "broadcast_row": lambda: SQUARED_DIFF(a, b[0], c),
        "broadcast_column": lambda: SQUARED_DIFF(a, b[:, :1], c),
        "all_transposed": lambda: SQUARED_DIFF(a.T, b.T, c.T),
        "one_transposed": lambda: SQUARED_DIFF(a, turned_y, c),
        "transposed_copy": lambda: cp.copyto(c, turned_x),
        "raw_add": lambda: RAW_ADD(((n + 255) // 256,), (256,), (x, y, z, np.int64(n))),
    }
    for name, call in calls.items():
        yield "elementwise/" + name, lambda call=call: measure.device(call)


def reductions(n, side, measure):
    x, y = uniform(n), uniform(n)
    square, rows, few = x.reshape(side, -1), x.reshape(-1, 8), x.reshape(8, -1)
    inner = min(1024, side)
    box = x.reshape(min(64, n // inner), -1, inner)
    calls = {
        "sum": lambda: cp.sum(x),
        "sum_axis_0": lambda: cp.sum(square, axis=0),
        "sum_axis_1": lambda: cp.sum(square, axis=1),
        "rows_of_8": lambda: cp.sum(rows, axis=1),
        "columns_of_8": lambda: cp.sum(rows, axis=0),
        "eight_rows": lambda: cp.sum(few, axis=1),
        "eight_rows_axis_0": lambda: cp.sum(few, axis=0),
        "middle_axis": lambda: cp.sum(box, axis=1),
        "argmax": lambda: cp.argmax(x),
        "sum_of_products": lambda: cp.sum(x * y),
        "l2norm": lambda: L2NORM(x),
        "l2norm_axis_0": lambda: L2NORM(square, axis=0),
        "l2norm_axis_1": lambda: L2NORM(square, axis=1),
    }
    for name, call in calls.items():
        yield "reductions/" + name, lambda call=call: measure.device(call)


def order(n, _, measure):
    n //= 4
    x, square = uniform(n), uniform(root(n), n // root(n))
    whole = cp.random.randint(0, 1 << 30, n, dtype=cp.int32)
    half, few = x > .5, x > .999
    bins, many = (cp.random.randint(0, high, n, dtype=cp.int32) for high in (256, 1 << 20))
    skewed = bins.copy()
    skewed[:n - n // 16] = 255
    small, doubles = uniform(1 << 20), cp.random.rand(n // 4)

    def softmax():
        e = cp.exp(square - square.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    calls = {
        "order/sort": lambda: cp.sort(x),
        "order/sort_1048576": lambda: cp.sort(small),
        "order/sort_integers": lambda: cp.sort(whole),
        "order/sort_doubles": lambda: cp.sort(doubles),
        "order/sort_rows": lambda: cp.sort(square, axis=1),
        "order/argsort": lambda: cp.argsort(x),
        "order/argsort_1048576": lambda: cp.argsort(small),
        "order/cumsum": lambda: cp.cumsum(x),
        "order/cumsum_axis_0": lambda: cp.cumsum(square, axis=0),
        "order/cumsum_axis_1": lambda: cp.cumsum(square, axis=1),
        "order/compress_half": lambda: x[half],
        "order/compress_few": lambda: x[few],
        "order/flatnonzero": lambda: cp.flatnonzero(half),
        "order/bincount_256": lambda: cp.bincount(bins),
        "order/bincount_skewed": lambda: cp.bincount(skewed),
        "order/bincount_1048576": lambda: cp.bincount(many),
        "order/histogram_100": lambda: cp.histogram(x, bins=100),
        "rows/softmax": softmax,
        "rows/standardise": lambda: (square - square.mean(axis=1, keepdims=True)) / square.std(axis=1, keepdims=True),
        "rows/standardise_columns": lambda: (square - square.mean(axis=0)) / square.std(axis=0),
    }
    for name, call in calls.items():
        yield name, lambda call=call: measure.device(call)


def drawn(_, __, measure):
    """The calls of random shapes that gpu_bench has drawn: what they are, their names say."""
    for name in sys.argv[3:]:
        function, type_name, lengths, rest = name.split("/")[1:]
        shape, number = tuple(map(int, lengths.split("x"))), rest.rpartition("_")[2]

        def call(function=function, dtype=np.dtype(type_name), shape=shape, number=int(number)):
            x = uniform(*shape).astype(dtype) if dtype.kind == "f" else cp.random.randint(0, 30000, shape, dtype=dtype)
            if function == "compress":
                mask = uniform(*shape) < number / 100
                return measure.device(lambda: x[mask])
            return measure.device(lambda: getattr(cp, function)(x, axis=number))

        yield name, call


def functions(n, _, measure):
    n //= 4
    x, y, square = uniform(n), uniform(n), uniform(root(n), n // root(n))
    mask, few = x > .5, x > 2
    index, rows = cp.random.randint(0, n, n // 4), cp.random.permutation(square.shape[0])
    whole, doubles = cp.random.randint(0, 1 << 30, n, dtype=cp.int32), cp.random.rand(n)
    vector, z = uniform(square.shape[1]), x.astype(cp.complex64)
    generator = cp.random.default_rng(1)

    def masked_assignment():
        copy = x.copy()
        copy[mask] = 0.75

    def add_at():
        copy = x.copy()
        cp.add.at(copy, index, cp.float32(1))

    calls = {
        "masked_assignment": masked_assignment,
        "where": lambda: cp.where(x > y, x, y),
        "take": lambda: x[index],
        "take_rows": lambda: square[rows],
        "add_at": add_at,
        "concatenate": lambda: cp.concatenate([x, y]),
        "flip": lambda: x[::-1].copy(),
        "roll": lambda: cp.roll(x, 12345),
        "diff": lambda: cp.diff(x),
        "chain": lambda: cp.exp(-x) * cp.sin(y) + cp.cos(x) / (1 + y * y),
        "var": lambda: x.var(),
        "var_axis_0": lambda: square.var(axis=0),
        "any": lambda: few.any(),
        "min": lambda: x.min(),
        "argmax_axis_0": lambda: square.argmax(axis=0),
        "argmax_axis_1": lambda: square.argmax(axis=1),
        "sum_integers": lambda: whole.sum(),
        "mean_doubles": lambda: doubles.mean(),
        "dot": lambda: cp.dot(x, y),
        "norm": lambda: cp.linalg.norm(x),
        "outer": lambda: cp.outer(vector, vector),
        "matrix_times_vector": lambda: square @ vector,
        "complex_product": lambda: z * z,
        "permutation": lambda: cp.random.permutation(n),
        "integers": lambda: generator.integers(0, 1000, n, dtype=cp.int32),
    }
    for name, call in calls.items():
        yield "functions/" + name, lambda call=call: measure.device(call)


def linear(n, _, measure):
    if n < 1 << 26:
        return

    def normal(*shape):
        return cp.random.standard_normal(shape, dtype=cp.float32)

    def positive_definite(side):
        g = normal(side, side)
        return g @ g.T + side * cp.eye(side, dtype=cp.float32)

    symmetric = (lambda a: a + a.transpose(0, 2, 1))(normal(1024, 32, 32))
    calls = {
        "solve_1024": (cp.linalg.solve, normal(1024, 1024), normal(1024)),
        "solve_4096": (cp.linalg.solve, normal(4096, 4096), normal(4096)),
        "solve_4096_of_16": (cp.linalg.solve, normal(4096, 16, 16), normal(4096, 16, 1)),
        "inv_1024": (cp.linalg.inv, normal(1024, 1024)),
        "cholesky_4096": (cp.linalg.cholesky, positive_definite(4096)),
        "qr_1024": (cp.linalg.qr, normal(1024, 1024)),
        "qr_100000x64": (cp.linalg.qr, normal(100000, 64)),
        "eigh_1024": (cp.linalg.eigh, positive_definite(1024)),
        "eigh_4096": (cp.linalg.eigh, positive_definite(4096)),
        "eigh_1024_of_32": (cp.linalg.eigh, symmetric),
        "lstsq_10000x100": (lambda a, b: cp.linalg.lstsq(a, b, rcond=None), normal(10000, 100), normal(10000)),
        "det_4096_of_16": (cp.linalg.det, normal(4096, 16, 16)),
    }
    for name, (call, *given) in calls.items():
        yield "linear/" + name, lambda call=call, given=given: measure.device(lambda: call(*given))


def random_numbers(n, _, measure):
    yield "random/uniform", lambda: measure.device(lambda: cp.random.rand(n, dtype=cp.float32))
    yield "random/normal", lambda: measure.device(lambda: cp.random.randn(n, dtype=cp.float32))


def matrices(n, _, measure):
    large = n >= 1 << 26
    for side in (64, 1024, 8192) if large else (64,):
        a, b = uniform(side, side), uniform(side, side)
        yield f"matrices/matmul_{side}", lambda: measure.device(lambda: a @ b)
        if side == 8192:
            yield "matrices/matmul_8192_transposed", lambda: measure.device(lambda: a.T @ b)
    shapes = {"svd_64": (64, 64)}
    if large:
        shapes |= {f"svd_{side}": (side, side) for side in (512, 1024, 2048, 4096)}
        shapes |= {"svd_100000x64": (100000, 64), "svd_1024_of_64": (1024, 64, 64)}
    for name, shape in shapes.items():
        a = cp.random.uniform(-1, 1, shape).astype(cp.float32)
        yield "matrices/" + name, lambda: measure.device(lambda: cp.linalg.svd(a, full_matrices=False))


def numpy_rows(large):
    for side in (64, 512, 1024, 2048) if large else (64,):
        a = np.random.uniform(-1, 1, (side, side)).astype(np.float32)
        yield f"matrices/svd_{side}", lambda: Measure.cpu(lambda: np.linalg.svd(a, full_matrices=False))


def convolve2d(image, kernel):
    from cupyx.scipy import signal                               # takes a second, and may need SciPy
    return signal.convolve2d(image, kernel, mode="same", boundary="symm")


def images(n, side, measure):
    sizes = {"convolve_3x3": (3, (side, n // side))}
    if n >= 1 << 26:
        sizes |= {f"convolve_{size}x{size}_{edge}": (size, (edge, edge)) for size in (3, 15) for edge in (1024, 8192)}
    for name, (size, shape) in sizes.items():
        image, kernel = uniform(*shape), uniform(size, size)
        yield "images/" + name, lambda: measure.device(lambda: convolve2d(image, kernel))
    points = 1024 if n >= 1 << 20 else 64
    x = cp.linspace(-2, .5, points)[:, None]
    y = cp.linspace(-1.25, 1.25, points)[None]
    yield "images/mandelbrot", lambda: measure.device(lambda: MANDELBROT(x, y, 200))


def host(n, _, measure):
    x, y, z = uniform(10), uniform(10), cp.empty(10, dtype=cp.float32)
    calls = {
        "elementwise": lambda: SQUARED_DIFF(x, y, z),
        "reduction": lambda: L2NORM(x),
        "raw": lambda: RAW_ADD((1,), (32,), (x, y, z, np.int64(10))),
        "expression": lambda: x + y,
        "longer_expression": lambda: x ** 2 + 2 * y,
        "sum": lambda: cp.sum(x),
        "item": lambda: cp.sum(x).item(),
        "empty_10": lambda: cp.empty(10, dtype=cp.float32),
        "empty_1000000": lambda: cp.empty(1000000, dtype=cp.float32),
    }
    for name, call in calls.items():
        yield "calls/" + name, lambda call=call: measure.host(call)
    yield "compile/elementwise", lambda: measure.first_calls(
        lambda number: cp.ElementwiseKernel("T x", "T z", f"z = x + {number}", "fresh")(x, z))
    yield "compile/reduction", lambda: measure.first_calls(
        lambda number: cp.ReductionKernel("T x", "T y", "x", "a + b", f"y = a + {number}", "0", "fresh")(x))
    yield "compile/raw", lambda: measure.first_calls(lambda number: cp.RawKernel(
        'extern "C" __global__ void fresh(const float* x, float* z) { z[threadIdx.x] = x[threadIdx.x] + %d; }' % number,
        "fresh")((1,), (10,), (x, z)))
    there = uniform(n)
    pageable = np.random.default_rng().random(n, dtype=np.float32)
    pinned = np.frombuffer(cp.cuda.alloc_pinned_memory(4 * n), np.float32, n)
    pinned[:] = pageable
    for name, memory in (("pageable", pageable), ("pinned", pinned)):
        yield f"copies/{name}_to_device", lambda: measure.device(lambda: there.set(memory))
        yield f"copies/{name}_to_host", lambda: measure.device(lambda: there.get(out=memory))


def main():
    out = sys.argv[1]
    n = 1 << int(sys.argv[2] if len(sys.argv) > 2 else 28)
    side = root(n)
    properties = cp.cuda.runtime.getDeviceProperties(0)
    result = {"about": {"cupy": cp.__version__, "numpy": np.__version__, "cores": os.cpu_count(),
                        "card": properties["name"].decode(), "cuda": cp.cuda.runtime.runtimeGetVersion()},
              "cupy": {}, "numpy": {}, "missing": {}}
    measure = Measure()
    topics = [lambda topic=topic: topic(n, side, measure)
              for topic in (elementwise, reductions, order, functions, random_numbers, images, matrices, linear, host,
                            drawn)]
    for library, make in [*(("cupy", topic) for topic in topics), ("numpy", lambda: numpy_rows(n >= 1 << 26))]:
        for name, run in make():
            try:
                result[library][name] = run()
                print(f"{library} {name:40} {result[library][name] * 1e6:14.1f} us", flush=True)
            except Exception as error:                           # a row that CuPy can't do leaves the others alone
                result["missing"][f"{library} {name}"] = f"{type(error).__name__}: {error}"
                print(f"{library} {name}: {error}", flush=True)
        cp.get_default_memory_pool().free_all_blocks()
    with open(out, "w") as file:
        json.dump(result, file, indent=1)


main()
