// SPDX-License-Identifier: MIT
#include "host/check/request_store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>

namespace gpu::detail::host {

namespace {

constexpr std::size_t piece_size = std::size_t{256} << 10;
constexpr std::uint64_t first_table_size = 1024;

GPU_ON_KERNEL_STACK void* map(std::size_t bytes) noexcept {
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

// A jump out of a signal handler sees stores in the order of the text.
GPU_HOT_ON_KERNEL_STACK void publish() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace

PieceArena::~PieceArena() {
    while (first_ != nullptr) {
        Piece* const next = first_->next;
        ::munmap(first_, first_->size);
        first_ = next;
    }
}

GPU_ON_KERNEL_STACK void* PieceArena::take(std::size_t bytes) noexcept {
    bytes = (bytes + 15) & ~std::size_t{15};
    if (current_ == nullptr || used_ + bytes > current_->size) {
        Piece* next = current_ != nullptr ? current_->next : first_;
        if (next == nullptr) {
            if (mapped_ + piece_size > limit_) return nullptr;
            next = static_cast<Piece*>(map(piece_size));
            if (next == nullptr) return nullptr;
            next->size = piece_size;
            mapped_ += piece_size;
            publish();
            (current_ != nullptr ? current_->next : first_) = next;
        }
        used_ = sizeof(Piece);
        publish();
        current_ = next;
    }
    void* const memory = reinterpret_cast<char*>(current_) + used_;
    used_ += bytes;
    return memory;
}

void PieceArena::reset() noexcept {
    current_ = nullptr;
    used_ = 0;
}

RequestStore::~RequestStore() {
    if (table_ != nullptr) ::munmap(table_, bytes_of(table_->mask + 1));
}

GPU_ON_KERNEL_STACK void RequestStore::Table::insert(std::uint64_t key, SiteRecord* site) noexcept {
    std::uint64_t slot = slot_of(key);
    while (entries[slot].site != nullptr) slot = (slot + 1) & mask;
    entries[slot].key = key;
    publish();
    entries[slot].site = site;
    ++used;
}

GPU_ON_KERNEL_STACK RequestStore::Table* RequestStore::new_table(std::uint64_t size) noexcept {
    auto* const table = static_cast<Table*>(map(bytes_of(size)));
    if (table == nullptr) return nullptr;
    table->mask = size - 1;
    table->shift = 64 - std::countr_zero(size);
    return table;
}

GPU_ON_KERNEL_STACK bool RequestStore::grow() noexcept {
    Table* const old = table_;
    Table* const table = new_table(old == nullptr ? first_table_size : 2 * (old->mask + 1));
    if (table == nullptr) return false;
    if (old != nullptr)
        for (std::uint64_t slot = 0; slot <= old->mask; ++slot)
            if (old->entries[slot].site != nullptr) table->insert(old->entries[slot].key, old->entries[slot].site);
    publish();
    table_ = table;
    if (old != nullptr) ::munmap(old, bytes_of(old->mask + 1));
    return true;
}

GPU_ON_KERNEL_STACK SiteRecord* RequestStore::add_site(std::uint64_t key) noexcept {
    if ((table_ == nullptr || 2 * table_->used > table_->mask) && !grow()) return nullptr;
    auto* const site = static_cast<SiteRecord*>(site_memory_.take(sizeof(SiteRecord)));
    if (site == nullptr) return nullptr;
    *site = SiteRecord{};
    site->key = key;
    table_->insert(key, site);
    return site;
}

GPU_ON_KERNEL_STACK RequestRecord* RequestStore::take_record() noexcept {
    RequestRecord* record = free_records_;
    if (record != nullptr)
        free_records_ = record->next;
    else
        record = static_cast<RequestRecord*>(open_memory_.take(sizeof(RequestRecord)));
    if (record == nullptr) return nullptr;
    record->present = record->repeated = record->spilled = 0;
    for (RequestRecord::Newest& run : record->run) run.expected = RequestRecord::no_address;
    return record;
}

GPU_ON_KERNEL_STACK void RequestStore::give_back(RequestRecord& record) noexcept {
    for (std::uint32_t lanes = record.spilled; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        record.newest[lane]->next = free_chunks_;
        free_chunks_ = record.first[lane];
    }
    record.next = free_records_;
    free_records_ = &record;
}

GPU_ON_KERNEL_STACK bool RequestStore::repeat(RequestRecord& record, std::uint32_t lane,
                                              std::uint64_t address) noexcept {
    const std::uint32_t bit = std::uint32_t{1} << lane;
    if ((record.repeated & bit) == 0) {
        const std::uint64_t stride = address - record.base[lane];
        record.run[lane] = {address + stride, stride, 2};
        record.repeated |= bit;
        return true;
    }
    RunChunk* chunk = (record.spilled & bit) != 0 ? record.newest[lane] : nullptr;
    if (chunk == nullptr || chunk->used == RunChunk::capacity) {
        RunChunk* more = free_chunks_;
        if (more != nullptr)
            free_chunks_ = more->next;
        else
            more = static_cast<RunChunk*>(open_memory_.take(sizeof(RunChunk)));
        if (more == nullptr) return false;
        more->next = nullptr;
        more->used = 0;
        (chunk != nullptr ? chunk->next : record.first[lane]) = more;
        record.newest[lane] = chunk = more;
        record.spilled |= bit;
    }
    chunk->runs[chunk->used++] = {record.base[lane], record.run[lane].stride,
                                  static_cast<std::uint32_t>(record.run[lane].count)};
    record.base[lane] = address;
    record.run[lane].expected = RequestRecord::no_address;
    record.repeated &= ~bit;
    return true;
}

void RequestStore::forget_open() noexcept {
    for_each_site([](SiteRecord& site) { std::fill_n(site.open, 32, nullptr); });
    free_records_ = nullptr;
    free_chunks_ = nullptr;
    open_memory_.reset();
}

void RequestStore::clear() noexcept {
    forget_open();
    if (table_ == nullptr) return;
    std::fill_n(table_->entries, table_->mask + 1, Entry{});
    table_->used = 0;
    site_memory_.reset();
}

}  // namespace gpu::detail::host
