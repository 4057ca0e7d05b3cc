// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include <gpu/expression.hpp>

namespace gpu {

/// Which axes a reduction runs over; `{}` means all of them. Negative axes count from the last.
class GPU_API Axes {
public:
    Axes() = default;
    Axes(int axis) { add(axis); }  // NOLINT(google-explicit-constructor): {.axis = 0}
    Axes(std::initializer_list<int> axes) {
        for (int axis : axes) add(axis);
    }

    [[nodiscard]] bool all() const noexcept { return count_ == 0; }
    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] int operator[](int k) const noexcept { return axes_[k]; }

private:
    void add(int axis);
    int axes_[max_rank] = {};
    int count_ = 0;
};

/// How a reduction is made: `sum(a, {.axis = 0, .keepdims = true})`.
struct ReduceOptions {
    Axes axis = {};
    bool keepdims = false;
};

/// @cond internal
namespace detail {
GPU_API ArrayCore sum(const NodePointer& value, DType accumulator, const ReduceOptions& options);
GPU_API ArrayCore l2_norm(const NodePointer& value, DType accumulator, const ReduceOptions& options);

constexpr DType sum_dtype(DType type) {
    if (is_floating(type)) return type;
    return is_unsigned(type) ? DType::uint64 : DType::int64;
}
}  // namespace detail
/// @endcond

/// The sum over the axes; of an expression in one kernel with it. Returns at once: `item()` waits.
///
/// Integers add up in 64 bits; `sum<double>(x)` names another accumulator and result. The order of summation is fixed:
/// the same input gives the same bits on every run. The sum of nothing is 0.
/// @throws AxisError
/// @snippet public/reduction_test.cpp sum
template <class R = void, detail::Lazy A>
[[nodiscard]] auto sum(const A& a, const ReduceOptions& options = {}) {
    using T = typename detail::OperandTraits<A>::element;
    constexpr DType type = [] {
        if constexpr (std::is_void_v<R>) return detail::sum_dtype(dtype_of<T>);
        else return dtype_of<R>;
    }();
    return Array<typename detail::CppType<type>::type>(detail::sum(detail::to_node(a), type, options));
}

namespace linalg {

/// The Euclidean (Frobenius) norm over the axes, in one kernel: sqrt(sum(a * a)). Integers go through double.
/// @throws AxisError
/// @snippet public/reduction_test.cpp norm
template <detail::Lazy A>
[[nodiscard]] auto norm(const A& a, const ReduceOptions& options = {}) {
    using T = detail::Floating<typename detail::OperandTraits<A>::element>;
    return Array<T>(detail::l2_norm(detail::to_node(a), dtype_of<T>, options));
}

}  // namespace linalg
}  // namespace gpu
