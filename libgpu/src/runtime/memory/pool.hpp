// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <gpu/device.hpp>
#include <gpu/error.hpp>

#include "runtime/memory/memory_account.hpp"

namespace gpu::detail {

/// The account of a device's arrays. Never destroyed. @throws Error if LIBGPU_MEMORY_LIMIT makes no sense.
MemoryAccount& memory_account(Device device);

/// Memory of an array on the device's current stream, counted and within the limit. @throws OutOfMemory
void* allocate_counted(Device device, std::size_t bytes);
void deallocate_counted(Device device, void* data, std::size_t bytes) noexcept;

}  // namespace gpu::detail
