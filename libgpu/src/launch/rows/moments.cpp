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

// Deviations from `first`, and their squares. An infinity stays one if it isn't subtracted from another.
constexpr const char* moments = R"(struct gpu_moments { double sum, squares, first; };
__device__ inline gpu_moments gpu_moment(double x, double first) {
    first = first - first == 0 ? first : 0;
    return gpu_moments{x - first, (x - first) * (x - first), first};
}
__device__ inline gpu_moments gpu_joined(gpu_moments a, gpu_moments b) {
    return gpu_moments{a.sum + b.sum, a.squares + b.squares, a.first};
}
__device__ inline double gpu_variance(gpu_moments a, double n, double divisor) {
    const double squares = a.squares - a.sum * a.sum / n;
    return (squares < 0 ? 0 : squares) / divisor;
}
)";

}  // namespace

ArrayCore launch_moments(const MomentsRequest& request, const ArrayCore& array, const ArrayCore& means) {
    const ReducedShape shapes = reduced_shape(array.shape, {.axis = request.axes, .keepdims = true});
    ArrayCore first = array;
    for (int axis = 0; axis < array.shape.rank(); ++axis)
        if (shapes.reduced[static_cast<std::size_t>(axis)]) first.shape[axis] = 1;
    const NodePointer x = cast_node(DType::float64, leaf(array)), shift = cast_node(DType::float64, leaf(first));
    const Node* const roots[] = {x.get(), shift.get()};
    const Flattened parts = flatten(roots);
    const auto count = static_cast<double>(shapes.count);
    const NodePointer n = scalar_node(DType::float64, count),
                      p = scalar_node(DType::float64, std::max(0., count - static_cast<double>(request.ddof)));
    const ArrayCore kept_means = kept_axes(means, shapes, true), made = make_array(request.result, shapes.kept);

    const bool is_root = request.kind == Reduction::stddev;
    CallSignature signature("moments");
    signature.add(is_root).add(means.dtype).add(request.result).add(parts.key).end_text();
    ReductionCall call{.device = array.storage->device(),
                       .shape = array.shape,
                       .reduced = shapes.reduced,
                       .bindings = bind_expression(parts),
                       .key = signature.text(),
                       .text = {}};
    for (Binding& binding : call.bindings) binding.parameter.map_stage_only = true;
    call.bindings.push_back(number_binding("n", *n));
    call.bindings.push_back(number_binding("p", *p));
    call.bindings.push_back(output_binding("mean", kept_means));
    call.bindings.push_back(output_binding("out", made));
    call.text = [&] {
        const std::string variance = "gpu_variance(a, n, p)";
        const std::string map =
            "gpu_moment(" + expression_text(*x, parts) + ", " + expression_text(*shift, parts) + ")";
        return ReductionText{
            .name = "moments",
            .parameters = {},
            .kept_rank = 0,
            .reduced_rank = 1,
            .accumulator = "gpu_moments",
            .typedefs = "typedef " + std::string(kernel_name(means.dtype)) + " M;\ntypedef " +
                        std::string(kernel_name(request.result)) + " R;\n",
            .preamble = {moments, "libgpu", 1},
            .map = {map, "moments", 1},
            .reduce = {"gpu_joined(a, b)", "moments", 1},
            .post = {"mean = (M)(a.first + a.sum / n); out = (R)" + (is_root ? "sqrt(" + variance + ")" : variance),
                     "moments", 1},
            .identity = {},
            .options = rounds_each_operation()};
    };
    launch_reduction(call);
    return with_result_shape(made, shapes);
}

}  // namespace gpu::detail
