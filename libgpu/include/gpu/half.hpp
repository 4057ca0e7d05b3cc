// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace gpu {

/// A floating-point number of 16 bits (IEEE 754 binary16): a storage type. Arithmetic is done in float.
///
/// Numbers become the nearest half, ties to even; what is too large becomes infinity. A half becomes a float exactly.
/// @snippet public/dtype_test.cpp half
/// @snippet public/facts_test.cpp half_bits
class alignas(2) half {
public:
    half() = default;
    template <class S>
        requires std::is_arithmetic_v<S>
    constexpr explicit half(S value) noexcept : bits_(rounded(value)) {}
    [[nodiscard]] static constexpr half from_bits(std::uint16_t bits) noexcept {
        half made(0);
        made.bits_ = bits;
        return made;
    }

    [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
    constexpr operator float() const noexcept {  // NOLINT(google-explicit-constructor): nothing is lost
        const std::uint32_t sign = (bits_ & 0x8000u) << 16, rest = bits_ & 0x7fffu;
        if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
        if (rest >= 0x400u) return std::bit_cast<float>(sign | ((rest << 13) + 0x38000000u));
        const float tiny = static_cast<float>(rest) * 0x1p-24f;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(tiny) | sign);
    }
    constexpr half operator-() const noexcept { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000u)); }

private:
    template <class S>
    static constexpr std::uint16_t rounded(S value) noexcept {
        if constexpr (std::is_same_v<S, float>)
            return nearest(value);
        else if constexpr (std::is_floating_point_v<S>)
            return nearest(to_odd(static_cast<double>(value)));
        else
            return nearest(static_cast<float>(value));  // inexact where the half is infinite anyway
    }
    // The float next to it that has an odd last bit: rounding that once more is rounding the double.
    static constexpr float to_odd(double value) noexcept {
        if (value != value) return static_cast<float>(value);
        if (value > 1e6) return 1e6f;  // a half's infinity, and no float's overflow
        if (value < -1e6) return -1e6f;
        const auto near = static_cast<float>(value);
        if (static_cast<double>(near) == value) return near;
        auto bits = std::bit_cast<std::uint32_t>(near);
        const bool away =
            (near < 0 ? -static_cast<double>(near) : static_cast<double>(near)) > (value < 0 ? -value : value);
        if (away) --bits;
        return std::bit_cast<float>(bits | 1u);
    }
    static constexpr std::uint16_t nearest(float value) noexcept {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
        const auto made = [sign](std::uint32_t magnitude) { return static_cast<std::uint16_t>(sign | magnitude); };
        if (rest > 0x7f800000u) return made(0x7e00u | (rest >> 13 & 0x3ffu));
        if (rest >= 0x477ff000u) return made(0x7c00u);
        // Below 2^-14 a half's step is 2^-24; the sum's last bit has that weight, so the addition rounds.
        if (rest < 0x38800000u) {
            return made(std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5f) - 0x3f000000u);
        }
        return made((rest + 0xfffu + (rest >> 13 & 1u) - 0x38000000u) >> 13);
    }

    std::uint16_t bits_;
};

}  // namespace gpu
