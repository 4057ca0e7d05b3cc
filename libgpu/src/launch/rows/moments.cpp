// SPDX-License-Identifier: MIT
#include "launch/rows/moments.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "launch/evaluate.hpp"
#include "launch/generated_call.hpp"
#include "launch/operands.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// Deviations from `first`, one of the elements, and their squares; and what unfused means are made of. The compiler
// knows of a lone element that its count is 1.
constexpr const char* moments = R"(struct gpu_moments { double sum, squares, first; long long count; S total; };
__device__ inline gpu_moments gpu_joined(gpu_moments a, gpu_moments b) {
    const double apart = b.first - a.first;
    if (b.count == 1)
        return gpu_moments{a.sum + apart, fma(apart, apart, a.squares), a.first, a.count + 1, a.total + b.total};
    const double n = (double)b.count, moved = n * apart;
    return gpu_moments{a.sum + (b.sum + moved), a.squares + (b.squares + apart * (2 * b.sum + moved)), a.first,
                       a.count + b.count, a.total + b.total};
}
__device__ inline double gpu_variance(gpu_moments a, double n, double divisor) {
    const double squares = a.squares - a.sum * a.sum / n;
    return (squares < 0 ? 0 : squares) / divisor;
}
)";

}  // namespace

void launch_moments(Reduction kind, const VarianceOptions& options, const ArrayCore& array, const ArrayCore* means,
                    const ArrayCore& variances) {
    const ReducedShape shapes = reduced_shape(array.shape, {.axis = options.axis, .keepdims = true});
    const DType result = variances.dtype;
    const DType sums = means != nullptr && means->dtype == DType::float64 ? DType::float64 : DType::float32;
    const NodePointer x = cast_node(DType::float64, leaf(array)), total = cast_node(sums, leaf(array));
    const Node* const roots[] = {x.get(), total.get()};
    const Flattened parts = flatten(roots);
    const auto count = static_cast<double>(shapes.count);
    const NodePointer n = scalar_node(DType::float64, count),
                      p = scalar_node(DType::float64, std::max(0., count - static_cast<double>(options.ddof)));
    const ArrayCore kept_variances = kept_axes(variances, shapes, true);
    const ArrayCore kept_means = means != nullptr ? kept_axes(*means, shapes, true) : ArrayCore();

    const bool is_root = kind == Reduction::stddev;
    CallSignature signature("moments");
    signature.add(is_root).add(means != nullptr).add(means != nullptr ? means->dtype : result);
    signature.add(result).add(parts.key).end_text().add(array.storage->device()).add(array);
    for (const bool reduced : shapes.reduced) signature.add(reduced);
    std::vector<CallOperand> operands = operands_of(parts);
    operands.push_back({.number = n.get()});
    operands.push_back({.number = p.get()});
    if (means != nullptr) operands.push_back({.array = &kept_means});
    operands.push_back({.array = &kept_variances});
    if (const auto known = find_cached(signature)) return launch_cached(*known, operands);
    ReductionCall call{.device = array.storage->device(),
                       .shape = array.shape,
                       .reduced = shapes.reduced,
                       .bindings = bind_expression(parts),
                       .key = signature.text(),
                       .text = {},
                       .accumulator = 40,
                       .keep = {&signature, operands, shapes.kept, shapes.result, result}};
    for (Binding& binding : call.bindings) binding.parameter.map_stage_only = true;
    call.bindings.push_back(number_binding("n", *n));
    call.bindings.push_back(number_binding("p", *p));
    if (means != nullptr) call.bindings.push_back(output_binding("mean", kept_means));
    call.bindings.push_back(output_binding("out", kept_variances));
    call.text = [&] {
        const std::string variance = "gpu_variance(a, n, p)", element = expression_text(*x, parts);
        std::string typedefs = "typedef " + std::string(kernel_name(result)) + " R;\ntypedef " +
                               std::string(kernel_name(sums)) + " S;\n";
        if (means != nullptr) typedefs += "typedef " + std::string(kernel_name(means->dtype)) + " M;\n";
        return ReductionText{
            .name = "moments",
            .parameters = {},
            .kept_rank = 0,
            .reduced_rank = 1,
            .accumulator = "gpu_moments",
            .typedefs = typedefs,
            .preamble = {moments, "libgpu", 1},
            .map = {"gpu_moments{0, 0, " + element + ", 1, " + rhs_text(*total, parts) + "}", "moments", 1},
            .reduce = {"gpu_joined(a, b)", "moments", 1},
            .post = {(means != nullptr ? "mean = (M)(a.total / (S)n); out = (R)" : "out = (R)") +
                         (is_root ? "sqrt(" + variance + ")" : variance),
                     "moments", 1},
            .identity = {},
            .options = rounds_each_operation()};
    };
    launch_reduction(call);
}

}  // namespace gpu::detail
