// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/array_core.hpp>

#include "codegen/node.hpp"
#include "launch/generated_call.hpp"

// What an expression is made from, and how it is evaluated by one kernel.
namespace gpu::detail {

/// The arrays of an expression.
std::vector<const ArrayCore*> arrays_in(const Flattened& parts);

/// The one device on which all the arrays are. @throws DeviceError that says how to move one
Device common_device(const std::vector<const ArrayCore*>& arrays, const std::string& operation);

/// The expression, its parts evaluated as far as it takes to make it small enough for one kernel.
NodePointer within_limits(const NodePointer& root);

/// Writes a value, broadcast, to a window by one kernel; where there is a mask, only under that, which is broadcast
/// too. What would be written before it is read is evaluated first, and what is too large for one kernel.
void assign_elements(const ArrayCore& target, const NodePointer& mask, const NodePointer& value,
                     const std::string& operation);

/// An expression's arrays, then its numbers; there is room for some more.
std::vector<CallOperand> operands_of(const Flattened& parts);

/// The bindings of an expression's arrays and numbers, named a0, ..., s0, ....
std::vector<Binding> bind_expression(const Flattened& parts);

/// @throws ExpressionError if an input was written after the expression was built
void check_versions(const Flattened& parts);
/// The same for one array.
void check_version(const Node& leaf);

/// True unless the two windows certainly have no byte in common. Judged by address: two buffers may be windows on one
/// piece of memory that somebody else allocated.
[[nodiscard]] bool share_memory(const ArrayCore& a, const ArrayCore& b);

/// True if writing `output` element by element could change elements of `input`, broadcast to its shape, that are still
/// to be read. In place, each element is read before it is written.
[[nodiscard]] bool is_spoiled(const ArrayCore& input, const ArrayCore& output);
[[nodiscard]] bool is_any_spoiled(const Flattened& inputs, const ArrayCore& output);

/// The array, or a copy of it if it shares memory with what is to be written.
[[nodiscard]] ArrayCore apart_from(const ArrayCore& written, const ArrayCore& array);

}  // namespace gpu::detail
