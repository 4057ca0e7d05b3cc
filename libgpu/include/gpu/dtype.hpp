// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gpu/export.hpp>

namespace gpu {

/// The element type of an array, as a run-time value.
enum class DType : std::uint8_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64
};

/// NumPy's name of the type: "float32", "int64", "bool".
[[nodiscard]] GPU_API std::string_view name(DType type) noexcept;

/// The type's spelling inside a kernel: "float", "long long", "bool".
[[nodiscard]] GPU_API std::string_view kernel_name(DType type) noexcept;

/// Bytes of one element.
[[nodiscard]] GPU_API std::size_t size_of(DType type) noexcept;

/// The type that NumPy's promotion gives for two arrays: int32 with float32 is float64.
[[nodiscard]] GPU_API DType promote(DType a, DType b) noexcept;

[[nodiscard]] constexpr bool is_floating(DType type) noexcept { return type >= DType::float32; }
[[nodiscard]] constexpr bool is_unsigned(DType type) noexcept {
    return type >= DType::uint8 && type <= DType::uint64;
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
    if (b == DType::float64) return b;
    if (b == DType::float32) return width_of(a) <= 1 ? b : DType::float64;  // float32 holds 8 and 16 bits exactly
    if (is_unsigned(a) == is_unsigned(b)) return b;
    const int wide = width_of(a) > width_of(b) ? width_of(a) : width_of(b) + 1;  // signed a, unsigned b
    return wide > 3 ? DType::float64 : static_cast<DType>(static_cast<int>(DType::int8) + wide);
}

template <class T>
struct DTypeOf;  // undefined: T can't be an element of an array

#define GPU_DTYPE(Type, value)                        \
    template <>                                       \
    struct DTypeOf<Type> {                            \
        static constexpr DType dtype = DType::value;  \
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
GPU_DTYPE(float, float32)
GPU_DTYPE(double, float64)
#undef GPU_DTYPE

}  // namespace detail

/// True for the types that have a DType.
template <class T>
concept Arithmetic = requires { detail::DTypeOf<T>::dtype; };

/// True for the types that an array can hold: of two C++ types with one DType only the `std::int64_t` one.
template <class T>
concept Element = Arithmetic<T> && !std::is_same_v<T, long long> && !std::is_same_v<T, unsigned long long>;

/// The run-time value of a static element type.
template <Arithmetic T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::dtype;

}  // namespace gpu
