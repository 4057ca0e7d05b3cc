// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <gpu/expression.hpp>

namespace gpu {

/// What nan_to_num() writes: `nan_to_num(x, {.nan = -1})`.
struct NanToNumOptions {
    double nan = 0;                       ///< in place of NaN
    std::optional<double> posinf = {};    ///< in place of infinity; unless given, the type's largest number
    std::optional<double> neginf = {};    ///< in place of -infinity; unless given, the type's lowest number
};

/// @cond internal
namespace detail {
GPU_API NodePointer finite_node(const NodePointer& a, const NanToNumOptions& options);
}  // namespace detail
/// @endcond

/// Numbers in place of NaN and the infinities, lazily; each part of a complex number by itself. Integers stay.
/// @snippet public/nan_reductions_test.cpp nan_to_num
template <detail::ArrayLike A>
[[nodiscard]] auto nan_to_num(const A& a, const NanToNumOptions& options = {}) {
    return Expr<detail::LazyElement<A>>(detail::finite_node(detail::to_node(a), options));
}

}  // namespace gpu
