// SPDX-License-Identifier: MIT
#include "host/fibers/worker.hpp"

#include <sys/mman.h>

#include <csignal>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "host/base/debugger.hpp"
#include "host/base/sanitizer.hpp"
#include "host/base/thread_variables.hpp"
#include "host/fibers/block_scheduler.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t signal_stack_size = std::size_t{64} * 1024;

thread_local bool thread_ends = false;  // what the thread owns is gone

}  // namespace

Worker* worker_of_this_thread() noexcept { return this_worker; }

Worker& Worker::current() {
    struct Owner {
        std::unique_ptr<Worker> worker;
        ~Owner() {
            this_worker = nullptr;
            thread_ends = true;
        }
    };
    if (this_worker == nullptr && thread_ends) this_worker = new Worker;  // leaked: a static object's last kernel
    if (this_worker == nullptr) {
        thread_local Owner owner;
        owner.worker.reset(new Worker);
        this_worker = owner.worker.get();
    }
    return *this_worker;
}

Worker::Worker() = default;

Worker::~Worker() {
    if (signal_stack_ == nullptr) return;
    stack_t now{};
    if (::sigaltstack(nullptr, &now) == 0 && now.ss_sp == signal_stack_) {
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        ::sigaltstack(&none, nullptr);
    }
    ::munmap(signal_stack_, signal_stack_size);
}

BlockScheduler& Worker::scheduler() {
    if (scheduler_ == nullptr) scheduler_ = std::make_unique<BlockScheduler>(*this);
    return *scheduler_;
}

void Worker::prepare(CodeRange text, double seconds) {
    watched_.arm(seconds, text.begin, text.end);
    install_fault_handlers();
    stack_t now{};
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;  // somebody's will do
    if (signal_stack_ == nullptr) {
        void* const memory =
            ::mmap(nullptr, signal_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return;
        signal_stack_ = static_cast<char*>(memory);
    }
    stack_t ours{};
    ours.ss_sp = signal_stack_;
    ours.ss_size = signal_stack_size;
    ::sigaltstack(&ours, nullptr);
}

GPU_ON_KERNEL_STACK void Worker::loop_fiber() {
    Worker& worker = *this_worker;
    worker.entry_(worker.argument_);
    worker.leave();
}

bool Worker::run(void (*entry)(void*), void* argument) {
    entry_ = entry;
    argument_ = argument;
    return enter(prepare_fiber(stacks_.loop_top(), KernelStacks::loop_size(), loop_fiber));
}

bool Worker::enter(void* fiber) {
    fault_.kind = Fault::Kind::none;
#if defined(__SSE__)
    floating_point_ = _mm_getcsr();
#endif
    watched_.enter();
    switch_fiber(&outside_, fiber);
    watched_.leave();
    if (fault_.kind == Fault::Kind::none) return true;
#if defined(__SSE__)
    _mm_setcsr(floating_point_);
#endif
    unpoison(static_cast<char*>(stacks_.loop_top()) - KernelStacks::loop_size(), KernelStacks::loop_size());
    return false;
}

GPU_ON_KERNEL_STACK void Worker::leave() {
    void* nowhere = nullptr;
    switch_fiber(&nowhere, outside_);
    __builtin_unreachable();
}

GPU_ON_KERNEL_STACK void Worker::fail(const Fault& fault) {
    fault_ = fault;
    if (const FaultListener* const listener = fault_listener(); listener != nullptr && kernels_are_debugged())
        listener->failed(*this);
    leave();
}

bool Worker::running_thread(uint3& thread) const noexcept {
    return scheduler_ != nullptr && scheduler_->running_thread(thread);
}

}  // namespace gpu::detail::host
