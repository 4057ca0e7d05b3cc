// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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
    ArrayCore array;             ///< leaf
    std::uint64_t version = 0;   ///< leaf: the buffer's when the expression was built
    double number = 0;           ///< scalar of a floating type, or the real part of a complex one
    double imag = 0;             ///< scalar of a complex type
    std::int64_t integer = 0;    ///< scalar of an integer type or bool
};

/// A number as an integer of this type, as astype() converts: what doesn't fit becomes the nearest that does, NaN 0.
/// uint64's upper half comes as negative numbers.
std::int64_t saturated(DType integer, double value) noexcept;

/// An expression taken apart: its arrays and numbers, each once, and a key that equal structures share.
struct Flattened {
    std::vector<const Node*> arrays;   ///< in the order of the parameters a0, a1, ...
    std::vector<const Node*> numbers;  ///< s0, s1, ...
    std::string key;                   ///< operations, types and parameter numbers, without values
};
Flattened flatten(const Node& root);

/// The expression in CUDA C++ over a0, a1, ... and s0, s1, ...
std::string expression_text(const Node& root, const Flattened& parts);

/// Device functions that expression texts may call.
std::string expression_preamble();

/// The parameters a0, ..., s0, ... of a kernel that computes the expression; `strided` says which arrays are.
std::vector<Parameter> expression_parameters(const Flattened& parts, const std::vector<bool>& strided);

}  // namespace gpu::detail
