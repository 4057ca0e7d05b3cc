// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <gpu/expression.hpp>
#include <gpu/reduction_call.hpp>

namespace gpu {

/// @cond internal
namespace detail {

// How an argument reaches the function, which may take it by value: arrays as windows. gpu/eigen.hpp adds Eigen's.
template <class A>
struct FuseArgument {
    static const A& pass(const A& argument) { return argument; }
};
template <Element T>
struct FuseArgument<Array<T>> {
    static View<const T> pass(const Array<T>& array) { return View<const T>(array); }
};

// What comes back: a value, no expression of arguments that may be gone.
template <class R>
struct FuseResult {
    static R keep(R result) { return result; }
};
template <Element T>
struct FuseResult<Expr<T>> {
    static Array<T> keep(const Expr<T>& result) { return Array<T>(result); }
};
template <class T>
struct FuseResult<View<T>> {
    static auto keep(const View<T>& result) { return Array<std::remove_const_t<T>>(result); }
};

}  // namespace detail
/// @endcond

/// What gpu::fuse makes of a function.
template <class F>
class Fused {
public:
    explicit Fused(F function) : function_(std::move(function)) {}

    template <class... A>
    [[nodiscard]] auto operator()(const A&... arguments) const {
        using R = std::remove_cvref_t<decltype(function_(detail::FuseArgument<A>::pass(arguments)...))>;
        return detail::FuseResult<R>::keep(function_(detail::FuseArgument<A>::pass(arguments)...));
    }

private:
    F function_;
};

/// Makes a function of a generic one, once for arrays, Eigen's arrays (with gpu/eigen.hpp) and numbers.
///
/// Called with arrays, views or expressions on a device, it evaluates what the function returns, in one kernel if
/// that is an expression or one reduction of one, and gives an Array. Called with Eigen's arrays it is Eigen's code
/// and gives an Eigen array; called with numbers it gives a number.
/// @snippet public/expression_test.cpp fuse
template <class F>
[[nodiscard]] Fused<std::decay_t<F>> fuse(F&& function) {
    return Fused<std::decay_t<F>>(std::forward<F>(function));
}

/// The sum of one number: itself. For functions that are written for arrays and numbers.
template <class S>
    requires std::is_arithmetic_v<S>
[[nodiscard]] constexpr S sum(S number, const ReduceOptions& = {}) {
    return number;
}

}  // namespace gpu
