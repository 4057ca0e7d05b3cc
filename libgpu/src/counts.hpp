// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/facts.hpp>
#include <gpu/ledger.hpp>
#include <gpu/profiler.hpp>

#include "base/fork_safe_mutex.hpp"

namespace gpu::detail {

class Backend;

/// The process's counters behind gpu::counts(), for all threads at once.
class Counters {
public:
    void add(std::uint64_t Counts::*count, std::uint64_t more) noexcept {
        std::atomic_ref(counts_.*count).fetch_add(more);
    }
    [[nodiscard]] Counts read() noexcept {
        Counts now;
        for (const CountFacts& facts : count_facts) now.*facts.value = std::atomic_ref(counts_.*facts.value).load();
        return now;
    }

private:
    Counts counts_;
};

/// Never destroyed, so that counting works in destructors of static objects too. A thread that prints gets counters
/// that nobody reads: printing is free.
Counters& counters() noexcept;

/// True while this thread prints an array: how many it is in the middle of.
bool is_printing() noexcept;
int& printing_depth() noexcept;

/// A piece of work as counters, ledgers and launch logs get it.
struct CountedWork {
    LedgerEntry::Kind kind;
    Device device;
    std::size_t bytes = 0;
    std::int64_t elements = 0;
    const DType* dtype = nullptr;
    const std::string* kernel = nullptr;
    const char* name = nullptr;  ///< if it isn't a kernel's
    Dim3 grid = {}, block = {};
    bool waits = false;
    bool pooled = false;
    bool pageable_async = false;
    bool between_devices = false;
    LaunchEntry::Kind entry = LaunchEntry::Kind::raw;  ///< what it is in a launch log
    std::size_t shared = 0;                            ///< bytes of dynamic shared memory of a raw kernel
    const std::string* problem = nullptr;              ///< of linear algebra: "float32, 3 x 4"
};

/// Who wants to know of work: open ledgers, open launch logs.
class WorkListener {
public:
    /// It has been done, and is counted.
    virtual void counted(const CountedWork&) noexcept {}
    /// It is done by `enqueue`, which puts it into the stream.
    virtual void enqueue(Backend&, void* /*stream*/, const CountedWork&, const std::function<void()>& enqueue) {
        enqueue();
    }

protected:
    ~WorkListener() = default;
};

/// Null while no ledger, or no log, is open: that is all that work without them looks at.
extern std::atomic<WorkListener*> open_ledgers, open_logs;

/// True if a ledger is open that wants to know what this thread does.
inline bool is_noted() noexcept { return open_ledgers.load(std::memory_order_acquire) != nullptr && !is_printing(); }

/// All that are open of a kind. Never destroyed, so that one of them may be a static object.
template <class Listener, class State>
class OpenListeners : public WorkListener {
public:
    static Listener& instance() {
        static auto* const all = new Listener;
        return *all;
    }
    void open(State* one) {
        const std::lock_guard lock(mutex);
        open_.push_back(one);
        told_.store(this, std::memory_order_release);
    }
    void close(State* one) noexcept {
        const std::lock_guard lock(mutex);
        std::erase(open_, one);
        if (open_.empty()) told_.store(nullptr, std::memory_order_release);
    }

    ForkSafeMutex mutex;

protected:
    explicit OpenListeners(std::atomic<WorkListener*>& told) : told_(told) {}
    ~OpenListeners() = default;

    std::vector<State*> open_;

private:
    std::atomic<WorkListener*>& told_;
};

/// Counts the work and notes it in open ledgers, so that both agree.
void count_work(const CountedWork& work) noexcept;

}  // namespace gpu::detail
