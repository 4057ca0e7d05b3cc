// SPDX-License-Identifier: MIT
// Reductions of expressions over any axes.
#include <cmath>

#include "property/term.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;
using List = std::vector<Element>;

/// One row: how it is written, what libgpu makes of it, in which type the reference works, and what it says.
struct Reduction {
    std::string spelling;  ///< "gpu::sum(a, options)"
    DType (*result)(DType);
    Element (*reference)(DType input, const List& values);
    using Make = gpu::detail::ArrayCore (*)(const gpu::detail::NodePointer&, const gpu::ReduceOptions&);
    std::vector<Make> make;
    bool needs_elements = false;  ///< no result for an empty axis
};

DType wide(DType type) {
    if (!is_integral(type)) return type;
    return format_of(type).kind == Format::Kind::integer && !format_of(type).is_signed ? DType::uint64 : DType::int64;
}

Element sum_of(DType type, const List& values) {
    if (is_integral(type)) {
        Wide total = 0;
        for (const Element& value : values) {
            if (!is_known(value)) return unknown();
            total += integer(value);
        }
        return wrapped(wide(type), total);
    }
    Real total = 0, sizes = 0, errors = 0;
    bool positive = false, negative = false;
    for (const Element& value : values) {
        if (!is_known(value)) return unknown();
        if (std::isnan(value.re)) return {not_a_number, 0, 0};
        if (std::isinf(value.re)) {
            (value.re > 0 ? positive : negative) = true;
            continue;
        }
        total += value.re;
        sizes += std::fabs(value.re);
        errors += value.error;
    }
    if (!(sizes + errors <= format_of(type).largest)) return unknown();
    if (positive && negative) return {not_a_number, 0, 0};
    if (positive || negative) return {positive ? infinity : -infinity, 0, 0};
    return {total, 0, errors + static_cast<Real>(values.size()) * format_of(type).eps * (sizes + errors)};
}

Element norm_of(DType type, const List& values) {
    const DType working = floating(type);
    const Format& f = format_of(working);
    List squares;
    for (const Element& value : values) {
        const Element x = converted(type, working, value);
        Element square = through(
            +[](Real v) { return v * v; }, x);
        if (!is_known(square)) return unknown();
        square.error = square.error + x.error * x.error;
        squares.push_back(rounded(working, square, 0.5L));
        if (!is_known(squares.back()) || (std::isinf(squares.back().re) && !std::isinf(x.re))) return unknown();
    }
    const Element total = sum_of(working, squares);
    if (!is_known(total)) return total;
    if (std::isnan(total.re) || std::isinf(total.re)) return total;
    const Real low = std::sqrt(std::fmax(total.re - total.error, 0)), high = std::sqrt(total.re + total.error);
    const Real root = std::sqrt(total.re);
    return rounded(working, {root, 0, std::fmax(root - low, high - root) + f.smallest}, 1);
}

template <class F>
std::vector<Reduction::Make> makers(F) {
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return std::vector<Reduction::Make>{[]() -> Reduction::Make {
            using E = gpu::Expr<typename gpu::detail::CppType<static_cast<DType>(k)>::type>;
            if constexpr (std::is_invocable_v<F, const E&, const gpu::ReduceOptions&>) {
                return +[](const gpu::detail::NodePointer& node, const gpu::ReduceOptions& options) {
                    return F{}(E(node), options).core();
                };
            } else {
                return nullptr;
            }
        }()...};
    }(std::make_index_sequence<static_cast<std::size_t>(dtype_count)>{});
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a row is one line
#define PROPERTY_REDUCTION(expression, result, reference)                                                            \
    {                                                                                                                \
        #expression, result, reference,                                                                              \
            makers(                                                                                                  \
                [](const auto& a, const gpu::ReduceOptions& options) -> decltype(expression) { return expression; }) \
    }

const std::vector<Reduction>& reductions() {
    static const std::vector<Reduction> table{
        PROPERTY_REDUCTION(gpu::sum(a, options), wide, sum_of),
        PROPERTY_REDUCTION(gpu::linalg::norm(a, options), floating, norm_of),
    };
    return table;
}

struct Axes {
    std::vector<bool> reduced;
    gpu::ReduceOptions options;
    std::string spelling;
};

Axes draw_axes(int rank, Random& plan) {
    Axes axes{std::vector<bool>(static_cast<std::size_t>(rank), true), {}, ""};
    axes.options.keepdims = plan.chance(30);
    if (rank > 0 && plan.chance(70)) {
        std::string list;
        int count = 0, last = 0;
        for (int axis = 0; axis < rank; ++axis) {
            axes.reduced[static_cast<std::size_t>(axis)] = plan.chance(45);
        }
        axes.reduced[static_cast<std::size_t>(plan.below(rank))] = true;
        for (int axis = 0; axis < rank; ++axis) {
            if (!axes.reduced[static_cast<std::size_t>(axis)]) continue;
            const int written = plan.chance(40) ? axis - rank : axis;
            list += (count++ == 0 ? "" : ", ") + std::to_string(written);
            last = written;
            axes.options.axis = count == 1 ? gpu::Axes(written) : axes.options.axis;
        }
        if (count > 1) {
            // Axes has no way to be filled by a loop: the few lists are written out.
            std::vector<int> numbers;
            for (int axis = 0; axis < rank; ++axis) {
                if (axes.reduced[static_cast<std::size_t>(axis)]) numbers.push_back(axis);
            }
            if (count == 2)
                axes.options.axis = {numbers[0], numbers[1]};
            else if (count == 3)
                axes.options.axis = {numbers[0], numbers[1], numbers[2]};
            else if (count == 4)
                axes.options.axis = {numbers[0], numbers[1], numbers[2], numbers[3]};
            else
                axes.options.axis = {};
            if (count > 4) axes.reduced.assign(static_cast<std::size_t>(rank), true);
            list.clear();
            for (int number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
            list = count > 4 ? "" : "{" + list + "}";
        }
        (void)last;
        if (!list.empty()) axes.spelling = ".axis = " + list;
    }
    if (axes.options.keepdims) axes.spelling += std::string(axes.spelling.empty() ? "" : ", ") + ".keepdims = true";
    return axes;
}

}  // namespace

void reduction_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 2);
    const Reduction& reduction =
        reductions()[static_cast<std::size_t>(plan.below(static_cast<int>(reductions().size())))];
    const Elements input = expression.reference();
    const Axes axes = draw_axes(input.shape.rank(), plan);
    std::string spelling = reduction.spelling;
    spelling.replace(spelling.find("(a"), 2, "(" + expression.spelling());
    spelling.replace(spelling.find(", options"), 9, axes.spelling.empty() ? "" : ", {" + axes.spelling + "}");
    trial.program = expression.definitions() + "  auto z = " + spelling + ";";

    gpu::Shape kept;
    for (int axis = 0; axis < input.shape.rank(); ++axis) {
        const bool reduced = axes.reduced[static_cast<std::size_t>(axis)];
        if (!reduced || axes.options.keepdims) kept.append(reduced ? 1 : input.shape[axis]);
    }
    trial.want = {reduction.result(expression.dtype()), kept, {}};
    std::vector<List> groups(static_cast<std::size_t>(kept.size()));
    std::size_t number = 0;
    for_each_position(input.shape, [&](const std::vector<std::int64_t>& at) {
        std::vector<std::int64_t> there;
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
            if (!axes.reduced[axis])
                there.push_back(at[axis]);
            else if (axes.options.keepdims)
                there.push_back(0);
        }
        groups[number_of(kept, there)].push_back(input.values[number++]);
    });
    for (const List& group : groups) trial.want.values.push_back(reduction.reference(expression.dtype(), group));

    const Reduction::Make make = reduction.make[static_cast<std::size_t>(expression.dtype())];
    if (make == nullptr) throw std::logic_error("not offered for " + cpp_name(expression.dtype()));
    trial.got = to_elements(make(expression.node(), axes.options));
}

}  // namespace property
