// SPDX-License-Identifier: MIT
#include "codegen/node.hpp"

#include <algorithm>
#include <iterator>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

// $ stands for an operand each. What C++ doesn't have is in kernel_functions.cpp.
// clang-format off
std::string_view spelling(Op op) {
    switch (op) {
        case Op::leaf: case Op::scalar: case Op::cast: return "";  // written by what they hold
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

bool same_window(const ArrayCore& a, const ArrayCore& b) {
    return a.storage == b.storage && a.offset == b.offset && a.shape == b.shape && a.strides == b.strides &&
           a.dtype == b.dtype;
}

// Where this array or number stands among the parameters; one past the last if it isn't there yet.
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

// What values of a type are computed with: halves as floats, which after an operation are rounded to what a half holds.
std::string computed_type(DType type) {
    return std::string(kernel_name(type == DType::float16 ? DType::float32 : type));
}

std::string as_type(DType type, const std::string& text) {
    if (type == DType::float16) return "((float)half(" + text + "))";
    return "((" + std::string(kernel_name(type)) + ")" + text + ")";
}

std::string cast_text(DType to, DType from, const std::string& text) {
    if (to == DType::boolean && is_complex(from)) return "gpu_truth(" + text + ")";
    if (is_integer(to) && is_floating(from)) return "gpu_cast<" + computed_type(to) + ">(" + text + ")";
    if (is_complex(to) && !is_complex(from)) {
        return computed_type(to) + "((" + computed_type(real_dtype(to)) + ")" + text + ")";
    }
    return as_type(to, text);
}

// Signed integers wrap around: C++ says so of unsigned ones only, and computes short ones as int.
bool wraps(const Node& node) {
    const bool arithmetic = node.op == Op::add || node.op == Op::subtract || node.op == Op::multiply ||
                            node.op == Op::negate || node.op == Op::integer_fma || node.op == Op::square;
    return arithmetic && (node.dtype == DType::int32 || node.dtype == DType::int64 || node.dtype == DType::uint16);
}

// Results that a half holds if the operands are halves.
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
        int depth = 0;   // of brackets: compilers take some hundreds
    };

    Term term(const Node& node) {
        if (node.op == Op::leaf || node.op == Op::scalar) {
            const std::string text = node.op == Op::leaf ? "a" + std::to_string(position_of(parts_.arrays, node))
                                                         : "s" + std::to_string(position_of(parts_.numbers, node));
            return {node.dtype == DType::float16 ? "((float)" + text + ")" : text, 1};
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
        // C++ computes small integers as int: back to the array's type after every operation, as NumPy does.
        const bool is_half = node.dtype == DType::float16;
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
    if (is_too_large(root)) {
        throw Error("an expression of " + std::to_string(root.operations) + " operations on " +
                    std::to_string(root.parameters) +
                    " arrays and numbers is too large for one kernel: assign a part " + "of it to a gpu::Array first");
    }
    Flattened parts;
    visit(root, parts);
    return parts;
}

std::string expression_text(const Node& root, const Flattened& parts) { return ExpressionWriter(parts).write(root); }

std::string assigned_text(const Node& root, const Flattened& parts) {
    if (root.op != Op::leaf) return expression_text(root, parts);
    return "a" + std::to_string(position_of(parts.arrays, root));
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
