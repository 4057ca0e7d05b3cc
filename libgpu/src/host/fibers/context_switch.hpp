// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// For functions that run on a kernel's stack, or that a kernel may abandon: they must not be instrumented, nor have
/// objects whose destructors do something, since a kernel that is left never comes back to them.
#define GPU_ON_KERNEL_STACK __attribute__((no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))
/// The same for functions that every barrier passes through.
#define GPU_HOT_ON_KERNEL_STACK GPU_ON_KERNEL_STACK __attribute__((always_inline)) inline

#if defined(__x86_64__) || defined(__aarch64__)
#define GPU_HAS_OWN_FIBERS 1
#endif

// Assembly text. A fiber's registers are saved below its stack pointer; only callee-saved ones, since the switch is a
// call.
#if defined(__x86_64__)
#define GPU_SAVE_FIBER "pushq %rbp; pushq %rbx; pushq %r12; pushq %r13; pushq %r14; pushq %r15"
// Restores them and resumes. `jmp *%rcx` instead of `ret` doesn't upset the other fiber's return predictor.
#define GPU_GO_ON_WITH_FIBER \
    "popq %r15; popq %r14; popq %r13; popq %r12; popq %rbx; popq %rbp; popq %rcx; jmp *%rcx"
#elif defined(__aarch64__)
#define GPU_SAVE_FIBER                                                                         \
    "sub sp, sp, #160; stp x19, x20, [sp]; stp x21, x22, [sp, #16]; stp x23, x24, [sp, #32];"  \
    "stp x25, x26, [sp, #48]; stp x27, x28, [sp, #64]; stp x29, x30, [sp, #80];"               \
    "stp d8, d9, [sp, #96]; stp d10, d11, [sp, #112]; stp d12, d13, [sp, #128]; stp d14, d15, [sp, #144]"
#endif

#if defined(GPU_HAS_OWN_FIBERS)
extern "C" __attribute__((visibility("hidden"))) void gpu_host_switch_fiber(void** save, void* load);
extern "C" __attribute__((visibility("hidden"), noreturn)) void gpu_host_leave_for_fiber(void* load);
#endif

// Two fibers on one OS thread, each with its own stack.
namespace gpu::detail::host {

/// Which code switches: our own assembly (x86-64, arm64), or Boost.Context (elsewhere, and as the tests' oracle).
enum class FiberKind { own, boost };
extern FiberKind current_fiber_kind;
void switch_boost_fiber(void** save, void* load);

/// Resumes where `load` was saved and abandons this fiber.
[[noreturn]] GPU_HOT_ON_KERNEL_STACK void leave_for_fiber(void* load) {
#if defined(GPU_HAS_OWN_FIBERS)
    if (__builtin_expect(current_fiber_kind == FiberKind::own, 1)) gpu_host_leave_for_fiber(load);
#endif
    void* nowhere = nullptr;
    switch_boost_fiber(&nowhere, load);
    __builtin_unreachable();
}

/// Saves this fiber in `*save` and resumes where `load` was saved, or starts what prepare_fiber() prepared.
GPU_HOT_ON_KERNEL_STACK void switch_fiber(void** save, void* load) {
#if defined(GPU_HAS_OWN_FIBERS)
    if (__builtin_expect(current_fiber_kind == FiberKind::own, 1)) return gpu_host_switch_fiber(save, load);
#endif
    switch_boost_fiber(save, load);
}

#if defined(GPU_HAS_OWN_FIBERS)
// What our own assembly saves of a fiber, in words from its stack pointer upwards: the registers and the return
// address.
#if defined(__x86_64__)
constexpr int words_of_fiber = 7, goes_on_at = 6;
#else
constexpr int words_of_fiber = 20, goes_on_at = 11;
#endif

/// The version for our own assembly. See prepare_fiber().
GPU_HOT_ON_KERNEL_STACK void* prepare_own_fiber(void* top, void (*entry)()) {
    // The entry reads no registers and never returns. On x86-64, its stack has a return address nonetheless: on entry
    // %rsp = 16 n + 8, as after a call.
    const auto aligned = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15};
    auto* const words = reinterpret_cast<void**>(aligned) - (words_of_fiber + 1) / 2 * 2;
    words[goes_on_at] = reinterpret_cast<void*>(entry);
#if defined(__x86_64__)
    words[words_of_fiber] = nullptr;
#else
    words[goes_on_at - 1] = nullptr;  // the frame pointer: a backtrace ends there
#endif
    return words;
}
#endif

/// A fiber that has not begun: `entry` on the stack that ends at `top`. `entry` must never return.
void* prepare_fiber(void* top, std::size_t size, void (*entry)());

bool has_fiber_kind(FiberKind kind);
/// For tests, while no kernel runs. @throws Error if this build doesn't have it.
void set_fiber_kind(FiberKind kind);

}  // namespace gpu::detail::host
