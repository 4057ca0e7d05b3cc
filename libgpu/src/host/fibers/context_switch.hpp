// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// Functions that run on a kernel's stack, or that a kernel is left from, must not be instrumented.
#define GPU_ON_KERNEL_STACK __attribute__((no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))
/// The same for those that every barrier passes through.
#define GPU_HOT_ON_KERNEL_STACK GPU_ON_KERNEL_STACK __attribute__((always_inline)) inline

#if defined(__x86_64__)
extern "C" __attribute__((visibility("hidden"))) void gpu_host_switch_fiber(void** save, void* load);
extern "C" __attribute__((visibility("hidden"), noreturn)) void gpu_host_leave_for_fiber(void* load);
#endif

// Two fibers on one OS thread, each with a stack of its own.
namespace gpu::detail::host {

/// Which code switches: our own instructions (x86-64), or Boost.Context (elsewhere, and as the tests' oracle).
enum class FiberKind { own, boost };
extern FiberKind current_fiber_kind;
void switch_boost_fiber(void** save, void* load);

/// Goes on where `load` was saved; this fiber is left for good.
[[noreturn]] GPU_HOT_ON_KERNEL_STACK void leave_for_fiber(void* load) {
#if defined(__x86_64__)
    if (__builtin_expect(current_fiber_kind == FiberKind::own, 1)) gpu_host_leave_for_fiber(load);
#endif
    void* nowhere = nullptr;
    switch_boost_fiber(&nowhere, load);
    __builtin_unreachable();
}

/// Saves this fiber's place in `*save` and goes on where `load` was saved, or starts what prepare_fiber() made.
GPU_HOT_ON_KERNEL_STACK void switch_fiber(void** save, void* load) {
#if defined(__x86_64__)
    if (__builtin_expect(current_fiber_kind == FiberKind::own, 1)) return gpu_host_switch_fiber(save, load);
#endif
    switch_boost_fiber(save, load);
}

#if defined(__x86_64__)
/// For fibers that our own instructions switch to. See prepare_fiber().
GPU_HOT_ON_KERNEL_STACK void* prepare_own_fiber(void* top, void (*entry)()) {
    // Six registers, which the entry doesn't read, the entry, and the return address that it never uses: entered with
    // %rsp = 16 n + 8, as after a call.
    const auto aligned = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15};
    auto* const words = reinterpret_cast<void**>(aligned) - 8;
    words[6] = reinterpret_cast<void*>(entry);
    words[7] = nullptr;
    return words;
}
#endif

/// A fiber that has not begun: `entry` on the stack that ends at `top`. `entry` never returns.
void* prepare_fiber(void* top, std::size_t size, void (*entry)());

bool has_fiber_kind(FiberKind kind);
/// For tests, while no kernel runs. @throws Error if this build doesn't have it.
void set_fiber_kind(FiberKind kind);

}  // namespace gpu::detail::host
