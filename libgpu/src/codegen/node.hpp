// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gpu/expression.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// One node of a lazy expression: an operation on other nodes, an array, or a number.
struct Node {
    Op op = Op::leaf;
    DType dtype = DType::float32;
    Shape shape;
    NodePointer operands[3];
    std::int32_t operations = 0;  ///< in the whole tree; shared ones are counted repeatedly
    std::int32_t parameters = 1;  ///< arrays and numbers in the tree, counted likewise
    ArrayCore array;             ///< leaf
    std::uint64_t version = 0;   ///< leaf: the buffer's when the expression was built
    double number = 0;           ///< scalar of a floating type, or the real part of a complex one
    double imag = 0;             ///< scalar of a complex type
    std::int64_t integer = 0;    ///< scalar of an integer type or bool

    Node() = default;
    Node(const Node&) = default;
    Node& operator=(const Node&) = delete;
    ~Node();   ///< not recursive: a tree may be deeper than the stack
};

/// The limits of one kernel: larger trees are evaluated in pieces, see split_large_tree(). A GPU's parameters have 4
/// KiB.
inline constexpr std::int32_t max_operations = 256, max_parameters = 40;
[[nodiscard]] inline bool is_too_large(const Node& node) noexcept {
    return node.operations > max_operations || node.parameters > max_parameters;
}

inline NodePointer double_node(double value) { return scalar_node(DType::float64, value); }
/// An operation on doubles.
inline NodePointer double_operation(Op op, const NodePointer& a, const NodePointer& b) {
    return node(op, DType::float64, DType::float64, a, b);
}

/// True if both are the same elements of an array, in the state of the same time.
[[nodiscard]] bool is_same_leaf(const Node& a, const Node& b) noexcept;

/// The same operation on other operands.
NodePointer with_operands(const Node& node, const NodePointer* operands);

/// A number as an integer of this type, converted like astype(): values out of range become the nearest one, NaN 0.
/// uint64's upper half is returned as negative numbers.
std::int64_t saturated(DType integer, double value) noexcept;

/// True if an integer type can hold the number, truncated.
bool fits(const Node& number, DType integer);
/// An integer type and what it can hold: "uint8 (0 to 255)".
std::string with_range(DType integer);
/// A real number's value as text: "300", "1e+300".
std::string number_text(const Node& number);

/// The parts of an expression: its arrays and numbers, each once, and a key that equal structures share.
struct Flattened {
    std::vector<const Node*> arrays;   ///< in the order of the parameters a0, a1, ...
    std::vector<const Node*> numbers;  ///< s0, s1, ...
    std::vector<const Node*> operations;  ///< each once
    std::vector<const Node*> shared;      ///< those that occur more than once: computed once
    std::string key;                   ///< operations, types and parameter numbers, without values
};
/// @throws Error if the tree is too large for one kernel
Flattened flatten(const Node& root);
/// Of several expressions together, with the same names in all of them.
Flattened flatten(std::span<const Node* const> roots);

/// The expression in CUDA C++ over a0, a1, ... and s0, s1, ...
std::string expression_text(const Node& root, const Flattened& parts);
/// The same for an assignment's right-hand side: a lone array is copied bit by bit, including the NaNs of halves.
std::string rhs_text(const Node& root, const Flattened& parts);
/// Which of the arrays a0, a1, ... the expression has.
std::vector<bool> arrays_used(const Node& root, const Flattened& parts);

/// The parameters a0, ..., s0, ... of a kernel that computes the expression; `strided` says which arrays are.
std::vector<Parameter> expression_parameters(const Flattened& parts, const std::vector<bool>& strided);

}  // namespace gpu::detail
