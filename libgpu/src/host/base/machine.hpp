// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace gpu::detail::host {

/// LIBGPU_HOST_DEVICES, else 1. @throws Error for anything but a number from 1 to 64.
int configured_devices();

/// Bytes of the machine.
std::size_t physical_memory();

/// What the processor calls itself.
std::string processor_name();

/// Bytes; 0: unknown.
std::size_t last_level_cache();

}  // namespace gpu::detail::host
