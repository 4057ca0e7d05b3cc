// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "host/check/stamp.hpp"

namespace gpu::detail::host {

/// What threads tell others through atomics: a fence and then an atomic write release all that came before the fence;
/// an atomic read of that place acquires it. Read-modify-writes go on with the chain of those before them.
class ReleaseLog {
public:
    struct Release;
    struct Location {
        std::vector<Release> releases;
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_serial;
        std::vector<std::uint32_t> with_imports;
        bool has_block_scope = false;   ///< some of the releases are for their own blocks
    };
    /// The first `count` releases of a location; behind a __threadfence_block(), those of the own block alone.
    struct Known {
        const Location* location;
        std::uint32_t count;
        bool within_block = false;
    };
    struct Release {
        std::uint64_t serial = 0;  ///< of the block
        unsigned thread = 0;
        std::uint32_t own = 0;                                     ///< the thread's accesses before this tick, ...
        std::uint32_t warp = 0;                                    ///< its warp's before this one
        std::uint32_t block = 0;                                   ///< and its block's before this one are released
        bool within_block = false;                                 ///< by __threadfence_block()
        std::shared_ptr<const std::vector<std::uint32_t>> fenced;  ///< by thread: its own fences before the barrier
        std::vector<Known> imports;                                ///< what the thread itself had acquired
    };

    /// Between launches.
    void clear() {
        locations_.clear();
        kept_ = 0;
    }
    /// No more is kept of this launch, and all is taken to be in order: a race may go unseen, none is invented.
    [[nodiscard]] bool is_full() const noexcept { return kept_ > most_kept; }
    [[nodiscard]] bool empty() const noexcept { return locations_.empty(); }
    void release(std::uintptr_t address, Release release);
    [[nodiscard]] bool acquire(std::uintptr_t address, Known& known) const;
    /// True if one of these releases, or one that its thread had acquired, comes after the access `before`.
    [[nodiscard]] static bool covers(const std::vector<Known>& known, Stamp before, std::uint64_t own_serial);

    std::mutex mutex;  ///< held around all calls where there are several workers

private:
    /// By location, whether it is known within the block alone, and the block: how many releases were looked at.
    using Visited = std::map<std::tuple<const Location*, bool, std::uint64_t>, std::uint32_t>;
    static bool covers(const std::vector<Known>& known, Stamp before, std::uint64_t own_serial, Visited& visited);

    static constexpr std::size_t most_kept = std::size_t{1} << 22;  // some 200 MB

    std::map<std::uintptr_t, Location> locations_;
    std::size_t kept_ = 0;  // releases, and what they import
};

/// The time of one block: a clock that ticks at each synchronisation, and which accesses a thread knows to have come
/// before. One a worker. Time within a block is (serial, tick); serials tell blocks from one another.
class BlockClock {
public:
    explicit BlockClock(ReleaseLog& log) : log_(log) {}

    void begin_block(std::uint64_t serial, unsigned threads) noexcept;
    void barrier();
    /// A barrier of all blocks: serials below `epoch` are of what came before.
    void grid_barrier(std::uint64_t epoch);
    /// A barrier of some warps, by warp the lanes that wait there. Several workers: with the log locked.
    void part_barrier(unsigned barrier, const std::uint32_t* lanes);
    void warp_sync(int warp, std::uint32_t lanes, std::uint32_t live);
    void fence(unsigned thread, bool within_block);
    /// An atomic access to a place. Several workers: with the log locked, and the access itself too.
    /// `when_fenced`: what it tells is known only behind the thread's next fence, as that of a lock is.
    void acquire(unsigned thread, std::uintptr_t address, bool when_fenced = false);
    void release(unsigned thread, std::uintptr_t address);

    /// Stamps of this moment, without thread and site.
    [[nodiscard]] Stamp now() const noexcept { return now_; }
    /// Stamps in [floor(), floor() + span()) are this block's, before its last barrier.
    [[nodiscard]] Stamp floor() const noexcept { return floor_; }
    [[nodiscard]] Stamp span() const noexcept { return span_; }

    /// True if the access comes before all that `thread` does now. It was one of this launch.
    [[nodiscard]] bool ordered(Stamp before, unsigned thread) const;
    /// True once the clock has run over: the tick was set back, with a serial of its own.
    [[nodiscard]] bool ran_over() const noexcept { return ran_over_; }
    /// Asks for a new serial for the running block when ticks run out.
    void on_overflow(std::uint64_t (*next)(void*), void* owner) noexcept {
        next_serial_ = next;
        owner_ = owner;
    }
    [[nodiscard]] bool is_own(std::uint64_t serial) const noexcept;

    /// A cuda::barrier: what a thread did before it arrived comes before what those do who waited for that phase.
    void arrive_in_phase(unsigned thread, const void* barrier, unsigned phase);
    void waited_for_phase(unsigned thread, const void* barrier, unsigned phase);

private:
    /// By thread: which of its accesses, those before a tick, come before the phase's end. A barrier has two at most.
    struct Phase {
        const void* barrier = nullptr;
        unsigned phase = 0;
        std::vector<std::uint32_t> ticks;
    };

    void tick();
    void begin_serial();
    void set_now() noexcept;
    std::vector<ReleaseLog::Known>& known_of(unsigned thread);
    void take_pending(unsigned thread, bool within_block);

    ReleaseLog& log_;
    std::uint64_t (*next_serial_)(void*) = nullptr;
    void* owner_ = nullptr;
    std::uint64_t serial_ = 0, epoch_ = 0;
    std::uint32_t tick_ = 0, barrier_tick_ = 0;
    Stamp now_ = 0, floor_ = 0, span_ = 0;
    bool ran_over_ = false;
    unsigned threads_ = 0;
    std::vector<Phase> phases_;
    std::vector<std::uint32_t> waited_;  // by thread, and by another one: what of that one comes before; or empty
    std::vector<std::uint64_t> older_serials_;
    std::uint32_t warp_tick_[32] = {};        // of the last __syncwarp() of all lanes
    bool partial_[32] = {};                   // there were some of a part of them
    std::uint16_t lane_tick_[1024][32] = {};  // what a thread knows of the lanes of its warp by those
    bool fences_ = false, fences_since_barrier_ = false, knows_ = false;
    struct Fence {
        std::uint32_t own, warp, block;
        bool within_block;
    };
    Fence fence_[1024] = {};
    std::shared_ptr<const std::vector<std::uint32_t>> fenced_;  // by thread, at the last barrier
    std::vector<std::vector<ReleaseLog::Known>> known_;         // by thread; the last one is all threads'
    std::vector<std::vector<ReleaseLog::Known>> pending_;       // by thread: known behind its next fence
    bool has_pending_ = false;
};

}  // namespace gpu::detail::host
