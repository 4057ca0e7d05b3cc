// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace course {

/// Secret random numbers: the key stream of ChaCha20. Who has seen any number of them can't tell the next ones; the
/// same seed gives the same numbers on every machine. A generator as <random> has them.
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
    /// The `k`-th of the group: threads that draw a piece each draw together what one thread would.
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

}  // namespace course
