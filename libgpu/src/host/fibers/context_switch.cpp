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
// call may not change. `jmp *%rcx` instead of `ret` leaves the return predictor of the other flow alone.
__asm__(R"(
.text
.p2align 4
.globl gpu_host_switch_flow
.hidden gpu_host_switch_flow
.type gpu_host_switch_flow, @function
gpu_host_switch_flow:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rdi
.globl gpu_host_leave_for_flow
.hidden gpu_host_leave_for_flow
.type gpu_host_leave_for_flow, @function
gpu_host_leave_for_flow:
    movq %rdi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
.size gpu_host_switch_flow, .-gpu_host_switch_flow
)");
#endif

namespace gpu::detail::host {

#if defined(__x86_64__)
FlowKind current_flow_kind = FlowKind::own;
#else
FlowKind current_flow_kind = FlowKind::boost;
#endif

namespace {

#if defined(GPU_HAS_BOOST_CONTEXT)
using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

// Boost hands the left flow to the entered one, which puts it where switch_flow() was told.
thread_local void (*boost_entry)() = nullptr;

GPU_ON_KERNEL_STACK void enter_boost(transfer_t from) {
    *static_cast<void**>(from.data) = from.fctx;
    void (*const entry)() = boost_entry;
    entry();
}
#endif

}  // namespace

GPU_ON_KERNEL_STACK void switch_boost_flow([[maybe_unused]] void** save, [[maybe_unused]] void* load) {
#if defined(GPU_HAS_BOOST_CONTEXT)
    const transfer_t back = jump_fcontext(load, save);
    *static_cast<void**>(back.data) = back.fctx;
#endif
}

GPU_ON_KERNEL_STACK void* prepare_flow(void* top, std::size_t size, void (*entry)()) {
#if defined(__x86_64__)
    if (current_flow_kind == FlowKind::own) return prepare_own_flow(top, entry);
#endif
#if defined(GPU_HAS_BOOST_CONTEXT)
    boost_entry = entry;
    return boost::context::detail::make_fcontext(top, size, enter_boost);
#else
    (void)size;
    return nullptr;
#endif
}

bool has_flow_kind(FlowKind wanted) {
#if defined(GPU_HAS_BOOST_CONTEXT)
    if (wanted == FlowKind::boost) return true;
#endif
#if defined(__x86_64__)
    if (wanted == FlowKind::own) return true;
#endif
    return false;
}

void set_flow_kind(FlowKind wanted) {
    if (!has_flow_kind(wanted)) throw Error("this build has no such way to switch between fibers");
    current_flow_kind = wanted;
}

}  // namespace gpu::detail::host
