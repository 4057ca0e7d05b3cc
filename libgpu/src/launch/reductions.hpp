// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/reduction_call.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// A reduction that libgpu has ready, as a learner would write it for ReductionKernel.
///
/// T is the type that elements are cast to, S that of its parts if it is complex, else T, R the result's. gpu_size(x)
/// and gpu_squared(x) are |x| and |x|². `n` is how many elements one result has, `p` the request's number; both are
/// doubles, there only if the recipe says so.
struct ReductionRecipe {
    const char* name;
    const char* accumulator;  ///< the type of `a` and `b`
    const char* map;          ///< over `x`, an element, and `j`, its place among the reduced ones
    const char* reduce;       ///< over `a` and `b`
    const char* post;         ///< assigns `out` from `a`
    const char* identity;     ///< "": none, so that nothing can't be reduced
    const char* preamble = "";
    bool takes_n = false, takes_p = false;
};
[[nodiscard]] ReductionRecipe recipe_of(Reduction kind);

/// The kernel's text over `element`, an expression of the request's element type; its parameters and ranks are missing.
/// The result is assigned to `out`.
[[nodiscard]] ReductionText recipe_text(const ReductionRequest& request, const std::string& element);

}  // namespace gpu::detail
