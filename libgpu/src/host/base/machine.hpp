// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

namespace gpu::detail::host {

/// LIBGPU_HOST_DEVICES, otherwise 1. @throws Error for anything but a number from 1 to 64.
int configured_devices();

/// The machine's memory in bytes.
std::size_t physical_memory();

/// The processor's own name.
std::string processor_name();

/// Bytes; 0: unknown.
std::size_t last_level_cache();

}  // namespace gpu::detail::host

#if defined(__SANITIZE_ADDRESS__)
#define GPU_HOST_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define GPU_HOST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GPU_HOST_ASAN 1
#elif __has_feature(thread_sanitizer)
#define GPU_HOST_TSAN 1
#endif
#endif

#if defined(GPU_HOST_TSAN)
extern "C" int __sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept;
#endif

#if defined(GPU_HOST_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace gpu::detail::host {

/// Tells AddressSanitizer, if libgpu is built with it, that this memory may be reused: frames abandoned by a failed
/// kernel never reported it.
inline void unpoison([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(GPU_HOST_ASAN)
    __asan_unpoison_memory_region(memory, bytes);
#endif
}

/// sigaction() without ThreadSanitizer's interception, if libgpu is built with it: our handler leaves a kernel by a
/// jump, so TSan would treat the rest of the thread's life as part of the handler.
inline int own_sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
#if defined(GPU_HOST_TSAN)
    return ::__sigaction(signal, action, before);
#else
    return ::sigaction(signal, action, before);
#endif
}

}  // namespace gpu::detail::host
