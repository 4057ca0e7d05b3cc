// SPDX-License-Identifier: MIT
// Bits, shifts, and the several divisions.
#include <cmath>

#include "property/operations.hpp"

namespace property {

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

}  // namespace property
