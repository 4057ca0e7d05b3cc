// SPDX-License-Identifier: MIT
#include <cmath>

#include "property/operations.hpp"

namespace property {

namespace {

// The same formula in whole numbers and in real ones.
#define PROPERTY_BOTH_KINDS(formula_for_integers, formula)                         \
    [](gpu::DType in_type, const Element& left, const Element& right) -> Element { \
        if (!is_known(left) || !is_known(right)) return unknown();                 \
        if (is_integral(in_type)) {                                                \
            const Wide x = integer(left), y = integer(right);                      \
            return wrapped(in_type, formula_for_integers);                         \
        }                                                                          \
        return through(                                                            \
            +[](Real x, Real y) -> Real { return formula; }, left, right);         \
    }

Element quotient(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y) || straddles(y, 0)) return unknown();
    if (is_integral(type)) return wrapped(type, integer(x) / integer(y));
    return through(
        +[](Real a, Real b) { return a / b; }, x, y);
}

Element remainder_of(gpu::DType type, const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y) || straddles(y, 0)) return unknown();
    if (is_integral(type)) return wrapped(type, integer(x) % integer(y));
    Element result{std::fmod(x.re, y.re), 0, 0};
    if (x.error == 0 && y.error == 0) return result;
    const Element whole = through(
        +[](Real a, Real b) { return std::trunc(a / b); }, x, y);
    if (!is_known(whole) || whole.error > 0) return unknown();  // the quotient reaches across a whole number
    result.error = x.error + std::fabs(whole.re) * y.error;
    return result;
}

// A fused multiply-add may not overflow where two operations do.
constexpr auto plain_product = PROPERTY_BOTH_KINDS(x * y, x* y);
Element product(gpu::DType type, const Element& a, const Element& b) {
    const Element result = plain_product(type, a, b);
    const bool overflows = !is_integral(type) && std::isfinite(a.re) && std::isfinite(b.re) &&
                           !(std::fabs(result.re) + result.error <= format_of(type).largest);
    return overflows ? unknown() : result;
}

Element negated(gpu::DType type, const Element& x) {
    if (is_integral(type)) return is_known(x) ? wrapped(type, -integer(x)) : x;
    return {-x.re, -x.im, x.error};
}

Element absolute(gpu::DType type, const Element& x) {
    if (is_integral(type)) return is_known(x) ? wrapped(type, integer(x) < 0 ? -integer(x) : integer(x)) : x;
    return through(
        +[](Real a) { return std::fabs(a); }, x);
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
    PROPERTY_BINARY(a + b, Working::common, 0.5L, PROPERTY_BOTH_KINDS(x + y, x + y))
    PROPERTY_BINARY(a - b, Working::common, 0.5L, PROPERTY_BOTH_KINDS(x - y, x - y))
    PROPERTY_BINARY(a * b, Working::common, 0.5L, product)
    PROPERTY_BINARY(a / b, Working::common, 0.5L, quotient)
    table.back().positive_right = true;
    PROPERTY_BINARY(a % b, Working::common, 0, remainder_of)
    table.back().positive_right = true;
    PROPERTY_BINARY(gpu::minimum(a, b), Working::common, 0, smaller)
    PROPERTY_BINARY(gpu::maximum(a, b), Working::common, 0, larger)
    PROPERTY_UNARY(-a, Working::own, 0, negated)
    PROPERTY_UNARY(gpu::abs(a), Working::own, 0, absolute)
    for (std::size_t k = first; k < table.size(); ++k) table[k].weight = 25;
}

}  // namespace property
