// SPDX-License-Identifier: MIT
#include "property/reference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace property {

namespace {

using gpu::DType;
using Kind = Format::Kind;

Format integers(bool is_signed, int bits) {
    const Real half = std::ldexp(1.0L, bits - 1);
    return {Kind::integer, is_signed, bits, 0, 0, is_signed ? half - 1 : 2 * half - 1};
}

Format reals(Kind kind, int bits, int digits, int top) {
    return {kind,
            true,
            bits,
            std::ldexp(1.0L, 1 - digits),
            std::ldexp(1.0L, 3 - top - digits),
            std::ldexp(1.0L - std::ldexp(1.0L, -digits), top)};
}

Format reals(Kind kind, int bits) {
    return reals(kind, bits, bits == 16 ? 11 : bits == 32 ? 24 : 53, bits == 16 ? 16 : bits == 32 ? 128 : 1024);
}

Format make_format(DType type) {
    const std::string_view name = gpu::name(type);
    if (name == "bool") return {Kind::boolean, false, 1, 0, 0, 1};
    const std::size_t digit = name.find_first_of("0123456789");
    const int bits = std::stoi(std::string(name.substr(digit)));
    const std::string_view kind = name.substr(0, digit);
    if (kind == "int") return integers(true, bits);
    if (kind == "uint") return integers(false, bits);
    if (kind == "float") return reals(Kind::real, bits);
    if (kind == "bfloat") return reals(Kind::real, bits, 8, 128);
    if (kind == "complex") return reals(Kind::complex, bits / 2);
    throw std::logic_error("the reference doesn't know the dtype " + std::string(name));
}

DType named(const std::string& name) {
    for (int k = 0; k < dtype_count; ++k) {
        if (gpu::name(static_cast<DType>(k)) == name) return static_cast<DType>(k);
    }
    throw std::logic_error("there is no dtype " + name);
}

DType type_like(Kind kind, bool is_signed, int bits) {
    switch (kind) {
        case Kind::boolean: return DType::boolean;
        case Kind::integer: return named((is_signed ? "int" : "uint") + std::to_string(bits));
        case Kind::real: return named("float" + std::to_string(bits));
        case Kind::complex: return named("complex" + std::to_string(2 * bits));
    }
    return DType::boolean;
}

// The smallest real type that holds every value of this type exactly (64 bits: nearly).
int real_bits(const Format& f) {
    if (f.kind == Kind::boolean) return 0;
    if (f.kind == Kind::integer) return f.bits <= 8 ? 16 : f.bits <= 16 ? 32 : 64;
    return f.bits;
}

}  // namespace

const Format& format_of(DType type) {
    static const std::vector<Format> formats = [] {
        std::vector<Format> list;
        for (int k = 0; k < dtype_count; ++k) list.push_back(make_format(static_cast<DType>(k)));
        return list;
    }();
    return formats.at(static_cast<std::size_t>(type));
}

DType promoted(DType a, DType b) {
    const Format &f = format_of(a), &g = format_of(b);
    const Kind kind = std::max(f.kind, g.kind);
    if (f.kind == Kind::boolean) return b;
    if (g.kind == Kind::boolean) return a;
    if (kind >= Kind::real) {
        const bool has_bfloat16 = a == DType::bfloat16 || b == DType::bfloat16;
        if (has_bfloat16 && (a == DType::float16 || b == DType::float16)) return DType::float32;
        const int bits = std::max(real_bits(f), real_bits(g));
        if (has_bfloat16 && kind == Kind::real && bits == 16) return DType::bfloat16;
        return type_like(kind, true, kind == Kind::complex ? std::max(bits, 32) : bits);
    }
    if (f.is_signed == g.is_signed) return type_like(kind, f.is_signed, std::max(f.bits, g.bits));
    const Format &with_sign = f.is_signed ? f : g, &without = f.is_signed ? g : f;
    if (with_sign.bits > without.bits) return type_like(kind, true, with_sign.bits);
    return without.bits == 64 ? DType::float64 : type_like(kind, true, 2 * without.bits);
}

DType floating(DType type) { return is_integral(type) ? DType::float64 : type; }

Element wrapped(DType type, Wide exact) {
    const Format& f = format_of(type);
    if (f.kind == Kind::boolean) return {exact != 0 ? 1.0L : 0.0L, 0, 0};
    const Wide modulus = Wide{1} << f.bits;
    Wide low = exact % modulus;
    if (low < 0) low += modulus;
    if (f.is_signed && low >= modulus / 2) low -= modulus;
    return {static_cast<Real>(low), 0, 0};
}

Element rounded(DType type, const Element& exact, Real ulps) {
    const Format& f = format_of(type);
    if (!is_known(exact)) return exact;
    if (f.kind <= Kind::integer) return wrapped(type, integer(exact));
    if (std::isnan(exact.re) || std::isnan(exact.im)) return {not_a_number, exact.im == 0 ? 0 : not_a_number, 0};
    const Real size = f.kind == Kind::complex ? std::hypot(exact.re, exact.im) : std::fabs(exact.re);
    if (std::isinf(size)) return exact.error > 0 || f.kind == Kind::complex ? unknown() : exact;
    // 1/1000 more: the reference's own rounding.
    const Real error = (exact.error + ulps * (f.eps * (size + exact.error) + f.smallest)) * 1.001L;
    if (size + error <= f.largest) return {exact.re, exact.im, error};
    // A half may have been computed in float, where it is still finite.
    if (f.kind == Kind::complex || f.bits == 16 || size - error <= f.largest || ulps == 0) return unknown();
    return {std::copysign(infinity, exact.re), 0, 0};
}

Element converted(DType from, DType to, const Element& x) {
    if (from == to || !is_known(x)) return x;
    const Format &f = format_of(from), &g = format_of(to);
    if (g.kind == Kind::boolean) {
        if (straddles(x, 0) && !(std::fabs(x.im) > x.error)) return unknown();
        return {x.re != 0 || x.im != 0 ? 1.0L : 0.0L, 0, 0};
    }
    if (g.kind == Kind::integer) {
        if (f.kind <= Kind::integer) return wrapped(to, integer(x));
        if (std::isnan(x.re)) return {};
        const Real lowest = g.is_signed ? -g.largest - 1 : 0;
        const auto fitted = [&](Real v) { return std::clamp(std::trunc(v), lowest, g.largest); };
        if (x.error > 0 && fitted(x.re - x.error) != fitted(x.re + x.error)) return unknown();
        return {fitted(x.re) + 0.0L, 0, 0};
    }
    Element result = x;
    if (g.kind == Kind::real) result.im = 0;
    const bool widens = f.kind >= Kind::real && g.bits >= f.bits;
    return rounded(to, result, widens ? 0 : 0.5L);
}

Element through(Real (*f)(Real), const Element& x) {
    if (!is_known(x)) return x;
    Element result{f(x.re), 0, 0};
    if (x.error == 0) return result;
    for (const Real end : {x.re - x.error, x.re + x.error}) {
        const Real value = f(end);
        if (std::isnan(value) && std::isnan(result.re)) continue;
        if (value == result.re) continue;
        if (!(std::isfinite(value) && std::isfinite(result.re))) return unknown();
        result.error = std::max(result.error, std::fabs(value - result.re));
    }
    return result;
}

Element through(Real (*f)(Real, Real), const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return unknown();
    Element result{f(x.re, y.re), 0, 0};
    if (x.error == 0 && y.error == 0) return result;
    for (const Real a : {x.re - x.error, x.re, x.re + x.error}) {
        for (const Real b : {y.re - y.error, y.re, y.re + y.error}) {
            const Real value = f(a, b);
            if (std::isnan(value) && std::isnan(result.re)) continue;
            if (value == result.re) continue;
            if (!(std::isfinite(value) && std::isfinite(result.re))) return unknown();
            result.error = std::max(result.error, std::fabs(value - result.re));
        }
    }
    return result;
}

Elements broadcasted(const Elements& from, const gpu::Shape& shape) {
    Elements result{from.dtype, shape, {}};
    const int missing = shape.rank() - from.shape.rank();
    std::vector<std::int64_t> inner(static_cast<std::size_t>(from.shape.rank()));
    for_each_position(shape, [&](const std::vector<std::int64_t>& at) {
        for (int axis = 0; axis < from.shape.rank(); ++axis) {
            const std::int64_t position = at[static_cast<std::size_t>(axis + missing)];
            inner[static_cast<std::size_t>(axis)] = from.shape[axis] == 1 ? 0 : position;
        }
        result.values.push_back(from.values[number_of(from.shape, inner)]);
    });
    return result;
}

}  // namespace property
