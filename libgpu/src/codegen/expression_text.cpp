// SPDX-License-Identifier: MIT
#include "codegen/node.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace gpu::detail {

namespace {

// In Op's order; $ stands for an operand each. What C++ doesn't have is a function of the preamble.
constexpr std::array<std::string_view, 43> spellings{
    "", "", "",
    "(-$)", "(!$)", "($ + $)", "($ - $)", "($ * $)", "($ / $)", "gpu_modulo($, $)",
    "($ == $)", "($ != $)", "($ < $)", "($ <= $)", "($ > $)", "($ >= $)", "($ && $)", "($ || $)",
    "pow($, $)", "gpu_minimum($, $)", "gpu_maximum($, $)", "atan2($, $)", "($ ? $ : $)",
    "gpu_abs($)", "sqrt($)", "exp($)", "log($)", "log2($)", "log10($)", "log1p($)", "expm1($)", "sin($)", "cos($)",
    "tan($)", "asin($)", "acos($)", "atan($)", "sinh($)", "cosh($)", "tanh($)", "floor($)", "ceil($)", "rint($)"};

bool same_window(const ArrayCore& a, const ArrayCore& b) {
    return a.storage == b.storage && a.offset == b.offset && a.shape == b.shape && a.strides == b.strides &&
           a.dtype == b.dtype;
}

// Where this array or number stands among the parameters; one past the last if it isn't there yet.
std::size_t position_of(const std::vector<const Node*>& seen, const Node& wanted) {
    const auto found = std::find_if(seen.begin(), seen.end(), [&](const Node* other) {
        return other == &wanted || (wanted.op == Op::leaf && same_window(other->array, wanted.array));
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
    for (const NodePointer& operand : node.operands) {
        if (operand != nullptr) visit(*operand, parts);
    }
}

// Halves are computed with as floats; after every operation they are rounded to what a half can hold.
std::string cast_text(DType type, const std::string& text) {
    if (type == DType::float16) return "((float)half(" + text + "))";
    return "((" + std::string(kernel_name(type)) + ")" + text + ")";
}

}  // namespace

Flattened flatten(const Node& root) {
    Flattened parts;
    visit(root, parts);
    return parts;
}

std::string expression_text(const Node& root, const Flattened& parts) {
    if (root.op == Op::leaf || root.op == Op::scalar) {
        const std::string text = root.op == Op::leaf ? "a" + std::to_string(position_of(parts.arrays, root))
                                                     : "s" + std::to_string(position_of(parts.numbers, root));
        return root.dtype == DType::float16 ? "((float)" + text + ")" : text;
    }
    if (root.op == Op::cast) return cast_text(root.dtype, expression_text(*root.operands[0], parts));
    std::string text;
    const NodePointer* operand = root.operands;
    for (char letter : spellings[static_cast<std::size_t>(root.op)]) {
        if (letter == '$') text += expression_text(**operand++, parts);
        else text += letter;
    }
    // C++ computes small integers as int: back to the array's type after every operation, as NumPy does.
    return size_of(root.dtype) < 4 ? cast_text(root.dtype, text) : text;
}

std::string expression_preamble() {
    return "template <class T> __device__ inline T gpu_minimum(T a, T b) { return a < b || a != a ? a : b; }\n"
           "template <class T> __device__ inline T gpu_maximum(T a, T b) { return a > b || a != a ? a : b; }\n"
           "template <class T> __device__ inline T gpu_abs(T a) { return a < T(0) ? T(-a) : a; }\n"
           "__device__ inline float gpu_abs(float a) { return fabsf(a); }\n"
           "__device__ inline double gpu_abs(double a) { return fabs(a); }\n"
           "template <class T> __device__ inline T gpu_modulo(T a, T b) { return T(a % b); }\n"
           "__device__ inline float gpu_modulo(float a, float b) { return fmodf(a, b); }\n"
           "__device__ inline double gpu_modulo(double a, double b) { return fmod(a, b); }\n";
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
