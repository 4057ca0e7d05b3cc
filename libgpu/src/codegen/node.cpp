// SPDX-License-Identifier: MIT
#include "codegen/node.hpp"

#include <utility>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

NodePointer make_node(Op op, DType dtype, Shape shape, NodePointer a, NodePointer b = {}, NodePointer c = {}) {
    auto made = std::make_shared<Node>();
    made->op = op;
    made->dtype = dtype;
    made->shape = shape;
    made->operands[0] = std::move(a);
    made->operands[1] = std::move(b);
    made->operands[2] = std::move(c);
    return made;
}

NodePointer make_number(DType dtype, double number, std::int64_t integer) {
    auto made = std::make_shared<Node>();
    made->op = Op::scalar;
    made->dtype = dtype;
    made->number = number;
    made->integer = integer;
    return made;
}

}  // namespace

NodePointer scalar_node(DType dtype, double value) {
    return make_number(dtype, value, is_floating(dtype) ? 0 : static_cast<std::int64_t>(value));
}

NodePointer scalar_node(DType dtype, std::int64_t value) {
    return make_number(dtype, static_cast<double>(value), value);
}

NodePointer cast_node(DType result, NodePointer a) {
    if (a->dtype == result) return a;
    if (a->op == Op::scalar) {  // a literal takes the other operand's type: no cast in the kernel
        if (result == DType::boolean) return scalar_node(result, std::int64_t{a->number != 0});
        return is_floating(a->dtype) ? scalar_node(result, a->number) : scalar_node(result, a->integer);
    }
    const Shape shape = a->shape;
    return make_node(Op::cast, result, shape, std::move(a));
}

NodePointer node(Op op, DType result, NodePointer a) {
    const Shape shape = a->shape;
    return make_node(op, result, shape, std::move(a));
}

NodePointer node(Op op, DType result, DType operands, NodePointer a, NodePointer b) {
    const Shape shape = broadcast(a->shape, b->shape);
    // x squared is x * x: one multiplication instead of a call, and exact where pow may not be.
    if (op == Op::pow && b->op == Op::scalar && b->number == 2 && (a->op == Op::leaf || a->op == Op::cast)) {
        const NodePointer factor = cast_node(operands, std::move(a));
        return make_node(Op::multiply, result, shape, factor, factor);
    }
    return make_node(op, result, shape, cast_node(operands, std::move(a)), cast_node(operands, std::move(b)));
}

NodePointer where_node(DType result, NodePointer condition, NodePointer a, NodePointer b) {
    const Shape shape = broadcast(condition->shape, broadcast(a->shape, b->shape));
    return make_node(Op::where, result, shape, cast_node(DType::boolean, std::move(condition)),
                     cast_node(result, std::move(a)), cast_node(result, std::move(b)));
}

const Shape& shape_of(const Node& node) noexcept { return node.shape; }

}  // namespace gpu::detail
