// SPDX-License-Identifier: MIT
#include "launch/evaluate.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "launch/rows/row_fusion.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

// Lazy expressions: evaluated in one kernel when they are assigned.
namespace gpu::detail {

namespace {

// Joins a mask and a value in one node, to be split and evaluated together if they are too large for one kernel.
NodePointer pair_of(const NodePointer& mask, const NodePointer& value, const Shape& shape) {
    Node pair;
    pair.op = Op::where;
    pair.dtype = value->dtype;
    pair.shape = shape;
    const NodePointer operands[3] = {mask, value, nullptr};
    return split_large_tree(with_operands(pair, operands));
}

// Assigns the value to the target's elements; with a mask, to those where it is true.
void launch_assignment(const ArrayCore& target, const Node* mask, const Node& value, const Flattened& parts) {
    const char* const name = mask == nullptr ? "expression" : "masked";
    const Device device = target.storage->device();
    CachePolicy keep{.operands = operands_of(parts)};
    keep.operands.push_back({.array = &target});
    CallSignature signature(name);
    signature.add(parts.key).add(target.dtype).end_text().add(device).add(target);
    for (const Node* input : parts.arrays) signature.add(input->array);
    if (const auto known = find_cached(signature)) return launch_cached(*known, keep.operands);
    keep.signature = &signature;
    ElementwiseCall call{.device = device,
                         .shape = target.shape,
                         .bindings = bind_expression(parts),
                         .key = signature.text(),
                         .text = {},
                         .keep = std::move(keep)};
    const std::string type(kernel_name(target.dtype));
    call.bindings.push_back(output_binding("out", target));
    call.text = [&] {
        const std::string where = mask == nullptr ? "" : "if (" + expression_text(*mask, parts) + ") ";
        return ElementwiseText{.name = name,
                               .parameters = {},
                               .rank = 1,
                               .typedefs = {},
                               .preamble = {},
                               .body = {where + "out = (" + type + ")" + rhs_text(value, parts), name, 1},
                               .options = rounds_each_operation()};
    };
    launch_elementwise(call);
}

// The same array with leading axes of length 1.
ArrayCore with_rank(ArrayCore array, int rank) {
    while (array.shape.rank() < rank) array = expanded(array, 0);
    return array;
}

}  // namespace

NodePointer leaf(const ArrayCore& core) {
    if (core.storage == nullptr) throw_moved_from("an expression");
    auto made = std::make_shared<Node>();
    made->op = Op::leaf;
    made->dtype = core.dtype;
    made->shape = core.shape;
    made->array = core;
    made->version = core.storage->version();
    return made;
}

NodePointer split_large_tree(const NodePointer& root) {
    if (!is_too_large(*root)) return root;
    // Operands before their users, without recursion. Where a tree gets too large, its largest operands are evaluated.
    std::unordered_map<const Node*, NodePointer> done;
    std::vector<const NodePointer*> path{&root};
    while (!path.empty()) {
        const NodePointer& node = *path.back();
        const std::size_t before = path.size();
        for (const NodePointer& operand : node->operands) {
            if (operand != nullptr && done.find(operand.get()) == done.end()) path.push_back(&operand);
        }
        if (path.size() > before) continue;
        path.pop_back();
        if (done.find(node.get()) != done.end()) continue;
        NodePointer made = node;
        NodePointer operands[3];
        for (int k = 0; k < 3; ++k) {
            if (node->operands[k] != nullptr) operands[k] = done.at(node->operands[k].get());
        }
        while (true) {
            if (!std::equal(operands, operands + 3, made->operands)) made = with_operands(*node, operands);
            if (!is_too_large(*made)) break;
            NodePointer* largest = operands;
            for (NodePointer& operand : operands) {
                if (operand != nullptr && operand->operations > (*largest)->operations) largest = &operand;
            }
            // A subtree that occurs twice is evaluated once.
            const NodePointer whole = *largest, value = leaf(evaluate(whole));
            for (auto& [key, simple] : done) {
                if (simple == whole) simple = value;
            }
            std::replace(operands, operands + 3, whole, value);
        }
        done[node.get()] = made;
    }
    return done.at(root.get());
}

ArrayCore evaluate(const NodePointer& whole) {
    if (auto rows = evaluated_with_rows(whole)) return *std::move(rows);
    const NodePointer root = split_large_tree(whole);
    const Flattened parts = flatten(*root);
    check_versions(parts);
    const DeviceGuard guard(common_device(arrays_in(parts), "expression"));
    const ArrayCore result = make_array(root->dtype, root->shape);
    launch_assignment(result, nullptr, *root, parts);
    return result;
}

Device device_of(const NodePointer& root) {
    std::vector<const Node*> path{root.get()};
    while (!path.empty()) {
        const Node& node = *path.back();
        path.pop_back();
        if (node.op == Op::leaf) return node.array.storage->device();
        for (const NodePointer& operand : node.operands)
            if (operand != nullptr) path.push_back(operand.get());
    }
    return current_device();
}

ArrayCore evaluate_window(const NodePointer& root, ArrayCore (*window)(const void*, const ArrayCore&),
                          const void* parameters) {
    // Operands before their users, without recursion: each array becomes the window on it, broadcast to the whole
    // shape, so that the operations above it meet the same elements as before. Numbers stay.
    std::unordered_map<const Node*, NodePointer> done;
    std::vector<const Node*> path{root.get()};
    while (!path.empty()) {
        const Node& node = *path.back();
        const std::size_t before = path.size();
        for (const NodePointer& operand : node.operands)
            if (operand != nullptr && done.find(operand.get()) == done.end()) path.push_back(operand.get());
        if (path.size() > before) continue;
        path.pop_back();
        if (done.find(&node) != done.end()) continue;
        auto made = std::make_shared<Node>(node);
        if (node.op == Op::leaf) {
            made->array = window(parameters, broadcasted(node.array, root->shape));
            made->shape = made->array.shape;
        }
        for (NodePointer& operand : made->operands) {
            if (operand == nullptr) continue;
            operand = done.at(operand.get());
            made->shape = &operand == made->operands ? operand->shape : broadcast(made->shape, operand->shape);
        }
        done[&node] = std::move(made);
    }
    return evaluate(done.at(root.get()));
}

namespace {

// `parts` are those of mask and value together.
void assign_parts(const ArrayCore& target, const NodePointer& mask, const NodePointer& value, const Flattened& parts,
                  const std::string& operation) {
    check_versions(parts);
    std::vector<const ArrayCore*> arrays = arrays_in(parts);
    arrays.push_back(&target);
    const DeviceGuard guard(common_device(arrays, operation));
    if (!is_any_spoiled(parts, target)) return launch_assignment(target, mask.get(), *value, parts);
    assign_elements(target, mask == nullptr ? nullptr : leaf(evaluate(mask)),
                    leaf(evaluate(cast_node(target.dtype, value))), operation);
}

}  // namespace

void assign_elements(const ArrayCore& target, const NodePointer& mask, const NodePointer& value,
                     const std::string& operation) {
    const NodePointer root = mask == nullptr ? split_large_tree(value) : pair_of(mask, value, target.shape);
    const NodePointer where = mask == nullptr ? nullptr : root->operands[0];
    assign_parts(target, where, mask == nullptr ? root : root->operands[1], flatten(*root), operation);
}

void assign(ArrayCore& target, const NodePointer& whole, bool may_reallocate) {
    const NodePointer value = split_large_tree(whole);
    const Flattened parts = flatten(*value);
    if (may_reallocate) {
        const bool fits =
            target.storage != nullptr && target.shape == value->shape &&
            (parts.arrays.empty() || parts.arrays.front()->array.storage->device() == target.storage->device());
        if (!fits) {
            // Same elements, new buffer; an expression over the old one keeps that alive.
            ArrayCore fresh = evaluate(cast_node(target.dtype, value));
            target = std::move(fresh);
            return;
        }
    }
    // As in NumPy, leading axes of length 1 in the value are ignored.
    const ArrayCore window = with_rank(target, value->shape.rank());
    if (!broadcasts_to(value->shape, window.shape)) {
        throw ShapeError("assignment: a value of shape " + to_string(value->shape) + " doesn't fit a window of shape " +
                         to_string(target.shape));
    }
    assign_parts(window, nullptr, value, parts, "assignment");
}

void swap_elements(ArrayCore& a, ArrayCore& b) {
    if (!(a.shape == b.shape)) {
        throw ShapeError("swap: views of shapes " + to_string(a.shape) + " and " + to_string(b.shape) +
                         " have no elements for each other");
    }
    const ArrayCore kept = copy_of(a, Layout::row_major);
    assign(a, leaf(b), false);
    assign(b, leaf(kept), false);
}

// The inputs of an expression: its arrays and numbers, their common device, and whether they are unchanged.

std::vector<const ArrayCore*> arrays_in(const Flattened& parts) {
    std::vector<const ArrayCore*> arrays;
    arrays.reserve(parts.arrays.size() + 1);  // a target may follow
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

std::vector<CallOperand> operands_of(const Flattened& parts) {
    std::vector<CallOperand> operands;
    operands.reserve(parts.arrays.size() + parts.numbers.size() + 3);
    for (const Node* leaf : parts.arrays) operands.push_back({.array = &leaf->array});
    for (const Node* number : parts.numbers) operands.push_back({.number = number});
    return operands;
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

void check_version(const Node& input) {
    if (input.array.storage->version() == input.version) return;
    throw ExpressionError("an expression is evaluated after its input, a " + std::string(name(input.dtype)) +
                          " array of shape " + to_string(input.array.shape) +
                          ", was written: the value that it was built from is gone. Write " +
                          "gpu::Array<T> y = ... instead of auto y = ... to keep a value");
}
void check_versions(const Flattened& parts) {
    for (const Node* input : parts.arrays) check_version(*input);
}

namespace {

ByteRange address_range(const ArrayCore& array) {
    const auto start = reinterpret_cast<std::intptr_t>(array.storage->data());
    const ByteRange range = byte_range(array);
    return {start + range.first, start + range.last};
}

std::int64_t bytes_of_element(const ArrayCore& array) { return static_cast<std::int64_t>(size_of(array.dtype)); }

// All elements are a multiple of this many bytes apart; 0 for a single one.
std::int64_t common_step(const ArrayCore& array) {
    std::int64_t step = 0;
    for (int axis = 0; axis < array.shape.rank(); ++axis) {
        if (array.shape[axis] > 1) step = std::gcd(step, array.strides[axis] * bytes_of_element(array));
    }
    return step;
}

// Columns of one matrix, or every other element: the ranges overlap, but no element is in both.
bool is_interleaved(const ArrayCore& a, const ArrayCore& b) {
    const std::int64_t step = std::gcd(common_step(a), common_step(b));
    if (step == 0) return false;
    const std::int64_t apart =
        reinterpret_cast<std::intptr_t>(address_of(b)) - reinterpret_cast<std::intptr_t>(address_of(a));
    const std::int64_t place = (apart % step + step) % step;  // of b's elements, relative to a's
    return place >= bytes_of_element(a) && place + bytes_of_element(b) <= step;
}

}  // namespace

bool share_memory(const ArrayCore& a, const ArrayCore& b) {
    if (a.shape.size() == 0 || b.shape.size() == 0) return false;
    const ByteRange first = address_range(a), second = address_range(b);
    return first.first < second.last && second.first < first.last && !is_interleaved(a, b);
}

bool is_spoiled(const ArrayCore& input, const ArrayCore& output) {
    if (!share_memory(input, output)) return false;
    if (address_of(input) != address_of(output) || input.dtype != output.dtype) return true;
    const Strides steps = broadcast_strides(input, output.shape);
    for (int axis = 0; axis < output.shape.rank(); ++axis) {
        if (output.shape[axis] > 1 && steps[axis] != output.strides[axis]) return true;
    }
    return false;
}

bool is_any_spoiled(const Flattened& inputs, const ArrayCore& output) {
    return std::any_of(inputs.arrays.begin(), inputs.arrays.end(),
                       [&](const Node* input) { return is_spoiled(input->array, output); });
}

ArrayCore apart_from(const ArrayCore& written, const ArrayCore& array) {
    return share_memory(array, written) ? copy_of(array) : array;
}

}  // namespace gpu::detail
