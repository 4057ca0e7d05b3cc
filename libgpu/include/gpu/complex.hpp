// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>

namespace gpu {

/// @cond internal
namespace detail {

// What std::complex looks like from outside: its header is too slow to be included here.
template <class Z>
concept ComplexLike = std::is_class_v<Z> && requires(const Z& z) {
    { z.real() } -> std::convertible_to<double>;
    { z.imag() } -> std::convertible_to<double>;
    requires std::is_floating_point_v<std::remove_cvref_t<decltype(z.real())>>;
    requires sizeof(Z) == 2 * sizeof(z.real());
};

}  // namespace detail
/// @endcond

/// A complex number with the layout of `std::complex<T>`, to and from which it converts.
/// @snippet public/dtype_test.cpp complex
/// @snippet public/facts_test.cpp complex_parts
template <class T>
class alignas(2 * sizeof(T)) complex {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "complex numbers are of float or double");

public:
    using value_type = T;

    complex() = default;
    constexpr complex(T real, T imag = 0) noexcept : real_(real), imag_(imag) {}  // NOLINT: as std::complex
    /// From `std::complex`, or from another precision.
    template <detail::ComplexLike Z>
    constexpr complex(const Z& z) noexcept  // NOLINT(google-explicit-constructor): as std::complex
        : real_(static_cast<T>(z.real())), imag_(static_cast<T>(z.imag())) {}
    /// To `std::complex<T>`, or what else is made of two numbers.
    template <detail::ComplexLike Z>
        requires std::is_constructible_v<Z, T, T> && std::is_same_v<typename Z::value_type, T>
    constexpr operator Z() const {  // NOLINT(google-explicit-constructor): nothing is lost
        return Z(real_, imag_);
    }

    [[nodiscard]] constexpr T real() const noexcept { return real_; }
    [[nodiscard]] constexpr T imag() const noexcept { return imag_; }

    constexpr complex& operator+=(const complex& z) noexcept { return *this = *this + z; }
    constexpr complex& operator-=(const complex& z) noexcept { return *this = *this - z; }
    constexpr complex& operator*=(const complex& z) noexcept { return *this = *this * z; }
    constexpr complex& operator/=(const complex& z) noexcept { return *this = *this / z; }

    friend constexpr complex operator+(const complex& z) noexcept { return z; }
    friend constexpr complex operator-(const complex& z) noexcept { return {-z.real_, -z.imag_}; }
    friend constexpr complex operator+(const complex& a, const complex& b) noexcept {
        return {a.real_ + b.real_, a.imag_ + b.imag_};
    }
    friend constexpr complex operator-(const complex& a, const complex& b) noexcept {
        return {a.real_ - b.real_, a.imag_ - b.imag_};
    }
    friend constexpr complex operator*(const complex& a, const complex& b) noexcept {
        return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
    }
    friend constexpr complex operator/(const complex& a, const complex& b) noexcept {
        const T x = b.real_ < 0 ? -b.real_ : b.real_, y = b.imag_ < 0 ? -b.imag_ : b.imag_;
        if (x >= y) {  // Smith's method: no square of a large number
            const T ratio = b.imag_ / b.real_, size = b.real_ + b.imag_ * ratio;
            return {(a.real_ + a.imag_ * ratio) / size, (a.imag_ - a.real_ * ratio) / size};
        }
        const T ratio = b.real_ / b.imag_, size = b.real_ * ratio + b.imag_;
        return {(a.real_ * ratio + a.imag_) / size, (a.imag_ * ratio - a.real_) / size};
    }
    friend constexpr bool operator==(const complex& a, const complex& b) noexcept {
        return a.real_ == b.real_ && a.imag_ == b.imag_;
    }

private:
    T real_, imag_;
};

/// The real part.
template <class T>
[[nodiscard]] constexpr T real(const complex<T>& z) noexcept {
    return z.real();
}
/// The imaginary part.
template <class T>
[[nodiscard]] constexpr T imag(const complex<T>& z) noexcept {
    return z.imag();
}
/// The complex conjugate.
template <class T>
[[nodiscard]] constexpr complex<T> conj(const complex<T>& z) noexcept {
    return {z.real(), -z.imag()};
}

}  // namespace gpu
