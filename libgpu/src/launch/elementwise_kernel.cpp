// SPDX-License-Identifier: MIT
#include <gpu/elementwise_kernel.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "launch/evaluate.hpp"
#include "launch/operands.hpp"
#include "launch/source.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu {

using namespace detail;

struct ElementwiseKernel::Definition {
    std::string name, operation, key, made_in;
    SourceText preamble;
    std::vector<std::string> options;
    ListedParameters parameters;
    bool has_axes = false, has_raw = false, has_index = false;
    int usual_block = 256;
    std::uint64_t number = next_kernel_number();
};

namespace {

// True if a text may use the element's index `i`: by name, or by a name that a macro pastes together.
bool names_index(const std::string& text) {
    return has_name(tokens_of(text), "i") || text.find("##") != std::string::npos;
}

}  // namespace

ElementwiseKernel::ElementwiseKernel(std::string inputs, std::string outputs, std::string operation, std::string name,
                                     KernelOptions options, const char* caller) {
    check_kernel_name(name);
    auto made = std::make_shared<Definition>();
    made->parameters = parse_parameters(inputs, outputs, name);
    if (!options.reduce_type.empty()) throw Error("kernel " + name + ": reduce_type is for a ReductionKernel");
    made->preamble = preamble_of(options, name, caller);
    made->made_in = caller;
    const std::string given = options_key(options.options);
    made->key = "k";
    for (const std::string* part : {&name, &inputs, &outputs, &operation, &made->preamble.text, &made->made_in})
        made->key += *part + '\0';
    made->key += given;
    made->has_axes = (operation + made->preamble.text + given).find("_ind.get") != std::string::npos;
    for (const auto* list : {&made->parameters.inputs, &made->parameters.outputs})
        for (const ListedParameter& parameter : *list) made->has_raw = made->has_raw || parameter.is_raw;
    made->has_index = names_index(operation + '\n' + made->preamble.text + '\n' + given);
    // One element per thread: small blocks make room for the next ones as soon as their elements are done.
    if (is_bound_by_arithmetic(operation)) made->usual_block = 64;
    made->operation = std::move(operation);
    made->options = std::move(options.options);
    made->name = std::move(name);
    definition_ = std::move(made);
}

namespace {

// The first one that isn't raw, with its parameter.
struct LoopOutput {
    const ArrayCore* array = nullptr;
    const ListedParameter* parameter = nullptr;
};
LoopOutput loop_output(const std::vector<ListedParameter>& declared, const std::list<ArrayCore>& outputs) {
    auto parameter = declared.begin();
    for (const ArrayCore& output : outputs) {
        if (!parameter->is_raw) return {&output, &*parameter};
        ++parameter;
    }
    return {};
}

bool has_raw_only(const std::vector<ListedParameter>& declared) {
    return std::all_of(declared.begin(), declared.end(), [](const ListedParameter& one) { return one.is_raw; });
}

// The number of elements of the loop, and its shape.
Shape loop_shape(const std::string& name, const ListedParameters& parameters, const MatchedOperands& matched,
                 const LoopSize& size) {
    const LoopOutput output = loop_output(parameters.outputs, matched.outputs);
    if (size.is_decided()) {
        if (!size.is_valid()) throw Error("kernel " + name + ": {.size = ...} can't be negative");
        if (!matched.has_loop && output.array == nullptr) return Shape{size.count()};
        std::string by = output.array != nullptr ? output.parameter->name : "";
        for (std::size_t k = 0; k < matched.inputs.size() && by.empty(); ++k) {
            const Binding& input = matched.inputs[k];
            if (input.array != nullptr && !input.parameter.is_raw) by = input.parameter.name;
        }
        throw Error("kernel " + name + ": {.size = ...} is for kernels whose arrays are all raw; here '" + by +
                    "' decides how many elements there are");
    }
    if (output.array != nullptr) return output.array->shape;
    if (matched.has_loop) return matched.shape;
    throw Error("kernel " + name + ": how many elements? The loop's size is undecided: pass {.size = n}" +
                (has_raw_only(parameters.outputs) ? "" : ", or gpu::out(array)"));
}

void check_shapes(const std::string& name, const std::vector<ListedParameter>& declared,
                  const std::list<ArrayCore>& outputs, const Shape& shape, const MatchedOperands& matched) {
    auto parameter = declared.begin();
    for (const ArrayCore& output : outputs) {
        const ListedParameter& declaration = *parameter++;
        if (declaration.is_raw) continue;
        if (!(output.shape == shape)) {
            throw ShapeError("kernel " + name + ": its outputs have shapes " + to_string(shape) + " and " +
                             to_string(output.shape));
        }
        if (matched.has_loop && !broadcasts_to(matched.shape, output.shape)) {
            throw ShapeError("kernel " + name + ": output '" + declaration.name + "' has shape " +
                             to_string(output.shape) + ", the inputs give " + to_string(matched.shape));
        }
    }
}

// In place is fine; inputs that would change before they are read are copied. Raw arrays are read and written in any
// order.
void copy_spoiled_inputs(MatchedOperands& matched, const std::vector<ListedParameter>& declared) {
    for (Binding& input : matched.inputs) {
        if (input.array == nullptr) continue;
        auto parameter = declared.begin();
        const bool spoiled = std::any_of(matched.outputs.begin(), matched.outputs.end(), [&](const ArrayCore& output) {
            const bool is_raw = (parameter++)->is_raw || input.parameter.is_raw;
            return is_raw ? share_memory(*input.array, output) : is_spoiled(*input.array, output);
        });
        if (spoiled) input.array = &matched.evaluated.emplace_back(copy_of(*input.array));
    }
}

int checked_block(const std::string& name, int block, int usual) {
    constexpr int max_block = 1024;
    if (block == 0) return usual;
    if (block < 0 || block > max_block) {
        throw LaunchError("kernel " + name + ": a block of " + std::to_string(block) + " threads: it can have 1 to " +
                          std::to_string(max_block));
    }
    return block;
}

}  // namespace

// Repeats an earlier call like this one, without matching operands or searching for the kernel.
AnyArray ElementwiseKernel::first(const std::vector<const Operand*>& operands, const ElementwiseLaunch& launch) const {
    const Definition& self = *definition_;
    if (!launch.stream.is_current() || self.parameters.outputs.size() != 1) return run(operands, launch, 0).front();
    PlainCall call("elementwise", self.number, operands);
    if (!call.signature) return run(operands, launch, 0).front();
    call.signature->add(launch.block).add(launch.size.count());
    const auto known = find_cached(*call.signature);
    const auto is_touched = [&](const CallOperand& input) {
        if (input.array == nullptr) return false;
        return self.has_raw ? share_memory(*input.array, *call.output) : is_spoiled(*input.array, *call.output);
    };
    const bool same = known != nullptr && numbers_fit(*known, call.inputs) &&
                      (call.output == nullptr || std::none_of(call.inputs.begin(), call.inputs.end(), is_touched));
    if (!same) return run(operands, launch, 0, &call).front();
    ArrayCore written = call.output != nullptr
                            ? *call.output
                            : make_array_on(known->device, known->dtype, known->result, Layout::row_major);
    call.inputs.push_back({.array = &written});
    launch_cached(*known, call.inputs);
    return AnyArray(std::move(written));
}

std::vector<AnyArray> ElementwiseKernel::run(const std::vector<const Operand*>& operands,
                                             const ElementwiseLaunch& launch, std::size_t expected,
                                             const detail::PlainCall* plain) const {
    const Definition& self = *definition_;
    const auto& [inputs, outputs] = self.parameters;
    check_result_count(self.name, outputs.size(), expected);
    const int block = checked_block(self.name, launch.block, self.usual_block);
    const StreamScope stream(launch.stream);
    MatchedOperands matched = match_operands(self.name, inputs, outputs, operands);
    std::vector<const ArrayCore*> arrays = matched.arrays;
    for (const ArrayCore& output : matched.outputs) arrays.push_back(&output);
    const Device device = common_device(arrays, "kernel " + self.name);
    stream.check(device);
    const DeviceGuard guard(device);
    const Shape shape = loop_shape(self.name, self.parameters, matched, launch.size);
    if (operands.size() > inputs.size()) {
        check_shapes(self.name, outputs, matched.outputs, shape, matched);
        check_disjoint(self.name, outputs, matched.outputs);
        copy_spoiled_inputs(matched, outputs);
    } else {
        for (const ListedParameter& output : outputs) {
            matched.outputs.push_back(make_array(matched.placeholders.require(output, self.name), shape));
        }
    }
    std::vector<Binding> bindings = matched.inputs;
    for (const Binding& output : bind_outputs(outputs, matched.outputs)) bindings.push_back(output);
    CachePolicy keep;
    if (plain != nullptr) {
        keep = {.signature = &*plain->signature, .operands = plain->inputs, .result = shape,
                .dtype = matched.outputs.front().dtype};
        keep.operands.push_back({.array = &matched.outputs.front()});
    }
    const std::string key = self.key + types_key(bindings) + std::to_string(block);
    launch_elementwise({.device = device,
                        .shape = shape,
                        .bindings = bindings,
                        .key = key,
                        .text =
                            [&] {
                                ElementwiseText text{.name = self.name,
                                                     .parameters = {},
                                                     .rank = 1,
                                                     .typedefs = matched.placeholders.typedefs(),
                                                     .preamble = self.preamble,
                                                     .body = {self.operation, self.name, 1}};
                                text.options = self.options;
                                text.body.made_in = self.made_in;
                                text.block = block;
                                text.has_axes = self.has_axes;
                                return text;
                            },
                        .needs = {.keeps_axes = self.has_axes,
                                  .uses_index = self.has_index,
                                  .names_index = true,
                                  .block = block},
                        .keep = std::move(keep)});
    return {matched.outputs.begin(), matched.outputs.end()};
}

}  // namespace gpu
