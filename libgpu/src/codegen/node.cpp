// SPDX-License-Identifier: MIT
#include "codegen/node.hpp"

#include <cmath>
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

NodePointer make_number(DType dtype, double number, double imag, std::int64_t integer) {
    auto made = std::make_shared<Node>();
    made->op = Op::scalar;
    made->dtype = dtype;
    made->number = number;
    made->imag = imag;
    made->integer = integer;
    return made;
}

// An integer in another type, with its own value where that type is a floating one.
NodePointer number_as(DType result, const Node& integer) {
    return make_number(result, integer.number, 0, integer.integer);
}

}  // namespace

std::int64_t saturated(DType integer, double value) noexcept {
    if (integer == DType::boolean) return value != 0;
    if (value != value) return 0;
    const int bits = 8 << width_of(integer);
    const double end = std::ldexp(1.0, is_unsigned(integer) ? bits : bits - 1), least = is_unsigned(integer) ? 0 : -end;
    const auto most = static_cast<std::uint64_t>(-1) >> (64 - bits + (is_unsigned(integer) ? 0 : 1));
    if (value >= end) return static_cast<std::int64_t>(most);
    if (value <= least) return is_unsigned(integer) ? 0 : static_cast<std::int64_t>(~most);
    return is_unsigned(integer) ? static_cast<std::int64_t>(static_cast<std::uint64_t>(value))
                                : static_cast<std::int64_t>(value);
}

NodePointer scalar_node(DType dtype, double value) {
    const bool is_whole = !is_floating(dtype) && !is_complex(dtype);
    return is_whole ? scalar_node(dtype, saturated(dtype, value)) : make_number(dtype, value, 0, 0);
}

NodePointer scalar_node(DType dtype, double real, double imag) { return make_number(dtype, real, imag, 0); }

NodePointer scalar_node(DType dtype, std::int64_t value) {
    const bool is_large = dtype == DType::uint64 && value < 0;  // above 2^63
    const double number = is_large ? static_cast<double>(static_cast<std::uint64_t>(value)) : static_cast<double>(value);
    return make_number(dtype, number, 0, value);
}

NodePointer cast_node(DType result, NodePointer a) {
    if (a->dtype == result) return a;
    if (a->op == Op::scalar) {  // a literal takes the other operand's type: no cast in the kernel
        if (result == DType::boolean) return scalar_node(result, std::int64_t{a->number != 0 || a->imag != 0});
        if (is_complex(a->dtype)) return scalar_node(result, a->number, a->imag);
        return is_floating(a->dtype) ? scalar_node(result, a->number) : number_as(result, *a);
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
