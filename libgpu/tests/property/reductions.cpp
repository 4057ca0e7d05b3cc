// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include "property/reductions.hpp"
#include "property/term.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

// Reductions of expressions over any axes.
namespace property {

namespace {

using gpu::DType;

/// One row: how it is written, in which type the result comes, and what the reference says.
struct Reduction {
    std::string function;  ///< "gpu::var"
    std::string options;   ///< ", .ddof = 1"
    bool needs_elements;   ///< nothing has no result
    DType (*result)(DType);
    Element (*reference)(DType input, const List& values);
    using Make = gpu::detail::ArrayCore (*)(const gpu::detail::NodePointer&, const gpu::Axes&, bool keepdims);
    using Write = void (*)(const gpu::detail::NodePointer&, const gpu::Axes&, bool keepdims,
                           const gpu::detail::ArrayCore& target);
    std::vector<Make> make;    ///< by the input's dtype
    std::vector<Write> write;  ///< the same with `.out`
};

DType own(DType type) { return type; }
DType real_floating(DType type) { return gpu::real_dtype(floating(type)); }
DType index_type(DType) { return DType::int64; }
DType truth(DType) { return DType::boolean; }

bool is_nan(const Element& x) { return x.re != x.re || x.im != x.im; }

// The reference of a reduction that leaves NaN out: of what is left; of nothing NaN, where there is no other answer.
template <Element (*reference)(DType, const List&)>
Element without_nan(DType type, const List& values) {
    List left;
    for (const Element& x : values) {
        if (!is_known(x)) return unknown();
        if (!is_nan(x)) left.push_back(x);
    }
    constexpr bool needs_elements = reference == smallest_of || reference == largest_of;
    if (needs_elements && left.empty()) return {not_a_number, 0, 0};
    return reference(type, left);
}

// Among the elements that aren't NaN, but counted with them; -1 if there are none.
template <Element (*reference)(DType, const List&)>
Element place_without_nan(DType type, const List& values) {
    List left;
    std::vector<Real> places;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!is_known(values[k])) return unknown();
        if (is_nan(values[k])) continue;
        left.push_back(values[k]);
        places.push_back(static_cast<Real>(k));
    }
    if (left.empty()) return {-1, 0, 0};
    const Element place = reference(type, left);
    return is_known(place) ? Element{places[static_cast<std::size_t>(place.re)], 0, 0} : place;
}

// `make` gives a new array, `write` writes one that is there.
template <bool of_complex, class F, class G>
void add_reduction(std::vector<Reduction>& table, Reduction row, F, G) {
    const auto add = [&]<class T>(Type<T>) {
        Reduction::Make make = nullptr;
        Reduction::Write write = nullptr;
        if constexpr (of_complex || !gpu::is_complex(gpu::dtype_of<T>)) {
            make = +[](const gpu::detail::NodePointer& node, const gpu::Axes& axis, bool keepdims) {
                return F{}(gpu::Expr<T>(node), axis, keepdims).core();
            };
            write = +[](const gpu::detail::NodePointer& node, const gpu::Axes& axis, bool keepdims,
                        const gpu::detail::ArrayCore& target) {
                using R = typename decltype(F{}(gpu::Expr<T>(node), axis, keepdims))::value_type;
                G{}(gpu::Expr<T>(node), axis, keepdims, gpu::out(gpu::View<R>(target)));
            };
        }
        row.make.push_back(make);
        row.write.push_back(write);
    };
    for (int k = 0; k < dtype_count; ++k) with_type(static_cast<DType>(k), add);
    table.push_back(std::move(row));
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a row is one line
#define PROPERTY_REDUCTION(of_complex, needs_elements, result, reference, function, ...)              \
    add_reduction<of_complex>(                                                                        \
        rows, {#function, #__VA_ARGS__, needs_elements, result, reference, {}, {}},                   \
        [](const auto& a, const gpu::Axes& axes, bool keeps) {                                        \
            return function(a, {.axis = axes, .keepdims = keeps __VA_OPT__(, ) __VA_ARGS__});         \
        },                                                                                            \
        [](const auto& a, const gpu::Axes& axes, bool keeps, const gpu::Output& target) {             \
            function(a, {.axis = axes, .keepdims = keeps __VA_OPT__(, ) __VA_ARGS__, .out = target}); \
        });

const std::vector<Reduction>& reductions() {
    static const std::vector<Reduction> table = [] {
        std::vector<Reduction> rows;
        PROPERTY_REDUCTION(true, false, wide, sum_of, gpu::sum)
        PROPERTY_REDUCTION(true, false, wide, product_of, gpu::prod)
        PROPERTY_REDUCTION(false, true, own, smallest_of, gpu::min)
        PROPERTY_REDUCTION(false, true, own, largest_of, gpu::max)
        PROPERTY_REDUCTION(false, true, index_type, place_of_smallest, gpu::argmin)
        PROPERTY_REDUCTION(false, true, index_type, place_of_largest, gpu::argmax)
        PROPERTY_REDUCTION(true, false, truth, any_of, gpu::any)
        PROPERTY_REDUCTION(true, false, truth, all_of, gpu::all)
        PROPERTY_REDUCTION(true, false, index_type, count_of, gpu::count_nonzero)
        PROPERTY_REDUCTION(true, false, floating, mean_of, gpu::mean)
        PROPERTY_REDUCTION(true, false, real_floating, variance_of<0>, gpu::var)
        PROPERTY_REDUCTION(true, false, real_floating, variance_of<1>, gpu::var, .ddof = 1)
        PROPERTY_REDUCTION(true, false, real_floating, deviation_of, gpu::stddev)
        PROPERTY_REDUCTION(true, false, real_floating, norm_of, gpu::linalg::norm)
        PROPERTY_REDUCTION(true, false, wide, without_nan<sum_of>, gpu::nansum)
        PROPERTY_REDUCTION(true, false, wide, without_nan<product_of>, gpu::nanprod)
        PROPERTY_REDUCTION(false, true, own, without_nan<smallest_of>, gpu::nanmin)
        PROPERTY_REDUCTION(false, true, own, without_nan<largest_of>, gpu::nanmax)
        PROPERTY_REDUCTION(false, true, index_type, place_without_nan<place_of_smallest>, gpu::nanargmin)
        PROPERTY_REDUCTION(false, true, index_type, place_without_nan<place_of_largest>, gpu::nanargmax)
        PROPERTY_REDUCTION(true, false, floating, without_nan<mean_of>, gpu::nanmean)
        PROPERTY_REDUCTION(true, false, real_floating, without_nan<variance_of<0>>, gpu::nanvar)
        PROPERTY_REDUCTION(true, false, real_floating, without_nan<deviation_of>, gpu::nanstd)
        return rows;
    }();
    return table;
}

struct DrawnAxes {
    std::vector<bool> reduced;
    std::vector<int> list;  ///< empty: all
    bool keepdims = false;
    [[nodiscard]] std::string spelling() const {
        std::string text;
        for (int axis : list) text += (text.empty() ? "" : ", ") + std::to_string(axis);
        return "{.axis = {" + text + "}, .keepdims = " + (keepdims ? "true" : "false");
    }
};

DrawnAxes draw_axes(int rank, Random& plan) {
    DrawnAxes axes{std::vector<bool>(static_cast<std::size_t>(rank), true), {}, plan.chance(30)};
    if (rank == 0 || plan.chance(30)) return axes;
    const std::size_t always = static_cast<std::size_t>(plan.below(rank));
    for (int axis = 0; axis < rank; ++axis) {
        const bool reduced = static_cast<std::size_t>(axis) == always || plan.chance(40);
        axes.reduced[static_cast<std::size_t>(axis)] = reduced;
        const int written = plan.chance(40) ? axis - rank : axis;
        if (reduced) axes.list.insert(axes.list.begin() + plan.below(static_cast<int>(axes.list.size()) + 1), written);
    }
    return axes;
}

// What a reduction makes of the input: one value of each group.
Elements reduced(const Elements& input, const DrawnAxes& axes, DType result, Element (*reference)(DType, const List&)) {
    gpu::Shape kept;
    for (int axis = 0; axis < input.shape.rank(); ++axis) {
        const bool is_reduced = axes.reduced[static_cast<std::size_t>(axis)];
        if (!is_reduced || axes.keepdims) kept.append(is_reduced ? 1 : input.shape[axis]);
    }
    std::vector<List> groups(static_cast<std::size_t>(kept.size()));
    std::size_t number = 0;
    for_each_position(input.shape, [&](const std::vector<std::int64_t>& at) {
        std::vector<std::int64_t> there;
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
            if (!axes.reduced[axis])
                there.push_back(at[axis]);
            else if (axes.keepdims)
                there.push_back(0);
        }
        groups[number_of(kept, there)].push_back(input.values[number++]);
    });
    Elements made{result, kept, {}};
    for (const List& group : groups) made.values.push_back(reference(input.dtype, group));
    return made;
}

/// A reduction of an expression, and what comes of it.
struct DrawnReduction {
    DrawnReduction(const Expression& expression, Random& plan)
        : input(expression.reference()), axes(draw_axes(input.shape.rank(), plan)) {
        const std::size_t type = static_cast<std::size_t>(expression.dtype());
        std::vector<const Reduction*> offered;
        for (const Reduction& one : reductions()) {
            if (one.make[type] != nullptr) offered.push_back(&one);
        }
        row = offered[static_cast<std::size_t>(plan.below(static_cast<int>(offered.size())))];
        if (row->needs_elements && input.shape.size() == 0) row = offered.front();
        want = reduced(input, axes, row->result(expression.dtype()), row->reference);
    }
    /// "gpu::sum(x0, {.axis = {1}" and what else the options hold.
    [[nodiscard]] std::string spelling(const Expression& expression, const std::string& more) const {
        return row->function + "(" + expression.spelling() + ", " + axes.spelling() +
               (row->options.empty() ? "" : ", ") + row->options + more + "});";
    }

    Elements input;
    DrawnAxes axes;
    const Reduction* row = nullptr;
    Elements want;
};

// Into a window that is there: what the window's array then holds.
Input draw_target(Trial& trial, const Elements& value, Random& plan, Random& draw) {
    Values exact;
    exact.exact = true;
    const Input target = draw_input("z", value.dtype, value.shape, exact, plan, draw);
    trial.program += "  " + target.definition + "\n";
    trial.want = target.base;
    for (std::size_t k = 0; k < target.place.size(); ++k) trial.want.values[target.place[k]] = value.values[k];
    return target;
}

}  // namespace

void reduction_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 2);
    const DrawnReduction drawn(expression, plan);
    const gpu::Axes list{std::span<const int>(drawn.axes.list)};
    trial.program = expression.definitions() + "  auto z = " + drawn.spelling(expression, "");
    trial.want = drawn.want;
    const Reduction::Make make = drawn.row->make[static_cast<std::size_t>(expression.dtype())];
    trial.got = to_elements(make(expression.node(), list, drawn.axes.keepdims));
}

// A reduction, or an elementwise kernel, with `out`.
void output_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 1);
    trial.program = expression.definitions();
    if (plan.chance(20)) {
        const Input target = draw_target(trial, expression.reference(), plan, draw);
        trial.program += "  gpu::ElementwiseKernel(\"T x\", \"T z\", \"z = x\", \"copied\")(" + expression.spelling() +
                         ", gpu::out(" + target.spelling + "));";
        with_type(expression.dtype(), [&]<class T>(Type<T>) {
            const gpu::ElementwiseKernel copied("T x", "T z", "z = x", "copied");
            (void)copied(gpu::Expr<T>(expression.node()), gpu::out(gpu::View<T>(target.window)));
        });
        trial.got = to_elements(target.array);
        return;
    }
    const DrawnReduction drawn(expression, plan);
    const gpu::Axes list{std::span<const int>(drawn.axes.list)};
    const Input target = draw_target(trial, drawn.want, plan, draw);
    trial.program += "  " + drawn.spelling(expression, ", .out = gpu::out(" + target.spelling + ")");
    const Reduction::Write write = drawn.row->write[static_cast<std::size_t>(expression.dtype())];
    write(expression.node(), list, drawn.axes.keepdims, target.window);
    trial.got = to_elements(target.array);
}

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
