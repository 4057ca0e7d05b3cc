// SPDX-License-Identifier: MIT
#include "host/fibers/watchdog.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include <gpu/error.hpp>

#include "host/base/debugger.hpp"
#include "host/base/fork_guard.hpp"

namespace gpu::detail::host {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_nap = 0.25, shortest_nap = 0.002;
constexpr int quiet_naps = 4;  // before it sleeps until it is called
constexpr double most_waits = 10;  // a thread that waits for something is left alone for so many limits

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

// The processor's time that the thread has had: on a busy machine a kernel isn't endless because others ran meanwhile.
std::int64_t processor_time(pthread_t thread) {
    clockid_t clock;
    timespec time{};
    if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return now();
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace

/// One thread for all that run kernels, started when the first limit is set. It only looks now and then, so that
/// kernels pay nothing for it.
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

    // Whoever sets a limit counts up `calls_` before it looks at `asleep_`, and this thread the other way round.
    void call() {
        calls_.fetch_add(1);
        if (!asleep_.load() && generation_.load() == fork_generation()) return;
        const std::lock_guard lock(mutex_);
        if (generation_.load() != fork_generation()) {
            if (called_ != nullptr) new_child();
            called_ = new std::condition_variable;  // of this process; leaked with the thread
            generation_ = fork_generation();
            std::thread([this] { run(); }).detach();
        }
        asleep_ = false;
        called_->notify_one();
    }

private:
    // Only the thread that forked is in the child; others' entries belong to threads that are gone.
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
            double nap = longest_nap;
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
        if (kernels_are_debugged()) return computed > limit * 1e9;  // whoever looks at a stopped one takes their time
        return computed > limit * 1e9 || passed > most_waits * limit * 1e9;
    }

    // True if somebody is in a kernel, or has just been.
    bool look(double& nap) {
        bool any = false;
        for (WatchedThread* const thread : threads_) {
            const double limit = thread->limit();
            const std::uint64_t stay = thread->stays_.load(std::memory_order_relaxed);
            const bool moved = stay != thread->seen_stay_;
            if (limit <= 0 || (!thread->inside() && !moved)) continue;
            any = true;
            nap = std::min(nap, std::max(limit / 8, shortest_nap));
            if (moved) {
                thread->seen_stay_ = stay;
                thread->since_ = now();
                thread->processor_since_ = processor_time(thread->thread_);
            } else if (is_over(*thread, limit)) {
                thread->expired_.store(true, std::memory_order_relaxed);
                // It may just have moved on: then this limit was another stay's.
                if (thread->stays_.load(std::memory_order_relaxed) != stay) continue;
                ::pthread_kill(thread->thread_, SIGURG);
                nap = shortest_nap;
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

}  // namespace gpu::detail::host
