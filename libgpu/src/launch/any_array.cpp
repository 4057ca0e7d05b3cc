// SPDX-License-Identifier: MIT
// What operators and reductions of typed arrays decide at compile time, for arrays whose type is known at run time.
#include <string>

#include <gpu/error.hpp>
#include <gpu/reductions.hpp>

#include "codegen/node.hpp"
#include "launch/evaluate.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

DType common_dtype_of(const RunTimeOperand& a, const RunTimeOperand& b) {
    if (a.is_number) return weaken(a.dtype, b.dtype);
    if (b.is_number) return weaken(b.dtype, a.dtype);
    return promote_types(a.dtype, b.dtype);
}

bool is_whole(DType type) { return type == DType::boolean || is_integer(type); }

std::string types_text(const RunTimeOperand& a, const RunTimeOperand& b) {
    const auto one = [](const RunTimeOperand& operand) {
        return std::string(operand.is_number ? "a number of type " : "") + std::string(name(operand.dtype));
    };
    return one(a) + " and " + one(b);
}

// The types of an operator's operands and result.
struct Types {
    Op op;
    DType operands, result;
};

[[noreturn]] void refuse(const char* symbol, const RunTimeOperand& a, const RunTimeOperand& b, const char* rule) {
    throw DTypeError(std::string("an AnyArray's ") + symbol + " of " + types_text(a, b) + ": " + rule);
}

Types arithmetic(Op op, const RunTimeOperand& a, const RunTimeOperand& b) {
    const DType common = common_dtype_of(a, b), number = counted(common);
    switch (op) {
        case Op::subtract:
            if (common == DType::boolean) refuse("-", a, b, "bools don't subtract: write a ^ b");
            return {op, common, common};
        case Op::divide: return {is_whole(common) ? Op::integer_divide : Op::divide, number, number};
        case Op::modulo:
            if (is_complex(common)) refuse("%", a, b, "complex numbers have no remainder");
            return {op, number, number};
        default: return {op, common, common};
    }
}

Types of_bits(Op op, const char* symbol, const RunTimeOperand& a, const RunTimeOperand& b) {
    const DType common = common_dtype_of(a, b);
    if (!is_whole(common)) refuse(symbol, a, b, "bits are those of integers and bools: write any.astype<int>()");
    const bool shifts = op == Op::left_shift || op == Op::right_shift;
    const DType type = shifts ? counted(common) : common;
    return {op, type, type};
}

Types order(Op op, const char* symbol, const RunTimeOperand& a, const RunTimeOperand& b) {
    const DType common = common_dtype_of(a, b);
    if (is_complex(common)) refuse(symbol, a, b, "complex numbers have no order");
    return {op, common, DType::boolean};
}

Types types_of(Op op, const RunTimeOperand& a, const RunTimeOperand& b) {
    switch (op) {
        case Op::bitwise_and: return of_bits(op, "&", a, b);
        case Op::bitwise_or: return of_bits(op, "|", a, b);
        case Op::bitwise_xor: return of_bits(op, "^", a, b);
        case Op::left_shift: return of_bits(op, "<<", a, b);
        case Op::right_shift: return of_bits(op, ">>", a, b);
        case Op::equal:
        case Op::not_equal: return {op, common_dtype_of(a, b), DType::boolean};
        case Op::less: return order(op, "<", a, b);
        case Op::less_equal: return order(op, "<=", a, b);
        case Op::greater: return order(op, ">", a, b);
        case Op::greater_equal: return order(op, ">=", a, b);
        case Op::logical_and:
        case Op::logical_or: return {op, DType::boolean, DType::boolean};
        default: return arithmetic(op, a, b);
    }
}

}  // namespace

ArrayCore run_time_binary(Op op, const RunTimeOperand& a, const RunTimeOperand& b) {
    const Types types = types_of(op, a, b);
    return evaluate(node(types.op, types.result, types.operands, a.node, b.node));
}

ArrayCore run_time_where(const NodePointer& condition, const RunTimeOperand& a, const RunTimeOperand& b) {
    return evaluate(where_node(common_dtype_of(a, b), condition, a.node, b.node));
}

const ArrayCore& ordered(const ArrayCore& a, const char* operation) {
    if (!is_complex(a.dtype)) return a;
    throw DTypeError(std::string(operation) + ": the AnyArray has " + std::string(name(a.dtype)) +
                     " elements, and complex numbers have no order: compare their gpu::abs(z)");
}

ArrayCore run_time_unary(Op op, const ArrayCore& a) {
    const bool is_bool = a.dtype == DType::boolean;
    if (op == Op::negate && is_bool) throw DTypeError("an AnyArray's - of bool: a bool has no negative: write !any");
    if (op == Op::bitwise_not && !is_whole(a.dtype)) {
        throw DTypeError("an AnyArray's ~ of " + std::string(name(a.dtype)) +
                         ": bits are those of integers and bools: write any.astype<int>()");
    }
    if (op == Op::bitwise_not && is_bool) op = Op::logical_not;
    const DType result = op == Op::logical_not ? DType::boolean : a.dtype;
    return evaluate(node(op, result, cast_node(result, leaf(a))));
}

ArrayCore cast_copy(const ArrayCore& source, DType dtype) {
    if (is_complex(source.dtype) && !is_complex(dtype) && dtype != DType::boolean) {
        throw DTypeError("astype: " + std::string(name(source.dtype)) + " elements can't become " +
                         std::string(name(dtype)) +
                         ": complex numbers have two parts: take gpu::real(z), gpu::imag(z) or gpu::abs(z)");
    }
    ArrayCore result = make_array_on(source.storage->device(), dtype, source.shape, own_layout(source));
    assign(result, cast_node(dtype, leaf(source)), false);
    return result;
}

const ArrayCore& same_elements(const ArrayCore& result, DType wanted) {
    if (result.dtype == wanted) return result;
    throw DTypeError("an operator in place: the result has " + std::string(name(result.dtype)) +
                     " elements, and the array keeps its " + std::string(name(wanted)) +
                     " ones: write x = (x + y).astype<T>()");
}

const ArrayCore& typed(const ArrayCore& core, DType wanted, const char* operation) {
    if (core.dtype == wanted) return core;
    const auto type = [](DType dtype) { return std::string(name(dtype)); };
    throw DTypeError(std::string(operation) + ": the AnyArray has " + type(core.dtype) + " elements, not " +
                     type(wanted) + ": name this type, or convert them by any.astype<T>()");
}

void throw_not_visited(DType dtype, std::span<const DType> visited) {
    std::string text;
    for (const DType type : visited) text += (text.empty() ? "" : ", ") + std::string(name(type));
    throw DTypeError("visit: the AnyArray has " + std::string(name(dtype)) + " elements; the function is for " + text);
}

ArrayCore run_time_reduce(Reduction kind, const ArrayCore& a, const ReduceOptions& options) {
    DType element = DType::boolean, result = DType::boolean;
    switch (kind) {
        case Reduction::sum:
        case Reduction::prod:
            result = sum_dtype(a.dtype);
            element = accumulator(result);
            break;
        case Reduction::mean:
            result = floating(a.dtype);
            element = accumulator(result);
            break;
        case Reduction::min:
        case Reduction::max:
        case Reduction::argmin:
        case Reduction::argmax:
            if (is_complex(a.dtype)) {
                throw DTypeError("a reduction of an AnyArray with " + std::string(name(a.dtype)) +
                                 " elements: complex numbers have no order: compare their gpu::abs(z)");
            }
            element = comparable(a.dtype);
            result = kind == Reduction::min || kind == Reduction::max ? a.dtype : DType::int64;
            break;
        case Reduction::count_nonzero: result = DType::int64; break;
        default: break;  // any, all: bools
    }
    return reduce({.kind = kind, .element = element, .result = result}, leaf(a), options);
}

}  // namespace gpu::detail
