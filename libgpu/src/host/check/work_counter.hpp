// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gpu/check.hpp>

#include "host/fibers/context_switch.hpp"
#include "host/modules/checked_module.hpp"

namespace gpu::detail::host {

// What WorkCounter stores until the lanes of a warp have caught up with each other. All of it is in memory that is
// mapped piece by piece and never returned between two accesses: a heap's locks can't be used on kernels' stacks.

/// Addresses base, base + stride, ...: `count` of them.
struct AddressRun {
    std::uint64_t base, stride;  // a negative stride wraps around, as unsigned numbers do
    std::uint32_t count;
};

struct RunChunk {
    static constexpr std::uint32_t capacity = 10;
    RunChunk* next;
    std::uint32_t used;
    AddressRun runs[capacity];
};

struct SiteRecord;

/// The open requests of one site and warp. For each lane: older runs in chunks, and the run in progress.
struct RequestRecord {
    static constexpr std::uint64_t no_address = ~std::uint64_t{0};

    std::uint32_t present;   // lanes that have arrived
    std::uint32_t repeated;  // lanes whose newest run has more than one address, and so a stride
    std::uint32_t spilled;   // lanes with older runs
    SiteRecord* site;
    RequestRecord* next;  // of the same warp, or in the free list
    struct Newest {
        std::uint64_t expected;  // the address that would extend it; no_address: no stride yet
        std::uint64_t stride;
        std::uint64_t count;
    };
    std::uint64_t base[32];  // of the newest run
    Newest run[32];
    RunChunk *first[32], *newest[32];
};

/// An instruction with one size and one kind of access, and its counts.
struct SiteRecord {
    static constexpr unsigned barrier = 6, warp_operation = 7;  // kinds besides those of AccessKind

    static std::uint64_t key_of(std::uint64_t site, unsigned size, unsigned kind, unsigned elements = 1) noexcept {
        return site | std::uint64_t{kind} << 48 | std::uint64_t{size - 1} << 51 | std::uint64_t{elements - 1} << 55;
    }
    [[nodiscard]] std::uint64_t site() const noexcept { return key & ((std::uint64_t{1} << 48) - 1); }
    [[nodiscard]] unsigned kind() const noexcept { return key >> 48 & 7; }
    [[nodiscard]] unsigned size() const noexcept { return (key >> 51 & 15) + 1; }
    /// Elements of the array that an access reads or writes.
    [[nodiscard]] unsigned elements() const noexcept { return (key >> 55 & 15) + 1; }

    std::uint64_t key;
    std::uint64_t events;  // accesses of threads, barriers, warp operations
    std::uint64_t requests, divergent, sectors, segments, bytes_used, wavefronts;
    std::uint64_t atomic_requests, atomic_turns;
    RequestRecord* open[32];  // by warp
};

/// Memory in large pieces; it is freed only all at once.
class PieceArena {
public:
    explicit PieceArena(std::size_t byte_limit) : limit_(byte_limit) {}
    ~PieceArena();
    PieceArena(const PieceArena&) = delete;
    PieceArena& operator=(const PieceArena&) = delete;

    /// Null if the limit is reached or the system has no more. Uninitialised.
    void* take(std::size_t bytes) noexcept;
    /// Frees everything; keeps the memory.
    void reset() noexcept;

private:
    struct Piece {
        Piece* next;
        std::size_t size;
    };
    Piece* first_ = nullptr;
    Piece* current_ = nullptr;
    std::size_t used_ = 0, mapped_ = 0, limit_;
};

class RequestStore {
public:
    explicit RequestStore(std::size_t byte_limit) : open_memory_(byte_limit), site_memory_(~std::size_t{0}) {}
    ~RequestStore();
    RequestStore(const RequestStore&) = delete;
    RequestStore& operator=(const RequestStore&) = delete;

    GPU_HOT_ON_KERNEL_STACK SiteRecord* find(std::uint64_t key) const noexcept {
        const Table* const table = table_;
        if (table == nullptr) return nullptr;
        for (std::uint64_t slot = table->slot_of(key);; slot = (slot + 1) & table->mask) {
            const Entry& entry = table->entries[slot];
            if (entry.site == nullptr || entry.key == key) return entry.site;
        }
    }
    /// A new site; null if there is no memory.
    SiteRecord* add_site(std::uint64_t key) noexcept;

    /// An empty record, and its return. Null if the limit is reached.
    RequestRecord* take_record() noexcept;
    void give_back(RequestRecord& record) noexcept;

    /// A lane's second access, or one that its run didn't expect. False if the limit is reached.
    bool repeat(RequestRecord& record, std::uint32_t lane, std::uint64_t address) noexcept;

    /// Forgets all open requests, in whatever state.
    void forget_open() noexcept;
    /// Forgets the sites as well.
    void clear() noexcept;

    template <class F>
    void for_each_site(F&& f) const {
        if (table_ == nullptr) return;
        for (std::uint64_t slot = 0; slot <= table_->mask; ++slot)
            if (table_->entries[slot].site != nullptr) f(*table_->entries[slot].site);
    }

private:
    struct Entry {
        std::uint64_t key;
        SiteRecord* site;  // null: free
    };
    // A single mapping, so that one store replaces the old table by a new one.
    struct Table {
        std::uint64_t mask, used;
        int shift;
        Entry entries[1];
        [[nodiscard]] std::uint64_t slot_of(std::uint64_t key) const noexcept {
            return key * 0x9E3779B97F4A7C15u >> shift;
        }
        void insert(std::uint64_t key, SiteRecord* site) noexcept;
    };
    static Table* new_table(std::uint64_t size) noexcept;
    static std::size_t bytes_of(std::uint64_t size) noexcept { return sizeof(Table) + size * sizeof(Entry); }
    bool grow() noexcept;

    PieceArena open_memory_, site_memory_;
    Table* table_ = nullptr;
    RequestRecord* free_records_ = nullptr;
    RunChunk* free_chunks_ = nullptr;
};

/// The kind of a memory access.
enum class AccessKind : std::uint8_t {
    global_read,
    global_write,
    global_atomic,
    shared_read,
    shared_write,
    shared_atomic
};

GPU_HOT_ON_KERNEL_STACK bool is_global(const SiteRecord& site) noexcept {
    return site.kind() < static_cast<unsigned>(AccessKind::shared_read);
}

GPU_HOT_ON_KERNEL_STACK bool is_atomic(const SiteRecord& site) noexcept {
    return site.kind() == static_cast<unsigned>(AccessKind::global_atomic) ||
           site.kind() == static_cast<unsigned>(AccessKind::shared_atomic);
}

/// Adds `times` requests of equal cost to a site.
void charge_requests(SiteRecord& site, const std::uint64_t* addresses, std::uint32_t lanes, bool divergent,
                     std::uint64_t times) noexcept;

/// Adds a record's requests to its site; they are divergent if one of the lanes `running` took no part.
void charge_record(const RequestRecord& record, std::uint32_t running) noexcept;

// The cost of one warp's request on a GPU. Pure. Only the lanes in `lanes` count, with their `addresses[lane]`; each
// accesses `size` bytes, 1 to 16.

struct GlobalCost {
    unsigned sectors, segments;  // different pieces of 32 and of 128 bytes
};
GlobalCost global_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size) noexcept;

struct SharedCost {
    // 8 bytes per lane are fetched by half warps and 16 bytes by quarter warps, each a separate request.
    unsigned requests;
    // Per request the maximum number of different 4-byte words in one of the 32 banks: lanes that read the same word
    // share it. Atomic operations on one word are serialised, so there each lane counts.
    unsigned wavefronts;
};
SharedCost shared_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size, bool atomic) noexcept;

/// How many lanes have the most frequent address: atomic operations on one element are serialised.
unsigned max_on_one_address(const std::uint64_t* addresses, std::uint32_t lanes) noexcept;

/// The number of steps after which a request whose addresses all advance by `stride` costs the same again.
std::uint64_t global_period(std::uint64_t stride) noexcept;
std::uint64_t shared_period(std::uint64_t stride) noexcept;

/// The work of one site: an instruction, a barrier or a warp operation of a kernel.
struct SiteCounts {
    std::uintptr_t site = 0;
    WorkCounts work;
};

/// How a launch's work is distributed, as far as one worker or all have seen it; see KernelCounts. Without shapes.
struct LaunchSpread {
    WorkSpread global, shared, atomic;
    std::uint64_t accesses = 0, span = 0;

    /// Adds other blocks of the same launch.
    void add(const LaunchSpread& others) noexcept;
};

/// Counts the work of a kernel's blocks as a GPU would do it, in one worker: accesses become requests of warps.
///
/// Lanes run one after the other here, so the accesses of a request come at different times. An access belongs to the
/// request (site, how often this lane has executed this site since the warp last synchronised). Requests are counted
/// when all lanes of a warp that have not ended stop at a barrier or at a warp operation for all of them, or have
/// ended. Until then, a lane's accesses at a site are stored as arithmetic sequences: a loop over an array takes no
/// more memory than a single access. The order in which threads run doesn't change any count.
///
/// access(), barrier(), warp_operation(), thread_waits() and thread_ends() run on kernels' stacks: they take no locks
/// and no heap memory, and a jump may leave them for good if abandon_block() follows.
class WorkCounter {
public:
    /// An instruction's address, or any other number below 2^48 that identifies a place in the kernel.
    using Site = std::uintptr_t;

    /// Stores at most this many bytes of addresses; 64 MiB suffice for millions of irregular accesses of one warp
    /// between two synchronisations. Beyond that, accesses count as separate requests, see approximate().
    explicit WorkCounter(std::size_t byte_limit = std::size_t{64} << 20) : store_(byte_limit) {}

    /// A block of 1 to 1024 threads begins.
    void begin_block(unsigned threads) noexcept;
    /// The block has ended, or failed in a regular place (not by a signal): open requests are counted.
    void end_block() noexcept;
    /// The block was left at any point, even inside this class: open requests are discarded.
    void abandon_block() noexcept;

    /// Thread `thread` of the block (x fastest) accesses `size` bytes, 1 to 16. `address` is in global memory, or an
    /// offset within the block's shared memory, whose offset 0 is in bank 0. `known` caches what an instruction
    /// accessed last: any variable that is initially null and reset at take(). The access counts as this many
    /// `elements` of its array, 1 to 16.
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
    /// The same if `known` belongs to this instruction, size and kind.
    GPU_HOT_ON_KERNEL_STACK void access(SiteRecord& known, unsigned thread, std::uintptr_t address) noexcept {
        if (access_quickly(known, thread, address)) return;
        RequestRecord* record = known.open[thread / 32];
        if (record == nullptr) record = open_record(known, thread / 32);
        if (record == nullptr) return count_alone(known, thread, address);
        if (begin_quickly(known, thread, address)) return;
        if (!store_.repeat(*record, thread % 32, address)) count_alone(known, thread, address);
    }
    /// The same if a lane's run expected the address. False: it didn't, and nothing is counted.
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
    /// The same if the lane has no access yet, and another lane of its warp has.
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

    /// All threads of the block that have not ended have arrived at a barrier: call it before they resume.
    void barrier(Site site) noexcept;
    /// The lanes `mask` of a warp have arrived at a shuffle, a vote or __syncwarp(): call it once per operation, before
    /// they resume.
    /// At a barrier of some warps, a warp's requests are closed when its last thread waits.
    void part_barrier(Site site) noexcept { count_event(site, SiteRecord::barrier); }
    void warp_operation(Site site, unsigned warp, std::uint32_t mask) noexcept;
    /// A thread arrives at a barrier of its block. Optional; it keeps memory small and in cache.
    void thread_waits(unsigned thread) noexcept;
    /// A thread's function returned.
    GPU_HOT_ON_KERNEL_STACK void thread_ends(unsigned thread) noexcept {
        Warp& warp = warps_[thread / 32];
        warp.ended |= std::uint32_t{1} << thread % 32;
        if ((warp.running & ~(warp.waiting | warp.ended)) == 0) close(warp);
    }

    /// The counts since the last call, by ascending site. Only between blocks.
    [[nodiscard]] std::vector<SiteCounts> take();
    /// How the work is distributed; take() resets it.
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

    /// The threads of the running block: accesses of each kind, and all of them since the last barrier. What all 32
    /// lanes of a warp did alike is in `alike_`, once.
    struct Threads {
        std::uint32_t global[1024], shared[1024], atomic[1024], since_barrier[1024];
    };
    struct Alike {
        std::uint32_t global = 0, shared = 0, atomic = 0, since_barrier = 0;
        bool others = false, others_since_barrier = false;   ///< lanes also have separate counts
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

/// Per line: `places[k]` is the place of `sites[k]`. Sorted by file and line; sites without a file are omitted.
[[nodiscard]] std::vector<LineCounts> work_by_line(const std::vector<SiteCounts>& sites,
                                                   const std::vector<SourcePlace>& places);

/// Adds the lines of one launch to those of others.
void add_lines(std::vector<LineCounts>& to, const std::vector<LineCounts>& more);

}  // namespace gpu::detail::host
