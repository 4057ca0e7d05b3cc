// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <gpu/dtype.hpp>
#include <gpu/facts.hpp>
#include <gpu/ledger.hpp>

namespace gpu::detail {

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

/// Never destroyed, so that counting works in destructors of static objects too. Of a thread that prints, others that
/// nobody reads: what is printed is free.
Counters& counters() noexcept;

/// True while this thread prints an array.
bool is_printing() noexcept;

/// A piece of work as counters and ledgers get it.
struct CountedWork {
    LedgerEntry::Kind kind;
    Device device;
    std::size_t bytes = 0;
    std::int64_t elements = 0;
    const DType* dtype = nullptr;
    const std::string* kernel = nullptr;
    const char* name = nullptr;  ///< where it isn't a kernel's
    Dim3 grid = {}, block = {};
    bool waits = false;
    bool pooled = false;
    bool pageable_async = false;
    bool between_devices = false;
};

/// What open ledgers are, seen from where work is counted.
class WorkNotes {
public:
    virtual void note(const CountedWork& work) noexcept = 0;

protected:
    ~WorkNotes() = default;
};

/// Null while no ledger is open: that is all that work without one looks at.
extern std::atomic<WorkNotes*> work_notes;

/// True if a ledger is open that wants to know what this thread does.
inline bool is_noted() noexcept { return work_notes.load(std::memory_order_acquire) != nullptr && !is_printing(); }

/// Counts it, and notes it in open ledgers: so both agree.
void count_work(const CountedWork& work) noexcept;

}  // namespace gpu::detail
