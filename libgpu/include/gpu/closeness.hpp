// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/reductions.hpp>

/// @file
/// Whether numbers are close, and whether arrays are equal: what tests ask.

namespace gpu {

/// How close two numbers must be: `isclose(a, b, {.rtol = 1e-3})` is true where |a - b| <= atol + rtol * |b|.
struct Closeness {
    double rtol = 1e-5;      ///< relative to |b|
    double atol = 1e-8;      ///< absolute
    bool equal_nan = false;  ///< two NaNs count as close
};

/// What counts as equal: `array_equal(a, b, {.equal_nan = true})`.
struct EqualOptions {
    bool equal_nan = false;  ///< two NaNs count as equal
};

/// @cond internal
namespace detail {
GPU_API NodePointer close_node(DType type, const NodePointer& a, const NodePointer& b, const Closeness& options);
GPU_API ArrayCore array_equal(DType type, const NodePointer& a, const NodePointer& b, const EqualOptions& options);
}  // namespace detail
/// @endcond

/// True where two numbers are close, lazily; operands broadcast. Infinities are close to their own kind only, a NaN to
/// nothing unless `equal_nan` says so. Integers are compared as doubles, halves as floats.
/// @throws ShapeError
/// @snippet public/closeness_test.cpp isclose
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] Expr<bool> isclose(const A& a, const B& b, const Closeness& options = {}) {
    constexpr DType type = detail::comparable(detail::floating(detail::common_dtype<A, B>()));
    return Expr<bool>(detail::close_node(type, detail::to_node(a), detail::to_node(b), options));
}

/// True if all are close, see isclose(); of shape (), on the device: `allclose(a, b).item()` waits.
/// @throws ShapeError
/// @snippet public/closeness_test.cpp allclose
template <class A, class B>
    requires detail::Operands<A, B>
[[nodiscard]] Array<bool> allclose(const A& a, const B& b, const Closeness& options = {}) {
    return gpu::all(gpu::isclose(a, b, options));
}

/// True if both have the same shape and equal elements; of shape (), on the device. Nothing broadcasts.
/// @snippet public/closeness_test.cpp array_equal
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] Array<bool> array_equal(const A& a, const B& b, const EqualOptions& options = {}) {
    constexpr DType type = detail::common_dtype<A, B>();
    return Array<bool>(detail::array_equal(type, detail::to_node(a), detail::to_node(b), options));
}

}  // namespace gpu
