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

// Bits, shifts, and the several divisions.

namespace {

bool both_known(const Element& x, const Element& y) { return is_known(x) && is_known(y); }

Element bits_and(gpu::DType type, const Element& x, const Element& y) {
    return both_known(x, y) ? wrapped(type, integer(x) & integer(y)) : unknown();
}
Element bits_or(gpu::DType type, const Element& x, const Element& y) {
    return both_known(x, y) ? wrapped(type, integer(x) | integer(y)) : unknown();
}
Element bits_xor(gpu::DType type, const Element& x, const Element& y) {
    return both_known(x, y) ? wrapped(type, integer(x) ^ integer(y)) : unknown();
}
Element bits_not(gpu::DType type, const Element& x) {
    if (!is_known(x)) return x;
    return type == gpu::DType::boolean ? Element{x.re == 0 ? 1.0L : 0.0L, 0, 0} : wrapped(type, -integer(x) - 1);
}

// Beyond the width, and by a negative number, nothing or the sign is left.
Element shifted_left(gpu::DType type, const Element& x, const Element& y) {
    if (!both_known(x, y)) return unknown();
    const Wide by = integer(y);
    if (by < 0 || by >= format_of(type).bits) return {};
    Wide value = integer(x);
    for (Wide k = 0; k < by; ++k) value = integer(wrapped(type, value * 2));
    return wrapped(type, value);
}
Element shifted_right(gpu::DType type, const Element& x, const Element& y) {
    if (!both_known(x, y)) return unknown();
    const Wide by = integer(y), value = integer(x);
    if (by < 0 || by >= format_of(type).bits) return {value < 0 ? -1.0L : 0.0L, 0, 0};
    return wrapped(type, value >> static_cast<int>(by));
}

Element whole_power(gpu::DType type, const Element& x, const Element& y) {
    if (!both_known(x, y)) return unknown();
    const Wide base = integer(x), exponent = integer(y);
    if (exponent < 0) return {base == 1 ? 1.0L : base == -1 ? (exponent % 2 != 0 ? -1.0L : 1.0L) : 0.0L, 0, 0};
    Element result{1, 0, 0};
    // Powers repeat: after 64 doublings of an even base nothing is left; else the exponent's bits are walked.
    Element factor = wrapped(type, base);
    for (Wide rest = exponent; rest > 0; rest /= 2) {
        __extension__ using Unsigned = unsigned __int128;
        const auto times = [type](const Element& a, const Element& b) {
            const Unsigned product = static_cast<Unsigned>(integer(a)) * static_cast<Unsigned>(integer(b));
            return wrapped(type, static_cast<Wide>(product & ~std::uint64_t{0}));
        };
        if (rest % 2 != 0) result = times(result, factor);
        factor = times(factor, factor);
    }
    return wrapped(type, integer(result));
}

// The quotient rounded down, and whether rounding decides it.
Element floor_quotient(gpu::DType type, const Element& x, const Element& y) {
    if (!both_known(x, y)) return unknown();
    if (is_integral(type)) {
        const Wide a = integer(x), b = integer(y);
        if (b == 0) return {};
        return wrapped(type, a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));
    }
    if (straddles(y, 0)) return unknown();
    const auto quotient = +[](Real a, Real b) {
        if (b == 0) return a / b;
        const Real rest = std::fmod(a, b), whole = (a - rest) / b;
        return rest != 0 && (rest < 0) != (b < 0) ? whole - 1 : whole;
    };
    const Element result = through(quotient, x, y);
    return result.error > 0 ? unknown() : result;
}

// What is left; it has the sign of y.
Element floor_rest(gpu::DType type, const Element& x, const Element& y) {
    if (!both_known(x, y)) return unknown();
    if (is_integral(type)) {
        const Wide a = integer(x), b = integer(y);
        if (b == 0) return {};
        const Wide rest = a % b;
        return wrapped(type, rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    }
    const Element whole = floor_quotient(type, x, y);
    if (!is_known(whole)) return whole;
    const Real rest = std::fmod(x.re, y.re);
    const Real value = rest != 0 && (rest < 0) != (y.re < 0) ? rest + y.re : rest;
    if (x.error == 0 && y.error == 0) return {value, 0, 0};
    return std::isfinite(value) ? Element{value, 0, x.error + std::fabs(whole.re) * y.error} : unknown();
}

}  // namespace

void add_integers(Table& table) {
    const std::size_t first = table.size();
    PROPERTY_BINARY(a & b, Domain::whole, Working::common, 0, bits_and)
    PROPERTY_BINARY(a | b, Domain::whole, Working::common, 0, bits_or)
    PROPERTY_BINARY(a ^ b, Domain::whole, Working::common, 0, bits_xor)
    PROPERTY_BINARY(a << b, Domain::whole, Working::counted, 0, shifted_left)
    PROPERTY_BINARY(a >> b, Domain::whole, Working::counted, 0, shifted_right)
    PROPERTY_BINARY(gpu::pow(a, b), Domain::whole, Working::counted, 0, whole_power)
    PROPERTY_UNARY(~a, Domain::whole, Working::common, 0, bits_not)
    PROPERTY_BINARY(gpu::floor_divide(a, b), Domain::real, Working::counted, 1, floor_quotient)
    PROPERTY_BINARY(gpu::remainder(a, b), Domain::real, Working::counted, 0.5L, floor_rest)
    for (std::size_t k = first; k < table.size(); ++k) table[k].weight = 20;
}

namespace {

enum class Order : std::uint8_t { less, equal, greater, unordered, open };

// Open where the two balls touch: rounding decides.
Order order_of(const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return Order::open;
    if (std::isnan(x.re + x.im) || std::isnan(y.re + y.im)) return Order::unordered;
    if (x.im != 0 || y.im != 0) {  // complex numbers are equal or not
        if (x.re == y.re && x.im == y.im && x.error == 0 && y.error == 0) return Order::equal;
        return std::hypot(x.re - y.re, x.im - y.im) > x.error + y.error ? Order::less : Order::open;
    }
    if (x.re == y.re && x.error == 0 && y.error == 0) return Order::equal;
    if (x.re + x.error < y.re - y.error) return Order::less;
    if (x.re - x.error > y.re + y.error) return Order::greater;
    return Order::open;
}

// An expression of truth values isn't compared with a number, since a < x < b is a mistake: an array of them is.
template <class A>
decltype(auto) value(const A& a) {
    if constexpr (std::is_same_v<A, gpu::Expr<bool>>)
        return a.eval();
    else
        return (a);
}

template <bool less, bool equal, bool greater, bool unordered>
Element compared(gpu::DType, const Element& x, const Element& y) {
    const Order order = order_of(x, y);
    if (order == Order::open) return unknown();
    const bool holds = order == Order::less      ? less
                       : order == Order::equal   ? equal
                       : order == Order::greater ? greater
                                                 : unordered;
    return {holds ? 1.0L : 0.0L, 0, 0};
}

Element both(gpu::DType, const Element& x, const Element& y) {
    if ((is_known(x) && x.re == 0) || (is_known(y) && y.re == 0)) return {};
    return is_known(x) && is_known(y) ? Element{1, 0, 0} : unknown();
}
Element either(gpu::DType, const Element& x, const Element& y) {
    if ((is_known(x) && x.re != 0) || (is_known(y) && y.re != 0)) return {1, 0, 0};
    return is_known(x) && is_known(y) ? Element{} : unknown();
}
Element negation(gpu::DType, const Element& x) { return is_known(x) ? Element{x.re == 0 ? 1.0L : 0.0L, 0, 0} : x; }

}  // namespace

void add_comparisons(Table& table) {
    const std::size_t first = table.size();
    PROPERTY_BINARY(a == b, Domain::all, Working::common, 0, (compared<false, true, false, false>))
    PROPERTY_BINARY(a != b, Domain::all, Working::common, 0, (compared<true, false, true, true>))
    PROPERTY_BINARY(value(a) < value(b), Domain::real, Working::common, 0, (compared<true, false, false, false>))
    PROPERTY_BINARY(value(a) <= value(b), Domain::real, Working::common, 0, (compared<true, true, false, false>))
    PROPERTY_BINARY(value(a) > value(b), Domain::real, Working::common, 0, (compared<false, false, true, false>))
    PROPERTY_BINARY(value(a) >= value(b), Domain::real, Working::common, 0, (compared<false, true, true, false>))
    for (std::size_t k = first; k < table.size(); ++k) table[k].gives_boolean = true, table[k].weight = 5;
    PROPERTY_BINARY(a && b, Domain::real, Working::boolean, 0, both)
    PROPERTY_BINARY(a || b, Domain::real, Working::boolean, 0, either)
    PROPERTY_UNARY(!a, Domain::real, Working::boolean, 0, negation)

    table.push_back({"gpu::where(a, b, c)", 3, Working::common, false, 0, 60, false, false,
                     +[](gpu::DType, const Element* operands) -> Element {
                         if (!is_known(operands[0])) return unknown();
                         return operands[0].re != 0 ? operands[1] : operands[2];
                     },
                     choice_makers([](const auto& a, const auto& b, const auto& c) { return gpu::where(a, b, c); })});
}

}  // namespace property
