// SPDX-License-Identifier: MIT
#include "host/device_library/xorwow.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace gpu::detail::host {

namespace {

constexpr int words = 5, bits = 32 * words, sequence_bits = 67;

using State = std::array<std::uint32_t, words>;
/// A step is linear over bits: row k is what becomes of a state in which bit k alone is set.
using Matrix = std::array<State, bits>;

State one_step(const State& s) {
    const std::uint32_t t = s[0] ^ s[0] >> 2;
    return {s[1], s[2], s[3], s[4], s[4] ^ s[4] << 4 ^ t ^ t << 1};
}

State product(const State& state, const Matrix& matrix) {
    State sum{};
    for (int k = 0; k < bits; ++k) {
        const std::uint32_t chosen = 0U - (state[static_cast<std::size_t>(k / 32)] >> k % 32 & 1U);
        for (std::size_t w = 0; w < words; ++w) sum[w] ^= matrix[static_cast<std::size_t>(k)][w] & chosen;
    }
    return sum;
}

/// Matrices of 1, 2, 4, ... steps.
struct Powers {
    std::array<Matrix, sequence_bits + 64> of;

    Powers() {
        for (int k = 0; k < bits; ++k) {
            State bit{};
            bit[static_cast<std::size_t>(k / 32)] = std::uint32_t{1} << k % 32;
            of[0][static_cast<std::size_t>(k)] = one_step(bit);
        }
        for (std::size_t power = 1; power < of.size(); ++power)
            for (std::size_t k = 0; k < bits; ++k) of[power][k] = product(of[power - 1][k], of[power - 1]);
    }
};

}  // namespace

void skip_xorwow(unsigned* state, unsigned long long n, bool sequences) noexcept {
    static const auto* const powers = std::make_unique<Powers>().release();  // 4 ms, once
    State now{};
    std::copy_n(state, words, now.begin());
    for (std::size_t power = sequences ? sequence_bits : 0; n != 0; n >>= 1, ++power)
        if ((n & 1) != 0) now = product(now, powers->of[power]);
    std::copy_n(now.begin(), words, state);
}

}  // namespace gpu::detail::host
