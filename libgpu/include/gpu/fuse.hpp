// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/expression.hpp>
#include <gpu/reduction_call.hpp>

namespace gpu {

/// @cond internal
namespace detail {

// While one exists, this thread's reductions over the last axis wait for the expression that uses them, and become one
// kernel with it where that pays. Whatever else this thread does with an array computes those that wait first.
class GPU_API RowFusion {
public:
    explicit RowFusion(const char* name = "fused_rows");  ///< the kernel's
    RowFusion(const RowFusion&) = delete;
    RowFusion& operator=(const RowFusion&) = delete;
    ~RowFusion();
    /// Computes those that still wait and can be seen from outside.
    void finish();

private:
    const char* name_before_;
};

// While one exists, the texts of generated kernels that this thread runs are noted.
class GPU_API KernelListing {
public:
    KernelListing();
    KernelListing(const KernelListing&) = delete;
    KernelListing& operator=(const KernelListing&) = delete;
    ~KernelListing();
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
    std::string* before_;
};

// How an argument is passed to the function, which may take it by value: arrays as windows. gpu/eigen.hpp adds Eigen's.
template <class A>
struct FuseArgument {
    static const A& pass(const A& argument) { return argument; }
};
template <Element T>
struct FuseArgument<Array<T>> {
    static View<const T> pass(const Array<T>& array) { return View<const T>(array); }
};

// How a result is returned: as a value, never an expression of arguments that may be gone.
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

// One of several results: an expression, or an array, which stays the one it is.
struct FusedPart {
    NodePointer value;
    bool is_array = false;
};
// The values of several results: those over reductions that wait for them by one kernel, if possible.
GPU_API std::vector<ArrayCore> evaluate_together(std::span<const FusedPart> parts);

template <class R>
struct IsFusedArray : std::false_type {};
template <Element T>
struct IsFusedArray<Array<T>> : std::true_type {};
template <Element T>
struct IsFusedArray<Expr<T>> : std::true_type {};

// One of several results: `core` is its value if it is an array or an expression.
template <class R>
auto kept_part(const R& result, const ArrayCore& core) {
    if constexpr (IsFusedArray<R>::value)
        return Array<typename R::value_type>(core);
    else
        return FuseResult<R>::keep(result);
}
template <class Results, std::size_t... k>
auto kept_together(const Results& results, std::index_sequence<k...>) {
    std::vector<FusedPart> parts;
    std::size_t place[] = {std::size_t{k}...};
    (
        [&] {
            using R = std::remove_cvref_t<decltype(std::get<k>(results))>;
            if constexpr (IsFusedArray<R>::value) {
                place[k] = parts.size();
                parts.push_back({to_node(std::get<k>(results)), std::is_same_v<R, Array<typename R::value_type>>});
            }
        }(),
        ...);
    std::vector<ArrayCore> cores = evaluate_together(parts);
    cores.resize(sizeof...(k));
    return std::tuple(kept_part(std::get<k>(results), cores[place[k]])...);
}

template <class... R>
struct FuseResult<std::tuple<R...>> {
    static auto keep(const std::tuple<R...>& results) {
        return kept_together(results, std::index_sequence_for<R...>());
    }
};
template <class A, class B>
struct FuseResult<std::pair<A, B>> {
    static auto keep(const std::pair<A, B>& results) {
        return std::make_from_tuple<std::pair<decltype(kept_part(results.first, ArrayCore())),
                                              decltype(kept_part(results.second, ArrayCore()))>>(
            kept_together(results, std::index_sequence<0, 1>()));
    }
};

}  // namespace detail
/// @endcond

/// The function object that gpu::fuse returns.
template <class F>
class Fused {
public:
    explicit Fused(F function) : function_(std::move(function)) {}

    template <class... A>
    [[nodiscard]] auto operator()(const A&... arguments) const {
        using R = std::remove_cvref_t<decltype(function_(detail::FuseArgument<A>::pass(arguments)...))>;
        if constexpr ((detail::ArrayLike<A> || ...)) {
            detail::RowFusion rows;
            decltype(auto) result = detail::FuseResult<R>::keep(function_(detail::FuseArgument<A>::pass(arguments)...));
            rows.finish();
            return result;
        } else {
            return detail::FuseResult<R>::keep(function_(detail::FuseArgument<A>::pass(arguments)...));
        }
    }

    /// Calls the function and returns the texts of the kernels that it ran, complete and in CUDA C++, each after a line
    /// with its name.
    /// @snippet functions/rows_test.cpp source
    template <class... A>
    [[nodiscard]] std::string source(const A&... arguments) const {
        const detail::KernelListing listing;
        static_cast<void>((*this)(arguments...));
        return listing.text();
    }

private:
    F function_;
};

/// Wraps a generic function so that it takes arrays, Eigen's arrays (with gpu/eigen.hpp) or numbers.
///
/// Called with arrays, views or expressions on a device, it evaluates what the function returns, in one kernel if that
/// is an expression or one reduction of one, and returns an Array. Called with Eigen's arrays, it is Eigen's code and
/// returns an Eigen array; called with numbers, it returns a number.
///
/// Reductions over the last axis that keep it as 1 are part of that kernel on a GPU: softmax, standardised rows, a
/// layer norm or a cosine similarity read their rows once. So do several results, as a std::pair or std::tuple: an
/// argmax with its value, or a softmax and its logarithm. An array with a name is moved into it: a copy is made at
/// once.
/// @snippet public/expression_test.cpp fuse
/// @snippet functions/rows_test.cpp fuse rows
/// @snippet functions/rows_test.cpp several results
template <class F>
[[nodiscard]] Fused<std::decay_t<F>> fuse(F&& function) {
    return Fused<std::decay_t<F>>(std::forward<F>(function));
}

/// The sum of one number: itself. For functions written for both arrays and numbers.
template <class S>
    requires std::is_arithmetic_v<S>
[[nodiscard]] constexpr S sum(S number, const ReduceOptions& = {}) {
    return number;
}

}  // namespace gpu
