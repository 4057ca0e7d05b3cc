// SPDX-License-Identifier: MIT
#include <ucontext.h>

#include <atomic>
#include <csignal>
#include <mutex>

#include "host/base/fork_guard.hpp"
#include "host/base/sanitizer.hpp"
#include "host/base/thread_variables.hpp"
#include "host/fibers/worker.hpp"

namespace gpu::detail::host {

namespace {

constexpr int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG, SIGTRAP};  // the last one only for steps

struct Previous {
    ForkSafeMutex mutex;
    struct sigaction actions[std::size(caught)] = {};
};

Previous& previous() {
    static auto* const instance = new Previous;  // leaked: a handler may run at exit
    return *instance;
}

std::atomic<const FaultListener*> current_listener{nullptr};

Fault::Access access_of(const void* context) {
    switch (access_kind(context)) {
        case HostAccessKind::read: return Fault::Access::read;
        case HostAccessKind::write: return Fault::Access::write;
        case HostAccessKind::unknown: break;
    }
    return Fault::Access::unknown;
}

std::uintptr_t instruction_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
    return 0;
#endif
}

// Where a function that was just called returns to; 0 where that isn't known.
std::uintptr_t caller_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    const auto stack = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP];
    return *reinterpret_cast<const std::uintptr_t*>(stack) - 1;
#elif defined(__aarch64__)
    return static_cast<const ucontext_t*>(context)->uc_mcontext.regs[30] - 1;
#else
    return 0;
#endif
}

GPU_ON_KERNEL_STACK Fault fault_of(int signal, const siginfo_t& info, const void* context, Worker& worker) {
    Fault fault;
    fault.address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    fault.instruction = instruction_of(context);
    if (uint3 thread{}; worker.running_thread(thread)) fault.thread = thread;
    switch (signal) {
        case SIGURG: fault.kind = Fault::Kind::endless; break;
        case SIGFPE:
            fault.kind = info.si_code == FPE_INTDIV || info.si_code == FPE_INTOVF ? Fault::Kind::division_by_zero
                                                                                  : Fault::Kind::arithmetic;
            break;
        case SIGILL: fault.kind = Fault::Kind::illegal_instruction; break;
        default:
            fault.kind =
                worker.stacks().is_guard(fault.address) ? Fault::Kind::stack_overflow : Fault::Kind::bad_address;
            fault.has_address = signal != SIGSEGV || info.si_code != SI_KERNEL;
            if (fault.has_address) fault.access = access_of(context);
            if (fault.instruction == 0 && fault.has_address && fault.address == 0) {
                fault.kind = Fault::Kind::null_call;
                fault.instruction = caller_of(context);
            }
    }
    return fault;
}

void pass_on(int signal, siginfo_t* info, void* context) {
    std::size_t k = 0;
    while (caught[k] != signal) ++k;
    const struct sigaction& before = previous().actions[k];
    const bool has_handler = (before.sa_flags & SA_SIGINFO) != 0
                                 ? before.sa_sigaction != nullptr
                                 : before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN;
    if (has_handler && !passing_on_signal) {
        passing_on_signal = true;
        if ((before.sa_flags & SA_SIGINFO) != 0)
            before.sa_sigaction(signal, info, context);
        else
            before.sa_handler(signal);
        passing_on_signal = false;
        return;
    }
    if (signal == SIGURG) return;  // ignored by default
    // The default action: the instruction faults again, or the signal that was sent is sent again.
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    own_sigaction(signal, &standard, nullptr);
    if (info->si_code <= 0 || signal == SIGTRAP) ::raise(signal);
}

GPU_ON_KERNEL_STACK void handle(int signal, siginfo_t* info, void* context) {
    const FaultListener* const listener = fault_listener();
    if (signal == SIGTRAP) {
        if (info->si_code <= 0 || listener == nullptr || !listener->stepped(context)) pass_on(signal, info, context);
        return;
    }
    const bool is_access = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    Worker* const worker = worker_of_this_thread();
    if (signal == SIGURG) {  // the watchdog's, or a socket's of the program
        if (worker == nullptr || !worker->in_kernel() || !worker->watched().stops_at(instruction_of(context)))
            return pass_on(signal, info, context);
    } else if (worker == nullptr || !worker->in_kernel() || info->si_code <= 0) {
        const HostAccess access{.address = address, .kind = access_kind(context), .range = {}};
        if (is_access && listener != nullptr && listener->noted(access, instruction_of(context), context)) return;
        return pass_on(signal, info, context);
    }
    if (is_access && listener != nullptr && listener->let_pass(address)) return;
    const Fault fault = fault_of(signal, *info, context, *worker);
    // This handler never returns, so what it blocked must be unblocked here.
    ::pthread_sigmask(SIG_SETMASK, &static_cast<const ucontext_t*>(context)->uc_sigmask, nullptr);
    worker->fail(fault);
}

}  // namespace

void set_fault_listener(const FaultListener& listener) noexcept {
    current_listener.store(&listener, std::memory_order_release);
}

GPU_ON_KERNEL_STACK const FaultListener* fault_listener() noexcept {
    return current_listener.load(std::memory_order_acquire);
}

void install_fault_handlers(bool with_steps) {
    // Test frameworks and others come and go with handlers of their own, so this looks each time.
    for (std::size_t k = 0; k < std::size(caught) - (with_steps ? 0 : 1); ++k) {
        struct sigaction now {};
        if (own_sigaction(caught[k], nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
            now.sa_sigaction == handle)
            continue;
        const std::lock_guard lock(previous().mutex);
        if (own_sigaction(caught[k], nullptr, &now) != 0 || now.sa_sigaction == handle) continue;
        struct sigaction ours {};
        ours.sa_sigaction = handle;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&ours.sa_mask);
        previous().actions[k] = now;
        own_sigaction(caught[k], &ours, nullptr);
    }
}

}  // namespace gpu::detail::host
