// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <gpu/device.hpp>

namespace gpu::detail {

/// Allocates in the current stream. With LIBGPU_GUARD=1, a GPU's buffer gets guard words on both sides, and buffers up
/// to 4 MiB are filled with 0xFF bytes: NaNs.
void* allocate_guarded(Device device, std::size_t bytes);
void deallocate_guarded(Device device, void* data, std::size_t bytes) noexcept;

}  // namespace gpu::detail
