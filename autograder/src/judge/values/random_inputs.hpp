// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <course/check_host.hpp>

#include "judge/values/random_bits.hpp"

namespace course {

/// The generator of one task's inputs: the same seed and task give the same inputs, by any number of threads.
class RandomInputs {
public:
    /// @param threads that draw a large array; 0: as many as this program may use
    RandomInputs(std::uint64_t seed, std::uint32_t task, int threads = 0);

    /// Values in [low, high] (float32 or float64), evenly spread. With more than one element they are never all equal,
    /// the same from both ends, or a symmetric matrix: such inputs would hide mistakes.
    void uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                 std::span<std::byte> out);

    /// Whole numbers from low to high, both included, of an integer or floating type; the same holds if low < high.
    void integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                  std::span<std::byte> out);

private:
    RandomBits bits_;
    int threads_;
};

/// A secret seed from the system.
std::uint64_t random_seed();

/// `count` secret positions below `size`, some perhaps twice.
std::vector<std::int64_t> random_positions(RandomBits& bits, std::int64_t size, std::int64_t count);

/// True if inputs of this shape would hide mistakes: all equal, the same from both ends, or a symmetric matrix.
template <class T>
bool hides_mistakes(std::span<const T> values, std::span<const std::int64_t> shape) noexcept;

}  // namespace course
