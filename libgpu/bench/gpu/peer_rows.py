#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: peer_rows.py torch|jax OUT.json [ELEMENTS]

Rows of gpu_bench in PyTorch (compiled, where that pays) or in JAX (jit): same names, same kinds of data. ELEMENTS is a
logarithm, 28 unless given. PyTorch's are medians between events, as gpu_bench's; JAX has no events: 20 calls in a row
by the clock. Writes {"about": {...}, "rows": {name: seconds}, "missing": {name: why}}.
"""

import json
import os
import sys
import time

SMALL = 1 << 20
MANY = 1 << 20


def repeats(seconds):
    """As gpu_bench: how often a call is measured."""
    return 3 if seconds > .1 else 5 if seconds > .01 else 9 if seconds > .002 else 15


def root(n):
    side = 1
    while side * side * 4 <= n:
        side *= 2
    return side


class Torch:
    """PyTorch: functions with more than one kernel are compiled."""

    def __init__(self):
        import torch
        self.torch = torch
        torch.set_float32_matmul_precision("highest")
        torch.backends.cudnn.allow_tf32 = False
        self.flushed = torch.zeros(max(torch.cuda.get_device_properties(0).L2_cache_size, 8 << 20), device="cuda")
        self.about = {"torch": torch.__version__}

    def once(self, call):
        start, stop = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.flushed.sum()
        start.record()
        call()
        stop.record()
        stop.synchronize()
        return start.elapsed_time(stop) / 1000

    def measure(self, function, *inputs, compiled=False):
        if compiled:
            function = self.torch.compile(function)
        for _ in range(3):
            self.once(lambda: function(*inputs))
        seconds = [self.once(lambda: function(*inputs))]
        seconds += [self.once(lambda: function(*inputs)) for _ in range(repeats(seconds[0]) - 1)]
        return sorted(seconds)[len(seconds) // 2]

    def host(self, function, *inputs, compiled=False):
        if compiled:
            function = self.torch.compile(function)
        return host_seconds(lambda: function(*inputs), self.torch.cuda.synchronize)

    def rows(self, n):
        torch = self.torch
        part, edge = n // 4, root(n // 4)

        def rand(*shape):
            return torch.rand(*shape, device="cuda")

        def randn(*shape):
            return torch.randn(*shape, device="cuda")
        x, y = rand(n), rand(n)
        square = x.reshape(root(n), -1)
        both = self.measure
        yield "elementwise/expression_new", lambda: both(lambda a, b: a * a + 2 * b, x, y, compiled=True)
        yield "elementwise/transposed_copy", lambda: both(lambda a: a.t().contiguous(), square, compiled=True)
        yield "reductions/sum", lambda: both(torch.sum, x, compiled=True)
        yield "reductions/sum_axis_0", lambda: both(lambda a: a.sum(0), square, compiled=True)
        yield "reductions/sum_axis_1", lambda: both(lambda a: a.sum(1), square, compiled=True)
        yield "reductions/argmax", lambda: both(torch.argmax, x, compiled=True)
        yield "reductions/sum_of_products", lambda: both(lambda a, b: (a * b).sum(), x, y, compiled=True)
        yield "random/uniform", lambda: both(lambda: rand(n))
        yield "random/normal", lambda: both(lambda: randn(n))
        del y
        z, matrix, mask = rand(part), rand(edge, part // edge), rand(part) > .5
        few, whole = rand(part) > .999, torch.randint(0, 1 << 30, (part,), device="cuda", dtype=torch.int32)
        bins = torch.randint(0, 256, (part,), device="cuda", dtype=torch.int32)
        skewed = bins.clone()
        skewed[:part - part // 16] = 255
        yield "order/sort", lambda: both(torch.sort, z)
        yield "order/sort_1048576", lambda: both(torch.sort, z[:SMALL].clone())
        yield "order/sort_integers", lambda: both(torch.sort, whole)
        yield "order/sort_doubles", lambda: both(torch.sort, z[:part // 4].double())
        yield "order/sort_rows", lambda: both(lambda a: torch.sort(a, dim=1), matrix)
        yield "order/argsort", lambda: both(lambda a: torch.argsort(a, stable=True), z)
        yield "order/argsort_1048576", lambda: both(lambda a: torch.argsort(a, stable=True), z[:SMALL].clone())
        yield "order/cumsum", lambda: both(lambda a: torch.cumsum(a, 0), z)
        yield "order/cumsum_axis_0", lambda: both(lambda a: torch.cumsum(a, 0), matrix)
        yield "order/cumsum_axis_1", lambda: both(lambda a: torch.cumsum(a, 1), matrix)
        yield "order/compress_half", lambda: both(lambda a, m: a[m], z, mask)
        yield "order/compress_few", lambda: both(lambda a, m: a[m], z, few)
        yield "order/flatnonzero", lambda: both(torch.nonzero, mask)
        yield "order/bincount_256", lambda: both(torch.bincount, bins)
        yield "order/bincount_skewed", lambda: both(torch.bincount, skewed)
        yield "order/bincount_1048576", lambda: both(
            torch.bincount, torch.randint(0, MANY, (1 << 26,), device="cuda", dtype=torch.int32))
        yield "order/histogram_100", lambda: both(lambda a: torch.histc(a, 100), z)
        yield "rows/softmax", lambda: both(lambda a: torch.softmax(a, 1), matrix, compiled=True)
        yield "rows/standardise", lambda: both(
            lambda a: (a - a.mean(1, keepdim=True)) / a.std(1, unbiased=False, keepdim=True), matrix, compiled=True)
        yield "rows/standardise_columns", lambda: both(
            lambda a: (a - a.mean(0)) / a.std(0, unbiased=False), matrix, compiled=True)
        index = torch.randint(0, part, (part // 4,), device="cuda")
        order = torch.randperm(matrix.shape[0], device="cuda")
        other = rand(part)
        yield "functions/where", lambda: both(lambda a, b: torch.where(a > b, a, b), z, other, compiled=True)
        yield "functions/take", lambda: both(torch.take, z, index)
        yield "functions/take_rows", lambda: both(lambda a, k: a[k], matrix, order)
        yield "functions/concatenate", lambda: both(lambda a, b: torch.cat([a, b]), z, other)
        yield "functions/chain", lambda: both(
            lambda a, b: torch.exp(-a) * torch.sin(b) + torch.cos(a) / (1 + b * b), z, other, compiled=True)
        yield "functions/var", lambda: both(lambda a: a.var(unbiased=False), z, compiled=True)
        yield "functions/argmax_axis_0", lambda: both(lambda a: a.argmax(0), matrix)
        yield "functions/argmax_axis_1", lambda: both(lambda a: a.argmax(1), matrix)
        yield "functions/dot", lambda: both(torch.dot, z, other)
        yield "functions/matrix_times_vector", lambda: both(torch.mv, matrix, z[:matrix.shape[1]].clone())
        yield "functions/permutation", lambda: both(lambda: torch.randperm(part, device="cuda"))
        yield from self.matrix_rows(rand, randn)
        s = rand(10)
        yield "calls/expression", lambda: self.host(lambda a: a + a, s)
        yield "calls/longer_expression", lambda: self.host(lambda a: a * a + 2 * a, s, compiled=True)
        yield "calls/sum", lambda: self.host(torch.sum, s)
        yield "calls/item", lambda: self.host(lambda a: a.sum().item(), s)

    def matrix_rows(self, rand, randn):
        torch, measure = self.torch, self.measure
        for side in (64, 1024, 8192):
            yield f"matrices/matmul_{side}", lambda: measure(torch.matmul, rand(side, side), rand(side, side))
        for side in (512, 1024, 2048):
            yield f"matrices/svd_{side}", lambda: measure(
                lambda a: torch.linalg.svd(a, full_matrices=False), randn(side, side))
        image = rand(1, 1, 8192, 8192)
        for size in (3, 15):
            yield f"images/convolve_{size}x{size}_8192", lambda: measure(
                lambda a, k: torch.nn.functional.conv2d(a, k, padding=size // 2), image, rand(1, 1, size, size))
        spd = randn(1024, 1024)
        spd = spd @ spd.T + 1024 * torch.eye(1024, device="cuda")
        batch = randn(1024, 32, 32)
        yield "linear/solve_1024", lambda: measure(torch.linalg.solve, randn(1024, 1024), randn(1024))
        yield "linear/solve_4096", lambda: measure(torch.linalg.solve, randn(4096, 4096), randn(4096))
        yield "linear/solve_4096_of_16", lambda: measure(
            torch.linalg.solve, randn(4096, 16, 16), randn(4096, 16, 1))
        yield "linear/inv_1024", lambda: measure(torch.linalg.inv, randn(1024, 1024))
        yield "linear/qr_1024", lambda: measure(torch.linalg.qr, randn(1024, 1024))
        yield "linear/eigh_1024", lambda: measure(torch.linalg.eigh, spd)
        yield "linear/eigh_1024_of_32", lambda: measure(torch.linalg.eigh, batch + batch.transpose(1, 2))
        yield "linear/det_4096_of_16", lambda: measure(torch.linalg.det, randn(4096, 16, 16))


class Jax:
    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        import jax.numpy as jnp
        self.jax, self.jnp = jax, jnp
        self.about = {"jax": jax.__version__}

    def measure(self, function, *inputs):
        compiled, ready = self.jax.jit(function), self.jax.block_until_ready
        for _ in range(3):
            ready(compiled(*inputs))
        start = time.perf_counter()
        ready(compiled(*inputs))
        calls = 20 if time.perf_counter() - start < .02 else 3
        start = time.perf_counter()
        for _ in range(calls):
            result = compiled(*inputs)
        ready(result)
        return (time.perf_counter() - start) / calls

    def host(self, function, *inputs):
        compiled = self.jax.jit(function)
        return host_seconds(lambda: compiled(*inputs), lambda: self.jax.block_until_ready(compiled(*inputs)))

    def rows(self, n):
        jax, jnp, measure = self.jax, self.jnp, self.measure
        part, edge = n // 4, root(n // 4)
        keys = iter(jax.random.split(jax.random.key(1), 100))

        def rand(*shape):
            return jax.random.uniform(next(keys), shape)

        def randn(*shape):
            return jax.random.normal(next(keys), shape)
        x, y = rand(n), rand(n)
        square = x.reshape(root(n), -1)
        yield "elementwise/expression_new", lambda: measure(lambda a, b: a * a + 2 * b, x, y)
        yield "elementwise/transposed_copy", lambda: measure(lambda a: a.T + 0, square)
        yield "reductions/sum", lambda: measure(jnp.sum, x)
        yield "reductions/sum_axis_0", lambda: measure(lambda a: a.sum(0), square)
        yield "reductions/sum_axis_1", lambda: measure(lambda a: a.sum(1), square)
        yield "reductions/argmax", lambda: measure(jnp.argmax, x)
        yield "reductions/sum_of_products", lambda: measure(lambda a, b: (a * b).sum(), x, y)
        yield "random/uniform", lambda: measure(lambda k: jax.random.uniform(k, (n,)), next(keys))
        yield "random/normal", lambda: measure(lambda k: jax.random.normal(k, (n,)), next(keys))
        del y
        z, matrix, other = rand(part), rand(edge, part // edge), rand(part)
        whole = jax.random.randint(next(keys), (part,), 0, 1 << 30)
        bins = jax.random.randint(next(keys), (part,), 0, 256)
        yield "order/sort", lambda: measure(jnp.sort, z)
        yield "order/sort_1048576", lambda: measure(jnp.sort, z[:SMALL])
        yield "order/sort_integers", lambda: measure(jnp.sort, whole)
        yield "order/sort_rows", lambda: measure(lambda a: jnp.sort(a, axis=1), matrix)
        yield "order/argsort", lambda: measure(jnp.argsort, z)
        yield "order/argsort_1048576", lambda: measure(jnp.argsort, z[:SMALL])
        yield "order/cumsum", lambda: measure(jnp.cumsum, z)
        yield "order/cumsum_axis_0", lambda: measure(lambda a: jnp.cumsum(a, axis=0), matrix)
        yield "order/cumsum_axis_1", lambda: measure(lambda a: jnp.cumsum(a, axis=1), matrix)
        yield "order/bincount_256", lambda: measure(lambda a: jnp.bincount(a, length=256), bins)
        yield "rows/softmax", lambda: measure(lambda a: jax.nn.softmax(a, axis=1), matrix)
        yield "rows/standardise", lambda: measure(
            lambda a: (a - a.mean(1, keepdims=True)) / a.std(1, keepdims=True), matrix)
        yield "rows/standardise_columns", lambda: measure(lambda a: (a - a.mean(0)) / a.std(0), matrix)
        yield "functions/where", lambda: measure(lambda a, b: jnp.where(a > b, a, b), z, other)
        yield "functions/chain", lambda: measure(
            lambda a, b: jnp.exp(-a) * jnp.sin(b) + jnp.cos(a) / (1 + b * b), z, other)
        yield "functions/var", lambda: measure(jnp.var, z)
        yield "functions/dot", lambda: measure(jnp.dot, z, other)
        yield "linear/eigh_1024_of_32", lambda: measure(
            jnp.linalg.eigh, (lambda a: a + a.transpose(0, 2, 1))(randn(1024, 32, 32)))
        s = rand(10)
        yield "calls/longer_expression", lambda: self.host(lambda a: a * a + 2 * a, s)


def host_seconds(call, wait, bursts=11, calls=200):
    seconds = []
    for burst in range(bursts + 1):
        wait()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        if burst > 0:
            seconds.append((time.perf_counter() - start) / calls)
    wait()
    return sorted(seconds)[len(seconds) // 2]


def main():
    library, out = sys.argv[1:3]
    n = 1 << int(sys.argv[3] if len(sys.argv) > 3 else 28)
    peer = {"torch": Torch, "jax": Jax}[library]()
    result = {"about": peer.about, "rows": {}, "missing": {}}
    for name, run in peer.rows(n):
        try:
            result["rows"][name] = run()
            print(f"{library} {name:40} {result['rows'][name] * 1e6:14.1f} us", flush=True)
        except Exception as error:                               # a row that a library can't do leaves the others alone
            result["missing"][name] = f"{type(error).__name__}: {str(error)[:200]}"
            print(f"{library} {name}: {error}", flush=True)
    with open(out, "w") as file:
        json.dump(result, file, indent=1)


main()
