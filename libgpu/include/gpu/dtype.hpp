// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gpu/complex.hpp>
#include <gpu/export.hpp>
#include <gpu/half.hpp>

namespace gpu {

/// The element type of an array, as a run-time value.
/// @snippet public/facts_test.cpp dtypes
// clang-format off
enum class DType : std::uint8_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128
};
// clang-format on

/// @cond internal
namespace detail {
inline constexpr int dtype_count = 14;
}
/// @endcond

/// NumPy's name for the type: "float32", "int64", "bool".
[[nodiscard]] GPU_API std::string_view name(DType type) noexcept;

/// The type's spelling inside a kernel: "float", "long long", "bool", "half", "complex<float>".
[[nodiscard]] GPU_API std::string_view kernel_name(DType type) noexcept;

/// Bytes of one element.
[[nodiscard]] GPU_API std::size_t size_of(DType type) noexcept;

/// The type that NumPy's promotion gives for two arrays: int32 with float32 is float64.
[[nodiscard]] GPU_API DType promote(DType a, DType b) noexcept;

/// True for real floating types: float16, float32, float64.
[[nodiscard]] constexpr bool is_floating(DType type) noexcept {
    return type >= DType::float16 && type <= DType::float64;
}
/// True for complex64 and complex128.
[[nodiscard]] constexpr bool is_complex(DType type) noexcept { return type >= DType::complex64; }
/// True for uint8, uint16, uint32 and uint64.
[[nodiscard]] constexpr bool is_unsigned(DType type) noexcept { return type >= DType::uint8 && type <= DType::uint64; }
/// The type of a complex number's parts; other types stay as they are.
[[nodiscard]] constexpr DType real_dtype(DType type) noexcept {
    return !is_complex(type) ? type : type == DType::complex64 ? DType::float32 : DType::float64;
}
/// The complex type whose parts hold the type's values: complex64 up to float32 and 16 bits, else complex128.
[[nodiscard]] constexpr DType complex_dtype(DType type) noexcept {
    const bool narrow = type <= DType::int16 || type == DType::uint8 || type == DType::uint16 ||
                        type == DType::float16 || type == DType::float32 || type == DType::complex64;
    return narrow ? DType::complex64 : DType::complex128;
}

namespace detail {

constexpr bool is_integer(DType type) noexcept { return type >= DType::int8 && type <= DType::uint64; }

// log2 of an integer type's bytes; its enumerators are in this order.
constexpr int width_of(DType type) noexcept {
    return (static_cast<int>(type) - static_cast<int>(is_unsigned(type) ? DType::uint8 : DType::int8));
}

// NumPy's table for two arrays (numpy.promote_types), as rules.
constexpr DType promote_types(DType a, DType b) noexcept {
    if (a == b) return a;
    if (a > b) return promote_types(b, a);  // now a comes first in the enumeration
    if (a == DType::boolean) return b;
    if (is_complex(b)) return complex_dtype(a) == DType::complex64 ? b : DType::complex128;
    if (b == DType::float64 || is_floating(a)) return b;
    if (b == DType::float32) return width_of(a) <= 1 ? b : DType::float64;  // float32 holds 8 and 16 bits exactly
    if (b == DType::float16) return width_of(a) == 0 ? b : width_of(a) == 1 ? DType::float32 : DType::float64;
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
GPU_CPP_TYPE(float32, float)
GPU_CPP_TYPE(float64, double)
GPU_CPP_TYPE(complex64, complex<float>)
GPU_CPP_TYPE(complex128, complex<double>)
#undef GPU_CPP_TYPE

}  // namespace detail

/// True for the types that have a DType: numbers, bool, `gpu::half`, `gpu::complex`, `std::complex`.
template <class T>
concept Arithmetic = requires { detail::DTypeOf<T>::dtype; };

/// True for the types that an array can hold: one of those with the same DType (`std::int64_t`, `gpu::complex`).
template <class T>
concept Element = Arithmetic<T> && std::is_same_v<T, typename detail::CppType<detail::DTypeOf<T>::dtype>::type>;

/// The element type of an array made of such values: `gpu::complex<float>` for `std::complex<float>`.
template <Arithmetic T>
using ArrayElement = typename detail::CppType<detail::DTypeOf<T>::dtype>::type;

/// The run-time value of a static element type.
template <Arithmetic T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::dtype;

}  // namespace gpu
