// SPDX-License-Identifier: MIT
// Functions of floating numbers. The units in the last place are the larger of CUDA's table (CUDA C++ Programming
// Guide, "Mathematical Functions") and glibc's manual, rounded up to 1, 2, 4 or 8.
#include <cmath>

#include "property/operations.hpp"

namespace property {

namespace {

Element power(gpu::DType, const Element& x, const Element& y) {
    const bool whole = y.error == 0 && std::trunc(y.re) == y.re;
    const bool touches_zero = x.re - x.error <= 0;
    if (x.error > 0 && touches_zero && !(whole && y.re >= 0)) return unknown();
    if (y.error > 0 && touches_zero) return unknown();
    Element result = through(
        +[](Real a, Real b) { return std::pow(a, b); }, x, y);
    if (x.error > 0 && straddles(x, 0)) result.error = std::fmax(result.error, std::fabs(result.re));  // 0 to a power
    return result;
}

Element angle(gpu::DType, const Element& y, const Element& x) {
    if (!is_known(x) || !is_known(y)) return unknown();
    if (x.error == 0 && y.error == 0) return {std::atan2(y.re, x.re), 0, 0};
    if (straddles(y, 0) && x.re - x.error <= 0) return unknown();  // the cut, or the origin
    if (y.re == 0 && straddles(x, 0)) return unknown();
    const Real nearest = std::fmax(std::hypot(x.re, y.re) - std::hypot(x.error, y.error), 0);
    Element result{std::atan2(y.re, x.re), 0, std::hypot(x.error, y.error) / nearest};
    return nearest > 0 && std::isfinite(result.error) ? result : unknown();
}

// Between the ends of the interval the function may leave the values at its ends: its slope is 1 at most.
template <Real (*f)(Real)>
Element wave(gpu::DType, const Element& x) {
    if (!is_known(x)) return x;
    return {f(x.re), 0, std::isfinite(x.re) ? x.error : 0};
}
Real sine(Real x) { return std::sin(x); }
Real cosine(Real x) { return std::cos(x); }

Element tangent(gpu::DType, const Element& x) {
    if (x.error > 0 && std::cos(x.re - x.error) * std::cos(x.re + x.error) <= 0) return unknown();
    if (x.error > 1) return unknown();
    return through(
        +[](Real a) { return std::tan(a); }, x);
}

// A step function: known where both ends of the interval give the same.
template <Real (*f)(Real)>
Element step(gpu::DType, const Element& x) {
    const Element result = through(f, x);
    return result.error > 0 ? unknown() : result;
}
Real floor_of(Real x) { return std::floor(x); }
Real ceil_of(Real x) { return std::ceil(x); }
Real round_of(Real x) { return std::isfinite(x) ? x - std::remainder(x, 1.0L) : x; }

}  // namespace

#define PROPERTY_MONOTONE(name, ulps)                                                                      \
    PROPERTY_UNARY(gpu::name(a), Domain::real, Working::floating, ulps, [](gpu::DType, const Element& x) { \
        return through(                                                                                    \
            +[](Real v) { return std::name(v); }, x);                                                      \
    })

void add_functions(Table& table) {
    PROPERTY_MONOTONE(expm1, 2)
    PROPERTY_MONOTONE(log, 2)
    PROPERTY_MONOTONE(log2, 2)
    PROPERTY_MONOTONE(log10, 4)
    PROPERTY_MONOTONE(log1p, 2)
    PROPERTY_MONOTONE(asin, 4)
    PROPERTY_MONOTONE(acos, 4)
    PROPERTY_MONOTONE(atan, 2)
    PROPERTY_MONOTONE(sinh, 4)
    PROPERTY_MONOTONE(cosh, 4)
    PROPERTY_MONOTONE(tanh, 4)
    PROPERTY_UNARY(gpu::sin(a), Domain::real, Working::floating, 2, wave<sine>)
    PROPERTY_UNARY(gpu::cos(a), Domain::real, Working::floating, 2, wave<cosine>)
    PROPERTY_UNARY(gpu::tan(a), Domain::real, Working::floating, 4, tangent)
    PROPERTY_UNARY(gpu::floor(a), Domain::floating, Working::floating, 0, step<floor_of>)
    PROPERTY_UNARY(gpu::ceil(a), Domain::floating, Working::floating, 0, step<ceil_of>)
    PROPERTY_UNARY(gpu::round(a), Domain::floating, Working::floating, 0, step<round_of>)
    PROPERTY_BINARY(gpu::pow(a, b), Domain::floating, Working::floating, 8, power)
    PROPERTY_BINARY(gpu::atan2(a, b), Domain::real, Working::floating, 4, angle)
}

}  // namespace property
