// SPDX-License-Identifier: MIT
#include <gpu/elementwise_kernel.hpp>

#include <algorithm>
#include <utility>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "launch/operands.hpp"
#include "launch/overlap.hpp"

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

void check_outputs(const std::string& name, const std::vector<DeclaredParameter>& declared,
                   const std::list<ArrayCore>& outputs, const Shape& inputs) {
    auto parameter = declared.begin();
    for (const ArrayCore& output : outputs) {
        if (!(output.shape == outputs.front().shape)) {
            throw ShapeError("kernel " + name + ": its outputs have shapes " + to_string(outputs.front().shape) +
                             " and " + to_string(output.shape));
        }
        if (!broadcasts_to(inputs, output.shape)) {
            throw ShapeError("kernel " + name + ": output '" + parameter->name + "' has shape " +
                             to_string(output.shape) + ", the inputs give " + to_string(inputs));
        }
        auto earlier = declared.begin();
        for (const ArrayCore& other : outputs) {
            if (&other == &output) break;
            if (share_memory(other, output)) {
                throw Error("kernel " + name + ": its outputs '" + earlier->name + "' and '" + parameter->name +
                            "' share elements: pass two arrays");
            }
            ++earlier;
        }
        ++parameter;
    }
}

// In place is fine; what would change before it is read is copied.
void keep_apart(MatchedOperands& matched, const std::list<ArrayCore>& outputs) {
    for (Binding& input : matched.inputs) {
        if (input.array == nullptr) continue;
        const bool spoiled = std::any_of(outputs.begin(), outputs.end(),
                                         [&](const ArrayCore& output) { return is_spoiled(*input.array, output); });
        if (spoiled) input.array = &matched.evaluated.emplace_back(copy_of(*input.array));
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

    for (const DeclaredParameter& output : self.outputs) {
        const DType dtype = matched.placeholders.require(output, self.name);
        if (!outputs_given) results.push_back(make_array(dtype, shape));
    }
    if (outputs_given) {
        check_outputs(self.name, self.outputs, results, shape);
        keep_apart(matched, results);
    }
    std::vector<Binding> bindings = matched.inputs;
    auto result = results.begin();
    for (const DeclaredParameter& output : self.outputs) {
        bindings.push_back({{.role = Parameter::Role::output, .type = std::string(kernel_name(result->dtype)),
                             .name = output.name, .strided = false},
                            result->dtype, &*result, nullptr});
        ++result;
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
