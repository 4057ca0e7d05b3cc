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

/// Worker threads that help the launching thread. They start on first use, sleep between launches, and are started
/// again in a forked child.
class ThreadPool {
public:
    /// @param workers the number of threads, the launching one included; at least 1.
    explicit ThreadPool(int workers);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] int workers() const noexcept { return workers_; }

    /// Calls `work()` here and, as they wake up, in up to `helpers` other threads; returns when all calls have.
    /// Rethrows what one of them threw. A single call must be able to do everything: helpers may be late, or busy with
    /// another thread's launch.
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

/// LIBGPU_HOST_WORKERS, otherwise the number of CPUs this process may use. @throws Error unless it is a positive
/// number.
int worker_count();

class BlockScheduler;

/// An OS thread that executes kernels: its stacks, and the place to return to when a kernel fails.
///
/// A kernel runs on a stack of its own. A signal handler that sees it fault records the fault and switches back to the
/// fiber that entered the kernel, as assert() and a stuck barrier do; nothing is unwound.
class Worker {
public:
    /// This OS thread's worker, created on first use.
    static Worker& current();

    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Prepares this thread for a launch: signal handlers with their stack, and the time limit of a block or chunk.
    /// `text` is the range of the kernel's instructions. Cheap if nothing has changed; cheaper for a kernel that can't
    /// fail, for which handlers are installed once.
    void prepare(CodeRange text, double seconds, bool can_fail = true);

    /// Runs `entry(argument)`, which may call a kernel, on the large stack. False: it failed; see fault().
    bool run(void (*entry)(void*), void* argument);

    /// Leaves this fiber for a kernel's and returns when that leaves or fails. False: it failed; see fault().
    bool enter(void* fiber);
    /// Called on a kernel's stack: returns to where enter() was called.
    [[noreturn]] void leave();
    /// The same, after a fault.
    [[noreturn]] void fail(const Fault& fault);

    [[nodiscard]] const Fault& fault() const noexcept { return fault_; }
    [[nodiscard]] bool in_kernel() const noexcept { return watched_.inside(); }
    [[nodiscard]] const WatchedThread& watched() const noexcept { return watched_; }
    [[nodiscard]] KernelStacks& stacks() noexcept { return stacks_; }
    [[nodiscard]] BlockScheduler& scheduler();
    /// The thread of the block that is running now, if the kernel is in fiber mode.
    [[nodiscard]] bool running_thread(uint3& thread) const noexcept;

private:
    Worker();
    static void loop_fiber();

    KernelStacks stacks_;
    std::unique_ptr<BlockScheduler> scheduler_;
    Fault fault_;
    void* outside_ = nullptr;      // the fiber that called enter()
    WatchedThread watched_;        // inside: in a kernel
    unsigned floating_point_ = 0;  // MXCSR, which a signal handler starts with its default
    void (*entry_)(void*) = nullptr;
    void* argument_ = nullptr;
    char* signal_stack_ = nullptr;
    bool is_prepared_ = false;
};

/// Check mode's hooks in the fault handlers. Those that return a bool say whether they caused the fault: then the
/// instruction is retried.
struct FaultListener {
    bool (*stepped)(void* context) noexcept;  ///< SIGTRAP, after one instruction
    bool (*noted)(const HostAccess& access, std::uintptr_t instruction, void* context) noexcept;  ///< outside kernels
    bool (*let_pass)(std::uintptr_t address) noexcept;                                            ///< in a kernel
    void (*failed)(Worker& worker) noexcept;  ///< a debugged kernel has failed: still on its stack
};

/// Sets it for good. @param listener must live as long as the process.
void set_fault_listener(const FaultListener& listener) noexcept;
/// Null if there is none yet; safe in a signal handler.
const FaultListener* fault_listener() noexcept;

/// Installs the handlers of SIGSEGV, SIGBUS, SIGFPE and SIGILL unless they are in place; with `with_steps`, also that
/// of SIGTRAP. A fault outside kernels goes to the previous handler.
void install_fault_handlers(bool with_steps = false);

/// The worker of this OS thread, or null; safe in a signal handler.
Worker* worker_of_this_thread() noexcept;

}  // namespace gpu::detail::host
