// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "host/streams/fork_guard.hpp"
#include "host/streams/streams.hpp"

namespace gpu::detail::host {

/// The threads that do the streams' work. A thread is asleep, or looks for work (now or after its nap), or is at work.
struct Streams::Threads {
    std::uint64_t generation = fork_generation();
    std::condition_variable wake, nap;
    int asleep = 0, woken = 0;  // woken: of those asleep, told to look
    std::size_t looking = 0;    // others' threads that help are counted too
    bool napping = false;
    std::uint64_t naps = 0;
    bool stopping = false;
    bool refused = false;  // the system grants no more
    std::vector<std::thread> threads;

    [[nodiscard]] bool none() const noexcept { return threads.empty(); }

    void stop(std::mutex& mutex) {
        {
            const std::lock_guard held(mutex);
            stopping = true;
        }
        wake.notify_all();
        nap.notify_all();
        for (std::thread& thread : threads) thread.join();
    }
};

/// Does the first tasks of a queue, and of those that it waits for, until `done()` or until others do the next one.
template <class Done>
void Streams::help(Lock& held, const std::shared_ptr<Queue>& queue, Done done) {
    bool looking = false;
    while (!done()) {
        const std::shared_ptr<Queue> next = next_for(queue);
        if (next == nullptr) break;
        if (looking) --threads_->looking;
        run_first(held, next);
        looking = true;
    }
    if (!looking) return;
    --threads_->looking;
    find_threads();
}

}  // namespace gpu::detail::host
