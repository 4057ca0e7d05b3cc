// SPDX-License-Identifier: MIT
// Lazy expressions: evaluated in one kernel when they are assigned.
#include <algorithm>
#include <unordered_map>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "launch/generated_call.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::vector<const ArrayCore*> arrays_in(const Flattened& parts) {
    std::vector<const ArrayCore*> arrays;
    for (const Node* leaf : parts.arrays) arrays.push_back(&leaf->array);
    return arrays;
}

}  // namespace

bool overlaps(const ArrayCore& target, const Flattened& parts, const Shape& shape) {
    // By address: two buffers may be windows on one piece of memory that somebody else allocated.
    const auto address = [](const ArrayCore& array) { return reinterpret_cast<std::intptr_t>(array.storage->data()); };
    const ByteRange written = byte_range(target);
    for (const Node* input : parts.arrays) {
        const bool same_walk = data_of(input->array) == data_of(target) && input->array.dtype == target.dtype &&
                               broadcast_strides(input->array, shape) == target.strides;
        const ByteRange read = byte_range(input->array);
        const std::int64_t apart = address(input->array) - address(target);
        if (!same_walk && read.first + apart < written.last && written.first < read.last + apart) return true;
    }
    return false;
}

namespace {

void evaluate_into(const ArrayCore& target, const Node& root, const Flattened& parts, Device device) {
    ElementwiseCall call{.device = device,
                         .shape = target.shape,
                         .bindings = bind_expression(parts),
                         .in_order = false,
                         .key = "x" + parts.key + static_cast<char>(target.dtype),
                         .text = {}};
    const std::string type(kernel_name(target.dtype));
    call.bindings.push_back({{.role = Parameter::Role::output, .type = type, .name = "out", .strided = false},
                             target.dtype, &target, nullptr});
    call.text = [&] {
        return ElementwiseText{.name = "expression",
                               .parameters = {},
                               .rank = 1,
                               .typedefs = {},
                               .preamble = {},
                               .body = {"out = (" + type + ")" + expression_text(root, parts), "expression", 1}};
    };
    launch_elementwise(call);
}

}  // namespace

NodePointer leaf(const ArrayCore& core) {
    if (core.storage == nullptr) throw Error("an array that was moved from is used in an expression");
    auto made = std::make_shared<Node>();
    made->op = Op::leaf;
    made->dtype = core.dtype;
    made->shape = core.shape;
    made->array = core;
    made->version = core.storage->version();
    return made;
}

NodePointer within_limits(const NodePointer& root) {
    if (!is_too_large(*root)) return root;
    // Operands before what uses them, without recursion. What gets too large has its largest operands evaluated.
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
            // One that occurs twice is evaluated once.
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
    const NodePointer root = within_limits(whole);
    const Flattened parts = flatten(*root);
    check_versions(parts);
    const Device device = common_device(arrays_in(parts), "expression");
    const DeviceGuard guard(device);
    const ArrayCore result = make_array(root->dtype, root->shape);
    evaluate_into(result, *root, parts, device);
    return result;
}

void assign(ArrayCore& target, const NodePointer& whole, bool may_reallocate) {
    const NodePointer value = within_limits(whole);
    const Flattened parts = flatten(*value);
    check_versions(parts);
    std::vector<const ArrayCore*> arrays = arrays_in(parts);
    if (may_reallocate) {
        const bool fits = target.storage != nullptr && target.shape == value->shape &&
                          (arrays.empty() || arrays.front()->storage->device() == target.storage->device());
        if (!fits) {
            // Same elements, new buffer; an expression of the old one keeps that alive.
            ArrayCore fresh = evaluate(cast_node(target.dtype, value));
            target = std::move(fresh);
            return;
        }
    } else if (!broadcasts_to(value->shape, target.shape)) {
        throw ShapeError("assignment: a value of shape " + to_string(value->shape) +
                         " doesn't fit a window of shape " + to_string(target.shape));
    }
    arrays.push_back(&target);
    const Device device = common_device(arrays, "assignment");
    if (overlaps(target, parts, target.shape)) {
        const ArrayCore copy = evaluate(cast_node(target.dtype, value));
        return assign(target, leaf(copy), false);
    }
    evaluate_into(target, *value, parts, device);
}

}  // namespace gpu::detail
