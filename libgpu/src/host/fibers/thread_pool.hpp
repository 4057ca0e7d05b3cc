// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <type_traits>

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

}  // namespace gpu::detail::host
