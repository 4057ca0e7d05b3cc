// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "host/base/abi.hpp"
#include "host/fibers/context_switch.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/modules/checked_module.hpp"

// A stamp packs when, by whom and where a cell of memory was accessed into one word:
// block's serial (24 bits) | tick of the block's clock (16) | thread (10) | atomic (1) | site (13). 0: never.
namespace gpu::detail::host {

using Stamp = std::uint64_t;

inline constexpr int serial_shift = 40, tick_shift = 24, thread_shift = 14;
inline constexpr Stamp atomic_bit = Stamp{1} << 13;
inline constexpr Stamp site_mask = atomic_bit - 1;
inline constexpr Stamp thread_mask = Stamp{1023} << thread_shift;
inline constexpr Stamp serial_mask = ~Stamp{0} << serial_shift;
inline constexpr std::uint32_t last_tick = 0xffff;  // not a synchronisation, see under_way()
inline constexpr std::uint64_t last_serial = (std::uint64_t{1} << 24) - 1;

constexpr std::uint64_t serial_of(Stamp stamp) noexcept { return stamp >> serial_shift; }
constexpr std::uint32_t tick_of(Stamp stamp) noexcept {
    return static_cast<std::uint32_t>(stamp >> tick_shift) & 0xffff;
}
constexpr unsigned thread_of(Stamp stamp) noexcept { return static_cast<unsigned>(stamp >> thread_shift) & 1023; }
constexpr unsigned site_of(Stamp stamp) noexcept { return static_cast<unsigned>(stamp & site_mask); }
constexpr bool is_atomic(Stamp stamp) noexcept { return (stamp & atomic_bit) != 0; }
constexpr Stamp time_of(std::uint64_t serial, std::uint32_t tick) noexcept {
    return Stamp{serial} << serial_shift | Stamp{tick} << tick_shift;
}

/// For a cell that an asynchronous copy is reading or writing: no thread has this number at this tick, so any access,
/// even by the copy's own thread, finds an access that it isn't ordered after. (One other of the 1024 threads does have
/// it.)
constexpr Stamp under_way(std::uint64_t serial, unsigned thread, unsigned site) noexcept {
    return time_of(serial, last_tick) | Stamp{1023 - thread} << thread_shift | site;
}
constexpr bool is_under_way(Stamp stamp) noexcept { return tick_of(stamp) == last_tick; }
/// The thread whose copy left such a stamp.
constexpr unsigned copying_thread(Stamp stamp) noexcept { return 1023 - thread_of(stamp); }

/// The accesses to some bytes of memory: the last write, and two reads since.
struct Cell {
    Stamp write, read[2];
};

// Whose further reads of a cell change nothing and are no race: those of a block or a warp at one moment, as a stamp
// without thread and site; or those of the launch that began with a stamp.
constexpr Stamp verified_for_block(Stamp moment) noexcept { return moment; }
constexpr Stamp verified_for_warp(Stamp moment, unsigned thread) noexcept { return moment + 1 + thread / 32; }
constexpr Stamp verified_for_launch(Stamp floor) noexcept { return floor | site_mask; }

/// The kinds of memory.
enum class Space : std::uint8_t { global, shared, module };

/// Memory of zeros that is committed only where it is touched.
class ZeroedMemory {
public:
    ZeroedMemory() = default;
    explicit ZeroedMemory(std::size_t bytes);  ///< @throws OutOfMemory
    ~ZeroedMemory();
    ZeroedMemory(ZeroedMemory&& other) noexcept;
    ZeroedMemory& operator=(ZeroedMemory&& other) noexcept;

    template <class T>
    [[nodiscard]] T* as() const noexcept {
        return static_cast<T*>(data_);
    }
    void clear() noexcept;

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// An array or variable, and the accesses to each of its elements. Cells are as large as the accesses: the first one
/// decides, and a smaller one splits them later, so neighbours are never confused.
class CheckedArray {
public:
    CheckedArray(Space where, std::uintptr_t first, std::size_t length) : start(first), bytes(length), space(where) {}

    /// The cells for accesses of `size` bytes at `offset`; their number is `size >> shift()`. May split cells.
    GPU_HOT_ON_KERNEL_STACK Cell* cells(std::size_t offset, std::size_t size) {
        if (__builtin_expect(must_split(offset, size), 0)) split(offset | size);
        return cells_ + (offset >> shift_);
    }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK bool must_split(std::size_t offset, std::size_t size) const noexcept {
        return ((offset | size) & mask_) != 0;
    }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK unsigned shift() const noexcept { return shift_; }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK Cell& cell(std::size_t index) const noexcept { return cells_[index]; }
    /// Per cell: for whom it is vetted.
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK Stamp* verified_reader() const noexcept { return verified_reader_; }
    GPU_HOT_ON_KERNEL_STACK void forget_vetted(const Cell* cell) const noexcept { verified_reader_[cell - cells_] = 0; }

    /// Marks everything as unwritten.
    void forget_values();
    /// Marks everything as written.
    void all_initialized() noexcept { bits_ = nullptr; }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK bool tracks_values() const noexcept { return bits_ != nullptr; }
    [[nodiscard]] bool initialized(std::size_t offset, std::size_t size) const noexcept;
    /// True if none of these bytes has been written.
    [[nodiscard]] bool untouched(std::size_t offset, std::size_t size) const noexcept;
    void initialize(std::size_t offset, std::size_t size) noexcept;
    /// Forgets all accesses.
    void forget_accesses() noexcept { memory_.clear(); }
    /// The bytes from the first to the last that accesses with these serials have reached.
    struct Reached {
        std::size_t begin = 0, end = 0;
        bool is_written = false;
    };
    [[nodiscard]] Reached reached(std::uint64_t first_serial, std::uint64_t end_serial) const noexcept;

    const std::uintptr_t start;
    const std::size_t bytes;
    const Space space;
    bool freed = false;
    bool is_heap = false;      ///< all pieces of the kernels' heap: each access looks up its piece
    bool is_constant = false;  ///< a __constant__ variable
    bool is_never_set = false;
    std::string name;      ///< of a variable; of an array while a kernel with it as a parameter runs
    unsigned element = 0;  ///< the element size in which accesses are counted; 0: not known
    static constexpr std::size_t locked = 256;  ///< bytes that share a lock
    std::atomic<std::uint8_t> locks[64] = {};  ///< if several workers share it

private:
    void split(std::size_t alignment);

    Cell* cells_ = nullptr;
    Stamp* verified_reader_ = nullptr;            // separate from the cells: most reads look only at this
    std::size_t mask_ = ~std::size_t{0};  // from the cells' size; until there are cells, every access is too small
    unsigned shift_ = 0;
    std::uint64_t* bits_ = nullptr;  // one per byte: written?
    ZeroedMemory memory_, bit_memory_;
};

/// The arrays of all devices during a check, as far as kernels or copies have accessed them.
class CheckedMemory {
public:
    /// The array that contains an address, or null. `memory` is the device's.
    CheckedArray* find(const GuardedMemory& memory, std::uintptr_t address);
    /// The array around `data` if a kernel or copy has accessed it in this check, otherwise null.
    CheckedArray* known(const void* data) noexcept;
    /// Adds memory that isn't the devices' own but that kernels may access: memory that gpu::wrap turned into arrays,
    /// and page-locked memory.
    void add_foreign(const void* data, std::size_t bytes);
    /// Removes the piece of this size that begins here; 0: all that do.
    void remove_foreign(const void* data, std::size_t bytes) noexcept;
    [[nodiscard]] bool is_foreign(std::uintptr_t address);
    /// The foreign memory that kernels have accessed.
    [[nodiscard]] std::vector<const CheckedArray*> foreign_arrays();

    /// Records a write to these bytes from outside checked kernels.
    void written(GuardedMemory& memory, std::uintptr_t address, std::size_t bytes);
    /// Forgets the array that begins here: it is gone.
    void forget(const void* data) noexcept;
    /// Restarts all serials.
    void forget_accesses() noexcept;
    /// Ends the check: returns the knowledge of written arrays to the device.
    void clear() noexcept;

private:
    struct Entry {
        std::unique_ptr<CheckedArray> array;
        const GuardedMemory* memory;
    };
    bool find_foreign(std::uintptr_t address, NearArray& array) const;

    std::mutex mutex_;
    std::multimap<std::uintptr_t, std::size_t> foreign_;  // by start: sizes; pieces may overlap
    std::map<std::uintptr_t, Entry> arrays_;              // by start
};

/// The heap of checked kernels. No address is given out twice in a check, so accesses to freed memory are noticed;
/// pieces are spaced apart, so that an index past the end of one is noticed.
class CheckedHeap {
public:
    /// The place of an allocation.
    struct Origin {
        std::shared_ptr<CheckedModule> module;
        std::string kernel;
        std::size_t site = 0;
        uint3 block{}, thread{};
    };
    struct Piece {
        std::uintptr_t start = 0;
        std::size_t bytes = 0;
        bool is_free = false;
        std::size_t origin = 0;
    };
    /// Pieces of one allocating instruction that were never freed.
    struct Leak {
        Origin first;
        std::uint64_t pieces = 0, bytes = 0;
    };

    /// Null if not enough is left of the kernels' limit or of this check's addresses.
    void* allocate(unsigned long long bytes, const Origin& origin);
    /// False: no allocated piece begins there.
    bool release(const void* data);

    /// True for any address that a piece may have had.
    [[nodiscard]] bool holds(std::uintptr_t address) const noexcept { return address - begin_ < end_ - begin_; }
    /// Remembers the accesses to all pieces.
    [[nodiscard]] CheckedArray* array() const noexcept { return array_.get(); }
    /// The piece that contains an address, or precedes it. One without bytes: there is none.
    [[nodiscard]] Piece piece_at(std::uintptr_t address) const;
    [[nodiscard]] bool is_allocated(std::uintptr_t address, std::size_t bytes) const;

    [[nodiscard]] std::vector<Leak> leaks() const;
    /// Restarts all serials.
    void forget_accesses() noexcept;
    void clear() noexcept;

private:
    bool begin();

    mutable std::mutex mutex_;
    std::uintptr_t begin_ = 0, end_ = 0, next_ = 0;
    std::size_t used_ = 0;
    std::unique_ptr<CheckedArray> array_;
    std::map<std::uintptr_t, Piece> pieces_;  // by start
    std::vector<Origin> origins_;
    std::map<std::pair<const CheckedModule*, std::size_t>, std::size_t> numbers_;  // of origins
};

/// What threads pass on through atomics: a fence followed by an atomic write releases everything before the fence; an
/// atomic read of that location acquires it. Read-modify-writes continue the chain of those before them.
class ReleaseLog {
public:
    struct Release;
    struct Location {
        std::vector<Release> releases;
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_serial;
        std::vector<std::uint32_t> with_imports;
        bool has_block_scope = false;   ///< some of the releases are limited to their own blocks
    };
    /// The first `count` releases of a location; after a __threadfence_block(), only those of the own block.
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
        std::shared_ptr<const std::vector<std::uint32_t>> fenced;  ///< per thread: its own fences before the barrier
        std::vector<Known> imports;                                ///< what the thread itself had acquired
    };

    /// Called between launches.
    void clear() {
        locations_.clear();
        kept_ = 0;
    }
    /// Nothing more of this launch is stored, and everything counts as ordered: a race may be missed, but none is
    /// invented.
    [[nodiscard]] bool is_full() const noexcept { return kept_ > max_kept; }
    [[nodiscard]] bool empty() const noexcept { return locations_.empty(); }
    void release(std::uintptr_t address, Release release);
    [[nodiscard]] bool acquire(std::uintptr_t address, Known& known) const;
    /// True if one of these releases, or one that its thread had acquired, happens after the access `before`.
    [[nodiscard]] static bool covers(const std::vector<Known>& known, Stamp before, std::uint64_t own_serial);

    std::mutex mutex;  ///< held around all calls if there are several workers

private:
    /// By location, whether it is known only within the block, and the block: how many releases were examined.
    using Visited = std::map<std::tuple<const Location*, bool, std::uint64_t>, std::uint32_t>;
    static bool covers(const std::vector<Known>& known, Stamp before, std::uint64_t own_serial, Visited& visited);

    static constexpr std::size_t max_kept = std::size_t{1} << 22;  // about 200 MB

    std::map<std::uintptr_t, Location> locations_;
    std::size_t kept_ = 0;  // releases and their imports
};

/// The time of one block: a clock that ticks at each synchronisation, and the accesses that each thread knows to have
/// happened before. One per worker. Time within a block is (serial, tick); serials distinguish blocks.
class BlockClock {
public:
    explicit BlockClock(ReleaseLog& log) : log_(log) {}

    void begin_block(std::uint64_t serial, unsigned threads) noexcept;
    void barrier();
    /// A barrier of all blocks: serials below `epoch` belong to what came before.
    void grid_barrier(std::uint64_t epoch);
    /// A barrier of some warps: per warp, the lanes that wait there. With several workers, the log must be locked.
    void part_barrier(unsigned barrier, const std::uint32_t* lanes);
    void warp_sync(int warp, std::uint32_t lanes, std::uint32_t live);
    void fence(unsigned thread, bool within_block);
    /// An atomic access to a location. With several workers, the log must be locked, also during the access itself.
    /// `when_fenced`: what it passes on is known only after the thread's next fence, as with a lock.
    void acquire(unsigned thread, std::uintptr_t address, bool when_fenced = false);
    void release(unsigned thread, std::uintptr_t address);

    /// The stamp of this moment, without thread and site.
    [[nodiscard]] Stamp now() const noexcept { return now_; }
    /// Stamps in [floor(), floor() + span()) are this block's before its last barrier.
    [[nodiscard]] Stamp floor() const noexcept { return floor_; }
    [[nodiscard]] Stamp span() const noexcept { return span_; }

    /// True if the access happened before everything that `thread` does now. It must belong to this launch.
    [[nodiscard]] bool ordered(Stamp before, unsigned thread) const;
    /// True once the clock has overflowed: the tick was reset, with a new serial.
    [[nodiscard]] bool ran_over() const noexcept { return ran_over_; }
    /// Sets the function that supplies a new serial for the running block when ticks run out.
    void on_overflow(std::uint64_t (*next)(void*), void* owner) noexcept {
        next_serial_ = next;
        owner_ = owner;
    }
    [[nodiscard]] bool is_own(std::uint64_t serial) const noexcept;

    /// A cuda::barrier: what a thread did before it arrived happens before what those do who waited for that phase.
    void arrive_in_phase(unsigned thread, const void* barrier, unsigned phase);
    void waited_for_phase(unsigned thread, const void* barrier, unsigned phase);

private:
    /// Per thread: the tick before which its accesses happen before the phase's end. A barrier has at most two phases.
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
    std::vector<std::uint32_t> waited_;  // by thread and other thread: what of the other happened before; or empty
    std::vector<std::uint64_t> older_serials_;
    std::uint32_t warp_tick_[32] = {};        // of the last __syncwarp() of all lanes
    bool partial_[32] = {};                   // there were some of a part of the lanes
    std::uint16_t lane_tick_[1024][32] = {};  // what those tell a thread about its warp's lanes
    bool fences_ = false, fences_since_barrier_ = false, knows_ = false;
    struct Fence {
        std::uint32_t own, warp, block;
        bool within_block;
    };
    Fence fence_[1024] = {};
    std::shared_ptr<const std::vector<std::uint32_t>> fenced_;  // per thread, at the last barrier
    std::vector<std::vector<ReleaseLog::Known>> known_;         // per thread; the last entry is all threads'
    std::vector<std::vector<ReleaseLog::Known>> pending_;       // per thread: known after its next fence
    bool has_pending_ = false;
};

/// Decides which block of a checked launch runs.
///
/// As many threads run at once as the check has workers. A block that waits for another block's write passes its turn
/// on and gets it back after all others had theirs; while it waits, a thread started for that purpose begins the
/// remaining blocks. So a block may wait for any other, in every order of blocks, and with one worker the order of
/// events is always the same.
class CooperativeScheduler {
public:
    /// @param take_blocks a worker's share of the launch, called with a turn held; must not throw
    /// @param has_more whether there are blocks that haven't begun
    CooperativeScheduler(std::function<void()> take_blocks, std::function<bool()> has_more);
    ~CooperativeScheduler() { join(); }
    CooperativeScheduler(const CooperativeScheduler&) = delete;
    CooperativeScheduler& operator=(const CooperativeScheduler&) = delete;

    /// A worker begins and ends its share, and moves from one block to the next.
    void begin();
    void end();
    void next_block();
    /// Waits for the threads that were started.
    void join();

    /// The running block waits, and nothing in it can continue: passes the turn to everybody else. Returns at once if
    /// there is nobody.
    void pass();
    /// Counts an advance, so that a waiting block can notice it.
    void progress() noexcept { progress_.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t progress_so_far() const noexcept { return progress_.load(std::memory_order_relaxed); }
    /// The running block has begun to wait, or has stopped waiting.
    void set_waiting(bool waiting) noexcept { waiting_ += waiting ? 1 : -1; }
    /// True if every block can continue only through other blocks' actions.
    [[nodiscard]] bool all_wait();

private:
    struct Turn {
        bool is_mine = false;
    };
    void wait_for(const Turn& turn, std::unique_lock<std::mutex>& lock);
    void queue_up(std::unique_lock<std::mutex>& lock);
    void hand_over();
    void start_thread_if_needed();

    static constexpr std::size_t max_threads = 255;

    const std::function<void()> take_blocks_;
    const std::function<bool()> has_more_;
    std::mutex mutex_;
    std::condition_variable turned_;
    std::deque<Turn*> queue_;
    std::vector<std::thread> threads_;
    int running_ = 0;  // have a turn
    bool has_no_more_threads_ = false;  // the system allows none
    int takers_ = 0;   // wait for a turn to begin another block
    std::atomic<int> waiting_{0};
    std::atomic<std::uint64_t> progress_{0};
};

}  // namespace gpu::detail::host
