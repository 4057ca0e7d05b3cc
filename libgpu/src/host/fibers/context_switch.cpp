// SPDX-License-Identifier: MIT
#include "host/fibers/context_switch.hpp"

#include <cstdint>

#include <gpu/error.hpp>

#if defined(GPU_HAS_BOOST_CONTEXT)
#include <boost/context/detail/fcontext.hpp>
#elif !defined(GPU_HAS_OWN_FIBERS)
#error "libgpu's host backend needs Boost.Context on this processor (libboost-context-dev)"
#endif

#if defined(__x86_64__)
// System V x86-64: rdi = where to save the stack pointer, rsi = the one to load.
__asm__(R"(
.text
.p2align 4
.globl gpu_host_switch_fiber
.hidden gpu_host_switch_fiber
.type gpu_host_switch_fiber, @function
gpu_host_switch_fiber:
)" GPU_SAVE_FIBER R"(
    movq %rsp, (%rdi)
    movq %rsi, %rdi
.globl gpu_host_leave_for_fiber
.hidden gpu_host_leave_for_fiber
.type gpu_host_leave_for_fiber, @function
gpu_host_leave_for_fiber:
    movq %rdi, %rsp
)" GPU_GO_ON_WITH_FIBER R"(
.size gpu_host_switch_fiber, .-gpu_host_switch_fiber
)");
#elif defined(__aarch64__)
// AAPCS64: x0 = where to save the stack pointer, x1 = the one to load. `ret` may jump anywhere; `br` may not on a
// processor that guards branch targets (BTI).
__asm__(R"(
.text
.p2align 4
.globl gpu_host_switch_fiber
.hidden gpu_host_switch_fiber
.type gpu_host_switch_fiber, %function
gpu_host_switch_fiber:
)" GPU_SAVE_FIBER R"(
    mov x2, sp
    str x2, [x0]
    mov x0, x1
.globl gpu_host_leave_for_fiber
.hidden gpu_host_leave_for_fiber
.type gpu_host_leave_for_fiber, %function
gpu_host_leave_for_fiber:
    mov sp, x0
    ldp x19, x20, [sp]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size gpu_host_switch_fiber, .-gpu_host_switch_fiber
)");
#endif

namespace gpu::detail::host {

#if defined(GPU_HAS_OWN_FIBERS)
FiberKind current_fiber_kind = FiberKind::own;
#else
FiberKind current_fiber_kind = FiberKind::boost;
#endif

namespace {

#if defined(GPU_HAS_BOOST_CONTEXT)
using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

// Boost passes the fiber that was left to the one that is entered, which stores it in switch_fiber()'s `save`.
thread_local void (*boost_entry)() = nullptr;

GPU_ON_KERNEL_STACK void enter_boost(transfer_t from) {
    *static_cast<void**>(from.data) = from.fctx;
    void (*const entry)() = boost_entry;
    entry();
}
#endif

}  // namespace

GPU_ON_KERNEL_STACK void switch_boost_fiber([[maybe_unused]] void** save, [[maybe_unused]] void* load) {
#if defined(GPU_HAS_BOOST_CONTEXT)
    const transfer_t back = jump_fcontext(load, save);
    *static_cast<void**>(back.data) = back.fctx;
#endif
}

GPU_ON_KERNEL_STACK void* prepare_fiber(void* top, std::size_t size, void (*entry)()) {
#if defined(GPU_HAS_OWN_FIBERS)
    if (current_fiber_kind == FiberKind::own) return prepare_own_fiber(top, entry);
#endif
#if defined(GPU_HAS_BOOST_CONTEXT)
    boost_entry = entry;
    return boost::context::detail::make_fcontext(top, size, enter_boost);
#else
    (void)size;
    return nullptr;
#endif
}

bool has_fiber_kind(FiberKind wanted) {
#if defined(GPU_HAS_BOOST_CONTEXT)
    if (wanted == FiberKind::boost) return true;
#endif
#if defined(GPU_HAS_OWN_FIBERS)
    if (wanted == FiberKind::own) return true;
#endif
    return false;
}

void set_fiber_kind(FiberKind wanted) {
    if (!has_fiber_kind(wanted)) throw Error("this build has no such way to switch between fibers");
    current_fiber_kind = wanted;
}

}  // namespace gpu::detail::host
