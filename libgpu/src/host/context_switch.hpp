// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// Two flows of control on one OS thread, each with a stack of its own.
namespace gpu::detail::host {

/// Saves this flow's place in `*save` and goes on where `load` was saved, or starts what prepare_flow() made.
void switch_flow(void** save, void* load);

/// A flow that has not begun: `entry` on the stack that ends at `top`. `entry` never returns.
void* prepare_flow(void* top, std::size_t size, void (*entry)());

/// Which code switches: our own instructions (x86-64), or Boost.Context (elsewhere, and as the tests' oracle).
enum class FlowKind { own, boost };
bool has_flow_kind(FlowKind kind);
FlowKind flow_kind() noexcept;
/// For tests, while no kernel runs. @throws Error if this build doesn't have it.
void set_flow_kind(FlowKind kind);

/// Functions that run on a kernel's stack, or that a kernel is left from, must not be instrumented.
#define GPU_ON_KERNEL_STACK __attribute__((no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))

}  // namespace gpu::detail::host
