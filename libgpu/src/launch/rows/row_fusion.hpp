// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/reduction_call.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"
#include "codegen/rows_text.hpp"

// Reductions that wait for the expression that uses them, see RowFusion.
namespace gpu::detail {

/// A reduction that isn't computed yet, over axes that are kept with length 1.
struct WaitingReduction {
    ReductionRequest request;
    NodePointer elements;  ///< of the request's element type
    Axes axes;
    bool over_rows = true;  ///< over the last axis alone; otherwise it is a maximum, or the mean of an array's floats
    ArrayCore result;       ///< not written yet
    std::optional<int> ddof = {};  ///< a variance of these elements: the request isn't one of deviations from a mean
    std::shared_ptr<void> mark = {};  ///< while it lives, other threads are refused the result
};

/// The reduction's result if it can wait, or has become one kernel with those that waited for it.
std::optional<ArrayCore> reduction_that_waits(const ReductionRequest& request, const NodePointer& elements,
                                              const ReduceOptions& options);

/// The variance or standard deviation, if it can wait like other reductions, or if one kernel finds it: together with
/// the mean over the same axes if that waits.
std::optional<ArrayCore> variance_of_floats(Reduction kind, DType result, const NodePointer& value,
                                            const VarianceOptions& options);

/// The expression's value if it uses reductions that wait and one kernel for all is worth it.
std::optional<ArrayCore> evaluated_with_rows(const NodePointer& root);

/// True if both are the same floats, perhaps in different types that hold them.
[[nodiscard]] bool is_same_value(const Node& a, const Node& b) noexcept;

/// x - m of a sum of exp(x - m), if m is an array of x's type; else null.
[[nodiscard]] const Node* shifted_by_array(Reduction kind, const Node& elements) noexcept;

/// True if rows on this device are fused where they can be.
[[nodiscard]] bool fuses_rows(Device device);

/// For this thread from now on: rows are fused in this layout on any backend, as far as it fits; null: where it pays.
void fuse_rows_as(const RowLayout* layout) noexcept;

}  // namespace gpu::detail
