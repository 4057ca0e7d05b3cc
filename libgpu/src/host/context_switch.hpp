// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// Functions that run on a kernel's stack, or that a kernel is left from, must not be instrumented.
#define GPU_ON_KERNEL_STACK __attribute__((no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))
/// The same for those that every barrier passes through.
#define GPU_HOT_ON_KERNEL_STACK GPU_ON_KERNEL_STACK __attribute__((always_inline)) inline

#if defined(__x86_64__)
extern "C" __attribute__((visibility("hidden"))) void gpu_host_switch_flow(void** save, void* load);
#endif

// Two flows of control on one OS thread, each with a stack of its own.
namespace gpu::detail::host {

/// Which code switches: our own instructions (x86-64), or Boost.Context (elsewhere, and as the tests' oracle).
enum class FlowKind { own, boost };
extern FlowKind current_flow_kind;
void switch_boost_flow(void** save, void* load);

/// Saves this flow's place in `*save` and goes on where `load` was saved, or starts what prepare_flow() made.
GPU_HOT_ON_KERNEL_STACK void switch_flow(void** save, void* load) {
#if defined(__x86_64__)
    if (__builtin_expect(current_flow_kind == FlowKind::own, 1)) return gpu_host_switch_flow(save, load);
#endif
    switch_boost_flow(save, load);
}

/// A flow that has not begun: `entry` on the stack that ends at `top`. `entry` never returns.
void* prepare_flow(void* top, std::size_t size, void (*entry)());

bool has_flow_kind(FlowKind kind);
/// For tests, while no kernel runs. @throws Error if this build doesn't have it.
void set_flow_kind(FlowKind kind);

}  // namespace gpu::detail::host
