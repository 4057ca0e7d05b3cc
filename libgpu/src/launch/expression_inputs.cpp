// SPDX-License-Identifier: MIT
// What an expression is made from: its arrays and numbers, their one device, and whether they are still what they were.
#include <string>

#include <gpu/error.hpp>

#include "launch/generated_call.hpp"
#include "runtime/context.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

std::vector<const ArrayCore*> arrays_in(const Flattened& parts) {
    std::vector<const ArrayCore*> arrays;
    for (const Node* leaf : parts.arrays) arrays.push_back(&leaf->array);
    return arrays;
}

Device common_device(const std::vector<const ArrayCore*>& arrays, const std::string& operation) {
    if (arrays.empty()) return current_device();
    const Device device = arrays.front()->storage->device();
    for (const ArrayCore* array : arrays) {
        const Device other = array->storage->device();
        if (!(other == device)) {
            throw DeviceError(operation + ": one array is on " + device.to_string() + ", another on " +
                              other.to_string() + ": move one, as in x.to(" + spelled(device) + ")");
        }
    }
    return device;
}

std::vector<Binding> bind_expression(const Flattened& parts) {
    std::vector<Binding> bindings;
    const std::vector<Parameter> parameters =
        expression_parameters(parts, std::vector<bool>(parts.arrays.size(), false));
    for (std::size_t k = 0; k < parts.arrays.size(); ++k) {
        bindings.push_back({parameters[k], parts.arrays[k]->dtype, &parts.arrays[k]->array, nullptr});
    }
    for (std::size_t k = 0; k < parts.numbers.size(); ++k) {
        bindings.push_back({parameters[parts.arrays.size() + k], parts.numbers[k]->dtype, nullptr, parts.numbers[k]});
    }
    return bindings;
}

void check_versions(const Flattened& parts) {
    for (const Node* input : parts.arrays) {
        if (input->array.storage->version() == input->version) continue;
        throw ExpressionError("an expression is evaluated after its input, a " + std::string(name(input->dtype)) +
                              " array of shape " + to_string(input->array.shape) +
                              ", was written: the value that it was built from is gone. Write " +
                              "gpu::Array<T> y = ... instead of auto y = ... to keep a value");
    }
}

}  // namespace gpu::detail
