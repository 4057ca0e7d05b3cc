// SPDX-License-Identifier: MIT
#include "property/operations.hpp"

namespace property {

using gpu::DType;

DType number_beside(int number_kind, DType array) {
    const Format::Kind kind = format_of(array).kind;
    if (number_kind == dtype_count) return kind == Format::Kind::boolean ? DType::int32 : array;
    if (kind >= Format::Kind::real) return array;
    return kind == Format::Kind::boolean && number_kind == dtype_count + 1 ? DType::float32 : DType::float64;
}

namespace {

DType common(const Value& a, const Value& b) {
    if (a.kind >= dtype_count) return number_beside(a.kind, static_cast<DType>(b.kind));
    if (b.kind >= dtype_count) return number_beside(b.kind, static_cast<DType>(a.kind));
    return promoted(static_cast<DType>(a.kind), static_cast<DType>(b.kind));
}

DType real_type(DType type) {
    if (format_of(type).kind != Format::Kind::complex) return type;
    return format_of(type).bits == 32 ? DType::float32 : DType::float64;
}

}  // namespace

Operation::Make Operation::find(const Value* operands) const {
    if (arity == 1) return operands[0].kind < dtype_count ? make[static_cast<std::size_t>(operands[0].kind)] : nullptr;
    if (arity == 3 && operands[0].kind != static_cast<int>(DType::boolean)) return nullptr;
    const Value &left = operands[arity - 2], &right = operands[arity - 1];
    return make[static_cast<std::size_t>(left.kind * operand_kinds + right.kind)];
}

DType Operation::working_type(const Value* operands) const {
    if (working == Working::boolean) return DType::boolean;
    const DType type =
        arity == 1 ? static_cast<DType>(operands[0].kind) : common(operands[arity - 2], operands[arity - 1]);
    if (working == Working::counted && type == DType::boolean) return DType::int8;
    return working == Working::floating ? property::floating(type) : type;
}

DType Operation::result_type(const Value* operands) const {
    if (gives_boolean || working == Working::boolean) return DType::boolean;
    return gives_real ? real_type(working_type(operands)) : working_type(operands);
}

Element Operation::evaluate(DType working_dtype, const DType* types, const Element* operands) const {
    Element cast[3];
    for (int k = 0; k < arity; ++k) {
        const DType to = arity == 3 && k == 0 ? DType::boolean : working_dtype;
        cast[k] = converted(types[k], to, operands[k]);
    }
    const Element result = reference(working_dtype, cast);
    return gives_boolean || !is_known(result)
               ? result
               : rounded(gives_real ? real_type(working_dtype) : working_dtype, result, ulps);
}

const Table& operations() {
    static const Table table = [] {
        Table rows;
        add_arithmetic(rows);
        add_comparisons(rows);
        add_functions(rows);
        add_integers(rows);
        add_math(rows);
        return rows;
    }();
    return table;
}

}  // namespace property
