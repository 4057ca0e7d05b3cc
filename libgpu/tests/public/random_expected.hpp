// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

/// What the documentation promises of gpu::random, computed from Random123's Philox: the tests' other opinion.
namespace expected {

/// False without Random123, and then says that the case was skipped.
bool with_random123(const char* name);

/// Words of Philox4x32-10: block `block` of a stream.
struct Words {
    std::uint32_t at[4];
    [[nodiscard]] std::uint64_t pair(int k) const {
        return static_cast<std::uint64_t>(at[2 * k + 1]) << 32 | at[2 * k];
    }
};
Words words(std::uint64_t seed, std::uint64_t block, std::uint32_t stream);

/// The 32 or 64 random bits at a position, where blocks have 4 or 2 of them.
inline std::uint32_t word(std::uint64_t seed, std::uint64_t position, std::uint32_t stream) {
    return words(seed, position / 4, stream).at[position % 4];
}
inline std::uint64_t pair(std::uint64_t seed, std::uint64_t position, std::uint32_t stream) {
    return words(seed, position / 2, stream).pair(static_cast<int>(position % 2));
}

/// The normal number at a position in long double: 4 (float) or 2 (double) a block, cosine and sine of one turn.
long double normal_float(std::uint64_t seed, std::uint64_t position);
long double normal_double(std::uint64_t seed, std::uint64_t position);

}  // namespace expected
