// SPDX-License-Identifier: MIT
// __syncthreads() on x86-64, for our own fibers and where nobody watches: saves the registers first and then decides
// who goes on, so that the decision needs no registers of its own to save. It does what wait_at_barrier() does.
#include "host/fibers/block_scheduler_hot.hpp"

#if defined(__x86_64__)

extern "C" {
__attribute__((visibility("hidden"))) void gpu_host_fast_barrier(void* scheduler, int line);
__attribute__((visibility("hidden"))) void* gpu_host_arrive(void*, int line, void* fiber);
}

// The frame is that of gpu_host_switch_fiber().
__asm__(R"(
.text
.p2align 5
.globl gpu_host_fast_barrier
.hidden gpu_host_fast_barrier
.type gpu_host_fast_barrier, @function
gpu_host_fast_barrier:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, %rdx
    subq $8, %rsp
    call gpu_host_arrive
    movq %rax, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
.size gpu_host_fast_barrier, .-gpu_host_fast_barrier
)");

namespace gpu::detail::host {

// A thread has arrived, and its fiber is saved: the fiber that goes on. Mostly that is the next lane's. That it is is
// asked by a branch, not computed from the lanes: so a processor can be several threads ahead.
GPU_ON_KERNEL_STACK void* BlockScheduler::arrive(int line, void* fiber) {
    BlockScheduler* const self = running_scheduler;
    const auto thread = static_cast<unsigned>(self->current_), to = thread + 1;
    const std::uint32_t mine = std::uint32_t{1} << thread % 32, above = mine << 1;  // 0 after the last lane
    Warp& warp = self->warp_[thread / 32];
    self->line_[thread] = line;
    self->fiber_[thread] = fiber;
    warp.at_barrier |= mine;
    warp.runnable &= ~mine;
    const bool opens = ++self->arrived_ == self->alive_;
    if (__builtin_expect(!opens && (warp.runnable & above) != 0, 1)) {
        self->make_current(static_cast<int>(to));
        if (__builtin_expect((warp.begun & above) != 0, 1)) return self->fiber_[to];
        warp.begun |= above;
        KernelStacks& stacks = self->worker_.stacks();
        const int stack = self->beginning_stack_ = stacks.take();
        return prepare_own_fiber(stacks.top(stack), thread_fiber);
    }
    return self->arrive_slowly(opens);
}

GPU_ON_KERNEL_STACK void* BlockScheduler::arrive_slowly(bool opens) {
    const int thread = current_;
    if (warp_[thread / 32].runnable == 0) stop_running(thread);
    int to = 0;
    if (opens) {
        open_barrier();
        to = first_runnable();
    } else {
        to = next();
        if (to < 0) fail(Fault::Kind::stuck, line_[thread], 0);
    }
    make_current(to);
    return fiber_of(to);
}

const gpu_host_calls& BlockScheduler::fast_calls() noexcept {
    static const gpu_host_calls table = [] {
        gpu_host_calls fast = calls();
        fast.barrier = gpu_host_fast_barrier;
        return fast;
    }();
    return current_fiber_kind == FiberKind::own ? table : calls();
}

}  // namespace gpu::detail::host

extern "C" GPU_ON_KERNEL_STACK void* gpu_host_arrive(void*, int line, void* fiber) {
    return gpu::detail::host::BlockScheduler::arrive(line, fiber);
}

#else

namespace gpu::detail::host {
const gpu_host_calls& BlockScheduler::fast_calls() noexcept { return calls(); }
}  // namespace gpu::detail::host

#endif
