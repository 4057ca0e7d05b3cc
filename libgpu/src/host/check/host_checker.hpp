// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gpu/trace.hpp>

#include "backend/backend.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/check/checked_memory.hpp"
#include "host/check/host_watch.hpp"
#include "host/check/launch_facts.hpp"
#include "host/check/raw_finding.hpp"
#include "host/check/stream_order.hpp"
#include "host/fibers/thread_pool.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/modules/checked_module.hpp"
#include "host/modules/kernel_module.hpp"

namespace gpu::detail::host {

class HostChecker;

/// The parts of the backend that a launch uses.
struct LaunchContext {
    ThreadPool& pool;
    GuardedMemory& memory;
    HostChecker& checker;
    bool printing = false;  ///< an array is being printed: not the learner's work
    int device = 0;
    void* stream = nullptr;
};

/// How kernels run in check mode: CheckOptions with all defaults resolved.
struct CheckPlan {
    bool random = false;
    bool more_orders = false;  ///< after a launch, try a few random orders as well
    bool again = false;        ///< this is such a retry: nothing is counted
    std::uint64_t seed = 0;
    int workers = 1;
    double seconds_per_block = 10;
    bool strict_barriers = false;
    bool only_cuda = false;
    bool spoiled_copies = false;
};

/// @throws Error for invalid options.
CheckPlan plan_of(const CheckOptions& options);

/// The host memory that a copy reads or writes.
struct HostSide {
    HostBufferWatch::Buffer buffer = {};  ///< of 0 bytes: none
    bool host_waits = true;               ///< the call itself waits
};

/// What a launch has done, all workers together.
struct LaunchWork {
    std::map<WorkCounter::Site, WorkCounts> sites;
    bool approximate = false;
    LaunchSpread spread;
    TracedLaunch traced;  ///< empty: it wasn't recorded
};

/// Check mode of the host backend: runs launches one after the other and collects what their watches find and count.
class HostChecker final : public Checker {
public:
    void begin(const CheckOptions& options) override;
    CheckReport finish() override;
    void record(const TraceOptions& options) override;
    [[nodiscard]] bool records() const noexcept override { return has_schedule_.load(std::memory_order_acquire); }
    void note(int device, void* stream, const TracedOperation& operation) override;
    void end_schedule() override { has_schedule_.store(false, std::memory_order_release); }
    Trace take_trace() override;
    /// How a GPU would have ended the first kernel that was left since the last call; nothing: there is none, or a GPU
    /// would have gone on.
    [[nodiscard]] std::optional<KernelEnd> take_end() {
        const std::lock_guard lock(mutex_);
        return std::exchange(end_, std::nullopt);
    }
    [[nodiscard]] StreamsSeen streams_seen() const override {
        return {.at_once = order_.max_at_once(), .not_awaited = order_.not_awaited()};
    }

    /// True between begin() and finish().
    [[nodiscard]] bool active() const noexcept { return active_.load(std::memory_order_acquire); }
    /// True if the check accepts only CUDA C++ kernels, see CheckOptions.
    [[nodiscard]] bool only_cuda() const noexcept { return active() && plan_.only_cuda; }
    /// True if copies to the host get other values, see CheckOptions.
    [[nodiscard]] bool spoils_copies() const noexcept { return active() && plan_.spoiled_copies; }
    [[nodiscard]] CheckedMemory& memory() noexcept { return memory_; }
    [[nodiscard]] HostAccessWatch& host_access() noexcept { return host_access_; }
    [[nodiscard]] HostBufferWatch& buffers() noexcept { return buffers_; }

    /// Runs a kernel compiled for check mode until its end or its first fatal finding. The launch must be valid.
    void launch(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape, void* const* arguments);

    /// A copy or fill was queued in a stream: "a copy". Does nothing outside a check.
    void copied(StreamPlace where, const char* name, const std::vector<CopiedPiece>& pieces,
                const HostSide& host = {});
    /// The same for the schedule of a trace. `host`: the host's side of the copy, or null.
    void copy_asked(StreamPlace where, CopyKind kind, std::size_t bytes, const void* host, bool host_waits);

    // Events, and where the host waits. They do nothing outside a check.
    void recorded(StreamPlace where, const void* event);
    void waits(StreamPlace where, const void* event);
    void synchronized(StreamPlace where);
    void synchronized(const void* event);
    /// A copy made the host wait for its stream.
    void copy_waited(StreamPlace where);
    void destroyed_stream(const void* stream) noexcept;
    void destroyed_event(const void* event) noexcept;

    /// The device's array that begins here is about to be freed.
    void freed(int device, const void* data) noexcept;
    /// Memory that isn't the devices' own is gone, see CheckedMemory::remove_foreign().
    void given_back(const void* data, std::size_t bytes) noexcept;

private:
    struct KernelRecord {
        KernelCounts counts;
        std::map<std::shared_ptr<CheckedModule>, std::map<WorkCounter::Site, WorkCounts>> sites;
    };
    KernelRecord& record_of(const KernelModule& kernel);
    // The steps of launch().
    LaunchFacts facts_of(LaunchContext& context, const KernelModule& kernel, const LaunchShape& shape,
                         void* const* arguments, const std::shared_ptr<StreamOperation>& operation);
    [[nodiscard]] bool may_try_more_orders(const LaunchContext& context, const LaunchFacts& facts) const;
    /// Whether a trace records this launch. It counts the learner's that it leaves out.
    bool is_recorded(const LaunchContext& context, const KernelModule& kernel);
    LaunchWork run(LaunchFacts& facts);
    void add_to_schedule(const LaunchContext& context, const LaunchFacts& facts, const LaunchWork& work);
    void count(LaunchFacts& facts, const LaunchShape& shape, const LaunchWork& work);
    /// Whether a trace is about this kernel's launches, of which it counts this one.
    bool is_chosen(const KernelModule& kernel);
    void report_leaks();
    /// Reports each with its texts, also to the launch of a trace that stores them. `order`: the schedule in which it
    /// was seen, if that isn't the check's own.
    void report(const KernelModule& kernel, std::vector<RawFinding> findings, TracedLaunch* traced, uint3 grid,
                uint3 block, const std::string& order = {});
    static void find_other_places(std::span<RawFinding> findings);
    static void add_clues(const KernelModule& kernel, const std::vector<Token>& tokens,
                          std::span<RawFinding> findings, bool has_warps);
    static void find_places(CheckedModule& module, std::span<RawFinding> findings);
    static std::string rewritten(RawFinding rewrite, const KernelModule& kernel);
    void name_arguments(const LaunchContext& context, const KernelModule& kernel, void* const* arguments);
    void report_host_accesses();
    void report_host_buffers();
    void host_waited();
    void watch_host_memory(const std::shared_ptr<const StreamOperation>& launch, const LaunchFacts& facts);
    void add(Finding told, const std::string& order = {});
    /// Runs the same launch from the same memory in other orders and reports what it finds. Restores memory afterwards.
    void try_more_orders(LaunchContext& context, const LaunchFacts& facts, const MemorySnapshot& before,
                         std::uint64_t work);
    void forget_unfinished(LaunchContext& context, const LaunchFacts& facts);
    void reserve_serials(std::uint64_t count);
    template <class F>
    void tell_schedule(F&& tell) {
        if (!records()) return;
        const std::lock_guard lock(schedule_mutex_);
        tell(schedule_);
    }

    std::atomic<bool> active_{false};
    std::mutex mutex_;  // one launch at a time
    CheckPlan plan_;
    std::unique_ptr<ThreadPool> pool_;
    CheckedMemory memory_;
    CheckedHeap heap_;
    bool was_left_ = false;  // a kernel of the check was, by a fatal finding
    std::optional<KernelEnd> end_;
    StreamOrder order_;
    std::uint64_t next_serial_ = 1, launches_ = 0;
    std::uint64_t tried_ = 0;  // accesses and threads of repeated launches
    std::vector<Finding> findings_;
    std::optional<TraceOptions> recording_;
    int launches_chosen_ = 0;    // of the kernels that the trace is about, up to now
    std::vector<bool> is_ours_;  // per launch of the trace: a kernel of libgpu's own
    Trace trace_;
    std::atomic<bool> has_schedule_{false};
    std::mutex schedule_mutex_;
    ModelledSchedule schedule_;
    HostBufferWatch buffers_;
    HostAccessWatch host_access_{buffers_};
    std::vector<std::size_t> findings_before_;  // per noted access by host code
    std::vector<std::unique_ptr<KernelRecord>> kernels_;
};

}  // namespace gpu::detail::host
