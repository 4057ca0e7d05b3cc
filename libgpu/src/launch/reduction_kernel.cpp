// SPDX-License-Identifier: MIT
#include <gpu/reduction_kernel.hpp>

#include <utility>

#include <gpu/error.hpp>

#include "launch/operands.hpp"

namespace gpu {

using namespace detail;

struct ReductionKernel::Definition {
    std::string name, map, reduce, post, identity, preamble, key;
    std::vector<DeclaredParameter> inputs, outputs;
};

ReductionKernel::ReductionKernel(std::string inputs, std::string output, std::string map, std::string reduce,
                                 std::string post, std::string identity, std::string name, KernelOptions options) {
    check_kernel_name(name);
    auto made = std::make_shared<Definition>();
    made->inputs = parse_parameters(inputs, name);
    made->outputs = parse_parameters(output, name);
    if (made->inputs.empty()) throw Error("kernel " + name + " has no input parameter");
    if (made->outputs.size() != 1) {
        throw Error("kernel " + name + " must have one output parameter, not " + std::to_string(made->outputs.size()));
    }
    for (const std::string* part : {&name, &inputs, &output, &map, &reduce, &post, &identity, &options.preamble}) {
        made->key += *part + '\0';
    }
    made->name = std::move(name);
    made->map = std::move(map);
    made->reduce = std::move(reduce);
    made->post = std::move(post);
    made->identity = std::move(identity);
    made->preamble = std::move(options.preamble);
    definition_ = std::move(made);
}

namespace {

// Integers add up in 64 bits, halves in float, other types in themselves.
DType accumulator_for(DType output) { return output == DType::boolean ? output : accumulator(output); }

}  // namespace

AnyArray ReductionKernel::call(std::vector<Operand> operands, const ReduceOptions& options) const {
    const Definition& self = *definition_;
    if (operands.size() != self.inputs.size()) {
        throw Error("kernel " + self.name + " takes " + std::to_string(self.inputs.size()) + " operands; " +
                    std::to_string(operands.size()) + " were given");
    }
    MatchedOperands matched = match_operands(self.name, self.inputs, self.outputs, operands);
    if (matched.arrays.empty()) throw Error("kernel " + self.name + ": one operand must be an array");
    const Device device = common_device(matched.arrays, "kernel " + self.name);
    const DeviceGuard guard(device);

    const ReducedShape shapes = reduced_shape(matched.shape, options);
    if (self.identity.empty() && matched.shape.size() == 0 && shapes.kept.size() != 0) {
        throw ShapeError("kernel " + self.name + ": an empty array of shape " + to_string(matched.shape) +
                         " can't be reduced, the kernel has no identity");
    }
    const DeclaredParameter& output = self.outputs.front();
    const DType dtype = matched.placeholders.require(output, self.name);
    const ArrayCore kept = make_array(dtype, shapes.kept);
    std::vector<Binding> bindings = matched.inputs;
    bindings.push_back({{.role = Parameter::Role::output, .type = std::string(kernel_name(dtype)), .name = output.name,
                         .strided = false},
                        dtype, &kept, nullptr});
    launch_reduction({.device = device,
                      .shape = matched.shape,
                      .reduced = shapes.reduced,
                      .bindings = bindings,
                      .key = self.key + types_key(bindings),
                      .text = [&] {
                          return ReductionText{.name = self.name,
                                               .parameters = {},
                                               .kept_rank = 0,
                                               .reduced_rank = 1,
                                               .accumulator = std::string(kernel_name(accumulator_for(dtype))),
                                               .typedefs = matched.placeholders.typedefs(),
                                               .preamble = {self.preamble, self.name + " (preamble)", 1},
                                               .map = {self.map, self.name + " (map)", 1},
                                               .reduce = {self.reduce, self.name + " (reduce)", 1},
                                               .post = {self.post, self.name + " (post)", 1},
                                               .identity = self.identity};
                      },
                      .in_order = self.map.find("_J") != std::string::npos});
    return AnyArray(with_result_shape(kept, shapes));
}

}  // namespace gpu
