// SPDX-License-Identifier: MIT
#include "codegen/node.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

void count_tree(Node& node) {
    constexpr std::int32_t enough = 1 << 28;
    node.operations = 1;
    node.parameters = 0;
    for (const NodePointer& operand : node.operands) {
        if (operand == nullptr) continue;
        node.operations = std::min(node.operations + operand->operations, enough);
        node.parameters = std::min(node.parameters + operand->parameters, enough);
    }
}

NodePointer make_node(Op op, DType dtype, Shape shape, NodePointer a, NodePointer b = {}, NodePointer c = {}) {
    auto made = std::make_shared<Node>();
    made->op = op;
    made->dtype = dtype;
    made->shape = shape;
    made->operands[0] = std::move(a);
    made->operands[1] = std::move(b);
    made->operands[2] = std::move(c);
    count_tree(*made);
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
    const double number =
        is_large ? static_cast<double>(static_cast<std::uint64_t>(value)) : static_cast<double>(value);
    return make_number(dtype, number, 0, value);
}

NodePointer cast_node(DType result, NodePointer a) {
    if (a->dtype == result) return a;
    if (a->op == Op::scalar) {  // a literal takes the other operand's type: no cast in the kernel
        if (result == DType::boolean) return scalar_node(result, std::int64_t{a->number != 0 || a->imag != 0});
        if (is_complex(a->dtype)) return scalar_node(result, a->number, a->imag);
        return is_floating(a->dtype) ? scalar_node(result, a->number) : number_as(result, *a);
    }
    if (is_complex(a->dtype) && !is_complex(result) && result != DType::boolean) {
        throw DTypeError("complex numbers can't become " + std::string(name(result)) +
                         ": take gpu::real(z), gpu::imag(z) or gpu::abs(z)");
    }
    const Shape shape = a->shape;
    return make_node(Op::cast, result, shape, std::move(a));
}

NodePointer with_operands(const Node& node, const NodePointer* operands) {
    auto made = std::make_shared<Node>(node);
    std::copy(operands, operands + 3, made->operands);
    count_tree(*made);
    return made;
}

// A tree's nodes go one after the other: the first that is destroyed takes those below it onto a list.
Node::~Node() {
    // Most trees are shallow: what is below leaves and numbers is nothing.
    if (std::all_of(std::begin(operands), std::end(operands), [](const NodePointer& operand) {
            return operand == nullptr || operand->operands[0] == nullptr;
        })) {
        return;
    }
    static thread_local std::vector<NodePointer>* waiting = nullptr;
    if (waiting != nullptr) {
        for (NodePointer& operand : operands) {
            if (operand != nullptr) waiting->push_back(std::move(operand));
        }
        return;
    }
    std::vector<NodePointer> list(std::make_move_iterator(std::begin(operands)),
                                  std::make_move_iterator(std::end(operands)));
    waiting = &list;
    while (!list.empty()) {
        const NodePointer next = std::move(list.back());
        list.pop_back();
    }
    waiting = nullptr;
}

NodePointer node(Op op, DType result, NodePointer a) {
    const Shape shape = a->shape;
    return make_node(op, result, shape, std::move(a));
}

namespace {

bool is_comparison(Op op) {
    return op == Op::equal || op == Op::not_equal || op == Op::less || op == Op::less_equal || op == Op::greater ||
           op == Op::greater_equal;
}
bool is_above_63_bits(const Node& number) { return number.dtype == DType::uint64 && number.integer < 0; }

}  // namespace

bool fits(const Node& number, DType integer) {
    if (is_floating(number.dtype)) {
        const double end = std::ldexp(1.0, (8 << width_of(integer)) - (is_unsigned(integer) ? 0 : 1));
        const double whole = std::trunc(number.number);
        return whole >= (is_unsigned(integer) ? 0 : -end) && whole < end;  // false for NaN
    }
    const bool is_large = is_above_63_bits(number);
    if (integer == DType::uint64) return is_large || number.integer >= 0;
    const int bits = (8 << width_of(integer)) - (is_unsigned(integer) ? 0 : 1);
    if (is_large) return false;
    if (bits >= 63) return true;
    const std::int64_t end = std::int64_t{1} << bits;
    return number.integer < end && number.integer >= (is_unsigned(integer) ? 0 : -end);
}

std::string number_text(const Node& number) {
    if (is_floating(number.dtype)) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", number.number);
        return text;
    }
    return is_above_63_bits(number) ? std::to_string(static_cast<std::uint64_t>(number.integer))
                                    : std::to_string(number.integer);
}

namespace {

// The type that operands are cast to, where one is a number that the array's type doesn't hold. A comparison is still
// right then; what else would wrap around silently is refused, as NumPy does.
DType checked_operands(Op op, DType operands, const Node& a, const Node& b) {
    if (!is_integer(operands)) return operands;
    for (const Node* number : {&a, &b}) {
        if (number->op != Op::scalar || !(is_integer(number->dtype) || number->dtype == DType::boolean)) continue;
        if (fits(*number, operands)) continue;
        if (is_comparison(op))
            return operands == DType::uint64 || is_above_63_bits(*number) ? DType::float64 : DType::int64;
        throw DTypeError("the number " + number_text(*number) + " doesn't fit " + std::string(name(operands)) +
                         ", the type of the array that it is used with: write x.astype<...>() for a wider one");
    }
    return operands;
}

}  // namespace

NodePointer node(Op op, DType result, DType operands, NodePointer a, NodePointer b) {
    const Shape shape = broadcast(a->shape, b->shape);
    operands = checked_operands(op, operands, *a, *b);
    // x squared is x * x: one multiplication instead of a call, and exact where pow may not be.
    if ((op == Op::pow || op == Op::integer_pow) && b->op == Op::scalar && b->number == 2 && b->imag == 0) {
        const NodePointer factor = cast_node(operands, std::move(a));
        if (factor->op == Op::leaf || factor->op == Op::cast) {
            return make_node(Op::multiply, result, shape, factor, factor);
        }
        return make_node(Op::square, result, shape, factor);
    }
    return make_node(op, result, shape, cast_node(operands, std::move(a)), cast_node(operands, std::move(b)));
}

NodePointer node(Op op, DType result, DType operands, NodePointer a, NodePointer b, NodePointer c) {
    const Shape shape = broadcast(a->shape, broadcast(b->shape, c->shape));
    operands = checked_operands(op, checked_operands(op, operands, *a, *b), *c, *c);
    return make_node(op, result, shape, cast_node(operands, std::move(a)), cast_node(operands, std::move(b)),
                     cast_node(operands, std::move(c)));
}

NodePointer where_node(DType result, NodePointer condition, NodePointer a, NodePointer b) {
    const Shape shape = broadcast(condition->shape, broadcast(a->shape, b->shape));
    result = checked_operands(Op::where, result, *a, *b);
    return make_node(Op::where, result, shape, cast_node(DType::boolean, std::move(condition)),
                     cast_node(result, std::move(a)), cast_node(result, std::move(b)));
}

const Shape& shape_of(const Node& node) noexcept { return node.shape; }

}  // namespace gpu::detail
