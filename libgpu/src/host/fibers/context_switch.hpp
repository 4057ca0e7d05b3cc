// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// Functions that run on a kernel's stack, or that a kernel is left from, must not be instrumented.
#define GPU_ON_KERNEL_STACK __attribute__((no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))
/// The same for those that every barrier passes through.
#define GPU_HOT_ON_KERNEL_STACK GPU_ON_KERNEL_STACK __attribute__((always_inline)) inline

#if defined(__x86_64__)
extern "C" __attribute__((visibility("hidden"))) void gpu_host_switch_flow(void** save, void* load);
extern "C" __attribute__((visibility("hidden"), noreturn)) void gpu_host_leave_for_flow(void* load);
#endif

// Two flows of control on one OS thread, each with a stack of its own.
namespace gpu::detail::host {

/// Which code switches: our own instructions (x86-64), or Boost.Context (elsewhere, and as the tests' oracle).
enum class FlowKind { own, boost };
extern FlowKind current_flow_kind;
void switch_boost_flow(void** save, void* load);

/// Goes on where `load` was saved; this flow is left for good.
[[noreturn]] GPU_HOT_ON_KERNEL_STACK void leave_for_flow(void* load) {
#if defined(__x86_64__)
    if (__builtin_expect(current_flow_kind == FlowKind::own, 1)) gpu_host_leave_for_flow(load);
#endif
    void* nowhere = nullptr;
    switch_boost_flow(&nowhere, load);
    __builtin_unreachable();
}

/// Saves this flow's place in `*save` and goes on where `load` was saved, or starts what prepare_flow() made.
GPU_HOT_ON_KERNEL_STACK void switch_flow(void** save, void* load) {
#if defined(__x86_64__)
    if (__builtin_expect(current_flow_kind == FlowKind::own, 1)) return gpu_host_switch_flow(save, load);
#endif
    switch_boost_flow(save, load);
}

#if defined(__x86_64__)
/// For flows that our own instructions switch to. See prepare_flow().
GPU_HOT_ON_KERNEL_STACK void* prepare_own_flow(void* top, void (*entry)()) {
    // Six registers, which the entry doesn't read, the entry, and the return address that it never uses: entered with
    // %rsp = 16 n + 8, as after a call.
    const auto aligned = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15};
    auto* const words = reinterpret_cast<void**>(aligned) - 8;
    words[6] = reinterpret_cast<void*>(entry);
    words[7] = nullptr;
    return words;
}
#endif

/// A flow that has not begun: `entry` on the stack that ends at `top`. `entry` never returns.
void* prepare_flow(void* top, std::size_t size, void (*entry)());

bool has_flow_kind(FlowKind kind);
/// For tests, while no kernel runs. @throws Error if this build doesn't have it.
void set_flow_kind(FlowKind kind);

}  // namespace gpu::detail::host
