// SPDX-License-Identifier: MIT
#include "base/fork_safe_mutex.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace gpu::detail {

namespace {

struct ForkSafeMutexes {
    std::mutex mutex;
    std::vector<ForkSafeMutex*> members;
    std::atomic<std::uint64_t> generation{0};
};

ForkSafeMutexes& fork_safe_mutexes() {
    static auto* const instance = new ForkSafeMutexes;  // leaked: forks may happen until the end
    return *instance;
}

void before_fork() {
    fork_safe_mutexes().mutex.lock();
    for (ForkSafeMutex* member : fork_safe_mutexes().members) member->lock();
}

void after_fork() {
    for (ForkSafeMutex* member : fork_safe_mutexes().members) member->unlock();
    fork_safe_mutexes().mutex.unlock();
}

void in_child() {
    ++fork_safe_mutexes().generation;
    after_fork();
}

void watch_forks() {
    static const int once = ::pthread_atfork(before_fork, after_fork, in_child);
    (void)once;
}

}  // namespace

ForkSafeMutex::ForkSafeMutex(ForkOrder order) {
    watch_forks();
    ForkSafeMutexes& all = fork_safe_mutexes();
    const std::lock_guard lock(all.mutex);
    all.members.insert(order == ForkOrder::first ? all.members.begin() : all.members.end(), this);
}

ForkSafeMutex::~ForkSafeMutex() {
    const std::lock_guard lock(fork_safe_mutexes().mutex);
    std::erase(fork_safe_mutexes().members, this);
}

std::uint64_t fork_generation() noexcept {
    return fork_safe_mutexes().generation.load(std::memory_order_relaxed);
}

}  // namespace gpu::detail
