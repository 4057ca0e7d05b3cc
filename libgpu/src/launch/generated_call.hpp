// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gpu/reduction_call.hpp>

#include "codegen/kernel_text.hpp"
#include "codegen/node.hpp"

namespace gpu::detail {

/// What one parameter of a generated kernel is bound to in a call: an array, or a number of the parameter's type.
struct Binding {
    Parameter parameter;
    DType dtype = DType::float32;
    const ArrayCore* array = nullptr;
    const Node* number = nullptr;
};

/// A call of an elementwise kernel over an index space.
struct ElementwiseCall {
    Device device;
    Shape shape;
    std::vector<Binding> bindings;
    bool in_order = false;      ///< the body uses `i`: keep the row-major order of indices
    std::string key;            ///< identifies the text but for the parameters' strides
    std::function<ElementwiseText()> text;   ///< without parameters and rank; called on a miss only
    int block = 256;            ///< threads of a block, on a GPU
    bool keeps_axes = false;    ///< the body sees the index along each axis: none are merged
};
void launch_elementwise(const ElementwiseCall& call);

/// A call of a reduction kernel; the last bindings are the outputs.
struct ReductionCall {
    Device device;
    Shape shape;                ///< of the inputs together
    std::vector<bool> reduced;  ///< one an axis
    std::vector<Binding> bindings;
    std::string key;
    std::function<ReductionText()> text;     ///< without parameters and ranks
    bool in_order = false;      ///< the map uses `_J`: keep the row-major order of reduced elements
};
void launch_reduction(const ReductionCall& call);

/// Which axes are reduced, and the result's shape. @throws AxisError
struct ReducedShape {
    std::vector<bool> reduced;
    Shape kept;              ///< without the reduced axes: what the kernel writes
    Shape result;            ///< what the caller gets: the same, or with ones for keepdims
    std::int64_t count = 1;  ///< elements that make one result
};
ReducedShape reduced_shape(const Shape& shape, const ReduceOptions& options);
/// A dense array of the kept axes, as the caller gets it.
ArrayCore with_result_shape(ArrayCore kept, const ReducedShape& shapes);

/// The array that is to be filled, without the axes that are reduced.
ArrayCore kept_axes(const ArrayCore& out, const ReducedShape& shapes, bool keepdims);

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

/// The bindings of an expression's arrays and numbers, named a0, ..., s0, ....
std::vector<Binding> bind_expression(const Flattened& parts);

/// @throws ExpressionError if an input was written after the expression was built
void check_versions(const Flattened& parts);

}  // namespace gpu::detail
