// SPDX-License-Identifier: MIT
#include "launch/operands.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include <gpu/error.hpp>

#include "base.hpp"
#include "launch/evaluate.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// An array operand itself, or an expression's value.
const ArrayCore& array_of(const Operand& operand, std::list<ArrayCore>& evaluated) {
    if (operand.node()->op == Op::leaf) return operand.node()->array;
    evaluated.push_back(evaluate(operand.node()));
    return evaluated.back();
}

void check_count(const std::string& kernel, std::size_t inputs, std::size_t outputs, std::size_t given) {
    if (given == inputs || given == inputs + outputs) return;
    throw Error("kernel " + kernel + " takes " + std::to_string(inputs) + " operands, or " +
                std::to_string(inputs + outputs) + " with outputs; " + std::to_string(given) + " were given");
}

void match_output(MatchedOperands& matched, const std::string& kernel, const ListedParameter& parameter,
                  const Operand& operand, std::size_t place) {
    if (operand.kind() == Operand::Kind::number) {
        throw Error("kernel " + kernel + ": operand " + std::to_string(place + 1) +
                    ", a number, stands where the output '" + parameter.name +
                    "' would: the axis of a reduction is named, as in kernel(x, {.axis = 1})");
    }
    if (operand.kind() != Operand::Kind::output) {
        throw Error("kernel " + kernel + ": operand " + std::to_string(place + 1) + " is the output '" +
                    parameter.name + "': pass gpu::out(array)");
    }
    if (operand.output().storage == nullptr) {
        throw_moved_from(("kernel " + kernel + ": gpu::out").c_str());
    }
    matched.placeholders.decide(parameter, operand.output().dtype, kernel);
    matched.outputs.push_back(operand.output());
}

void join_loop(MatchedOperands& matched, const std::string& kernel, const ListedParameter& parameter,
               const Shape& shape) {
    try {
        matched.shape = broadcast(matched.shape, shape);
    } catch (const ShapeError& error) {
        throw ShapeError("kernel " + kernel + ": input '" + parameter.name + "': " + error.what());
    }
    matched.has_loop = true;
}

// A number is converted as in C++, but not to an altogether different value.
void check_number(const std::string& kernel, const std::string& parameter, const Node& number, DType dtype) {
    const std::string which = "kernel " + kernel + ": the number for '" + parameter + "'";
    if (is_complex(number.dtype) && !is_complex(dtype))
        throw DTypeError(which + " is complex, its type is " + std::string(name(dtype)));
    if (is_integer(dtype) && !fits(number, dtype)) {
        throw DTypeError(which + ", " + number_text(number) + ", doesn't fit " + with_range(dtype) +
                         ", the type that the arrays give it: write x.astype<...>() for a wider one");
    }
}

Binding match_input(MatchedOperands& matched, const std::string& kernel, const ListedParameter& parameter,
                    const Operand& operand, std::size_t place) {
    if (operand.kind() == Operand::Kind::output) {
        throw Error("kernel " + kernel + ": operand " + std::to_string(place + 1) + " is the input '" + parameter.name +
                    "', not an output");
    }
    Binding binding{{.role = Parameter::Role::scalar, .type = {}, .name = parameter.name, .strided = false},
                    DType::float32,
                    nullptr,
                    nullptr};
    binding.parameter.is_raw = parameter.is_raw;
    if (operand.kind() == Operand::Kind::number) {
        if (parameter.is_raw) {
            throw Error("kernel " + kernel + ": '" + parameter.name + "' is raw: pass an array, not a number");
        }
        binding.number = operand.node().get();
        return binding;
    }
    binding.parameter.role = Parameter::Role::input;
    binding.array = &array_of(operand, matched.evaluated);
    matched.placeholders.decide(parameter, binding.array->dtype, kernel);
    if (!parameter.is_raw) join_loop(matched, kernel, parameter, binding.array->shape);
    matched.arrays.push_back(binding.array);
    return binding;
}

}  // namespace

MatchedOperands match_operands(const std::string& kernel, const std::vector<ListedParameter>& inputs,
                               const std::vector<ListedParameter>& outputs,
                               const std::vector<const Operand*>& operands) {
    check_count(kernel, inputs.size(), outputs.size(), operands.size());
    MatchedOperands matched;
    for (std::size_t k = inputs.size(); k < operands.size(); ++k) {
        match_output(matched, kernel, outputs[k - inputs.size()], *operands[k], k);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        matched.inputs.push_back(match_input(matched, kernel, inputs[k], *operands[k], k));
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {  // numbers take the types that the arrays decided
        Binding& binding = matched.inputs[k];
        binding.dtype = matched.placeholders.require(inputs[k], kernel);
        if (binding.number != nullptr) check_number(kernel, inputs[k].name, *binding.number, binding.dtype);
        binding.parameter.type = kernel_name(binding.dtype);
    }
    return matched;
}

std::vector<Binding> bind_outputs(const std::vector<ListedParameter>& declared, const std::list<ArrayCore>& outputs) {
    std::vector<Binding> bindings;
    auto parameter = declared.begin();
    for (const ArrayCore& output : outputs) {
        Binding binding{{.role = Parameter::Role::output,
                         .type = std::string(kernel_name(output.dtype)),
                         .name = parameter->name,
                         .strided = false},
                        output.dtype,
                        &output,
                        nullptr};
        binding.parameter.is_raw = parameter->is_raw;
        bindings.push_back(binding);
        ++parameter;
    }
    return bindings;
}

void check_result_count(const std::string& kernel, std::size_t outputs, std::size_t wanted) {
    if (wanted == 0 || wanted == outputs) return;
    throw Error("kernel " + kernel + " has " + plural(outputs, "output") + "; all() asks for " +
                std::to_string(wanted));
}

void check_disjoint(const std::string& kernel, const std::vector<ListedParameter>& declared,
                    const std::list<ArrayCore>& outputs) {
    auto parameter = declared.begin();
    for (auto output = outputs.begin(); output != outputs.end(); ++output, ++parameter) {
        auto earlier = declared.begin();
        for (auto other = outputs.begin(); other != output; ++other, ++earlier) {
            if (!share_memory(*other, *output)) continue;
            throw Error("kernel " + kernel + ": its outputs '" + earlier->name + "' and '" + parameter->name +
                        "' share elements: pass two arrays");
        }
    }
}

namespace {

// The array of an operand that is one; null for a number.
const ArrayCore* array_in(const Operand& operand) {
    if (operand.kind() == Operand::Kind::output) return &operand.output();
    return operand.node()->op == Op::leaf ? &operand.node()->array : nullptr;
}

// The device of the operands' arrays, if there are any and nothing has to be evaluated first.
std::optional<Device> plain_device(const std::vector<const Operand*>& operands) {
    std::optional<Device> device;
    for (const Operand* operand : operands) {
        const ArrayCore* const array = array_in(*operand);
        if (array == nullptr && operand->kind() == Operand::Kind::number) continue;
        if (array == nullptr || array->storage == nullptr) return std::nullopt;
        if (device && !(*device == array->storage->device())) return std::nullopt;
        device = array->storage->device();
    }
    return device;
}

}  // namespace

PlainCall::PlainCall(std::string_view kind, std::uint64_t kernel, const std::vector<const Operand*>& operands) {
    const std::optional<Device> device = plain_device(operands);
    if (!device) return;
    signature.emplace(kind).add(kernel).end_text().add(*device);
    inputs.reserve(operands.size() + 3);
    for (const Operand* operand : operands) {
        signature->add(operand->kind());
        const ArrayCore* const array = array_in(*operand);
        if (array == nullptr) {
            signature->add(operand->node()->dtype);
            inputs.push_back({.number = operand->node().get()});
            continue;
        }
        signature->add(*array);
        if (operand->kind() == Operand::Kind::array) {
            inputs.push_back({.array = array});
        } else if (operand == operands.back()) {
            output = array;
        } else {  // several outputs: not worth a fast path
            signature.reset();
            return;
        }
    }
}

bool numbers_fit(const CachedLaunch& known, const std::vector<CallOperand>& inputs) {
    return std::all_of(known.sources.begin(), known.sources.end(), [&](const CachedLaunch::Source& source) {
        if (source.is_output || !is_integer(source.dtype)) return true;
        const Node* const number = inputs[source.operand].number;
        return number == nullptr || fits(*number, source.dtype);
    });
}

std::uint64_t next_kernel_number() noexcept {
    static std::atomic<std::uint64_t> next{0};
    return next.fetch_add(1, std::memory_order_relaxed);
}

StreamScope::StreamScope(StreamRef stream) : stream_(stream) {
    if (stream.is_current()) return;
    device_.emplace(stream.device());
    guard_.emplace(stream);
}

void StreamScope::check(Device device) const {
    if (!stream_.is_current()) (void)native_stream(stream_, device);
}

std::string options_key(const std::vector<std::string>& options) {
    std::string key;
    for (const std::string& option : options) key += option + '\0';
    return key;
}

std::string types_key(const std::vector<Binding>& bindings) {
    std::string key;
    for (const Binding& binding : bindings) {
        key += static_cast<char>('a' + static_cast<int>(binding.dtype));
        key += binding.array == nullptr ? 'n' : binding.parameter.is_raw ? 'r' : 'a';
    }
    return key;
}

}  // namespace gpu::detail

namespace gpu {

void Axes::add(int axis) {
    if (count_ == max_rank) throw AxisError("a reduction takes at most " + std::to_string(max_rank) + " axes");
    axes_[count_++] = axis;
}

namespace detail {

ReducedShape reduced_shape(const Shape& shape, const ReduceOptions& options) {
    const int rank = shape.rank();
    ReducedShape made;
    made.reduced.assign(static_cast<std::size_t>(rank), options.axis.all());
    for (int k = 0; k < options.axis.count(); ++k) {
        const int axis = options.axis[k] < 0 ? options.axis[k] + rank : options.axis[k];
        if (axis < 0 || axis >= rank) {
            throw AxisError("axis " + std::to_string(options.axis[k]) + " is out of bounds for array of dimension " +
                            std::to_string(rank) + " (its shape is " + to_string(shape) + ")");
        }
        if (made.reduced[static_cast<std::size_t>(axis)]) {
            throw AxisError("duplicate value in 'axis': " + std::to_string(options.axis[k]) +
                            " names an axis again (the array's shape is " + to_string(shape) + ")");
        }
        made.reduced[static_cast<std::size_t>(axis)] = true;
    }
    for (int axis = 0; axis < rank; ++axis) {
        const bool gone = made.reduced[static_cast<std::size_t>(axis)];
        if (gone) {
            // Only an array without elements can overflow the product of its lengths.
            if (__builtin_mul_overflow(made.count, shape[axis], &made.count)) {
                made.count = std::numeric_limits<std::int64_t>::max();
            }
        } else {
            made.kept.append(shape[axis]);
        }
        if (!gone || options.keepdims) made.result.append(gone ? 1 : shape[axis]);
    }
    return made;
}

ArrayCore with_result_shape(ArrayCore kept, const ReducedShape& shapes) {
    kept.shape = shapes.result;
    kept.strides = dense_strides(shapes.result);
    return kept;
}

ArrayCore kept_axes(const ArrayCore& out, const ReducedShape& shapes, bool keepdims) {
    if (!keepdims) return out;
    ArrayCore kept = out;
    kept.shape = shapes.kept;
    kept.strides = {};
    for (int axis = 0; axis < out.shape.rank(); ++axis) {
        if (!shapes.reduced[static_cast<std::size_t>(axis)]) kept.strides.push_back(out.strides[axis]);
    }
    return kept;
}

}  // namespace detail
}  // namespace gpu
