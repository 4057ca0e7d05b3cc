// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace gpu::detail::host {

/// cudaLimitMallocHeapSize as CUDA begins with it.
inline constexpr std::size_t device_heap_bytes = std::size_t{8} << 20;

/// Of the kernels' malloc() and new: a piece of this process's heap for kernels, which lasts until it is freed, by this
/// launch or another. Null where there isn't enough left.
void* allocate_in_kernel(unsigned long long bytes) noexcept;
/// False: nothing that is still allocated begins there. Null is fine.
bool release_in_kernel(void* data) noexcept;

/// How much of the heap pieces of so many bytes take.
constexpr std::size_t heap_piece(std::size_t bytes) { return bytes < 16 ? 16 : (bytes + 15) / 16 * 16; }

}  // namespace gpu::detail::host
