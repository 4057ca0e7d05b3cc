// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/fibers/context_switch.hpp"

namespace gpu::detail::host {

// What WorkCounter keeps until the lanes of a warp have caught up with each other. All of it lies in memory that is
// mapped piece by piece and never given back between two accesses: kernels' stacks are no place for a heap's locks.

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

/// The open requests of one site and warp. For each lane: older runs in chunks, and the run that is being built.
struct RequestRecord {
    static constexpr std::uint64_t no_address = ~std::uint64_t{0};

    std::uint32_t present;   // lanes that have come
    std::uint32_t repeated;  // lanes whose newest run has more than one address, so that it has a stride
    std::uint32_t spilled;   // lanes with older runs
    SiteRecord* site;
    RequestRecord* next;  // of the same warp, or a free one
    struct Newest {
        std::uint64_t expected;  // the address that would lengthen it; no_address: it has no stride yet
        std::uint64_t stride;
        std::uint64_t count;
    };
    std::uint64_t base[32];  // of the newest run
    Newest run[32];
    RunChunk *first[32], *newest[32];
};

/// An instruction with one size and one kind of accesses, and what was counted there.
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

/// Memory in large pieces; nothing is freed but all at once.
class PieceArena {
public:
    explicit PieceArena(std::size_t byte_limit) : limit_(byte_limit) {}
    ~PieceArena();
    PieceArena(const PieceArena&) = delete;
    PieceArena& operator=(const PieceArena&) = delete;

    /// Null if the limit is reached or the system has no more. Not initialised.
    void* take(std::size_t bytes) noexcept;
    /// All is free again; the memory is kept.
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

    /// An empty record, and its way back. Null if the limit is reached.
    RequestRecord* take_record() noexcept;
    void give_back(RequestRecord& record) noexcept;

    /// A lane's second access, or one that isn't where its run expected it. False if the limit is reached.
    bool repeat(RequestRecord& record, std::uint32_t lane, std::uint64_t address) noexcept;

    /// Forgets all open requests, whatever state they are in.
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
    // One mapping, so that a new table takes the place of the old one by one store.
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

/// What a memory access is, besides its place and size.
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

/// Adds `times` requests of the same cost to a site.
void charge_requests(SiteRecord& site, const std::uint64_t* addresses, std::uint32_t lanes, bool divergent,
                     std::uint64_t times) noexcept;

/// Adds the requests of a record to its site; they are divergent where one of the lanes `running` took no part.
void charge_record(const RequestRecord& record, std::uint32_t running) noexcept;

// What one request of a warp costs on a GPU. Pure. `addresses[lane]` counts for the lanes in `lanes` alone; each
// accesses `size` bytes, 1 to 16.

struct GlobalCost {
    unsigned sectors, segments;  // different pieces of 32 and of 128 bytes
};
GlobalCost global_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size) noexcept;

struct SharedCost {
    // 8 bytes a lane are fetched by half warps and 16 bytes by quarter warps, each a request of its own.
    unsigned requests;
    // For each request the most different 4-byte words in one of the 32 banks: lanes that read the same word share it.
    // Atomic operations on one word come one after the other, so that there each lane counts.
    unsigned wavefronts;
};
SharedCost shared_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size, bool atomic) noexcept;

/// How many of the lanes have the busiest address: atomic operations on one element take turns.
unsigned most_on_one_address(const std::uint64_t* addresses, std::uint32_t lanes) noexcept;

/// After how many steps a request whose addresses all move on by `stride` costs the same again.
std::uint64_t global_period(std::uint64_t stride) noexcept;
std::uint64_t shared_period(std::uint64_t stride) noexcept;

}  // namespace gpu::detail::host
