// SPDX-License-Identifier: MIT
#include "codegen/node.hpp"

#include <algorithm>
#include <iterator>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

// In Op's order; $ stands for an operand each. What C++ doesn't have is in kernel_functions.cpp.
constexpr std::string_view spellings[] = {
    "", "", "", "(-$)", "(!$)", "(~$)", "($ + $)", "($ - $)", "($ * $)", "($ / $)", "gpu_divide($, $)",
    "gpu_modulo($, $)", "gpu_floor_divide($, $)", "gpu_remainder($, $)", "($ == $)", "($ != $)", "($ < $)",
    "($ <= $)", "($ > $)", "($ >= $)", "($ && $)", "($ || $)", "($ != $)", "($ & $)", "($ | $)", "($ ^ $)",
    "gpu_left_shift($, $)", "gpu_right_shift($, $)", "pow($, $)", "gpu_power($, $)", "gpu_minimum($, $)",
    "gpu_maximum($, $)", "gpu_fmin($, $)", "gpu_fmax($, $)", "atan2($, $)", "hypot($, $)", "copysign($, $)",
    "($ ? $ : $)", "fma($, $, $)", "($ * $ + $)", "gpu_abs($)", "gpu_sign($)", "gpu_square($)", "gpu_reciprocal($)",
    "gpu_integer_reciprocal($)", "real($)", "imag($)", "conj($)", "arg($)", "abs($)", "gpu_isnan($)", "gpu_isinf($)",
    "gpu_isfinite($)", "gpu_signbit($)", "sqrt($)", "cbrt($)", "rsqrt($)", "exp($)", "exp2($)", "expm1($)", "log($)",
    "log2($)", "log10($)", "log1p($)", "sin($)", "cos($)", "tan($)", "asin($)", "acos($)", "atan($)", "sinh($)",
    "cosh($)", "tanh($)", "asinh($)", "acosh($)", "atanh($)", "erf($)", "erfc($)", "lgamma($)", "tgamma($)",
    "floor($)", "ceil($)", "trunc($)", "rint($)", "gpu_degrees($)", "gpu_radians($)"};
static_assert(std::size(spellings) == static_cast<std::size_t>(Op::radians) + 1);

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
        for (const char letter : spellings[static_cast<std::size_t>(node.op)]) {
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
