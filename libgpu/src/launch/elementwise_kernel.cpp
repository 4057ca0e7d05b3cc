// SPDX-License-Identifier: MIT
#include <gpu/elementwise_kernel.hpp>

#include <utility>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "launch/operands.hpp"
#include "runtime/storage.hpp"

namespace gpu {

using namespace detail;

struct ElementwiseKernel::Definition {
    std::string name, operation, preamble, key;
    std::vector<DeclaredParameter> inputs, outputs;
};

ElementwiseKernel::ElementwiseKernel(std::string inputs, std::string outputs, std::string operation, std::string name,
                                     KernelOptions options) {
    check_kernel_name(name);
    auto made = std::make_shared<Definition>();
    made->inputs = parse_parameters(inputs, name);
    made->outputs = parse_parameters(outputs, name);
    if (made->outputs.empty()) throw Error("kernel " + name + " has no output parameter");
    made->key = "k" + name + '\0' + inputs + '\0' + outputs + '\0' + operation + '\0' + options.preamble + '\0';
    made->operation = std::move(operation);
    made->preamble = std::move(options.preamble);
    made->name = std::move(name);
    definition_ = std::move(made);
}

namespace {

std::string count_message(const std::string& name, std::size_t inputs, std::size_t outputs, std::size_t given) {
    return "kernel " + name + " takes " + std::to_string(inputs) + " operands, or " + std::to_string(inputs + outputs) +
           " with outputs; " + std::to_string(given) + " were given";
}

// In place is fine; reading one element after another has been written isn't.
void refuse_overlap(const std::string& name, const ArrayCore& output, const std::vector<const ArrayCore*>& inputs) {
    for (const ArrayCore* input : inputs) {
        if (input->storage != output.storage) continue;
        const bool same = input->offset == output.offset && input->shape == output.shape &&
                          input->strides == output.strides;
        const ByteRange read = byte_range(*input), written = byte_range(output);
        if (!same && read.first < written.last && written.first < read.last) {
            throw Error("kernel " + name + ": an output overlaps an input of another shape or order; copy one first");
        }
    }
}

}  // namespace

AnyArray ElementwiseKernel::call(std::vector<Operand> operands) const {
    const Definition& self = *definition_;
    const std::size_t inputs = self.inputs.size(), outputs = self.outputs.size();
    if (operands.size() != inputs && operands.size() != inputs + outputs) {
        throw Error(count_message(self.name, inputs, outputs, operands.size()));
    }
    MatchedOperands matched = match_operands(self.name, self.inputs, self.outputs, operands);
    const bool outputs_given = operands.size() > inputs;
    if (matched.arrays.empty() && !outputs_given) {
        throw Error("kernel " + self.name + ": how many elements? Pass an array, or gpu::out(array)");
    }
    std::vector<const ArrayCore*> arrays = matched.arrays;
    std::list<ArrayCore> results;
    for (std::size_t k = 0; k < outputs; ++k) {
        if (outputs_given) results.push_back(operands[inputs + k].output());
    }
    for (const ArrayCore& result : results) arrays.push_back(&result);
    const Device device = common_device(arrays, "kernel " + self.name);
    const DeviceGuard guard(device);
    const Shape shape = outputs_given && matched.arrays.empty() ? results.front().shape : matched.shape;

    std::vector<Binding> bindings = matched.inputs;
    auto result = results.begin();
    for (const DeclaredParameter& output : self.outputs) {
        const DType dtype = matched.placeholders.require(output, self.name);
        if (!outputs_given) result = results.insert(results.end(), make_array(dtype, shape));
        else if (!(broadcast(shape, result->shape) == result->shape)) {
            throw ShapeError("kernel " + self.name + ": output '" + output.name + "' has shape " +
                             to_string(result->shape) + ", the inputs give " + to_string(shape));
        }
        refuse_overlap(self.name, *result, matched.arrays);
        bindings.push_back({{.role = Parameter::Role::output, .type = std::string(kernel_name(dtype)),
                             .name = output.name, .strided = false},
                            dtype, &*result, nullptr});
        ++result;
    }
    for (const ArrayCore& array : results) {
        if (!(array.shape == results.front().shape)) {
            throw ShapeError("kernel " + self.name + ": its outputs have shapes " + to_string(results.front().shape) +
                             " and " + to_string(array.shape));
        }
    }
    launch_elementwise({.device = device,
                        .shape = results.front().shape,
                        .bindings = bindings,
                        .in_order = true,
                        .key = self.key + types_key(bindings),
                        .text = [&] {
                            return ElementwiseText{.name = self.name,
                                                   .parameters = {},
                                                   .rank = 1,
                                                   .typedefs = matched.placeholders.typedefs(),
                                                   .preamble = {self.preamble, self.name + " (preamble)", 1},
                                                   .body = {self.operation, self.name, 1}};
                        }});
    return AnyArray(results.front());
}

}  // namespace gpu
