// SPDX-License-Identifier: MIT
// __syncthreads() and warp operations, for our own fibers and where nobody watches: saves the registers first
// and then decides who goes on, so that the decision needs no registers of its own to save. It does what
// wait_at_barrier() and warp() do.
#include "host/fibers/block_scheduler_hot.hpp"

#if defined(GPU_HAS_OWN_FIBERS)

extern "C" {
__attribute__((visibility("hidden"))) void gpu_host_fast_barrier(void* scheduler, int line);
__attribute__((visibility("hidden"))) void* gpu_host_arrive(void*, int line, void* fiber);
__attribute__((visibility("hidden"))) unsigned long long gpu_host_fast_warp(void* scheduler,
                                                                            unsigned long long instruction,
                                                                            unsigned long long value, int line);
__attribute__((visibility("hidden"))) void* gpu_host_arrive_in_warp(void* fiber, unsigned long long instruction,
                                                                    unsigned long long value, int line);
}

// The frame is that of gpu_host_switch_fiber(). A warp operation's goes on at gpu_host_take_result, which finds behind
// it where the thread's result is.
#if defined(__x86_64__)
__asm__(R"(
.text
.p2align 5
.globl gpu_host_fast_barrier
.hidden gpu_host_fast_barrier
.type gpu_host_fast_barrier, @function
gpu_host_fast_barrier:
)" GPU_SAVE_FIBER R"(
    movq %rsp, %rdx
    subq $8, %rsp
    call gpu_host_arrive
    movq %rax, %rsp
)" GPU_GO_ON_WITH_FIBER R"(
.size gpu_host_fast_barrier, .-gpu_host_fast_barrier

.p2align 5
.globl gpu_host_fast_warp
.hidden gpu_host_fast_warp
.type gpu_host_fast_warp, @function
gpu_host_fast_warp:
    subq $8, %rsp
    leaq gpu_host_take_result(%rip), %rax
    pushq %rax
)" GPU_SAVE_FIBER R"(
    movq %rsp, %rdi
    subq $8, %rsp
    call gpu_host_arrive_in_warp
    movq %rax, %rsp
)" GPU_GO_ON_WITH_FIBER R"(
gpu_host_take_result:
    popq %rax
    movq (%rax), %rax
    popq %rcx
    jmp *%rcx
.size gpu_host_fast_warp, .-gpu_host_fast_warp
)");
#else
// `hint #34` is `bti c`: kernels call these two through a table.
__asm__(R"(
.text
.p2align 5
.globl gpu_host_fast_barrier
.hidden gpu_host_fast_barrier
.type gpu_host_fast_barrier, %function
gpu_host_fast_barrier:
    hint #34
)" GPU_SAVE_FIBER R"(
    mov x2, sp
    bl gpu_host_arrive
    b gpu_host_leave_for_fiber
.size gpu_host_fast_barrier, .-gpu_host_fast_barrier

.p2align 5
.globl gpu_host_fast_warp
.hidden gpu_host_fast_warp
.type gpu_host_fast_warp, %function
gpu_host_fast_warp:
    hint #34
    stp x0, x30, [sp, #-16]!
    adr x30, gpu_host_take_result
)" GPU_SAVE_FIBER R"(
    mov x0, sp
    bl gpu_host_arrive_in_warp
    b gpu_host_leave_for_fiber
gpu_host_take_result:
    ldp x1, x30, [sp], #16
    ldr x0, [x1]
    ret
.size gpu_host_fast_warp, .-gpu_host_fast_warp
)");
#endif

namespace gpu::detail::host {

// The fiber of a thread that can run.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::next_lane(Warp& warp, unsigned thread) {
    const std::uint32_t lane = std::uint32_t{1} << thread % 32;
    make_current(static_cast<int>(thread));
    if (__builtin_expect((warp.begun & lane) != 0, 1)) return fiber_[thread];
    warp.begun |= lane;
    KernelStacks& stacks = worker_.stacks();
    const int stack = beginning_stack_ = stacks.take();
    return prepare_own_fiber(stacks.top(stack), thread_fiber);
}

// A thread has arrived, and its fiber is saved: the fiber that goes on. Mostly that is the next lane's. That it is is
// asked by a branch, not computed from the lanes: so a processor can be several threads ahead.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::arrive(int line, void* fiber) {
    BlockScheduler* const self = running_scheduler;
    const auto thread = static_cast<unsigned>(self->current_), to = thread + 1;
    const std::uint32_t mine = std::uint32_t{1} << thread % 32, above = mine << 1;  // 0 after the last lane
    Warp& warp = self->warp_[thread / 32];
    self->line_[thread] = line;
    self->fiber_[thread] = fiber;
    warp.at_barrier |= mine;
    warp.runnable &= ~mine;
    const bool opens = ++self->arrived_ == self->alive_;
    if (__builtin_expect(!opens && (warp.runnable & above) != 0, 1)) return self->next_lane(warp, to);
    return self->arrive_slowly(opens);
}

// The same of a warp operation. The last lane goes on itself.
GPU_HOT_ON_KERNEL_STACK void* BlockScheduler::arrive_in_warp(void* fiber, std::uint64_t instruction,
                                                             std::uint64_t value, int line) {
    BlockScheduler* const self = running_scheduler;
    const auto thread = static_cast<unsigned>(self->current_);
    const std::uint32_t mine = std::uint32_t{1} << thread % 32, above = mine << 1;
    Warp& warp = self->warp_[thread / 32];
    const std::uint32_t mask = mask_of(instruction);
    if (__builtin_expect((mask & mine) == 0, 0)) self->fail(Fault::Kind::wrong_mask, line, mask);
    self->fiber_[thread] = fiber;
    static_cast<void**>(fiber)[words_of_fiber] = &self->result_[thread];
    if (__builtin_expect(self->deposit(warp, thread, instruction, value, line), 0))
        return self->arrive_last(warp, thread);
    warp.runnable &= ~mine;
    if (__builtin_expect((warp.runnable & above) != 0, 1)) return self->next_lane(warp, thread + 1);
    return self->arrive_slowly(false);
}

GPU_ON_KERNEL_STACK void* BlockScheduler::arrive_last(Warp& warp, unsigned thread) {
    if (finish_with(warp, thread)) return fiber_[thread];
    warp.runnable &= ~(std::uint32_t{1} << thread % 32);
    return arrive_slowly(false);
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
        fast.warp = gpu_host_fast_warp;
        return fast;
    }();
    return current_fiber_kind == FiberKind::own ? table : calls();
}

}  // namespace gpu::detail::host

extern "C" GPU_ON_KERNEL_STACK void* gpu_host_arrive(void*, int line, void* fiber) {
    return gpu::detail::host::BlockScheduler::arrive(line, fiber);
}
extern "C" GPU_ON_KERNEL_STACK void* gpu_host_arrive_in_warp(void* fiber, unsigned long long instruction,
                                                             unsigned long long value, int line) {
    return gpu::detail::host::BlockScheduler::arrive_in_warp(fiber, instruction, value, line);
}

#else

namespace gpu::detail::host {
const gpu_host_calls& BlockScheduler::fast_calls() noexcept { return calls(); }
}  // namespace gpu::detail::host

#endif
