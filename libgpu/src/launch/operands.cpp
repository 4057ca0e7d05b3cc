// SPDX-License-Identifier: MIT
#include "launch/operands.hpp"

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

// An array operand as it stands, or an expression's value.
const ArrayCore& array_of(const Operand& operand, std::list<ArrayCore>& evaluated) {
    if (operand.node()->op == Op::leaf) return operand.node()->array;
    evaluated.push_back(evaluate(operand.node()));
    return evaluated.back();
}

}  // namespace

MatchedOperands match_operands(const std::string& kernel, const std::vector<DeclaredParameter>& inputs,
                               const std::vector<DeclaredParameter>& outputs, const std::vector<Operand>& operands) {
    MatchedOperands matched;
    for (std::size_t k = inputs.size(); k < operands.size(); ++k) {
        if (operands[k].kind() != Operand::Kind::output) {
            throw Error("kernel " + kernel + ": operand " + std::to_string(k + 1) + " is the output '" +
                        outputs[k - inputs.size()].name + "': pass gpu::out(array)");
        }
        if (operands[k].output().storage == nullptr) {
            throw Error("kernel " + kernel + ": gpu::out() has an array that was moved from");
        }
        matched.placeholders.decide(outputs[k - inputs.size()], operands[k].output().dtype, kernel);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const Operand& operand = operands[k];
        if (operand.kind() == Operand::Kind::output) {
            throw Error("kernel " + kernel + ": operand " + std::to_string(k + 1) + " is the input '" +
                        inputs[k].name + "', not an output");
        }
        Binding binding{{.role = Parameter::Role::scalar, .type = {}, .name = inputs[k].name, .strided = false},
                        DType::float32, nullptr, nullptr};
        if (operand.kind() == Operand::Kind::array) {
            binding.parameter.role = Parameter::Role::input;
            binding.array = &array_of(operand, matched.evaluated);
            matched.placeholders.decide(inputs[k], binding.array->dtype, kernel);
            matched.shape = broadcast(matched.shape, binding.array->shape);
            matched.arrays.push_back(binding.array);
        } else {
            binding.number = operand.node().get();
        }
        matched.inputs.push_back(binding);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {  // numbers take the type that the arrays decided
        Binding& binding = matched.inputs[k];
        binding.dtype = matched.placeholders.require(inputs[k], kernel);
        binding.parameter.type = kernel_name(binding.dtype);
    }
    return matched;
}

std::string types_key(const std::vector<Binding>& bindings) {
    std::string key;
    for (const Binding& binding : bindings) {
        key += static_cast<char>('a' + static_cast<int>(binding.dtype));
        key += binding.array == nullptr ? 'n' : 'a';
    }
    return key;
}

}  // namespace gpu::detail
