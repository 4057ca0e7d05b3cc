// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/reduction_call.hpp>
#include <gpu/statistics.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// A predefined reduction, written as a learner would for ReductionKernel.
///
/// T is the type that elements are cast to, S that of its parts if it is complex, otherwise T, R the result's.
/// gpu_size(x) and gpu_squared(x) are |x| and |x|². `n` is the number of elements per result, `p` the request's number;
/// both are doubles, and exist only if the recipe says so.
struct ReductionRecipe {
    const char* name;
    const char* accumulator;  ///< the type of `a` and `b`
    const char* map;          ///< over `x`, an element, and `j`, its index among the reduced ones
    const char* reduce;       ///< over `a` and `b`
    const char* post;         ///< assigns `out` from `a`
    const char* identity;     ///< "": none, so that an empty input is an error
    const char* preamble = "";
    bool takes_n = false, takes_p = false;
};
[[nodiscard]] ReductionRecipe recipe_of(Reduction kind);

/// The kernel's text over `element`, an expression of the request's element type; without parameters and ranks. The
/// result is assigned to `out`.
[[nodiscard]] ReductionText recipe_text(const ReductionRequest& request, const std::string& element);

/// Reduces into an array in which these axes have length 1.
void reduce_into(const ReductionRequest& request, const NodePointer& value, const Axes& axes, const ArrayCore& out);
/// The variance or standard deviation into such an array.
void variance_into(Reduction kind, const NodePointer& value, const VarianceOptions& options, const ArrayCore& out);

}  // namespace gpu::detail
