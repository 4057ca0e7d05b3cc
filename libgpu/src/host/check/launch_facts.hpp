// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gpu/trace.hpp>

#include "host/check/checked_memory.hpp"
#include "host/check/host_watch.hpp"
#include "host/check/raw_finding.hpp"
#include "host/check/stream_order.hpp"
#include "host/modules/checked_module.hpp"
#include "host/modules/kernel_module.hpp"

namespace gpu::detail::host {

static_assert(unknown_site == site_mask);

class AccessRecorder;

/// The shared state of all workers of one checked launch.
struct LaunchFacts {
    const KernelModule& kernel;
    CheckedModule& module;
    CheckedMemory& memory;
    CheckedHeap& heap;
    GuardedMemory& guarded;
    const HostAccessWatch& host_access;
    void* const* arguments;
    uint3 grid{}, block{};
    std::size_t dynamic_shared = 0;
    std::uint64_t first_serial = 0;  ///< of the block taken first; the others follow
    UnorderedOperations unordered{};  ///< earlier work of other streams that may run concurrently
    std::string stream{};             ///< the launch's own, as named in messages
    bool several_workers = false;
    bool strict_barriers = false;
    bool cooperative = false;  ///< all blocks run at once
    /// Serials below it belong to what came before the last barrier of the grid.
    std::uint64_t grid_epoch = 0;

    CooperativeScheduler* turns = nullptr;
    const std::vector<std::uint32_t>* order = nullptr;  ///< of blocks, unless they are taken by number
    const std::atomic<std::uint64_t>* next_turn = nullptr;

    std::atomic<AccessRecorder*> recorder{nullptr};  ///< for whoever takes it first; null: nobody records

    FindingLog log{};
    ReleaseLog releases{};
    /// By worker, the last write to global memory that it has recorded and may not have executed yet; 0: none.
    struct alignas(64) WriteUnderWay {
        std::atomic<std::uintptr_t> address{0};
    };
    std::vector<WriteUnderWay> writes_under_way{};  ///< empty where there is one worker
    std::atomic<std::size_t> announcing{0};         ///< how many of them have a worker

    /// A worker's own; null where there is one worker, or where all are in use.
    std::atomic<std::uintptr_t>* take_write_under_way() noexcept {
        if (writes_under_way.empty()) return nullptr;
        const std::size_t number = announcing.fetch_add(1, std::memory_order_acq_rel);
        return number < writes_under_way.size() ? &writes_under_way[number].address : nullptr;
    }
    /// By address, what a cell can't hold: the last plain write where an atomic one of this launch came behind it, and
    /// the last atomic of block scope. Under the lock of `releases` where there are several workers.
    std::unordered_map<std::uintptr_t, Stamp> plain_writes{}, block_scope_atomics{};
    std::atomic<bool> has_plain_writes{false}, has_block_scope_atomics{false};
    /// By address: a thread waits there for another value, or writes it after a fence. Under the same lock.
    enum Flag : unsigned { polled = 1, released = 2 };
    std::unordered_map<std::uintptr_t, unsigned> flags{};
    /// By instruction number: true for volatile accesses.
    std::vector<std::atomic<bool>> volatile_sites = std::vector<std::atomic<bool>>(std::size_t{unknown_site} + 1);
    std::atomic<unsigned> volatile_races{0};

    void add_flag(std::uintptr_t address, Flag flag) {
        if (several_workers) releases.mutex.lock();
        flags[address] |= flag;
        if (several_workers) releases.mutex.unlock();
    }

    /// The device's arrays that threads have reached, by start, if `notes_reached`. Under `mutex`.
    bool notes_reached = false;
    std::set<std::uintptr_t> reached{};

    /// The findings, after the launch: flags are what volatile is for.
    [[nodiscard]] std::vector<RawFinding> findings() const {
        std::vector<RawFinding> found = log.all();
        std::erase_if(found, [this](const RawFinding& one) {
            if (one.is_left_out) return true;
            const auto flag = flags.find(one.volatile_address);
            if (one.volatile_address == 0 || flag == flags.end()) return false;
            return one_reads(one) || (flag->second & polled) != 0;
        });
        return found;
    }

    /// Serials after those of the blocks, for clocks that overflow.
    std::uint64_t more_serials(std::uint64_t of_block) {
        const std::lock_guard lock(mutex);
        const std::uint64_t serial = std::min(next_serial++, last_serial);
        blocks_of_more[serial] = of_block;
        return serial;
    }
    [[nodiscard]] std::uint64_t block_of(std::uint64_t serial) {
        const std::lock_guard lock(mutex);
        const auto more = blocks_of_more.find(serial);
        if (more != blocks_of_more.end()) return more->second;
        return block_at(serial - first_serial);
    }
    /// How many blocks have begun.
    [[nodiscard]] std::uint64_t begun() const noexcept { return next_turn->load(); }
    /// The block taken at a position of the order, counted from 0; and the position of a block.
    [[nodiscard]] std::uint64_t block_at(std::uint64_t turn) const {
        return order == nullptr || order->empty() ? turn : (*order)[turn];
    }
    [[nodiscard]] std::uint64_t turn_of(std::uint64_t of_block) const {
        if (order == nullptr || order->empty()) return of_block;
        return static_cast<std::uint64_t>(std::find(order->begin(), order->end(), of_block) - order->begin());
    }
    /// The name of the parameter that points into an array, with its elements' size and alignment; "" if there is none.
    std::string parameter_at(std::uintptr_t start, std::size_t bytes, std::size_t* element,
                             std::size_t* alignment = nullptr) const;
    [[nodiscard]] uint3 block_index(std::uint64_t at) const {
        return {static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                static_cast<unsigned>(at / grid.x / grid.y)};
    }
    [[nodiscard]] uint3 thread_index(unsigned thread) const {
        return {thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
    }

    /// The module's `__device__` and `__constant__` variables, for all blocks. Created by the first worker.
    std::vector<std::unique_ptr<CheckedArray>> objects{};
    /// How often arrays' cells were split, and thereby moved.
    std::atomic<unsigned> splits{0};

    std::mutex mutex{};
    std::uint64_t next_serial = 0;
    std::map<std::uint64_t, std::uint64_t> blocks_of_more{};
};

class BlockScheduler;
class ArrayResolver;

/// Records one launch for gpu::trace: each access of its first blocks, and of one that fails, in order.
///
/// Check mode calls it on kernels' stacks, from one worker, so it allocates nothing after construction. Names and lines
/// are looked up after the launch.
class AccessRecorder {
public:
    AccessRecorder(const TraceOptions& options, const LaunchFacts& facts);

    void begin_block(std::uint64_t block) noexcept;
    /// An access is about to happen. `array` is null if it is in none.
    void access(const CheckedArray* array, std::uintptr_t address, std::size_t size, MemoryOperation operation,
                std::size_t site, unsigned thread) noexcept;
    /// The running thread is about to continue elsewhere, or not at all: its write has happened.
    void settle() noexcept;
    void barrier(int line) noexcept;
    /// All of a warp's threads that have not ended have arrived at an operation.
    void warp_operation(int warp) noexcept { ++epochs_[warp]; }
    void thread_ends(unsigned thread) noexcept;
    /// There is a finding in the running block: it is recorded, whichever it is.
    void keep_block() noexcept { is_kept_ = true; }
    /// The number of a thread's last access to these bytes by this instruction; -1: it wasn't recorded.
    [[nodiscard]] int last(std::uint64_t block, unsigned thread, std::size_t site, std::uintptr_t address,
                           std::size_t size, bool writes) const noexcept;
    /// A failed block's threads stay where they are.
    void end_block(bool succeeded, const BlockScheduler& scheduler) noexcept;

    /// The recorded launch, while its arrays are still known.
    [[nodiscard]] TracedLaunch take(LaunchFacts& facts, const ArrayResolver& arrays);
    /// After take(): makes the findings' sides refer to accesses of the launch.
    void number_accesses(TracedLaunch& launch) const;

private:
    struct Record {
        const CheckedArray* array;
        std::uintptr_t address;
        std::uint64_t bits, before;
        std::size_t site;
        std::uint32_t block, epoch;
        std::uint16_t thread, interval;
        std::uint8_t size;
        MemoryOperation operation;
    };
    struct Stop {
        std::uint32_t block;
        std::uint16_t thread, interval;
        StopKind kind;
        int line;
    };

    void stop(unsigned thread, StopKind kind, int line) noexcept;
    static void read_bits(Record& record) noexcept;

    const unsigned threads_;
    const std::uint64_t blocks_;
    std::vector<Record> records_;  // allocated at their maximum size
    std::vector<Stop> stops_;
    std::size_t used_ = 0, stops_used_ = 0;
    std::uint64_t left_out_ = 0, block_ = 0;
    Record* written_ = nullptr;  // the last one, if its value isn't known yet
    std::vector<int> numbers_;   // by record, in the launch that was taken; -1: left out there
    // A block after the first ones: kept only if it fails, or if there is a finding in it.
    bool on_trial_ = false, is_kept_ = false;
    std::size_t used_before_ = 0, stops_before_ = 0;
    std::uint16_t interval_ = 0;
    std::vector<bool> ended_;
    std::uint32_t epochs_[32] = {};
};

/// Both sides of a finding.
[[nodiscard]] TracedFinding traced(const RawFinding& finding, const Finding& told, uint3 grid, uint3 block);

/// When each operation would begin and end on the GPU that device_model.hpp models: an operation waits for its
/// stream, for events, for the default stream, for the copy engine of its direction, or for free multiprocessors; the
/// host waits where its code does.
class ModelledSchedule {
public:
    /// The host issues an operation with this duration; fills in its times and its stream's number.
    void add(StreamPlace where, TracedOperation operation, double us);
    void record(StreamPlace where, const void* event);
    void wait(StreamPlace where, const void* event);
    /// The host waits.
    void synchronize(StreamPlace where);
    void synchronize(const void* event);
    /// Device memory is freed in its default stream.
    void freed(int device);
    /// A later object at the same address is a different one.
    void destroy_stream(const void* stream) noexcept;
    void destroy_event(const void* event) noexcept { events_.erase(event); }

    [[nodiscard]] std::vector<TracedOperation> take() noexcept { return std::move(operations_); }
    [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

private:
    struct Stream {
        int device = 0;
        bool is_default = false;
        double done_us = 0;
    };
    struct Running {
        double end_us;
        std::int64_t blocks;
    };
    struct Device {
        double to_device_us = 0, to_host_us = 0;  // the end of each engine's last copy
        std::vector<Running> kernels;
    };

    int number_of(StreamPlace where);
    [[nodiscard]] double ready_us(const Stream& stream) const;
    void host_waits(double until_us);
    void keep(TracedOperation operation);

    std::vector<Stream> streams_{{0, true, 0}};  // 0: the default stream of the first device
    std::map<std::pair<const void*, int>, int> numbers_{{{nullptr, 0}, 0}};
    std::map<const void*, double> events_;
    std::map<int, Device> devices_;
    std::vector<TracedOperation> operations_;
    std::uint64_t left_out_ = 0;
    double now_us_ = 0;  // the host's
};

/// The contents of a launch's arrays and of the kernel's variables, stored so that the launch can be repeated from
/// there.
class MemorySnapshot {
public:
    /// A snapshot of the arrays that the launch's parameters point to. None if one of them isn't the device's, or if
    /// they exceed `max_bytes` in total.
    static std::optional<MemorySnapshot> of(const LaunchFacts& facts, std::size_t max_bytes);

    /// A new snapshot of the same places.
    [[nodiscard]] MemorySnapshot taken_again() const;
    void restore() const noexcept;
    /// True if it contains the array that begins there.
    [[nodiscard]] bool covers(std::uintptr_t start) const noexcept;

private:
    struct Piece {
        std::uintptr_t start = 0;
        std::vector<std::byte> content;
    };
    void add(std::uintptr_t start, std::size_t bytes);

    std::vector<Piece> pieces_;
};

}  // namespace gpu::detail::host
