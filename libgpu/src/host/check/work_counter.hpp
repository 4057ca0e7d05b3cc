// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gpu/check.hpp>

#include "host/check/requests.hpp"
#include "host/modules/checked_module.hpp"

namespace gpu::detail::host {

/// The work of one site: an instruction, a barrier or a warp operation of a kernel.
struct SiteCounts {
    std::uintptr_t site = 0;
    WorkCounts work;
};

/// How a launch's work is spread, as far as one worker or all of them have seen it; see KernelCounts. No shapes.
struct LaunchSpread {
    WorkSpread global, shared, atomic;
    std::uint64_t accesses = 0, span = 0;

    /// Other blocks of the same launch.
    void add(const LaunchSpread& others) noexcept;
};

/// Counts the work of a kernel's blocks as a GPU would do it, in one worker: accesses become requests of warps.
///
/// Lanes run one after the other here, so the accesses of a request come at different times. An access belongs to the
/// request (site, how often this lane has executed this site since the warp last synchronised). Requests are counted
/// when all lanes of a warp that have not ended stop at a barrier, at a warp operation for all of them, or have ended.
/// Until then, a lane's accesses at a site are kept as arithmetic sequences: a loop that walks through an array takes
/// no more memory than a single access. The order in which threads run doesn't change any count.
///
/// access(), barrier(), warp_operation(), thread_waits() and thread_ends() run on kernels' stacks: they take no locks
/// and no memory from the heap, and a jump may leave them for good if abandon_block() follows.
class WorkCounter {
public:
    /// An instruction's address, or any other number below 2^48 that names a place of the kernel.
    using Site = std::uintptr_t;

    /// Keeps at most this many bytes of addresses; 64 MiB are enough for millions of irregular accesses of one warp
    /// between two synchronisations. Beyond that, accesses count as requests of their own, see approximate().
    explicit WorkCounter(std::size_t byte_limit = std::size_t{64} << 20) : store_(byte_limit) {}

    /// A block of 1 to 1024 threads begins.
    void begin_block(unsigned threads) noexcept;
    /// The block has ended, or failed at a place of its own (not by a signal): what is open is counted.
    void end_block() noexcept;
    /// The block was left at any place, even inside of this class: what is open is forgotten.
    void abandon_block() noexcept;

    /// Thread `thread` of the block (x fastest) accesses `size` bytes, 1 to 16. `address` is that of global memory, or
    /// an offset within the block's shared memory, whose offset 0 is in bank 0. `known` saves looking up what an
    /// instruction accessed last: any variable that is null at first and forgotten at take(). The access counts as so
    /// many `elements` of its array, 1 to 16.
    GPU_HOT_ON_KERNEL_STACK void access(Site site, unsigned thread, std::uintptr_t address, unsigned size,
                                        AccessKind kind, SiteRecord*& known, unsigned elements = 1) noexcept {
        const std::uint64_t key = SiteRecord::key_of(site, size, static_cast<unsigned>(kind), elements);
        if (known == nullptr || known->key != key) {
            known = store_.find(key);
            if (known == nullptr) known = store_.add_site(key);
            if (known == nullptr) return count_nothing();
        }
        access(*known, thread, address);
    }
    /// The same, where `known` is of this instruction, size and kind.
    GPU_HOT_ON_KERNEL_STACK void access(SiteRecord& known, unsigned thread, std::uintptr_t address) noexcept {
        if (access_quickly(known, thread, address)) return;
        RequestRecord* record = known.open[thread / 32];
        if (record == nullptr) record = open_record(known, thread / 32);
        if (record == nullptr) return count_alone(known, thread, address);
        if (begin_quickly(known, thread, address)) return;
        if (!store_.repeat(*record, thread % 32, address)) count_alone(known, thread, address);
    }
    /// The same where a lane's run expected it. False: it didn't, and nothing is counted.
    GPU_HOT_ON_KERNEL_STACK static bool access_quickly(SiteRecord& known, unsigned thread,
                                                       std::uintptr_t address) noexcept {
        RequestRecord* const record = known.open[thread / 32];
        if (__builtin_expect(record == nullptr, 0)) return false;
        RequestRecord::Newest& run = record->run[thread % 32];
        if (address != run.expected) return false;
        run.expected += run.stride;
        ++run.count;
        return true;
    }
    /// The same where the lane has none yet, and another one of its warp has.
    GPU_HOT_ON_KERNEL_STACK static bool begin_quickly(SiteRecord& known, unsigned thread,
                                                      std::uintptr_t address) noexcept {
        RequestRecord* const record = known.open[thread / 32];
        const std::uint32_t bit = std::uint32_t{1} << thread % 32;
        if (__builtin_expect(record == nullptr, 0) || (record->present & bit) != 0) return false;
        record->base[thread % 32] = address;
        record->present |= bit;
        return true;
    }
    void access(Site site, unsigned thread, std::uintptr_t address, unsigned size, AccessKind kind) noexcept {
        SiteRecord* known = nullptr;
        access(site, thread, address, size, kind, known);
    }

    /// All threads of the block that have not ended have arrived at a barrier: before they go on.
    void barrier(Site site) noexcept;
    /// The lanes `mask` of a warp have arrived at a shuffle, a vote or __syncwarp(): once an operation, before they go
    /// on.
    /// One of some warps: the requests of a warp are closed where its last thread waits.
    void part_barrier(Site site) noexcept { count_event(site, SiteRecord::barrier); }
    void warp_operation(Site site, unsigned warp, std::uint32_t mask) noexcept;
    /// A thread arrives at a barrier of its block. Need not be called; it keeps memory small and near.
    void thread_waits(unsigned thread) noexcept;
    /// A thread's function returned.
    GPU_HOT_ON_KERNEL_STACK void thread_ends(unsigned thread) noexcept {
        Warp& warp = warps_[thread / 32];
        warp.ended |= std::uint32_t{1} << thread % 32;
        if ((warp.running & ~(warp.waiting | warp.ended)) == 0) close(warp);
    }

    /// What was counted since the last call, by site, the lowest first. Between blocks only.
    [[nodiscard]] std::vector<SiteCounts> take();
    /// How it is spread; take() forgets it.
    [[nodiscard]] const LaunchSpread& spread() const noexcept { return spread_; }

    /// True if the limit was reached since the last take(): requests, sectors and wavefronts are then too high.
    [[nodiscard]] bool approximate() const noexcept { return approximate_; }

private:
    struct Warp {
        std::uint32_t running = 0;  // lanes that had not ended when the open requests began
        std::uint32_t ended = 0;    // those that have ended since
        std::uint32_t waiting = 0;  // at the block's barrier
        RequestRecord* open = nullptr;
    };

    // Null if there is no memory left.
    RequestRecord* open_record(SiteRecord& where, unsigned warp) noexcept;
    void count_alone(SiteRecord& where, unsigned thread, std::uintptr_t address) noexcept;
    void count_nothing() noexcept { approximate_ = true; }
    void count_event(Site site, unsigned kind) noexcept;
    void close(Warp& warp) noexcept;
    void close_all() noexcept;
    void add_to_thread(const SiteRecord& where, unsigned thread, std::uint32_t accesses) noexcept;
    void add_to_warp(const SiteRecord& where, unsigned warp, std::uint32_t accesses) noexcept;
    void add_to_threads(const RequestRecord& record, unsigned warp) noexcept;
    void end_phase() noexcept;
    void add_block() noexcept;

    /// The threads of the block that runs: accesses of each kind, and all of them since the last barrier. What all 32
    /// lanes of a warp did alike stands in `alike_`, once.
    struct Threads {
        std::uint32_t global[1024], shared[1024], atomic[1024], since_barrier[1024];
    };
    struct Alike {
        std::uint32_t global = 0, shared = 0, atomic = 0, since_barrier = 0;
        bool others = false, others_since_barrier = false;   ///< lanes have counts of their own besides
    };

    RequestStore store_;
    Warp warps_[32];
    unsigned warp_count_ = 0;
    bool approximate_ = false;
    std::unique_ptr<Threads> threads_ = std::make_unique<Threads>();
    Alike alike_[32];
    std::uint64_t block_span_ = 0;
    LaunchSpread spread_;
};

inline void add_work(WorkCounts& to, const WorkCounts& more) noexcept { to += more; }

/// The work of all sites together.
[[nodiscard]] WorkCounts total_work(const std::vector<SiteCounts>& sites) noexcept;

/// By line: `places[k]` is where `sites[k]` stands. Sorted by file and line; sites without a file are left out.
[[nodiscard]] std::vector<LineCounts> work_by_line(const std::vector<SiteCounts>& sites,
                                                   const std::vector<SourcePlace>& places);

/// Adds the lines of one launch to those of others.
void add_lines(std::vector<LineCounts>& to, const std::vector<LineCounts>& more);

}  // namespace gpu::detail::host
