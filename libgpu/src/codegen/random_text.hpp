// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// The kinds of draws. Each has its own streams, so that draws of different kinds never share random bits.
enum class Draw : std::uint8_t {
    bits,           ///< every value of an unsigned integer type
    uniform,        ///< numbers: low, width, last
    normal,         ///< numbers: mean, stddev
    exponential,    ///< numbers: scale
    bernoulli,      ///< numbers: probability
    integers,       ///< numbers: low, range (up to 2^32)
    wide_integers,  ///< numbers: low, range (up to 2^64 - 1)
    poisson,        ///< 64 bits, to be looked up in a table
};

/// How many elements a Philox block yields: 4, 2 or 1. One thread computes all of them.
int elements_per_block(Draw draw, DType dtype);

/// The number in the third word of Philox's counter.
std::uint32_t random_stream(Draw draw, DType dtype);

/// The streams of draws that aren't made element by element.
inline constexpr std::uint32_t permutation_stream = 64, spawn_stream = 65;

/// A scalar parameter of the kernel.
struct RandomNumber {
    DType dtype;
    const char* name;
};

/// The numbers that the kernel takes, in order: seed, offset, count, then the draw's own.
std::vector<RandomNumber> random_numbers(Draw draw, DType dtype);

/// The type of the kernel's output: a group of elements_per_block() elements.
inline constexpr const char* random_group = "gpu_group";

/// The kernel: group i of its output gets the elements from i * elements_per_block() on that are below `count`.
///
/// Element k is a function of the seed, offset + k and the draw's numbers, and both backends compute the same bits:
/// besides integers, the arithmetic consists of additions, products, quotients, square roots and explicit fma, each
/// rounded according to IEEE 754, and no product is added to anything, so compilers have nothing to contract.
ElementwiseText random_text(Draw draw, DType dtype);

/// The same elements by a raw kernel whose threads draw each block once, also where the offset is inside a block: with
/// a group's address and then the same numbers. Of 32 threads 31 have a group. For draws of more than one element a
/// block.
RawText shifted_random_text(Draw draw, DType dtype);

/// random_permutation(long long* out, long long wanted, long long count, int left_bits, int right_bits, PhiloxBlock
/// key, int each): the images of 0, 1, ... wanted - 1 under a keyed bijection on [0, count), `each` of them per thread.
RawText permutation_text();

/// 128 random bits on the host, the same as kernels compute.
struct PhiloxBlock {
    std::uint32_t words[4];
};
PhiloxBlock philox(std::uint64_t seed, std::uint64_t block, std::uint32_t stream) noexcept;

}  // namespace gpu::detail
