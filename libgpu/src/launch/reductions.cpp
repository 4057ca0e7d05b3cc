// SPDX-License-Identifier: MIT
#include <gpu/reductions.hpp>

#include "launch/generated_call.hpp"

namespace gpu::detail {

namespace {

// The reductions that libgpu has ready: the same machinery as a learner's ReductionKernel.
struct Recipe {
    const char* name;
    const char* map;    // over `x`, the mapped element
    const char* reduce;
    const char* post;
    const char* identity;
};

ArrayCore reduce(const Recipe& recipe, const NodePointer& value, DType accumulator, const ReduceOptions& options) {
    const NodePointer input = cast_node(accumulator, value);
    const Flattened parts = flatten(*input);
    check_versions(parts);
    std::vector<const ArrayCore*> arrays;
    for (const Node* leaf : parts.arrays) arrays.push_back(&leaf->array);
    const Device device = common_device(arrays, recipe.name);
    const DeviceGuard guard(device);

    const ReducedShape shapes = reduced_shape(input->shape, options);
    const ArrayCore kept = make_array(accumulator, shapes.kept);
    const std::string type(kernel_name(accumulator));
    ReductionCall call{.device = device,
                       .shape = input->shape,
                       .reduced = shapes.reduced,
                       .bindings = bind_expression(parts),
                       .key = std::string(recipe.name) + parts.key,
                       .text = {}};
    call.bindings.push_back({{.role = Parameter::Role::output, .type = type, .name = "out", .strided = false},
                             accumulator, &kept, nullptr});
    call.text = [&] {
        std::string map = expression_preamble();
        map += "__device__ inline " + type + " map_element(" + type + " x) { return " + recipe.map + "; }\n";
        return ReductionText{.name = recipe.name,
                             .parameters = {},
                             .kept_rank = 0,
                             .reduced_rank = 1,
                             .accumulator = type,
                             .typedefs = {},
                             .preamble = {map, "libgpu", 1},
                             .map = {"map_element(" + expression_text(*input, parts) + ")", recipe.name, 1},
                             .reduce = {recipe.reduce, recipe.name, 1},
                             .post = {recipe.post, recipe.name, 1},
                             .identity = recipe.identity};
    };
    launch_reduction(call);
    ArrayCore result = kept;
    result.shape = shapes.result;
    result.strides = dense_strides(shapes.result);
    return result;
}

}  // namespace

ArrayCore sum(const NodePointer& value, DType accumulator, const ReduceOptions& options) {
    return reduce({"sum", "x", "a + b", "out = a", "0"}, value, accumulator, options);
}

ArrayCore l2_norm(const NodePointer& value, DType accumulator, const ReduceOptions& options) {
    return reduce({"norm", "x * x", "a + b", "out = sqrt(a)", "0"}, value, accumulator, options);
}

}  // namespace gpu::detail
