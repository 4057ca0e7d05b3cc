// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array_core.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

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
