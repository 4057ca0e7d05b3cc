// SPDX-License-Identifier: MIT
#include "host/fibers/thread_pool.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <gpu/error.hpp>

#include "base/fork_safe_mutex.hpp"
#include "host/base/own_thread.hpp"

namespace gpu::detail::host {

struct ThreadPool::State {
    explicit State(int helpers) : generation(fork_generation()) {
        try {
            for (int k = 0; k < helpers; ++k) threads.push_back(start_thread([this] { help(); }));
        } catch (const std::system_error&) {  // as many as the system allows
        }
    }

    ~State() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        wake.notify_all();
        for (std::thread& thread : threads) thread.join();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void help() {
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return stopping || (call != nullptr && wanted > 0); });
            if (stopping) return;
            --wanted;
            ++joined;
            auto* const function = call;
            void* const argument = work;
            lock.unlock();
            std::exception_ptr problem;
            try {
                function(argument);
            } catch (...) {
                problem = std::current_exception();
            }
            lock.lock();
            if (problem && !failure) failure = problem;
            if (--joined == 0) done.notify_one();
        }
    }

    std::uint64_t generation;
    std::mutex busy;  // held by the thread that launches
    std::mutex mutex;
    std::condition_variable wake, done;
    void (*call)(void*) = nullptr;
    void* work = nullptr;
    int wanted = 0, joined = 0;
    std::exception_ptr failure;  // what a helper's call threw
    bool stopping = false;
    std::vector<std::thread> threads;
};

ThreadPool::ThreadPool(int workers) : workers_(workers) {}

ThreadPool::~ThreadPool() {
    // its threads never existed in this process
    if (state_ != nullptr && state_->generation != fork_generation()) state_.release();
}

ThreadPool::State* ThreadPool::state() {
    static ForkSafeMutex& mutex = *new ForkSafeMutex;
    const std::lock_guard lock(mutex);
    if (state_ != nullptr && state_->generation != fork_generation()) state_.release();  // leaked: can't be joined
    if (state_ == nullptr) state_ = std::make_unique<State>(workers_ - 1);
    return state_.get();
}

void ThreadPool::run_erased(int helpers, void (*call)(void*), void* work) {
    helpers = std::min(helpers, workers_ - 1);
    if (helpers <= 0) return call(work);
    State& pool = *state();
    const std::unique_lock busy(pool.busy, std::try_to_lock);
    if (!busy.owns_lock()) return call(work);
    {
        const std::lock_guard lock(pool.mutex);
        pool.call = call;
        pool.work = work;
        pool.wanted = helpers;
    }
    if (helpers == 1) pool.wake.notify_one();
    else pool.wake.notify_all();
    std::exception_ptr failure;
    try {
        call(work);
    } catch (...) {
        failure = std::current_exception();
    }
    std::unique_lock lock(pool.mutex);
    pool.call = nullptr;  // late helpers go back to sleep
    pool.wanted = 0;
    pool.done.wait(lock, [&pool] { return pool.joined == 0; });
    if (!failure) failure = pool.failure;
    pool.failure = nullptr;
    if (failure) std::rethrow_exception(failure);
}

int worker_count() {
    if (const char* text = std::getenv("LIBGPU_HOST_WORKERS"); text != nullptr && *text != '\0') {
        char* end = nullptr;
        const long count = std::strtol(text, &end, 10);
        if (*end != '\0' || count < 1 || count > 4096)
            throw Error(std::string("LIBGPU_HOST_WORKERS is \"") + text + "\"; it must be a number from 1 to 4096");
        return static_cast<int>(count);
    }
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace gpu::detail::host

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "host/base/debugger.hpp"
#include "host/base/machine.hpp"
#include "host/base/thread_variables.hpp"
#include "host/fibers/block_scheduler.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t signal_stack_size = std::size_t{64} * 1024;

thread_local bool thread_ends = false;  // the thread's own objects are gone

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
    // leaked: for the last kernel of a static object
    if (this_worker == nullptr && thread_ends) this_worker = new Worker;
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

void Worker::prepare(CodeRange text, double seconds, bool can_fail) {
    watched_.arm(seconds, text.begin, text.end);
    if (std::exchange(is_prepared_, true) && !can_fail) return;
    install_fault_handlers();
    stack_t now{};
    // there is one already, which will do
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
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
