// SPDX-License-Identifier: MIT
// Reductions: over everything, over rows and columns, over very short and very long axes.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

const gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");

struct Reduced {
    Floats x;
    Floats result;
    [[nodiscard]] Window seen(const gpu::Shape& shape) const { return std::as_const(x).reshape(shape); }
};

/// The shape that n elements are seen in.
using ShapeOf = gpu::Shape (*)(std::int64_t);
gpu::Shape line(std::int64_t n) { return {n}; }
gpu::Shape square(std::int64_t n) { return {root_of(n), n / root_of(n)}; }
gpu::Shape rows_of_8(std::int64_t n) { return {n / 8, 8}; }
gpu::Shape eight_rows(std::int64_t n) { return {8, n / 8}; }
// (64, 4096, 1024) where there are so many.
gpu::Shape box(std::int64_t n) {
    const std::int64_t inner = std::min<std::int64_t>(1024, root_of(n)), outer = std::min<std::int64_t>(64, n / inner);
    return {outer, n / inner / outer, inner};
}

std::int64_t outputs(const gpu::Shape& shape, const std::vector<int>& axes) {
    if (axes.empty()) return 1;
    std::int64_t count = shape.size();
    for (const int axis : axes) count /= shape[axis];
    return count;
}

using Call = void (*)(Reduced&, const Window&, const gpu::Axes&);

void sum(Reduced& a, const Window& x, const gpu::Axes& axes) { a.result = gpu::sum(x, {.axis = axes}); }
void norm(Reduced& a, const Window& x, const gpu::Axes& axes) { a.result = l2norm(x, {.axis = axes}); }

/// A row that reads each element once and writes each result.
Row reduction(const std::string& name, Call call, ShapeOf shape_of, const std::vector<int>& axes) {
    return {name,
            [=](Bench&, std::int64_t n) {
                const gpu::Shape shape = shape_of(n);
                const auto a = std::make_shared<Reduced>(Reduced{gpu::random::uniform<float>({n}), {}});
                const gpu::Axes over{std::span<const int>(axes)};
                const bool root = call == norm;
                return Case{.call = [=] { call(*a, a->seen(shape), over); },
                            .wrong =
                                [=] {
                                    const Window x = a->seen(shape);
                                    return wrong_sums(root ? Function::square : Function::copy, x, x, a->result,
                                                      {.axes = axes, .root = root});
                                },
                            .bytes = 4.0 * static_cast<double>(n + outputs(shape, axes)),
                            .limit = Limit::read};
            },
            true};
}

Row product_sum() {
    return {"reductions/sum_of_products",
            [](Bench&, std::int64_t n) {
                struct Pair {
                    Floats x, y, result;
                };
                const auto a = std::make_shared<Pair>(
                    Pair{gpu::random::uniform<float>({n}), gpu::random::uniform<float>({n}), {}});
                return Case{.call = [=] { a->result = gpu::sum(a->x * a->y); },
                            .wrong = [=] { return wrong_sums(Function::product, a->x, a->y, a->result); },
                            .bytes = 8.0 * static_cast<double>(n),
                            .limit = Limit::read};
            },
            true};
}

Row argmax() {
    return {"reductions/argmax",
            [](Bench&, std::int64_t n) {
                struct Search {
                    Floats x;
                    gpu::Array<std::int64_t> position;
                };
                const auto a = std::make_shared<Search>(Search{gpu::random::uniform<float>({n}), {}});
                return Case{.call = [=] { a->position = gpu::argmax(a->x); },
                            .wrong = [=] { return wrong_argmax(a->x, a->position.item()); },
                            .bytes = 4.0 * static_cast<double>(n),
                            .limit = Limit::read};
            },
            true};
}

}  // namespace

std::vector<Row> reduction_rows() {
    return {
        reduction("reductions/sum", sum, line, {}),
        reduction("reductions/sum_axis_0", sum, square, {0}),
        reduction("reductions/sum_axis_1", sum, square, {1}),
        reduction("reductions/rows_of_8", sum, rows_of_8, {1}),
        reduction("reductions/columns_of_8", sum, rows_of_8, {0}),
        reduction("reductions/eight_rows", sum, eight_rows, {1}),
        reduction("reductions/eight_rows_axis_0", sum, eight_rows, {0}),
        reduction("reductions/middle_axis", sum, box, {1}),
        argmax(),
        product_sum(),
        reduction("reductions/l2norm", norm, line, {}),
        reduction("reductions/l2norm_axis_0", norm, square, {0}),
        reduction("reductions/l2norm_axis_1", norm, square, {1}),
    };
}

}  // namespace bench
