// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define GPU_HOST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GPU_HOST_ASAN 1
#endif
#endif

#if defined(GPU_HOST_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace gpu::detail::host {

/// Tells AddressSanitizer, where libgpu is built with it, that this memory may be used again: frames that a failed
/// kernel left behind never said so.
inline void unpoison([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(GPU_HOST_ASAN)
    __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace gpu::detail::host
