// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// What is drawn. Each kind has streams of its own, so that draws of different kinds never share random bits.
enum class Draw : std::uint8_t {
    bits,           ///< every value of an unsigned integer type
    uniform,        ///< numbers: low, width, last
    normal,         ///< numbers: mean, stddev
    exponential,    ///< numbers: scale
    bernoulli,      ///< numbers: probability
    integers,       ///< numbers: low, range (up to 2^32)
    wide_integers,  ///< numbers: low, range (up to 2^64 - 1)
};

/// How many elements are made of one Philox block: 4, 2 or 1. A thread makes them all.
int elements_per_block(Draw draw, DType dtype);

/// The number that goes into the third word of Philox' counter.
std::uint32_t random_stream(Draw draw, DType dtype);

/// The streams of what isn't drawn element by element.
inline constexpr std::uint32_t permutation_stream = 64, spawn_stream = 65;

/// A scalar parameter of the kernel.
struct RandomNumber {
    DType dtype;
    const char* name;
};

/// Which numbers the kernel takes, in this order: seed, offset, count, then the draw's own.
std::vector<RandomNumber> random_numbers(Draw draw, DType dtype);

/// The type of the kernel's output: a group of elements_per_block() elements.
inline constexpr const char* random_group = "gpu_group";

/// The kernel: group i of its output gets elements i * elements_per_block() and so on, those below `count`.
///
/// Element k is a function of the seed, offset + k and the draw's numbers, and both backends compute the same bits:
/// integers aside, the arithmetic is additions, products, quotients, square roots and explicit fma, each rounded as
/// IEEE 754 says, and no product is added to anything, so no compiler has anything to contract.
ElementwiseText random_text(Draw draw, DType dtype);

/// The kernel that writes i's place under a keyed bijection of [0, count).
ElementwiseText permutation_text();

/// Which numbers that kernel takes.
std::vector<RandomNumber> permutation_numbers();

/// 128 random bits on the host, as the kernels make them.
struct PhiloxBlock {
    std::uint32_t words[4];
};
PhiloxBlock philox(std::uint64_t seed, std::uint64_t block, std::uint32_t stream) noexcept;

}  // namespace gpu::detail
