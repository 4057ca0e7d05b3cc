// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <gpu/array_core.hpp>

namespace gpu::detail {

/// The same elements in another shape of as many, read in this order; nothing if they would have to move.
std::optional<ArrayCore> reshaped_in_place(const ArrayCore& source, const Shape& wanted, Layout order);

}  // namespace gpu::detail
