// SPDX-License-Identifier: MIT
#include "property/reductions_reference.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace property {

namespace {

using gpu::DType;

bool all_known(const List& values) { return std::all_of(values.begin(), values.end(), is_known); }
bool any_nan(const List& values) {
    return std::any_of(values.begin(), values.end(),
                       [](const Element& x) { return std::isnan(x.re) || std::isnan(x.im); });
}
bool all_finite(const List& values) {
    return std::all_of(values.begin(), values.end(),
                       [](const Element& x) { return std::isfinite(x.re) && std::isfinite(x.im); });
}
Real size_of(const Element& x) { return std::hypot(x.re, x.im); }

List converted_all(DType from, DType to, const List& values) {
    List list;
    for (const Element& value : values) list.push_back(converted(from, to, value));
    return list;
}

// From an interval of squares to one of roots.
Element root_of(DType type, const Element& square) {
    const Real low = std::sqrt(std::fmax(square.re - square.error, 0)), high = std::sqrt(square.re + square.error);
    const Real root = std::sqrt(std::fmax(square.re, 0));
    return rounded(type, {root, 0, std::fmax(root - low, high - root)}, 1);
}

template <bool wants_larger>
Element extreme_of(const List& values) {
    if (!all_known(values)) return unknown();
    if (any_nan(values)) return {not_a_number, 0, 0};
    Real value = wants_larger ? -infinity : infinity, low = value, high = value;
    const auto better = [](Real a, Real b) { return wants_larger ? std::fmax(a, b) : std::fmin(a, b); };
    for (const Element& x : values) {
        value = better(value, x.re);
        low = better(low, x.re - x.error);
        high = better(high, x.re + x.error);
    }
    return {value, 0, std::isinf(value) ? 0 : std::fmax(value - low, high - value)};
}

template <bool wants_larger>
Element place_of(const List& values) {
    if (!all_known(values)) return unknown();
    std::size_t best = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (std::isnan(values[k].re)) return {static_cast<Real>(k), 0, 0};
        if (wants_larger ? values[k].re > values[best].re : values[k].re < values[best].re) best = k;
    }
    for (std::size_t k = 0; k < values.size(); ++k) {  // another that may be as good
        const Real slack = values[k].error + values[best].error;
        if (k != best && slack > 0 && !(std::fabs(values[k].re - values[best].re) > slack)) return unknown();
    }
    return {static_cast<Real>(best), 0, 0};
}

}  // namespace

DType wide(DType type) {
    if (!is_integral(type)) return type;
    return format_of(type).kind == Format::Kind::integer && !format_of(type).is_signed ? DType::uint64 : DType::int64;
}

Element sum_of(DType type, const List& values) {
    if (!all_known(values)) return unknown();
    if (is_integral(type)) {
        Wide total = 0;
        for (const Element& value : values) total += integer(value);
        return wrapped(wide(type), total);
    }
    const bool is_complex = format_of(type).kind == Format::Kind::complex;
    if (is_complex && !all_finite(values)) return unknown();
    if (any_nan(values)) return {not_a_number, 0, 0};
    Element total;
    Real sizes = 0;
    bool positive = false, negative = false;
    for (const Element& value : values) {
        if (std::isinf(value.re)) {
            (value.re > 0 ? positive : negative) = true;
            continue;
        }
        total.re += value.re;
        total.im += value.im;
        sizes += size_of(value);
        total.error += value.error;
    }
    if (!(sizes + total.error <= format_of(type).largest)) return unknown();
    if (positive && negative) return {not_a_number, 0, 0};
    if (positive || negative) return {positive ? infinity : -infinity, 0, 0};
    total.error += static_cast<Real>(values.size()) * format_of(type).eps * (sizes + total.error);
    return total;
}

Element product_of(DType type, const List& values) {
    if (!all_known(values)) return unknown();
    if (is_integral(type)) {
        Element total{1, 0, 0};
        for (const Element& value : values) {
            __extension__ using Unsigned = unsigned __int128;
            const Unsigned product = static_cast<Unsigned>(integer(total)) * static_cast<Unsigned>(integer(value));
            total = wrapped(wide(type), static_cast<Wide>(product & ~std::uint64_t{0}));
        }
        return total;
    }
    const bool is_complex = format_of(type).kind == Format::Kind::complex;
    if (any_nan(values) && !is_complex) return {not_a_number, 0, 0};
    if (!all_finite(values)) return unknown();
    // Whatever is multiplied first, no product leaves the type's normal numbers.
    const Format& f = format_of(type);
    std::complex<Real> value = 1;
    Real upper = 1, larger = 1, smaller = 1;
    for (const Element& x : values) {
        const Real size = size_of(x);
        value = is_complex ? value * std::complex<Real>(x.re, x.im) : value * x.re;
        upper *= size + x.error;
        larger *= std::fmax(size + x.error, 1);
        if (size != 0) smaller *= std::fmin(size, 1);
    }
    if (!(larger <= f.largest / 4) || !(smaller >= f.smallest / f.eps)) return unknown();
    const Real roundings = static_cast<Real>(values.size() + 1) * (is_complex ? 4 : 1);  // of a product of two
    return {value.real(), value.imag(), upper - std::abs(value) + roundings * f.eps * upper};
}

Element smallest_of(DType, const List& values) { return extreme_of<false>(values); }
Element largest_of(DType, const List& values) { return extreme_of<true>(values); }
Element place_of_smallest(DType, const List& values) { return place_of<false>(values); }
Element place_of_largest(DType, const List& values) { return place_of<true>(values); }

Element count_of(DType type, const List& values) {
    const List bits = converted_all(type, DType::boolean, values);
    if (!all_known(bits)) return unknown();
    return {static_cast<Real>(std::count_if(bits.begin(), bits.end(), [](const Element& x) { return x.re != 0; })), 0,
            0};
}

Element any_of(DType type, const List& values) {
    const List bits = converted_all(type, DType::boolean, values);
    for (const Element& x : bits) {
        if (is_known(x) && x.re != 0) return {1, 0, 0};
    }
    return all_known(bits) ? Element{} : unknown();
}

Element all_of(DType type, const List& values) {
    const List bits = converted_all(type, DType::boolean, values);
    for (const Element& x : bits) {
        if (is_known(x) && x.re == 0) return {};
    }
    return all_known(bits) ? Element{1, 0, 0} : unknown();
}

Element mean_of(DType type, const List& values) {
    const DType working = floating(type);
    if (values.empty()) return {not_a_number, 0, 0};
    Element total = sum_of(working, converted_all(type, working, values));
    if (!is_known(total) || !std::isfinite(total.re)) return total;
    const Real count = static_cast<Real>(values.size());
    return rounded(working, {total.re / count, total.im / count, total.error / count}, 1);
}

template <int ddof>
Element variance_of(DType type, const List& values) {
    const DType working = floating(type);
    const Real count = static_cast<Real>(values.size()), divisor = count - ddof;
    if (!all_known(values)) return unknown();
    const List list = converted_all(type, working, values);
    if (list.empty() || !(divisor > 0) || !all_finite(list)) {
        if (format_of(type).kind == Format::Kind::complex && !all_finite(list)) return unknown();
        // 0 deviations divided by nothing, or infinity minus infinity.
        return list.size() <= 1 || !all_finite(list) ? Element{not_a_number, 0, 0} : unknown();
    }
    std::complex<Real> mean = 0;
    Real sizes = 0, errors = 0;
    for (const Element& x : list) {
        mean += std::complex<Real>(x.re, x.im) / count;
        sizes += size_of(x);
        errors += x.error;
    }
    const Format &f = format_of(working), &wide_format = format_of(DType::float64);
    const Real mean_error = errors / count, rounding = 2 * wide_format.eps * sizes;  // n eps sum |x| / n
    Real squares = 0, moved = 0;
    for (const Element& x : list) {
        const Real deviation = std::abs(std::complex<Real>(x.re, x.im) - mean),
                   error = x.error + mean_error + wide_format.eps * size_of(x);
        squares += deviation * deviation;
        moved += 2 * deviation * error + error * error;
    }
    if (!(squares + moved <= f.largest)) return unknown();
    const Real error = moved + (count + 4) * wide_format.eps * (squares + moved) + count * rounding * rounding;
    return rounded(gpu::real_dtype(working), {squares / divisor, 0, error / divisor}, 1);
}
template Element variance_of<0>(DType, const List&);
template Element variance_of<1>(DType, const List&);

Element deviation_of(DType type, const List& values) {
    const Element square = variance_of<0>(type, values);
    return !is_known(square) || !std::isfinite(square.re) ? square : root_of(gpu::real_dtype(floating(type)), square);
}

Element norm_of(DType type, const List& values) {
    const DType working = gpu::real_dtype(floating(type));
    const bool is_complex = format_of(type).kind == Format::Kind::complex;
    if (!all_known(values) || (is_complex && !all_finite(values))) return unknown();
    List squares;
    for (const Element& value : converted_all(type, floating(type), values)) {
        Element square =
            through(+[](Real v) { return v * v; }, {is_complex ? size_of(value) : value.re, 0, value.error});
        square.error += value.error * value.error;
        squares.push_back(rounded(working, square, is_complex ? 2 : 0.5L));
        if (!is_known(squares.back()) || (std::isinf(squares.back().re) && !std::isinf(value.re))) return unknown();
    }
    const Element total = sum_of(working, squares);
    return !is_known(total) || !std::isfinite(total.re) ? total : root_of(working, total);
}

}  // namespace property
