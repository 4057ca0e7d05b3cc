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
    constexpr std::int32_t max_count = 1 << 28;
    node.operations = 1;
    node.parameters = 0;
    for (const NodePointer& operand : node.operands) {
        if (operand == nullptr) continue;
        node.operations = std::min(node.operations + operand->operations, max_count);
        node.parameters = std::min(node.parameters + operand->parameters, max_count);
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

// An integer in another type, with its exact value if that type is a floating one.
NodePointer number_as(DType result, const Node& integer) {
    return make_number(result, integer.number, 0, integer.integer);
}

}  // namespace

std::int64_t saturated(DType integer, double value) noexcept {
    if (integer == DType::boolean) return value != 0;
    if (value != value) return 0;
    const int bits = 8 << width_of(integer);
    const double end = std::ldexp(1.0, is_unsigned(integer) ? bits : bits - 1),
                 min_value = is_unsigned(integer) ? 0 : -end;
    const auto max_value = static_cast<std::uint64_t>(-1) >> (64 - bits + (is_unsigned(integer) ? 0 : 1));
    if (value >= end) return static_cast<std::int64_t>(max_value);
    if (value <= min_value) return is_unsigned(integer) ? 0 : static_cast<std::int64_t>(~max_value);
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

bool is_same_leaf(const Node& a, const Node& b) noexcept {
    return a.op == Op::leaf && b.op == Op::leaf && a.version == b.version && a.array.storage == b.array.storage &&
           a.array.offset == b.array.offset && a.array.shape == b.array.shape && a.array.strides == b.array.strides &&
           a.array.dtype == b.array.dtype;
}

NodePointer with_operands(const Node& node, const NodePointer* operands) {
    auto made = std::make_shared<Node>(node);
    std::copy(operands, operands + 3, made->operands);
    count_tree(*made);
    return made;
}

// A tree's nodes are destroyed iteratively: the first one moves those below it to a list.
Node::~Node() {
    // Most trees are shallow, with only leaves and numbers below.
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

std::string with_range(DType integer) {
    const int bits = (8 << width_of(integer)) - (is_unsigned(integer) ? 0 : 1);
    const std::uint64_t max_value = static_cast<std::uint64_t>(-1) >> (64 - bits);
    const std::string min_value =
        is_unsigned(integer) ? "0" : std::to_string(-static_cast<std::int64_t>(max_value) - 1);
    return std::string(name(integer)) + " (" + min_value + " to " + std::to_string(max_value) + ")";
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

// The type that operands are cast to if one is a number that the array's type doesn't hold. A comparison is still right
// then; operations that would silently wrap around are rejected, as in NumPy.
std::string function_name(Op op);
DType checked_operands(Op op, DType operands, const Node& a, const Node& b) {
    if (!is_integer(operands)) return operands;
    for (const Node* number : {&a, &b}) {
        if (number->op != Op::scalar || !(is_integer(number->dtype) || number->dtype == DType::boolean)) continue;
        if (fits(*number, operands)) continue;
        if (is_comparison(op))
            return operands == DType::uint64 || is_above_63_bits(*number) ? DType::float64 : DType::int64;
        throw DTypeError(function_name(op) + ": the number " + number_text(*number) + " doesn't fit " +
                         with_range(operands) +
                         ", the type of the array that it is used with: write x.astype<...>() for a wider one");
    }
    return operands;
}

}  // namespace

NodePointer element_node(const NodePointer& number, DType element, const char* operation) {
    if (is_integer(element) && !fits(*number, element)) {
        throw DTypeError(std::string(operation) + ": the number " + number_text(*number) + " doesn't fit " +
                         with_range(element) + ", the type of the array's elements");
    }
    return cast_node(element, number);
}

NodePointer node(Op op, DType result, DType operands, NodePointer a, NodePointer b) {
    const Shape shape = broadcast(a->shape, b->shape);
    operands = checked_operands(op, operands, *a, *b);
    // x squared is x * x: a multiplication instead of a call, and exact where pow may not be.
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

namespace {

// Each $ stands for an operand. support/functions.cuh has what C++ lacks.
// clang-format off
std::string_view spelling(Op op) {
    switch (op) {
        case Op::leaf: case Op::scalar: case Op::cast: return "";  // written according to their contents
        case Op::negate: return "(-$)";
        case Op::logical_not: return "(!$)";
        case Op::bitwise_not: return "(~$)";
        case Op::add: return "($ + $)";
        case Op::subtract: return "($ - $)";
        case Op::multiply: return "($ * $)";
        case Op::divide: return "($ / $)";
        case Op::integer_divide: return "gpu_divide($, $)";
        case Op::modulo: return "gpu_modulo($, $)";
        case Op::floor_divide: return "gpu_floor_divide($, $)";
        case Op::remainder: return "gpu_remainder($, $)";
        case Op::equal: return "($ == $)";
        case Op::not_equal: return "($ != $)";
        case Op::less: return "($ < $)";
        case Op::less_equal: return "($ <= $)";
        case Op::greater: return "($ > $)";
        case Op::greater_equal: return "($ >= $)";
        case Op::logical_and: return "($ && $)";
        case Op::logical_or: return "($ || $)";
        case Op::logical_xor: return "($ != $)";
        case Op::bitwise_and: return "($ & $)";
        case Op::bitwise_or: return "($ | $)";
        case Op::bitwise_xor: return "($ ^ $)";
        case Op::left_shift: return "gpu_left_shift($, $)";
        case Op::right_shift: return "gpu_right_shift($, $)";
        case Op::pow: return "pow($, $)";
        case Op::integer_pow: return "gpu_power($, $)";
        case Op::minimum: return "gpu_minimum($, $)";
        case Op::maximum: return "gpu_maximum($, $)";
        case Op::fmin: return "gpu_fmin($, $)";
        case Op::fmax: return "gpu_fmax($, $)";
        case Op::atan2: return "atan2($, $)";
        case Op::hypot: return "hypot($, $)";
        case Op::copysign: return "copysign($, $)";
        case Op::where: return "($ ? $ : $)";
        case Op::fma: return "fma($, $, $)";
        case Op::integer_fma: return "($ * $ + $)";
        case Op::abs: return "gpu_abs($)";
        case Op::sign: return "gpu_sign($)";
        case Op::square: return "gpu_square($)";
        case Op::reciprocal: return "gpu_reciprocal($)";
        case Op::integer_reciprocal: return "gpu_integer_reciprocal($)";
        case Op::real: return "real($)";
        case Op::imag: return "imag($)";
        case Op::conj: return "conj($)";
        case Op::arg: return "arg($)";
        case Op::magnitude: return "abs($)";
        case Op::isnan: return "gpu_isnan($)";
        case Op::isinf: return "gpu_isinf($)";
        case Op::isfinite: return "gpu_isfinite($)";
        case Op::signbit: return "gpu_signbit($)";
        case Op::sqrt: return "sqrt($)";
        case Op::cbrt: return "cbrt($)";
        case Op::rsqrt: return "rsqrt($)";
        case Op::exp: return "exp($)";
        case Op::exp2: return "exp2($)";
        case Op::expm1: return "expm1($)";
        case Op::log: return "log($)";
        case Op::log2: return "log2($)";
        case Op::log10: return "log10($)";
        case Op::log1p: return "log1p($)";
        case Op::sin: return "sin($)";
        case Op::cos: return "cos($)";
        case Op::tan: return "tan($)";
        case Op::asin: return "asin($)";
        case Op::acos: return "acos($)";
        case Op::atan: return "atan($)";
        case Op::sinh: return "sinh($)";
        case Op::cosh: return "cosh($)";
        case Op::tanh: return "tanh($)";
        case Op::asinh: return "asinh($)";
        case Op::acosh: return "acosh($)";
        case Op::atanh: return "atanh($)";
        case Op::erf: return "erf($)";
        case Op::erfc: return "erfc($)";
        case Op::lgamma: return "lgamma($)";
        case Op::tgamma: return "tgamma($)";
        case Op::floor: return "floor($)";
        case Op::ceil: return "ceil($)";
        case Op::trunc: return "trunc($)";
        case Op::round: return "rint($)";
        case Op::degrees: return "gpu_degrees($)";
        case Op::radians: return "gpu_radians($)";
    }
    return "";
}
// clang-format on

// "+", "minimum": what the program wrote, or nearly.
std::string function_name(Op op) {
    if (op == Op::where) return "where";
    if (op == Op::integer_fma) return "fma";
    if (op == Op::integer_divide) return "/";
    if (op == Op::modulo) return "%";
    if (op == Op::left_shift) return "<<";
    if (op == Op::right_shift) return ">>";
    const std::string text(spelling(op));
    if (text.starts_with("($ ")) return text.substr(3, text.rfind(' ') - 3);
    const std::size_t from = text.starts_with("gpu_") ? 4 : 0;
    return text.substr(from, text.find('(') - from);
}

bool same_window(const ArrayCore& a, const ArrayCore& b) {
    return a.storage == b.storage && a.offset == b.offset && a.shape == b.shape && a.strides == b.strides &&
           a.dtype == b.dtype;
}

// The index of this array or number among the parameters; one past the last if it isn't there yet.
std::size_t position_of(const std::vector<const Node*>& seen, const Node& wanted) {
    const auto found = std::find_if(seen.begin(), seen.end(), [&](const Node* other) {
        return other == &wanted || (wanted.op == Op::leaf && wanted.version == other->version &&
                                    same_window(other->array, wanted.array));
    });
    return static_cast<std::size_t>(std::distance(seen.begin(), found));
}

void visit(const Node& node, Flattened& parts) {
    parts.key += static_cast<char>(node.op);
    parts.key += static_cast<char>(node.dtype);
    if (node.op == Op::leaf || node.op == Op::scalar) {
        auto& seen = node.op == Op::leaf ? parts.arrays : parts.numbers;
        const std::size_t position = position_of(seen, node);
        if (position == seen.size()) seen.push_back(&node);
        parts.key += static_cast<char>(position);
        return;
    }
    const auto seen = std::find(parts.operations.begin(), parts.operations.end(), &node);
    if (seen != parts.operations.end()) {
        const auto number = std::distance(parts.operations.begin(), seen);
        parts.key += {static_cast<char>(0xff), static_cast<char>(number % 256), static_cast<char>(number / 256)};
        if (std::count(parts.shared.begin(), parts.shared.end(), &node) == 0) parts.shared.push_back(&node);
        return;
    }
    parts.operations.push_back(&node);
    for (const NodePointer& operand : node.operands) {
        if (operand != nullptr) visit(*operand, parts);
    }
}

// The type that values of a type are computed in: halves as floats, rounded to a half after each operation.
std::string computed_type(DType type) { return std::string(kernel_name(computed_dtype(type))); }

std::string as_type(DType type, const std::string& text) {
    const std::string name(kernel_name(type));
    return is_short_float(type) ? "((float)" + name + "(" + text + "))" : "((" + name + ")" + text + ")";
}

std::string cast_text(DType to, DType from, const std::string& text) {
    if (to == DType::boolean && is_complex(from)) return "gpu_truth(" + text + ")";
    if (is_integer(to) && is_floating(from)) return "gpu_cast<" + computed_type(to) + ">(" + text + ")";
    if (is_complex(to) && !is_complex(from)) {
        return computed_type(to) + "((" + computed_type(real_dtype(to)) + ")" + text + ")";
    }
    return as_type(to, text);
}

// Signed integers must wrap around: C++ guarantees this only for unsigned ones, and computes short ones as int.
bool wraps(const Node& node) {
    const bool arithmetic = node.op == Op::add || node.op == Op::subtract || node.op == Op::multiply ||
                            node.op == Op::negate || node.op == Op::integer_fma || node.op == Op::square;
    return arithmetic && (node.dtype == DType::int32 || node.dtype == DType::int64 || node.dtype == DType::uint16);
}

// True for operations whose result is a half if the operands are.
bool keeps_halves(Op op) {
    switch (op) {
        case Op::negate: case Op::abs: case Op::sign: case Op::minimum: case Op::maximum: case Op::fmin: case Op::fmax:
        case Op::copysign: case Op::where: case Op::floor: case Op::ceil: case Op::trunc: case Op::round: return true;
        default: return false;
    }
}

class ExpressionWriter {
public:
    explicit ExpressionWriter(const Flattened& parts) : parts_(parts) {}

    std::string write(const Node& root) {
        const std::string text = term(root).text;
        return statements_.empty() ? text : "[&] {\n" + statements_ + "return " + text + ";\n}()";
    }

private:
    struct Term {
        std::string text;
        int depth = 0;   // of brackets: compilers accept some hundreds
    };

    Term term(const Node& node) {
        if (node.op == Op::leaf || node.op == Op::scalar) {
            const std::string text = node.op == Op::leaf ? "a" + std::to_string(position_of(parts_.arrays, node))
                                                         : "s" + std::to_string(position_of(parts_.numbers, node));
            return {is_short_float(node.dtype) ? "((float)" + text + ")" : text, 1};
        }
        for (std::size_t k = 0; k < named_.size(); ++k) {
            if (named_[k] == &node) return {"t" + std::to_string(k), 0};
        }
        Term made = operation(node);
        const bool is_shared = std::count(parts_.shared.begin(), parts_.shared.end(), &node) != 0;
        const bool is_trivial = node.op == Op::cast && node.operands[0]->operations == 0;
        if ((!is_shared || is_trivial) && made.depth < 16) return made;
        const std::string name = "t" + std::to_string(named_.size());
        statements_ += "const " + computed_type(node.dtype) + " " + name + " = " + made.text + ";\n";
        named_.push_back(&node);
        return {name, 0};
    }

    Term operation(const Node& node) {
        if (node.op == Op::cast) {
            const Term operand = term(*node.operands[0]);
            return {cast_text(node.dtype, node.operands[0]->dtype, operand.text), operand.depth + 1};
        }
        Term made;
        const NodePointer* operand = node.operands;
        const bool is_unsigned_inside = wraps(node);
        const std::string inside = node.dtype == DType::int64 ? "(unsigned long long)" : "(unsigned)";
        for (const char letter : spelling(node.op)) {
            if (letter != '$') {
                made.text += letter;
                continue;
            }
            const Term part = term(**operand++);
            made.text += (is_unsigned_inside ? inside : "") + part.text;
            made.depth = std::max(made.depth, part.depth + 1);
        }
        // C++ computes small integers as int: convert back to the array's type after every operation, as NumPy does.
        const bool is_half = is_short_float(node.dtype);
        if (is_half ? !keeps_halves(node.op) : is_unsigned_inside || size_of(node.dtype) < 4) {
            made.text = as_type(node.dtype, made.text);
            ++made.depth;
        }
        return made;
    }

    const Flattened& parts_;
    std::vector<const Node*> named_;   // t0, t1, ...
    std::string statements_;
};

}  // namespace

Flattened flatten(const Node& root) {
    const Node* const only = &root;
    return flatten(std::span(&only, 1));
}

Flattened flatten(std::span<const Node* const> roots) {
    Flattened parts;
    constexpr std::size_t usual = 4;
    parts.arrays.reserve(usual);
    parts.operations.reserve(usual);
    for (const Node* root : roots) {
        if (is_too_large(*root)) {
            throw Error("an expression of " + std::to_string(root->operations) + " operations on " +
                        std::to_string(root->parameters) +
                        " arrays and numbers is too large for one kernel: assign a part of it to a gpu::Array first");
        }
        visit(*root, parts);
    }
    return parts;
}

std::string expression_text(const Node& root, const Flattened& parts) { return ExpressionWriter(parts).write(root); }

std::string rhs_text(const Node& root, const Flattened& parts) {
    if (root.op != Op::leaf) return expression_text(root, parts);
    return "a" + std::to_string(position_of(parts.arrays, root));
}

namespace {

void mark_used(const Node& node, const Flattened& parts, std::vector<const Node*>& seen, std::vector<bool>& used) {
    if (node.op == Op::leaf) used[position_of(parts.arrays, node)] = true;
    if (node.operands[0] == nullptr || std::count(seen.begin(), seen.end(), &node) != 0) return;
    seen.push_back(&node);
    for (const NodePointer& operand : node.operands)
        if (operand != nullptr) mark_used(*operand, parts, seen, used);
}

}  // namespace

std::vector<bool> arrays_used(const Node& root, const Flattened& parts) {
    std::vector<bool> used(parts.arrays.size(), false);
    std::vector<const Node*> seen;
    mark_used(root, parts, seen, used);
    return used;
}

std::vector<Parameter> expression_parameters(const Flattened& parts, const std::vector<bool>& strided) {
    std::vector<Parameter> parameters;
    for (std::size_t k = 0; k < parts.arrays.size(); ++k) {
        parameters.push_back({.role = Parameter::Role::input,
                              .type = std::string(kernel_name(parts.arrays[k]->dtype)),
                              .name = "a" + std::to_string(k),
                              .strided = strided[k]});
    }
    for (std::size_t k = 0; k < parts.numbers.size(); ++k) {
        parameters.push_back({.role = Parameter::Role::scalar,
                              .type = std::string(kernel_name(parts.numbers[k]->dtype)),
                              .name = "s" + std::to_string(k),
                              .strided = false});
    }
    return parameters;
}

}  // namespace gpu::detail
