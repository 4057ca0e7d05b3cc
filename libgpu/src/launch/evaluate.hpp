// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/array_core.hpp>

#include "codegen/node.hpp"
#include "launch/generated_call.hpp"

// The inputs of an expression, and its evaluation by one kernel.
namespace gpu::detail {

/// The arrays of an expression.
std::vector<const ArrayCore*> arrays_in(const Flattened& parts);

/// The device that all the arrays are on. @throws DeviceError that says how to move one
Device common_device(const std::vector<const ArrayCore*>& arrays, const std::string& operation);

/// The expression, with subtrees evaluated until the rest is small enough for one kernel.
NodePointer split_large_tree(const NodePointer& root);

/// Writes a value, broadcast, to a window with one kernel; with a mask, which is broadcast too, only where it is true.
/// Inputs that would be overwritten before they are read, and parts too large for one kernel, are evaluated first.
void assign_elements(const ArrayCore& target, const NodePointer& mask, const NodePointer& value,
                     const std::string& operation);

/// An expression's arrays, then its numbers, with capacity for a few more.
std::vector<CallOperand> operands_of(const Flattened& parts);

/// The bindings of an expression's arrays and numbers, named a0, ..., s0, ....
std::vector<Binding> bind_expression(const Flattened& parts);

/// @throws ExpressionError if an input was written after the expression was built
void check_versions(const Flattened& parts);
/// The same for one array.
void check_version(const Node& leaf);

/// True unless the two windows certainly have no byte in common. Judged by address: two buffers may be windows on one
/// piece of memory allocated elsewhere.
[[nodiscard]] bool share_memory(const ArrayCore& a, const ArrayCore& b);

/// True if writing `output` element by element could change elements of `input`, broadcast to its shape, that are yet
/// to be read. In place, each element is read before it is written.
[[nodiscard]] bool is_spoiled(const ArrayCore& input, const ArrayCore& output);
[[nodiscard]] bool is_any_spoiled(const Flattened& inputs, const ArrayCore& output);

/// The array, or a copy if it shares memory with the array to be written.
[[nodiscard]] ArrayCore apart_from(const ArrayCore& written, const ArrayCore& array);

}  // namespace gpu::detail
