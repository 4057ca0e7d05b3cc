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
    std::string spelling;  ///< "gpu::sum(a"
    bool of_complex;       ///< complex numbers as well
    bool needs_elements;   ///< nothing has no result
    DType (*result)(DType);
    Element (*reference)(DType input, const List& values);
    using Make = gpu::detail::ArrayCore (*)(const gpu::detail::NodePointer&, const gpu::Axes&, bool keepdims);
    std::vector<Make> make;  ///< by the input's dtype
};

DType own(DType type) { return type; }
DType real_floating(DType type) { return gpu::real_dtype(floating(type)); }
DType index_type(DType) { return DType::int64; }
DType truth(DType) { return DType::boolean; }

template <bool of_complex, class F>
std::vector<Reduction::Make> makers(F) {
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return std::vector<Reduction::Make>{[]() -> Reduction::Make {
            using T = typename gpu::detail::CppType<static_cast<DType>(k)>::type;
            if constexpr (gpu::is_complex(gpu::dtype_of<T>) && !of_complex)
                return nullptr;
            else if constexpr (std::is_invocable_v<F, const gpu::Expr<T>&, const gpu::Axes&, bool>) {
                return +[](const gpu::detail::NodePointer& node, const gpu::Axes& axis, bool keepdims) {
                    return F{}(gpu::Expr<T>(node), axis, keepdims).core();
                };
            } else
                return nullptr;
        }()...};
    }(std::make_index_sequence<static_cast<std::size_t>(dtype_count)>{});
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a row is one line
#define PROPERTY_REDUCTION(of_complex, needs_elements, result, reference, ...)                                    \
    {                                                                                                             \
        #__VA_ARGS__, of_complex, needs_elements, result, reference,                                              \
            makers<of_complex>([](const auto& a, const gpu::Axes& axis, bool keepdims) -> decltype(__VA_ARGS__) { \
                return __VA_ARGS__;                                                                               \
            })                                                                                                    \
    }

const std::vector<Reduction>& reductions() {
    static const std::vector<Reduction> table{
        PROPERTY_REDUCTION(true, false, wide, sum_of, gpu::sum(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, wide, product_of, gpu::prod(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(false, true, own, smallest_of, gpu::min(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(false, true, own, largest_of, gpu::max(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(false, true, index_type, place_of_smallest,
                           gpu::argmin(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(false, true, index_type, place_of_largest,
                           gpu::argmax(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, truth, any_of, gpu::any(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, truth, all_of, gpu::all(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, index_type, count_of,
                           gpu::count_nonzero(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, floating, mean_of, gpu::mean(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, real_floating, variance_of<0>,
                           gpu::var(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, real_floating, variance_of<1>,
                           gpu::var(a, {.axis = axis, .keepdims = keepdims, .ddof = 1})),
        PROPERTY_REDUCTION(true, false, real_floating, deviation_of,
                           gpu::stddev(a, {.axis = axis, .keepdims = keepdims})),
        PROPERTY_REDUCTION(true, false, real_floating, norm_of,
                           gpu::linalg::norm(a, {.axis = axis, .keepdims = keepdims})),
    };
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

}  // namespace

void reduction_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 2);
    const DType type = expression.dtype();
    std::vector<const Reduction*> offered;
    for (const Reduction& row : reductions()) {
        if (row.make[static_cast<std::size_t>(type)] != nullptr) offered.push_back(&row);
    }
    const Reduction* row = offered[static_cast<std::size_t>(plan.below(static_cast<int>(offered.size())))];
    const Elements input = expression.reference();
    const DrawnAxes axes = draw_axes(input.shape.rank(), plan);
    if (row->needs_elements && input.shape.size() == 0) row = offered.front();
    std::string spelling = row->spelling;
    spelling.replace(spelling.find("(a,"), 2, "(" + expression.spelling());
    const std::string formal = "{.axis = axis, .keepdims = keepdims";
    spelling.replace(spelling.find(formal), formal.size(), axes.spelling());
    trial.program = expression.definitions() + "  auto z = " + spelling + ";";

    trial.want = reduced(input, axes, row->result(type), row->reference);
    const gpu::Axes list{std::span<const int>(axes.list)};
    trial.got = to_elements(row->make[static_cast<std::size_t>(type)](expression.node(), list, axes.keepdims));
}

// Into a window that is there: of a reduction, or of a kernel with outputs.
void output_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 1);
    const DType type = expression.dtype();
    const Elements input = expression.reference();
    Values exact;
    exact.exact = true;
    const auto into = [&](DType dtype, const gpu::Shape& shape) {
        const Input target = draw_input("z", dtype, shape, exact, plan, draw);
        trial.program = expression.definitions() + "  " + target.definition + "\n  ";
        trial.want = target.base;
        return target;
    };
    const auto expect = [&](const Input& target, const Elements& value) {
        for (std::size_t k = 0; k < target.place.size(); ++k) trial.want.values[target.place[k]] = value.values[k];
    };
    const DrawnAxes axes = draw_axes(input.shape.rank(), plan);
    const gpu::Axes list{std::span<const int>(axes.list)};
    const int way = plan.below(4);
    const auto reduction = [&](DType result, Element (*reference)(DType, const List&), const char* name) {
        const Elements value = reduced(input, axes, result, reference);
        const Input target = into(result, value.shape);
        expect(target, value);
        trial.program += std::string("gpu::") + name + "(" + expression.spelling() + ", " + axes.spelling() +
                         ", .out = gpu::out(" + target.spelling + ")});";
        return target;
    };
    with_type(type, [&]<class T>(Type<T>) {
        const gpu::Expr<T> value(expression.node());
        if (way == 0) {
            using R = gpu::detail::SumOf<T>;
            const Input target = reduction(wide(type), sum_of, "sum");
            gpu::sum(value, {.axis = list, .keepdims = axes.keepdims, .out = gpu::out(gpu::View<R>(target.window))});
            trial.got = to_elements(target.array);
        } else if (way == 1 || (gpu::is_complex(gpu::dtype_of<T>) && way == 2) ||
                   (way == 2 && input.shape.size() == 0)) {
            const Input target = reduction(DType::boolean, any_of, "any");
            gpu::any(value, {.axis = list, .keepdims = axes.keepdims, .out = gpu::out(gpu::View<bool>(target.window))});
            trial.got = to_elements(target.array);
        } else if (way == 2) {
            if constexpr (!gpu::is_complex(gpu::dtype_of<T>)) {
                const Input target = reduction(type, largest_of, "max");
                gpu::max(value,
                         {.axis = list, .keepdims = axes.keepdims, .out = gpu::out(gpu::View<T>(target.window))});
                trial.got = to_elements(target.array);
            }
        } else {
            const Input target = into(type, input.shape);
            expect(target, input);
            trial.program += "gpu::ElementwiseKernel(\"T x\", \"T z\", \"z = x\", \"copied\")(" +
                             expression.spelling() + ", gpu::out(" + target.spelling + "));";
            const gpu::ElementwiseKernel copied("T x", "T z", "z = x", "copied");
            (void)copied(value, gpu::out(gpu::View<T>(target.window)));
            trial.got = to_elements(target.array);
        }
    });
}

}  // namespace property
