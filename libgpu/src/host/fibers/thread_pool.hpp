// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "backend/host_access.hpp"
#include "host/fibers/context_switch.hpp"
#include "host/fibers/watchdog.hpp"
#include "host/memory/fault.hpp"
#include "host/memory/kernel_stacks.hpp"
#include "host/modules/kernel_module.hpp"

namespace gpu::detail::host {

/// Worker threads that help the thread that launches. They are started on first use, sleep between launches, and are
/// started anew in a forked child.
class ThreadPool {
public:
    /// @param workers threads in all, the launching one included; at least 1.
    explicit ThreadPool(int workers);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] int workers() const noexcept { return workers_; }

    /// Calls `work()` here and, as they wake up, in up to `helpers` other threads; returns when all calls have.
    /// Throws what one of them threw. One call must be able to do everything: helpers may be late, or busy with another
    /// thread's launch.
    template <class F>
    void run(int helpers, F& work) {
        run_erased(helpers, [](void* f) { (*static_cast<F*>(f))(); }, &work);
    }

private:
    struct State;
    void run_erased(int helpers, void (*call)(void*), void* work);
    State* state();

    int workers_;
    std::unique_ptr<State> state_;
};

/// LIBGPU_HOST_WORKERS, else how many CPUs this process may use. @throws Error for a value that is no positive number.
int worker_count();

class BlockScheduler;

/// An OS thread while it executes kernels: its stacks, and the place to return to when a kernel fails.
///
/// A kernel runs on a stack of its own. A signal handler that sees it fault records the fault and switches back to the
/// fiber that entered the kernel, as assert() and a stuck barrier do; nothing is unwound.
class Worker {
public:
    /// This OS thread's worker, made on first use.
    static Worker& current();

    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Prepares this thread for a launch: signal handlers and their stack, and the time that a block or chunk may take.
    /// `text` is where the kernel's instructions are. Cheap if nothing has changed.
    void prepare(CodeRange text, double seconds);

    /// Runs `entry(argument)`, which may call a kernel, on the large stack. False: it failed, see fault().
    bool run(void (*entry)(void*), void* argument);

    /// Leaves this fiber for a kernel's; comes back when that leaves or fails. False: it failed, see fault().
    bool enter(void* fiber);
    /// Called on a kernel's stack: back to where enter() was called.
    [[noreturn]] void leave();
    /// The same, after a fault.
    [[noreturn]] void fail(const Fault& fault);

    [[nodiscard]] const Fault& fault() const noexcept { return fault_; }
    [[nodiscard]] bool in_kernel() const noexcept { return watched_.inside(); }
    [[nodiscard]] const WatchedThread& watched() const noexcept { return watched_; }
    [[nodiscard]] KernelStacks& stacks() noexcept { return stacks_; }
    [[nodiscard]] BlockScheduler& scheduler();
    /// The thread of a block that runs just now, if the kernel is in fiber mode.
    [[nodiscard]] bool running_thread(uint3& thread) const noexcept;

private:
    Worker();
    static void loop_fiber();

    KernelStacks stacks_;
    std::unique_ptr<BlockScheduler> scheduler_;
    Fault fault_;
    void* outside_ = nullptr;      // the fiber that called enter()
    WatchedThread watched_;        // inside: in a kernel
    unsigned floating_point_ = 0;  // MXCSR, which a signal handler starts afresh
    void (*entry_)(void*) = nullptr;
    void* argument_ = nullptr;
    char* signal_stack_ = nullptr;
};

/// Check mode, as the handlers of faults know it. What returns a bool says whether the fault was its own doing: then the
/// instruction is tried again.
struct FaultListener {
    bool (*stepped)(void* context) noexcept;  ///< SIGTRAP, after one instruction
    bool (*noted)(const HostAccess& access, std::uintptr_t instruction, void* context) noexcept;  ///< outside kernels
    bool (*let_pass)(std::uintptr_t address) noexcept;                                            ///< in a kernel
    void (*failed)(Worker& worker) noexcept;  ///< a debugged kernel has: still on its stack
};

/// From now on, for good. @param listener  lives as long as the process.
void set_fault_listener(const FaultListener& listener) noexcept;
/// Null if there is none yet; safe in a signal handler.
const FaultListener* fault_listener() noexcept;

/// Installs the handlers of SIGSEGV, SIGBUS, SIGFPE and SIGILL unless they are in place; with steps, that of SIGTRAP,
/// too. A fault outside kernels goes to the handler that was there before.
void install_fault_handlers(bool with_steps = false);

/// The worker of this OS thread, or null; safe in a signal handler.
Worker* worker_of_this_thread() noexcept;

}  // namespace gpu::detail::host
