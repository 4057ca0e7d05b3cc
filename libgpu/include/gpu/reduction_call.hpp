// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include <gpu/expression.hpp>

namespace gpu {

/// Which axes a reduction runs over: `sum(a, {0, 1})`. `{}` means all of them; negative axes count from the last.
/// @snippet public/expression_test.cpp axes
class GPU_API Axes {
public:
    Axes() = default;
    Axes(int axis) { add(axis); }  // NOLINT(google-explicit-constructor): {.axis = 0}
    Axes(std::initializer_list<int> axes) {
        for (int axis : axes) add(axis);
    }
    /// From a number of axes known only at run time.
    explicit Axes(std::span<const int> axes) {
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

/// @cond internal
namespace detail {

/// The axes of `sum(a, {0, 1})`. (Not a std::initializer_list: g++ would take `{.axis = {0, 1}}` for one, too.)
struct AxisList {
    template <std::integral... I>
    requires(sizeof...(I) > 0 && !(std::is_same_v<I, bool> || ...)) AxisList(I... axis)
        : axes{static_cast<int>(axis)...} {}  // NOLINT(google-explicit-constructor)
    Axes axes;
};

/// Stands first in options, so that they are given by name: no value in braces becomes one.
struct ByName {
    explicit ByName() = default;
};

}  // namespace detail
/// @endcond

/// The options of a reduction: `sum(a, {.axis = 0, .keepdims = true})`. Axes alone need no name: `sum(a, {0, 1})`.
struct ReduceOptions {
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    Axes axis = {};
    Flag keepdims = false;  ///< reduced axes stay, with length 1
};

/// The same into an existing array or view, of exactly the result's shape and type:
/// `sum(a, {.axis = 0, .out = gpu::out(y)})`. It may overlap the input. Nothing is returned.
struct ReduceInto {
    /// @cond internal
    [[no_unique_address]] detail::ByName by_name = detail::ByName();
    /// @endcond
    Axes axis = {};
    Flag keepdims = false;
    Output out;
};

}  // namespace gpu

/// @cond internal
/// The common part of all reductions of an array: the choice of types, and the call into libgpu.
namespace gpu::detail {

// launch/reductions.cpp defines what each does.
// clang-format off
enum class Reduction : std::uint8_t {
    sum, prod, min, max, argmin, argmax, any, all, count_nonzero, mean,
    variance, stddev, corrected_variance, corrected_stddev,
    nanmin, nanmax, nanargmin, nanargmax, nanmean, nanvar, nanstd,
    norm_0, norm_1, norm_2, norm_p, norm_largest, norm_smallest
};
// clang-format on

/// A reduction over elements that are cast to `element` first.
struct ReductionRequest {
    Reduction kind = Reduction::sum;
    DType element = DType::float32, result = DType::float32;
    double number = 0;  ///< the divisor of a variance, the order of a norm
};
GPU_API ArrayCore reduce(const ReductionRequest& request, const NodePointer& value, const ReduceOptions& options);
GPU_API void reduce(const ReductionRequest& request, const NodePointer& value, const ReduceInto& into);

constexpr DType sum_dtype(DType type) {
    if (!is_integer(type) && type != DType::boolean) return type;
    return is_unsigned(type) ? DType::uint64 : DType::int64;
}

// The type that elements are cast to before they are combined: 64 bits for integers, 32 for float16 and bfloat16.
constexpr DType accumulator(DType result) { return is_short_float(result) ? DType::float32 : sum_dtype(result); }

// The type that elements are compared as: float for halves, since processors compare floats.
constexpr DType comparable(DType element) { return computed_dtype(element); }

template <class T>
using SumOf = typename CppType<sum_dtype(dtype_of<T>)>::type;

/// The result's type R, or the default if none is given; among C++ types with one DType, the one that arrays hold.
template <class R, class Default>
using ResultOr = typename CppType<dtype_of<std::conditional_t<std::is_void_v<R>, Default, R>>>::type;

/// For elements that can be compared by <.
template <class A>
concept Ordered = HasRunTimeType<A> || (Lazy<A> && !is_complex(dtype_of<LazyElement<A>>));
// True if no complex number would be cut to its real part.
template <class T, class A>
inline constexpr bool holds = is_complex(dtype_of<T>) || !is_complex(dtype_of<LazyElement<A>>);

// A reduction of an AnyArray, with the types that it has for typed ones.
GPU_API ArrayCore run_time_reduce(Reduction kind, const ArrayCore& a, const ReduceOptions& options);
// The same array. @throws DTypeError for complex elements, which have no order
GPU_API const ArrayCore& ordered(const ArrayCore& a, const char* operation);

template <class A>
constexpr DType comparable_of() {
    if constexpr (HasRunTimeType<A>)
        return DType::float32;  // not used: see reduced()
    else
        return comparable(dtype_of<LazyElement<A>>);
}

template <class T, class A>
Array<T> reduced(Reduction kind, DType element, const A& a, const ReduceOptions& options) {
    if constexpr (HasRunTimeType<A>)
        return Array<T>(run_time_reduce(kind, a.core("a reduction"), options));
    else
        return Array<T>(reduce({.kind = kind, .element = element, .result = dtype_of<T>}, to_node(a), options));
}
template <class T, class A>
void reduced(Reduction kind, DType element, const A& a, const ReduceInto& into) {
    reduce({.kind = kind, .element = element, .result = dtype_of<T>}, to_node(a), into);
}

}  // namespace gpu::detail

// Where an order is needed, and there is none.
#define GPU_ORDER_NEEDED(function)                                                                             \
    template <detail::ArrayLike A>                                                                             \
        requires(!detail::Ordered<A>)                                                                          \
    Array<float> function(const A&, const ReduceOptions& = {}) {                                               \
        static_assert(sizeof(A) == 0, "complex numbers have no order: write gpu::" #function "(gpu::abs(z))"); \
        return {};                                                                                             \
    }
// `auto`, so that the error with the advice comes before any error about the result.
#define GPU_OPTIONS_BY_NAME(function, advice)               \
    template <class R = void, detail::ArrayLike A, class B> \
    auto function(const A& a, const B&) {                   \
        static_assert(sizeof(A) == 0, advice);              \
        return a;                                           \
    }
#define GPU_AXIS_BY_NAME(function) \
    GPU_OPTIONS_BY_NAME(function, "an axis is named: write gpu::" #function "(x, {.axis = 0})")
// An axis as a third argument.
#define GPU_AXIS_BEHIND(function, arguments)                                                                     \
    template <class R = void, detail::ArrayLike A, class B, std::integral I>                                     \
    auto function(const A& a, const B&, I) {                                                                     \
        static_assert(sizeof(A) == 0, "an axis is named: write gpu::" #function "(" arguments ", {.axis = 0})"); \
        return a;                                                                                                \
    }
#define GPU_AXES_IN_BRACES(function, Options)                 \
    template <class R = void, detail::ArrayLike A>            \
    auto function(const A& a, const detail::AxisList& axes) { \
        const Options options{.axis = axes.axes};             \
        if constexpr (std::is_void_v<R>)                      \
            return function(a, options);                      \
        else                                                  \
            return function<R>(a, options);                   \
    }
#define GPU_AXES(function, Options) \
    GPU_AXIS_BY_NAME(function)      \
    GPU_AXES_IN_BRACES(function, Options)
/// @endcond
