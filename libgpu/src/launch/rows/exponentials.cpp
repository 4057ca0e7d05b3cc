// SPDX-License-Identifier: MIT
#include "launch/rows/exponentials.hpp"

#include <string>
#include <vector>

#include "codegen/rows_text.hpp"
#include "launch/evaluate.hpp"
#include "launch/generated_call.hpp"
#include "launch/operands.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

void launch_exponentials(const NodePointer& x, const Axes& axes, const ArrayCore& maxima, const ArrayCore& sums) {
    const Flattened parts = flatten(*x);
    check_versions(parts);
    const DeviceGuard guard(common_device(arrays_in(parts), "exponentials"));
    const ReducedShape shapes = reduced_shape(x->shape, {.axis = axes, .keepdims = true});
    const ArrayCore kept_maxima = kept_axes(maxima, shapes, true), kept_sums = kept_axes(sums, shapes, true);
    CallSignature signature("exponentials");
    signature.add(maxima.dtype).add(sums.dtype).add(parts.key).end_text().add(maxima.storage->device()).add(x->shape);
    for (const Node* input : parts.arrays) signature.add(input->array);
    for (const bool reduced : shapes.reduced) signature.add(reduced);
    std::vector<CallOperand> operands = operands_of(parts);
    operands.push_back({.array = &kept_maxima});
    operands.push_back({.array = &kept_sums});
    if (const auto known = find_cached(signature)) return launch_cached(*known, operands);
    ReductionCall call{.device = maxima.storage->device(),
                       .shape = x->shape,
                       .reduced = shapes.reduced,
                       .bindings = bind_expression(parts),
                       .key = signature.text(),
                       .text = {},
                       .keep = {&signature, operands, shapes.kept, shapes.result, sums.dtype}};
    for (Binding& binding : call.bindings) binding.parameter.map_stage_only = true;
    call.bindings.push_back(output_binding("max_x", kept_maxima));
    call.bindings.push_back(output_binding("out", kept_sums));
    call.text = [&] {
        const auto named = [](const char* name, DType type) {
            return "typedef " + std::string(kernel_name(type)) + ' ' + name + ";\n";
        };
        return ReductionText{.name = "exponentials",
                             .parameters = {},
                             .kept_rank = 0,
                             .reduced_rank = 1,
                             .accumulator = "gpu_exponentials",
                             .typedefs = named("T", x->dtype) + named("M", maxima.dtype) + named("R", sums.dtype),
                             .preamble = {exponentials_text(x->dtype), "libgpu", 1},
                             .map = {"gpu_exponentials{" + rhs_text(*x, parts) + ", 1}", "exponentials", 1},
                             .reduce = {"gpu_joined(a, b)", "exponentials", 1},
                             .post = {"max_x = (M)a.max_x; out = (R)gpu_sum(a)", "exponentials", 1},
                             .identity = {},
                             .options = rounds_each_operation()};
    };
    launch_reduction(call);
}

}  // namespace gpu::detail
