// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>

#include "property/operations.hpp"

namespace property {

namespace {

using Complex = std::complex<Real>;

bool is_complex_type(gpu::DType type) { return format_of(type).kind == Format::Kind::complex; }

// What infinities and NaN in complex numbers become differs between right implementations.
Element complex_result(const Complex& z, Real error) {
    const bool finite = std::isfinite(z.real()) && std::isfinite(z.imag()) && std::isfinite(error);
    return finite ? Element{z.real(), z.imag(), error} : unknown();
}

Element sum(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return unknown();
    if (is_integral(type)) return wrapped(type, integer(x) + integer(y));
    if (is_complex_type(type)) return complex_result({x.re + y.re, x.im + y.im}, x.error + y.error);
    return through(
        +[](Real a, Real b) { return a + b; }, x, y);
}

Element difference(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return unknown();
    if (is_integral(type)) return wrapped(type, integer(x) - integer(y));
    if (is_complex_type(type)) return complex_result({x.re - y.re, x.im - y.im}, x.error + y.error);
    return through(
        +[](Real a, Real b) { return a - b; }, x, y);
}

// A fused multiply-add may not overflow where two operations do.
Element product(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return unknown();
    if (is_integral(type)) return wrapped(type, integer(x) * integer(y));
    if (is_complex_type(type)) {
        const Complex a(x.re, x.im), b(y.re, y.im);
        const Real error = std::abs(a) * y.error + std::abs(b) * x.error + x.error * y.error;
        return complex_result(a * b, error + 3 * format_of(type).eps * std::abs(a) * std::abs(b));
    }
    const Element result = through(
        +[](Real a, Real b) { return a * b; }, x, y);
    const bool overflows =
        std::isfinite(x.re) && std::isfinite(y.re) && !(std::fabs(result.re) + result.error <= format_of(type).largest);
    return overflows ? unknown() : result;
}

Element quotient(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return unknown();
    if (is_complex_type(type)) {
        const Complex a(x.re, x.im), b(y.re, y.im);
        const Real nearest = std::abs(b) - y.error;
        if (!(nearest > 0)) return unknown();
        const Complex q = a / b;
        const Real error = (x.error + std::abs(q) * y.error) / nearest;
        return complex_result(q, error + 8 * format_of(type).eps * std::abs(q));
    }
    if (straddles(y, 0)) return unknown();
    if (is_integral(type)) return y.re == 0 ? Element{} : wrapped(type, integer(x) / integer(y));
    return through(
        +[](Real a, Real b) { return a / b; }, x, y);
}

Element remainder_of(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y) || straddles(y, 0)) return unknown();
    if (is_integral(type)) return y.re == 0 ? Element{} : wrapped(type, integer(x) % integer(y));
    Element result{std::fmod(x.re, y.re), 0, 0};
    if (x.error == 0 && y.error == 0) return result;
    const Element whole = through(
        +[](Real a, Real b) { return std::trunc(a / b); }, x, y);
    if (!is_known(whole) || whole.error > 0) return unknown();  // the quotient reaches across a whole number
    result.error = x.error + std::fabs(whole.re) * y.error;
    return result;
}

Element negated(gpu::DType type, const Element& x) {
    if (is_integral(type)) return is_known(x) ? wrapped(type, -integer(x)) : x;
    return {-x.re, -x.im, x.error};
}

Element larger(gpu::DType, const Element& x, const Element& y) {
    return through(
        +[](Real a, Real b) { return std::isnan(a) || std::isnan(b) ? not_a_number
                                     : a > b                        ? a
                                                                    : b; }, x, y);
}
Element smaller(gpu::DType, const Element& x, const Element& y) {
    return through(
        +[](Real a, Real b) { return std::isnan(a) || std::isnan(b) ? not_a_number
                                     : a < b                        ? a
                                                                    : b; }, x, y);
}

}  // namespace

void add_arithmetic(Table& table) {
    const std::size_t first = table.size();
    PROPERTY_BINARY(a + b, Domain::all, Working::common, 0.5L, sum)
    PROPERTY_BINARY(a - b, Domain::numbers, Working::common, 0.5L, difference)
    PROPERTY_BINARY(a * b, Domain::all, Working::common, 0.5L, product)
    PROPERTY_BINARY(a / b, Domain::all, Working::counted, 0.5L, quotient)
    PROPERTY_BINARY(a % b, Domain::real, Working::counted, 0, remainder_of)
    PROPERTY_BINARY(gpu::minimum(a, b), Domain::real, Working::common, 0, smaller)
    PROPERTY_BINARY(gpu::maximum(a, b), Domain::real, Working::common, 0, larger)
    PROPERTY_UNARY(-a, Domain::numbers, Working::common, 0, negated)
    for (std::size_t k = first; k < table.size(); ++k) table[k].weight = 25;
}

}  // namespace property
