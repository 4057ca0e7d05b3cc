// SPDX-License-Identifier: MIT
#pragma once

// How far a result may be from the expected value. Part of check.hpp.

#include <algorithm>
#include <cmath>
#include <limits>

#include <course/check_values.hpp>

namespace course {

/// |got - want| <= absolute + relative * |want|.
struct Tolerance {
    double absolute = 0, relative = 0;
};

/// A bound of its own for each element: |got - want| <= bound.
template <class T>
struct ElementTolerance {
    const T& bound;
};

/// Exactly equal: integers, copies.
inline constexpr Tolerance exact{};

/// n units in the last place of T, relative to the expected value: the rounding of n operations.
template <class T = float>
constexpr Tolerance ulps(double n) {
    return {.absolute = n * static_cast<double>(std::numeric_limits<T>::denorm_min()),
            .relative = n * static_cast<double>(std::numeric_limits<T>::epsilon())};
}

/// The same absolute bound for all elements, or an Eigen expression with one for each.
constexpr Tolerance within(double bound) { return {.absolute = bound, .relative = 0}; }
template <class T>
    requires detail::is_eigen<T>
ElementTolerance<T> within(const T& bounds) {
    return {bounds};
}

/// The error that a sum of float values may have if it is added up as a tree: 4 eps log2(n) sum |x|. A single float
/// accumulator over many elements doesn't keep it.
template <class T>
double sum_bound(const T& x) {
    const auto n = static_cast<double>(std::max<std::int64_t>(x.size(), 2));
    return 4 * static_cast<double>(std::numeric_limits<float>::epsilon()) * std::log2(n) *
           x.template cast<double>().abs().sum();
}

/// The error that a sum of float values may have if they are added one by one in any order (an accumulator, atomicAdd):
/// 4 eps sqrt(n) sum |x|, as rounding errors of both signs cancel in part. Draw positive values for it: a sum near 0
/// would let 0 pass.
template <class T>
double accumulation_bound(const T& x) {
    const auto n = static_cast<double>(std::max<std::int64_t>(x.size(), 2));
    return 4 * static_cast<double>(std::numeric_limits<float>::epsilon()) * std::sqrt(n) *
           x.template cast<double>().abs().sum();
}

namespace detail {

template <class T>
inline constexpr bool is_tolerance = std::is_same_v<T, Tolerance>;
template <class T>
inline constexpr bool is_tolerance<ElementTolerance<T>> = true;

}  // namespace detail
}  // namespace course
