// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gpu/trace.hpp>

#include "host/check/launch_facts.hpp"
#include "host/check/stream_order.hpp"

namespace gpu::detail::host {

class BlockScheduler;
class ReachableArrays;

/// Records one launch for gpu::trace: each access of its first blocks, and of one that fails, in order.
///
/// Check mode calls it on kernels' stacks, from one worker, so it takes no memory but what it was made with. Names and
/// lines are looked up when the launch has ended.
class AccessRecorder {
public:
    AccessRecorder(const TraceOptions& options, const LaunchFacts& facts);

    void begin_block(std::uint64_t block) noexcept;
    /// An access is about to happen. `array` is null where it lies in none.
    void access(const CheckedArray* array, std::uintptr_t address, std::size_t size, MemoryOperation operation,
                std::size_t site, unsigned thread) noexcept;
    /// The running thread will go on elsewhere, or not at all: what it wrote is there.
    void settle() noexcept;
    void barrier(int line) noexcept;
    /// All of a warp's threads that have not ended have arrived at an operation.
    void warp_operation(int warp) noexcept { ++epochs_[warp]; }
    void thread_ends(unsigned thread) noexcept;
    /// Something was found in the running block: it is recorded, whichever it is.
    void keep_block() noexcept { is_kept_ = true; }
    /// A thread's last access of these bytes by this instruction, by its number here; -1: it wasn't recorded.
    [[nodiscard]] int last(std::uint64_t block, unsigned thread, std::size_t site, std::uintptr_t address,
                           std::size_t size, bool writes) const noexcept;
    /// A failed block's threads stay where they are.
    void end_block(bool succeeded, const BlockScheduler& scheduler) noexcept;

    /// What was recorded, while the launch's arrays are still known.
    [[nodiscard]] TracedLaunch take(LaunchFacts& facts, const ReachableArrays& arrays);
    /// After take(): the findings' sides name accesses of the launch.
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
    std::vector<Record> records_;  // as large as they may become from the start
    std::vector<Stop> stops_;
    std::size_t used_ = 0, stops_used_ = 0;
    std::uint64_t left_out_ = 0, block_ = 0;
    Record* written_ = nullptr;  // the last one, if its value isn't known yet
    std::vector<int> numbers_;   // of records, in the launch that was taken; -1: left out there
    // Of a block beyond the first ones: kept only if it fails, or if something is found in it.
    bool on_trial_ = false, is_kept_ = false;
    std::size_t used_before_ = 0, stops_before_ = 0;
    std::uint16_t interval_ = 0;
    std::vector<bool> ended_;
    std::uint32_t epochs_[32] = {};
};

/// Both sides of a finding.
[[nodiscard]] TracedFinding traced(const RawFinding& finding, const Finding& told, uint3 grid, uint3 block);

/// When each operation would begin and end on a GPU that counts_to_time.hpp models: an operation waits for its stream,
/// for events, for the default stream, for the engine that copies its way, or for multiprocessors that are free; the
/// host waits where its code does.
class ModelledSchedule {
public:
    /// The host asks for an operation that takes so long; its times and its stream's number are filled in.
    void add(StreamPlace where, TracedOperation operation, double us);
    void record(StreamPlace where, const void* event);
    void wait(StreamPlace where, const void* event);
    /// The host waits.
    void synchronize(StreamPlace where);
    void synchronize(const void* event);
    /// The device's memory is freed in its default stream.
    void freed(int device);
    /// What is made at the same place isn't the same.
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
        double to_device_us = 0, to_host_us = 0;  // the engines' last copies end
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

}  // namespace gpu::detail::host
