// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gpu/array_core.hpp>

#include "backend/backend.hpp"
#include "codegen/kernel_text.hpp"
#include "codegen/node.hpp"
#include "launch/known_calls.hpp"

namespace gpu::detail {

/// What one parameter of a generated kernel is bound to in a call: an array, or a number of the parameter's type.
struct Binding {
    Parameter parameter;
    DType dtype = DType::float32;
    const ArrayCore* array = nullptr;
    const Node* number = nullptr;
};

/// Asks for a call to be kept: under this signature, with these operands. It isn't if it takes anything else.
struct CallToKeep {
    const CallSignature* signature = nullptr;
    std::vector<CallOperand> operands = {};
    Shape kept = {}, result = {};  ///< see KnownCall
    DType dtype = DType::float32;
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
    CallToKeep keep = {};
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
    CallToKeep keep = {};
};
void launch_reduction(const ReductionCall& call);

}  // namespace gpu::detail
