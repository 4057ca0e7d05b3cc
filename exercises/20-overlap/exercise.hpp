// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 20. Leave this file as it is: your code goes into overlap.cpp.

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

// The kernels, which are given: square(x, gpu::out(squares)) writes the squares, magnitude() the absolute values.
inline const gpu::ElementwiseKernel square("float x", "float squares", "squares = x * x", "square");
inline const gpu::ElementwiseKernel magnitude("float x", "float magnitudes", "magnitudes = abs(x)", "magnitude");
inline const gpu::ElementwiseKernel add("float squares, float magnitudes", "float sum", "sum = squares + magnitudes",
                                        "add");
inline const gpu::ElementwiseKernel twice("float x", "float magnitudes", "magnitudes = 2 * x", "twice");
inline const gpu::ElementwiseKernel root("float x", "float chunk", "chunk = sqrt(x * x + 1)", "root");

/// x² + |x|, and 2 |x|, by four kernels in two streams.
///
/// Part a. The squares and the absolute values may be computed at the same time. The sum comes after both, and the
/// doubling after the sum, which reads what the doubling overwrites. The host waits for none of it.
std::pair<gpu::Array<float>, gpu::Array<float>> ordered(const gpu::Array<float>& x);

/// The k-th of `chunks` nearly equal pieces of n elements: where it begins, and how many it has.
struct Chunk {
    std::size_t first, size;
};
inline Chunk chunk_of(std::size_t n, int chunks, int k) {
    const auto begin = [&](int i) { return n * static_cast<std::size_t>(i) / static_cast<std::size_t>(chunks); };
    return {begin(k), begin(k + 1) - begin(k)};
}

/// sqrt(x² + 1), element by element, in page-locked memory on the host.
///
/// x has at least as many elements as there are chunks, two or more.
///
/// Part b. x goes through the device in chunks, each by a copy up, a kernel and a copy down. One chunk is copied while
/// another one is computed: in two streams or more, by copies that don't make the host wait. The host waits at the end,
/// for all of them; after that the result is there.
gpu::Pinned<float> pipeline(const std::vector<float>& x, int chunks);
