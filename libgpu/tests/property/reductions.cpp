// SPDX-License-Identifier: MIT
// Reductions of expressions over any axes.
#include <span>

#include "property/reductions_reference.hpp"
#include "property/term.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

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

}  // namespace property
