// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <course/check_host.hpp>

namespace course {

/// Secret random numbers: the key stream of ChaCha20. Seeing any number of them doesn't allow predicting the next; the
/// same seed gives the same numbers on every machine. A generator in the sense of <random>.
class RandomBits {
public:
    using result_type = std::uint64_t;

    /// @param use keeps generators of one seed apart
    explicit RandomBits(std::uint64_t seed, std::uint64_t use = 0);

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    result_type operator()() {
        if (next_ == words_) refill();
        return block_[next_++];
    }

    /// Begins a new group of generators beside this one.
    void next_group() { ++group_; }
    /// The `k`-th of the group: threads that draw a piece each together draw what one thread would.
    [[nodiscard]] RandomBits of_piece(std::uint64_t k) const;

private:
    using Key = std::array<std::uint64_t, 4>;   // seed, use, group

    RandomBits(const Key& key, std::uint64_t stream) : key_(key), stream_(stream) {}
    void refill();

    Key key_;
    std::uint64_t stream_ = 0, group_ = 0, blocks_ = 0;
    std::size_t next_ = 0, words_ = 0;
    std::array<std::uint64_t, 512> block_{};
};

/// The generator of one task's inputs: the same seed and task give the same inputs, with any number of threads.
class RandomInputs {
public:
    /// @param threads for drawing a large array; 0: as many as this program may use
    RandomInputs(std::uint64_t seed, std::uint32_t task, int threads = 0);

    /// Uniformly distributed values in [low, high) (float32 or float64). With more than one element, they are never all
    /// equal, palindromic, or a symmetric matrix: such inputs would hide mistakes.
    void uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                 std::span<std::byte> out);

    /// Integers from low to high, both included, of an integer or floating type; if low < high, the same guarantee
    /// holds.
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

/// True if inputs of this shape would hide mistakes: all equal, palindromic, or a symmetric matrix.
template <class T>
bool hides_mistakes(std::span<const T> values, std::span<const std::int64_t> shape) noexcept;

}  // namespace course
