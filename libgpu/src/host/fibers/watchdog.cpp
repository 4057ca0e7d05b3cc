// SPDX-License-Identifier: MIT
#include "host/fibers/watchdog.hpp"

#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gpu/error.hpp>

#include "base/fork_safe_mutex.hpp"
#include "host/base/debugger.hpp"
#include "host/base/machine.hpp"
#include "host/base/thread_variables.hpp"
#include "host/fibers/thread_pool.hpp"

namespace gpu::detail::host {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double max_nap = 0.25, min_nap = 0.002;
constexpr int quiet_naps = 4;  // before it sleeps until it is called
constexpr double max_waits = 10;  // a thread that waits for something gets this many limits

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

// The CPU time of the thread: on a busy machine, a kernel isn't endless because others ran meanwhile.
std::int64_t processor_time(pthread_t thread) {
    clockid_t clock;
    timespec time{};
    if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return now();
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace

/// One thread that watches all that run kernels, started when the first limit is set. It only polls, so kernels pay
/// nothing for it.
class Watchdog {
public:
    static Watchdog& instance() {
        static auto* const only = new Watchdog;  // leaked: threads may end after main
        return *only;
    }

    void add(WatchedThread& thread) {
        const std::lock_guard lock(mutex_);
        threads_.push_back(&thread);
    }
    void remove(WatchedThread& thread) {
        const std::lock_guard lock(mutex_);
        std::erase(threads_, &thread);
    }

    // Whoever sets a limit increments `calls_` before reading `asleep_`; the watchdog does the reverse.
    void call() {
        calls_.fetch_add(1);
        if (!asleep_.load() && generation_.load() == fork_generation()) return;
        const std::lock_guard lock(mutex_);
        if (generation_.load() != fork_generation()) {
            if (called_ != nullptr) new_child();
            called_ = new std::condition_variable;  // this process's; leaked with the thread
            generation_ = fork_generation();
            std::thread([this] { run(); }).detach();
        }
        asleep_ = false;
        called_->notify_one();
    }

private:
    // The child has only the thread that forked; the other entries belong to threads that are gone.
    void new_child() {
        std::erase_if(threads_,
                      [](WatchedThread* thread) { return ::pthread_equal(thread->thread_, ::pthread_self()) == 0; });
    }

    void run() {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, nullptr);  // a program's signals are for its own threads
        std::unique_lock lock(mutex_.native());
        for (int quiet = 0;;) {
            const std::uint64_t calls = calls_.load();
            double nap = max_nap;
            quiet = look(nap) ? 0 : quiet + 1;
            if (quiet < quiet_naps) {
                called_->wait_for(lock, std::chrono::duration<double>(nap));
                continue;
            }
            asleep_ = true;
            if (calls_.load() == calls) called_->wait(lock, [this] { return !asleep_.load(); });
            asleep_ = false;
            quiet = 0;
        }
    }

    static bool is_over(const WatchedThread& thread, double limit) {
        const auto computed = static_cast<double>(processor_time(thread.thread_) - thread.processor_since_);
        const auto passed = static_cast<double>(now() - thread.since_);
        if (kernels_are_debugged()) return computed > limit * 1e9;  // a debugger's user takes their time
        return computed > limit * 1e9 || passed > max_waits * limit * 1e9;
    }

    // True if a thread is in a kernel, or was a moment ago.
    bool look(double& nap) {
        bool any = false;
        for (WatchedThread* const thread : threads_) {
            const double limit = thread->limit();
            const std::uint64_t stay = thread->stays_.load(std::memory_order_relaxed);
            const bool moved = stay != thread->seen_stay_;
            if (limit <= 0 || (!thread->inside() && !moved)) continue;
            any = true;
            nap = std::min(nap, std::max(limit / 8, min_nap));
            if (moved) {
                thread->seen_stay_ = stay;
                thread->since_ = now();
                thread->processor_since_ = processor_time(thread->thread_);
            } else if (is_over(*thread, limit)) {
                thread->expired_.store(true, std::memory_order_relaxed);
                // It may just have moved on: then the limit was an earlier stay's.
                if (thread->stays_.load(std::memory_order_relaxed) != stay) continue;
                ::pthread_kill(thread->thread_, SIGURG);
                nap = min_nap;
            }
        }
        return any;
    }

    ForkSafeMutex mutex_;
    std::condition_variable* called_ = nullptr;
    std::vector<WatchedThread*> threads_;
    std::atomic<std::uint64_t> calls_{0}, generation_{~std::uint64_t{0}};
    std::atomic<bool> asleep_{false};
};

WatchedThread::WatchedThread() : thread_(::pthread_self()) { Watchdog::instance().add(*this); }
WatchedThread::~WatchedThread() { Watchdog::instance().remove(*this); }

void WatchedThread::arm(double seconds, std::uintptr_t begin, std::uintptr_t end) {
    begin_ = begin;
    end_ = end;
    limit_.store(seconds, std::memory_order_relaxed);
    if (seconds > 0) Watchdog::instance().call();
}

double kernel_time_limit() {
    const char* const text = std::getenv("LIBGPU_HOST_TIMEOUT");
    if (text == nullptr || *text == '\0') return 60;
    char* end = nullptr;
    const double seconds = std::strtod(text, &end);
    if (*end != '\0' || !(seconds >= 0))
        throw Error(std::string("LIBGPU_HOST_TIMEOUT is \"") + text +
                    "\"; it must be a number of seconds, or 0 for no limit");
    return seconds;
}

namespace {

constexpr int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG, SIGTRAP};  // the last one only with steps

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

// The return address of a function that was just called; 0 if it isn't known.
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
    if (signal == SIGURG) {  // from the watchdog, or from one of the program's sockets
        if (worker == nullptr || !worker->in_kernel() || !worker->watched().stops_at(instruction_of(context)))
            return pass_on(signal, info, context);
    } else if (worker == nullptr || !worker->in_kernel() || info->si_code <= 0) {
        const HostAccess access{.address = address, .kind = access_kind(context), .range = {}};
        if (is_access && listener != nullptr && listener->noted(access, instruction_of(context), context)) return;
        return pass_on(signal, info, context);
    }
    if (is_access && listener != nullptr && listener->let_pass(address)) return;
    const Fault fault = fault_of(signal, *info, context, *worker);
    // This handler never returns, so it must unblock what its signal blocked.
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
    // Test frameworks and others install and remove handlers of their own, so this checks each time.
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
