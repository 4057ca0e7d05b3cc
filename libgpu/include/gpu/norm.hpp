// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/reduction_call.hpp>

/// Linear algebra.
namespace gpu::linalg {

/// Which norm: `norm(v, {.ord = 1})`. 2 is the Euclidean norm (of several axes the Frobenius norm); 1, INFINITY,
/// -INFINITY, 0 (how many aren't 0) and any other p are norms of vectors, over one axis.
struct NormOptions {
    Axes axis = {};
    bool keepdims = false;
    double ord = 2;
};

/// The same into an existing array, see ReduceInto.
struct NormInto {
    Axes axis = {};
    bool keepdims = false;
    double ord = 2;
    Output out;
};

}  // namespace gpu::linalg

/// @cond internal
namespace gpu::detail {

template <class A>
using NormOf = typename CppType<real_dtype(dtype_of<Floating<LazyElement<A>>>)>::type;

GPU_API ArrayCore norm(DType result, const NodePointer& value, const linalg::NormOptions& options);
GPU_API void norm(DType result, const NodePointer& value, const linalg::NormInto& into);

}  // namespace gpu::detail
/// @endcond

namespace gpu::linalg {

/// The norm over the axes, in one kernel; by default sqrt(sum(|a|²)). For complex numbers it is real. Integers are
/// computed in double, float16 in float32. The norm of nothing is 0. A NaN makes the norm NaN.
/// @throws AxisError; ShapeError for an order other than 2 over more than one axis
/// @snippet public/norm_test.cpp norm
template <detail::ArrayLike A>
[[nodiscard]] auto norm(const A& a, const NormOptions& options = {}) {
    using T = detail::NormOf<A>;
    return Array<T>(detail::norm(dtype_of<T>, detail::to_node(a), options));
}
/// The same into an existing array.
template <detail::ArrayLike A>
void norm(const A& a, const NormInto& into) {
    detail::norm(dtype_of<detail::NormOf<A>>, detail::to_node(a), into);
}
/// @cond internal
GPU_OPTIONS_BY_NAME(norm, "an axis is named: write gpu::linalg::norm(x, {.axis = 0}); the order is {.ord = 1}")
/// @endcond

}  // namespace gpu::linalg
