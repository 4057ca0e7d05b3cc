// SPDX-License-Identifier: MIT
#include "host/base/fork_guard.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace gpu::detail::host {

namespace {

struct Registry {
    std::mutex mutex;
    std::vector<ForkSafeMutex*> members;
    std::atomic<std::uint64_t> generation{0};
};

Registry& registry() {
    static auto* const instance = new Registry;  // leaked: forks may happen until the end
    return *instance;
}

void before_fork() {
    registry().mutex.lock();
    for (ForkSafeMutex* member : registry().members) member->lock();
}

void after_fork() {
    for (ForkSafeMutex* member : registry().members) member->unlock();
    registry().mutex.unlock();
}

void in_child() {
    ++registry().generation;
    after_fork();
}

void watch_forks() {
    static const int once = ::pthread_atfork(before_fork, after_fork, in_child);
    (void)once;
}

}  // namespace

ForkSafeMutex::ForkSafeMutex() {
    watch_forks();
    const std::lock_guard lock(registry().mutex);
    registry().members.push_back(this);
}

ForkSafeMutex::~ForkSafeMutex() {
    const std::lock_guard lock(registry().mutex);
    std::erase(registry().members, this);
}

std::uint64_t fork_generation() noexcept { return registry().generation.load(std::memory_order_relaxed); }

}  // namespace gpu::detail::host
