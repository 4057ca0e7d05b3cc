// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>

#include "property/operations.hpp"

// The rest of the functions, of real and of complex numbers.
namespace property {

namespace {

using Complex = std::complex<Real>;

Real of_rsqrt(Real x) { return 1 / std::sqrt(x); }
Real of_degrees(Real x) { return x * (180 / 3.14159265358979323846264338327950288L); }
Real of_radians(Real x) { return x * (3.14159265358979323846264338327950288L / 180); }

template <Real (*f)(Real)>
Element function_of(gpu::DType, const Element& x) {
    return through(f, x);
}
// Of positive numbers: elsewhere there are poles.
Element gamma_of(gpu::DType, const Element& x) {
    return std::isnan(x.re) || x.re - x.error > 0 ? through(
                                                        +[](Real v) { return std::tgamma(v); }, x)
                                                  : unknown();
}
Element log_gamma_of(gpu::DType, const Element& x) {
    if (!(std::isnan(x.re) || x.re - x.error > 0)) return unknown();
    return through(
        +[](Real v) {
            int sign = 0;
            return ::lgammal_r(v, &sign);
        },
        x);
}

Element sign_of(gpu::DType, const Element& x) {
    if (!is_known(x) || straddles(x, 0)) return unknown();
    return {std::isnan(x.re) ? not_a_number : x.re > 0 ? 1.0L : x.re < 0 ? -1.0L : 0.0L, 0, 0};
}
Element square_of(gpu::DType type, const Element& x) {
    if (!is_known(x)) return x;
    if (is_integral(type)) return wrapped(type, integer(x) * integer(x));
    const Element result = through(
        +[](Real v) { return v * v; }, x);
    return std::isfinite(x.re) && !(result.re <= format_of(type).largest) ? unknown() : result;
}
Element reciprocal_of(gpu::DType type, const Element& x) {
    if (!is_known(x) || straddles(x, 0)) return unknown();
    if (is_integral(type)) return {x.re == 1 || x.re == -1 ? x.re : 0.0L, 0, 0};
    return through(
        +[](Real v) { return 1 / v; }, x);
}
Element same(gpu::DType, const Element& x) { return x; }

template <Real (*f)(Real)>
Element whole_of(gpu::DType type, const Element& x) {
    if (!is_known(x) || is_integral(type)) return x;
    const Element result = through(f, x);
    return result.error > 0 ? unknown() : result;
}
Real trunc_of(Real x) { return std::trunc(x); }
Real rint_of(Real x) { return std::isfinite(x) ? x - std::remainder(x, 1.0L) : x; }

Element bit(bool holds) { return {holds ? 1.0L : 0.0L, 0, 0}; }
Element is_nan(gpu::DType, const Element& x) { return is_known(x) ? bit(std::isnan(x.re)) : x; }
Element is_inf(gpu::DType, const Element& x) { return is_known(x) ? bit(std::isinf(x.re)) : x; }
Element is_finite(gpu::DType, const Element& x) { return is_known(x) ? bit(std::isfinite(x.re)) : x; }

Element smaller_number(gpu::DType, const Element& x, const Element& y) {
    return through(
        +[](Real a, Real b) { return std::fmin(a, b); }, x, y);
}
Element larger_number(gpu::DType, const Element& x, const Element& y) {
    return through(
        +[](Real a, Real b) { return std::fmax(a, b); }, x, y);
}
Element length(gpu::DType, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return unknown();
    const Real value = std::hypot(x.re, y.re);  // the slope is 1 at most
    return {value, 0, std::isfinite(value) ? x.error + y.error : 0};
}
Element with_sign(gpu::DType, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y) || y.re == 0 || straddles(y, 0) || std::isnan(y.re)) return unknown();
    return {std::copysign(x.re, y.re), 0, x.error};
}
Element exclusive(gpu::DType, const Element& x, const Element& y) {
    return is_known(x) && is_known(y) ? bit((x.re != 0) != (y.re != 0)) : unknown();
}
Element clipped(gpu::DType, const Element& x) {
    return through(
        +[](Real v) { return std::isnan(v) ? v
                             : v < 1       ? 1
                             : v > 3       ? 3
                                           : v; }, x);
}
Element fused(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return unknown();
    if (is_integral(type)) return wrapped(type, integer(x) * integer(y) + integer(x));
    const Element result = through(
        +[](Real a, Real b) { return a * b + a; }, x, y);
    return std::isfinite(result.re) || !std::isfinite(x.re) || !std::isfinite(y.re) ? result : unknown();
}

// The exact value moves by at most what it moves to four points around.
template <class F>
Element through_complex(F f, const Element& z) {
    if (!is_known(z) || !std::isfinite(z.re) || !std::isfinite(z.im)) return unknown();
    const Complex at(z.re, z.im), value = f(at);
    Real error = 0;
    for (const Complex step : {Complex(1, 0), Complex(-1, 0), Complex(0, 1), Complex(0, -1)}) {
        if (z.error > 0) error = std::fmax(error, 2 * std::abs(f(at + z.error * step) - value));
    }
    const bool finite = std::isfinite(value.real()) && std::isfinite(value.imag()) && std::isfinite(error);
    return finite && !(z.error > 0.1L * std::abs(at)) ? Element{value.real(), value.imag(), error} : unknown();
}

Element magnitude(gpu::DType type, const Element& z) {
    if (is_integral(type)) return is_known(z) ? wrapped(type, integer(z) < 0 ? -integer(z) : integer(z)) : z;
    if (!is_known(z) || !std::isfinite(z.re) || !std::isfinite(z.im))
        return std::isnan(z.re) ? z
                                : through(
                                      +[](Real v) { return std::fabs(v); }, z);
    return {std::hypot(z.re, z.im), 0, z.error};
}
Element real_part(gpu::DType, const Element& z) { return {z.re, 0, z.error}; }
Element imaginary_part(gpu::DType type, const Element& z) {
    if (format_of(type).kind != Format::Kind::complex) return {};
    return {z.im, 0, z.error};
}
Element conjugate(gpu::DType, const Element& z) { return {z.re, -z.im, z.error}; }
Element root(gpu::DType type, const Element& z) {
    if (format_of(type).kind != Format::Kind::complex)
        return through(
            +[](Real v) { return std::sqrt(v); }, z);
    if (z.re - z.error <= 0 && std::fabs(z.im) <= z.error) return unknown();  // the cut
    return through_complex([](const Complex& x) { return std::sqrt(x); }, z);
}
Element exponential(gpu::DType type, const Element& z) {
    if (format_of(type).kind != Format::Kind::complex)
        return through(
            +[](Real v) { return std::exp(v); }, z);
    return through_complex([](const Complex& x) { return std::exp(x); }, z);
}

}  // namespace

#define PROPERTY_OF(name, ulps)                                                                            \
    PROPERTY_UNARY(gpu::name(a), Domain::real, Working::floating, ulps, [](gpu::DType, const Element& x) { \
        return through(                                                                                    \
            +[](Real v) { return std::name(v); }, x);                                                      \
    })

void add_math(Table& table) {
    PROPERTY_OF(cbrt, 4)
    PROPERTY_OF(exp2, 2)
    PROPERTY_OF(asinh, 4)
    PROPERTY_OF(acosh, 4)
    PROPERTY_OF(atanh, 4)
    PROPERTY_OF(erf, 2)
    PROPERTY_OF(erfc, 8)
    PROPERTY_UNARY(gpu::tgamma(a), Domain::real, Working::floating, 16, gamma_of)
    PROPERTY_UNARY(gpu::lgamma(a), Domain::real, Working::floating, 8, log_gamma_of)
    PROPERTY_UNARY(gpu::rsqrt(a), Domain::real, Working::floating, 2, function_of<of_rsqrt>)
    PROPERTY_UNARY(gpu::degrees(a), Domain::real, Working::floating, 2, function_of<of_degrees>)
    PROPERTY_UNARY(gpu::radians(a), Domain::real, Working::floating, 2, function_of<of_radians>)
    PROPERTY_UNARY(gpu::trunc(a), Domain::real, Working::common, 0, whole_of<trunc_of>)
    PROPERTY_UNARY(gpu::rint(a), Domain::real, Working::common, 0, whole_of<rint_of>)
    PROPERTY_UNARY(gpu::round(a), Domain::whole, Working::common, 0, same)
    PROPERTY_UNARY(gpu::floor(a), Domain::whole, Working::common, 0, same)
    PROPERTY_UNARY(gpu::sign(a), Domain::real, Working::counted, 0, sign_of)
    PROPERTY_UNARY(gpu::square(a), Domain::real, Working::counted, 0.5L, square_of)
    PROPERTY_UNARY(gpu::reciprocal(a), Domain::real, Working::counted, 0.5L, reciprocal_of)
    PROPERTY_UNARY(gpu::clip(a, 1, 3), Domain::real_numbers, Working::common, 0, clipped)
    const std::size_t predicates = table.size();
    PROPERTY_UNARY(gpu::isnan(a), Domain::real, Working::floating, 0, is_nan)
    PROPERTY_UNARY(gpu::isinf(a), Domain::real, Working::floating, 0, is_inf)
    PROPERTY_UNARY(gpu::isfinite(a), Domain::real, Working::floating, 0, is_finite)
    for (std::size_t k = predicates; k < table.size(); ++k) table[k].gives_boolean = true;
    PROPERTY_BINARY(gpu::fmin(a, b), Domain::real, Working::common, 0, smaller_number)
    PROPERTY_BINARY(gpu::fmax(a, b), Domain::real, Working::common, 0, larger_number)
    PROPERTY_BINARY(gpu::hypot(a, b), Domain::real, Working::floating, 4, length)
    PROPERTY_BINARY(gpu::copysign(a, b), Domain::real, Working::floating, 0, with_sign)
    PROPERTY_BINARY(gpu::fma(a, b, a), Domain::real, Working::counted, 1, fused)
    PROPERTY_BINARY(gpu::logical_xor(a, b), Domain::real, Working::boolean, 0, exclusive)

    const std::size_t parts = table.size();
    PROPERTY_UNARY(gpu::abs(a), Domain::all, Working::common, 2, magnitude)
    PROPERTY_UNARY(gpu::real(a), Domain::all, Working::common, 0, real_part)
    PROPERTY_UNARY(gpu::imag(a), Domain::numbers, Working::common, 0, imaginary_part)
    for (std::size_t k = parts; k < table.size(); ++k) table[k].gives_real = true, table[k].weight = 20;
    PROPERTY_UNARY(gpu::conj(a), Domain::all, Working::common, 0, conjugate)
    PROPERTY_UNARY(gpu::sqrt(a), Domain::all, Working::floating, 8, root)
    PROPERTY_UNARY(gpu::exp(a), Domain::all, Working::floating, 8, exponential)
}

// Functions of floating numbers. The units in the last place are the larger of CUDA's table (CUDA C++ Programming
// Guide, "Mathematical Functions") and glibc's manual, rounded up to 1, 2, 4 or 8.

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
