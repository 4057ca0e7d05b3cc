// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gpu/export.hpp>

namespace gpu {

/// @cond internal
namespace detail {

// The interface of std::complex: its header is too slow to include here.
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
/// @snippet public/math_test.cpp complex
/// @snippet public/expression_test.cpp complex_parts
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
    /// To `std::complex<T>`, or to anything else that is constructed from two numbers.
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

/// @cond internal
namespace detail {

// The adjacent float whose last bit is odd: rounding it again gives the double's rounding. Up to `most`, so that no
// float overflows.
constexpr float odd_float(double value, float max) noexcept {
    if (value != value) return static_cast<float>(value);
    if (value > static_cast<double>(max)) return max;
    if (value < -static_cast<double>(max)) return -max;
    const auto near = static_cast<float>(value);
    if (static_cast<double>(near) == value) return near;
    auto bits = std::bit_cast<std::uint32_t>(near);
    const bool away =
        (near < 0 ? -static_cast<double>(near) : static_cast<double>(near)) > (value < 0 ? -value : value);
    if (away) --bits;
    return std::bit_cast<float>(bits | 1u);
}

}  // namespace detail
/// @endcond

/// A floating-point number of 16 bits (IEEE 754 binary16): a storage type. Arithmetic is done in float.
///
/// Numbers are rounded to the nearest half, ties to even; those too large become infinity. Converting to float is
/// exact.
/// @snippet public/math_test.cpp half
/// @snippet public/expression_test.cpp half_bits
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
            return nearest(detail::odd_float(static_cast<double>(value), 1e6f));  // beyond it is a half's infinity
        else
            return nearest(static_cast<float>(value));  // inexact where the half is infinite anyway
    }
    static constexpr std::uint16_t nearest(float value) noexcept {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
        const auto made = [sign](std::uint32_t magnitude) { return static_cast<std::uint16_t>(sign | magnitude); };
        if (rest > 0x7f800000u) return made(0x7e00u | (rest >> 13 & 0x3ffu));
        if (rest >= 0x477ff000u) return made(0x7c00u);
        // Below 2^-14 halves are 2^-24 apart; the sum's last bit has that weight, so the addition rounds.
        if (rest < 0x38800000u) {
            return made(std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5f) - 0x3f000000u);
        }
        return made((rest + 0xfffu + (rest >> 13 & 1u) - 0x38000000u) >> 13);
    }

    std::uint16_t bits_;
};

/// The upper half of a float: its range with 8 bits of precision, as in machine learning. A storage type: arithmetic is
/// done in float.
///
/// Numbers are rounded to the nearest one, ties to even; those too large become infinity. Converting to float is exact.
/// @snippet public/math_test.cpp bfloat16
class alignas(2) bfloat16 {
public:
    bfloat16() = default;
    template <class S>
        requires std::is_arithmetic_v<S>
    constexpr explicit bfloat16(S value) noexcept : bits_(rounded(value)) {}
    [[nodiscard]] static constexpr bfloat16 from_bits(std::uint16_t bits) noexcept {
        bfloat16 made(0);
        made.bits_ = bits;
        return made;
    }

    [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
    constexpr operator float() const noexcept {  // NOLINT(google-explicit-constructor): nothing is lost
        return std::bit_cast<float>(std::uint32_t{bits_} << 16);
    }
    constexpr bfloat16 operator-() const noexcept { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000u)); }

private:
    template <class S>
    static constexpr std::uint16_t rounded(S value) noexcept {
        if constexpr (std::is_same_v<S, float>) {
            return nearest(value);
        } else if constexpr (std::is_floating_point_v<S> || sizeof(S) < 8) {
            return nearest(detail::odd_float(static_cast<double>(value), 0x1.fffffep127F));
        } else {  // the bits below a double's count together
            const auto bits = static_cast<std::uint64_t>(value), size = value < 0 ? 0 - bits : bits;
            const std::uint64_t upper = (size >> 11) | ((size & 0x7ffu) != 0 ? 1u : 0u);
            const double near = size >> 53 == 0 ? static_cast<double>(size) : static_cast<double>(upper) * 2048;
            return nearest(detail::odd_float(value < 0 ? -near : near, 0x1.fffffep127F));
        }
    }
    static constexpr std::uint16_t nearest(float value) noexcept {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;  // as on a GPU
        return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
    }

    std::uint16_t bits_;
};

/// The element type of an array, as a run-time value.
/// @snippet public/expression_test.cpp dtypes
// clang-format off
enum class DType : std::uint8_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, bfloat16, float32, float64, complex64,
    complex128
};
// clang-format on

/// @cond internal
namespace detail {
inline constexpr int dtype_count = 15;
}
/// @endcond

/// NumPy's name for the type: "float32", "int64", "bool".
[[nodiscard]] GPU_API std::string_view name(DType type) noexcept;

/// The type's spelling inside a kernel: "float", "long long", "bool", "half", "__nv_bfloat16", "complex<float>".
[[nodiscard]] GPU_API std::string_view kernel_name(DType type) noexcept;

/// Bytes of one element.
[[nodiscard]] GPU_API std::size_t size_of(DType type) noexcept;

/// NumPy's promoted type for two arrays: int32 with float32 is float64. bfloat16, which NumPy lacks, takes in integers
/// of 8 bits, and is float32 with float16.
[[nodiscard]] GPU_API DType promote(DType a, DType b) noexcept;

/// True for real floating types: float16, bfloat16, float32, float64.
[[nodiscard]] constexpr bool is_floating(DType type) noexcept {
    return type >= DType::float16 && type <= DType::float64;
}
/// True for complex64 and complex128.
[[nodiscard]] constexpr bool is_complex(DType type) noexcept { return type >= DType::complex64; }
/// True for uint8, uint16, uint32 and uint64.
[[nodiscard]] constexpr bool is_unsigned(DType type) noexcept { return type >= DType::uint8 && type <= DType::uint64; }
/// The type of a complex number's parts; other types are unchanged.
[[nodiscard]] constexpr DType real_dtype(DType type) noexcept {
    return !is_complex(type) ? type : type == DType::complex64 ? DType::float32 : DType::float64;
}
/// The complex type whose parts hold the type's values: complex64 for up to float32 and 16-bit integers, otherwise
/// complex128.
[[nodiscard]] constexpr DType complex_dtype(DType type) noexcept {
    const bool narrow = type <= DType::int16 || type == DType::uint8 || type == DType::uint16 ||
                        (type >= DType::float16 && type <= DType::float32) || type == DType::complex64;
    return narrow ? DType::complex64 : DType::complex128;
}

namespace detail {

constexpr bool is_short_float(DType type) noexcept { return type == DType::float16 || type == DType::bfloat16; }

// The type that elements are computed in: floats for the storage types of 16 bits.
constexpr DType computed_dtype(DType type) noexcept { return is_short_float(type) ? DType::float32 : type; }

// Whole numbers up to 2 to this power are exact.
constexpr int digits_of(DType type) noexcept {
    return type == DType::float16 ? 11 : type == DType::bfloat16 ? 8 : type == DType::float32 ? 24 : 53;
}

constexpr bool is_integer(DType type) noexcept { return type >= DType::int8 && type <= DType::uint64; }

// log2 of an integer type's bytes; its enumerators are in this order.
constexpr int width_of(DType type) noexcept {
    return (static_cast<int>(type) - static_cast<int>(is_unsigned(type) ? DType::uint8 : DType::int8));
}

// NumPy's table for two arrays (numpy.promote_types), as rules; bfloat16 as ml_dtypes has it, and as float16 where that
// refuses.
constexpr DType promote_types(DType a, DType b) noexcept {
    if (a == b) return a;
    if (a > b) return promote_types(b, a);  // now a comes first in the enumeration
    if (a == DType::boolean) return b;
    if (is_complex(b)) return complex_dtype(a) == DType::complex64 ? b : DType::complex128;
    if (a == DType::float16 && b == DType::bfloat16) return DType::float32;
    if (b == DType::float64 || is_floating(a)) return b;
    if (b == DType::float32) return width_of(a) <= 1 ? b : DType::float64;  // float32 holds 8 and 16 bits exactly
    if (is_short_float(b)) return width_of(a) == 0 ? b : width_of(a) == 1 ? DType::float32 : DType::float64;
    if (is_unsigned(a) == is_unsigned(b)) return b;
    const int wide = width_of(a) > width_of(b) ? width_of(a) : width_of(b) + 1;  // signed a, unsigned b
    return wide > 3 ? DType::float64 : static_cast<DType>(static_cast<int>(DType::int8) + wide);
}

template <class T>
struct DTypeOf;  // undefined: T can't be an element of an array

#define GPU_DTYPE(Type, value)                       \
    template <>                                      \
    struct DTypeOf<Type> {                           \
        static constexpr DType dtype = DType::value; \
    };
GPU_DTYPE(bool, boolean)
GPU_DTYPE(signed char, int8)
GPU_DTYPE(short, int16)
GPU_DTYPE(int, int32)
GPU_DTYPE(long, int64)
GPU_DTYPE(long long, int64)
GPU_DTYPE(unsigned char, uint8)
GPU_DTYPE(unsigned short, uint16)
GPU_DTYPE(unsigned int, uint32)
GPU_DTYPE(unsigned long, uint64)
GPU_DTYPE(unsigned long long, uint64)
GPU_DTYPE(half, float16)
GPU_DTYPE(bfloat16, bfloat16)
GPU_DTYPE(float, float32)
GPU_DTYPE(double, float64)
#undef GPU_DTYPE
template <ComplexLike Z>
struct DTypeOf<Z> {  // std::complex as well
    static constexpr DType dtype = sizeof(Z) == 8 ? DType::complex64 : DType::complex128;
};

template <DType>
struct CppType;
#define GPU_CPP_TYPE(value, Type)  \
    template <>                    \
    struct CppType<DType::value> { \
        using type = Type;         \
    };
GPU_CPP_TYPE(boolean, bool)
GPU_CPP_TYPE(int8, std::int8_t)
GPU_CPP_TYPE(int16, std::int16_t)
GPU_CPP_TYPE(int32, std::int32_t)
GPU_CPP_TYPE(int64, std::int64_t)
GPU_CPP_TYPE(uint8, std::uint8_t)
GPU_CPP_TYPE(uint16, std::uint16_t)
GPU_CPP_TYPE(uint32, std::uint32_t)
GPU_CPP_TYPE(uint64, std::uint64_t)
GPU_CPP_TYPE(float16, half)
GPU_CPP_TYPE(bfloat16, bfloat16)
GPU_CPP_TYPE(float32, float)
GPU_CPP_TYPE(float64, double)
GPU_CPP_TYPE(complex64, complex<float>)
GPU_CPP_TYPE(complex128, complex<double>)
#undef GPU_CPP_TYPE

}  // namespace detail

/// True for the types that have a DType: numbers, bool, `gpu::half`, `gpu::bfloat16`, `gpu::complex`, `std::complex`.
template <class T>
concept Arithmetic = requires { detail::DTypeOf<T>::dtype; };

/// True for the types that an array can hold: one for each DType (`std::int64_t`, `gpu::complex`).
template <class T>
concept Element = Arithmetic<T> && std::is_same_v<T, typename detail::CppType<detail::DTypeOf<T>::dtype>::type>;

/// The element type of an array of such values: `gpu::complex<float>` for `std::complex<float>`.
template <Arithmetic T>
using ArrayElement = typename detail::CppType<detail::DTypeOf<T>::dtype>::type;

/// The run-time value of a static element type.
template <Arithmetic T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::dtype;

/// @cond internal
namespace detail {

// The type that an array holds where T is asked for: long long, or none at all.
template <class T>
struct HeldOf {
    using type = float;
};
template <Arithmetic T>
struct HeldOf<T> {
    using type = ArrayElement<T>;
};
template <class T>
using Held = typename HeldOf<std::remove_const_t<T>>::type;

// Refuses in words what isn't an Element.
template <class T>
constexpr bool check_element() {
    if constexpr (std::is_const_v<T>) {
        static_assert(!std::is_const_v<T>,
                      "an Array's elements aren't const: write const gpu::Array<float> or gpu::View<const float>");
    } else if constexpr (ComplexLike<T>) {
        static_assert(!ComplexLike<T>,
                      "an array holds gpu::complex<float> or gpu::complex<double>, to and from which "
                      "std::complex converts: write gpu::Array<gpu::complex<float>>");
    } else if constexpr (Arithmetic<T>) {
        static_assert(!Arithmetic<T>,
                      "an array holds std::int64_t or std::uint64_t, which have as many bits: write "
                      "gpu::Array<std::int64_t>");
    } else {
        static_assert(Arithmetic<T>,
                      "an array's elements are bool, std::int8_t to std::int64_t, std::uint8_t to "
                      "std::uint64_t, gpu::half, gpu::bfloat16, float, double, gpu::complex<float> or "
                      "gpu::complex<double>");
    }
    return true;
}

}  // namespace detail
/// @endcond

}  // namespace gpu
