// SPDX-License-Identifier: MIT
#include "host/fibers/context_switch.hpp"

#include <cstdint>

#include <gpu/error.hpp>

#if defined(GPU_HAS_BOOST_CONTEXT)
#include <boost/context/detail/fcontext.hpp>
#elif !defined(__x86_64__)
#error "libgpu's host backend needs Boost.Context on this processor (libboost-context-dev)"
#endif

#if defined(__x86_64__)
// System V x86-64: rdi = where to save the stack pointer, rsi = the one to load. Callee-saved registers are all that a
// call may not change. `jmp *%rcx` instead of `ret` leaves the return predictor of the other fiber alone.
__asm__(R"(
.text
.p2align 4
.globl gpu_host_switch_fiber
.hidden gpu_host_switch_fiber
.type gpu_host_switch_fiber, @function
gpu_host_switch_fiber:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rdi
.globl gpu_host_leave_for_fiber
.hidden gpu_host_leave_for_fiber
.type gpu_host_leave_for_fiber, @function
gpu_host_leave_for_fiber:
    movq %rdi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
.size gpu_host_switch_fiber, .-gpu_host_switch_fiber
)");
#endif

namespace gpu::detail::host {

#if defined(__x86_64__)
FiberKind current_fiber_kind = FiberKind::own;
#else
FiberKind current_fiber_kind = FiberKind::boost;
#endif

namespace {

#if defined(GPU_HAS_BOOST_CONTEXT)
using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

// Boost hands the fiber that is left to the one that is entered, which stores it in switch_fiber()'s `save`.
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
#if defined(__x86_64__)
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
#if defined(__x86_64__)
    if (wanted == FiberKind::own) return true;
#endif
    return false;
}

void set_fiber_kind(FiberKind wanted) {
    if (!has_fiber_kind(wanted)) throw Error("this build has no such way to switch between fibers");
    current_fiber_kind = wanted;
}

}  // namespace gpu::detail::host
