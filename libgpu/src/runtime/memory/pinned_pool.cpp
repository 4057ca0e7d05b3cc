// SPDX-License-Identifier: MIT
#include "runtime/memory/pinned_pool.hpp"

#include <gpu/memory.hpp>

#include "runtime/devices/registry.hpp"

namespace gpu {

namespace detail {

namespace {

constexpr std::size_t max_uses = 16;  // before finished ones are removed

std::uintptr_t address_of(const void* data) noexcept { return reinterpret_cast<std::uintptr_t>(data); }

template <BackendKind kind>
PinnedBlocks& blocks_of() {
    static auto* const instance = new PinnedBlocks(backend(kind));  // leaked: memory may be returned after main
    return *instance;
}

OutOfMemory no_room(std::size_t bytes, PinnedBlocks& pool) {
    const MemoryAccount& account = pool.account();
    return {bytes,
            {.used = account.used(), .held = pool.held(), .limit = account.limit()},
            "the host (page-locked memory, gpu::pinned_pool())"};
}

}  // namespace

PinnedBlocks& pinned_blocks(BackendKind kind) {
    return kind == BackendKind::host ? blocks_of<BackendKind::host>() : blocks_of<BackendKind::cuda>();
}

PinnedBlocks::~PinnedBlocks() {
    for (auto& [address, block] : blocks_) {
        wait_for(block);
        backend_.free_pinned(block.device, reinterpret_cast<void*>(address));
    }
}

// After a kernel's fault, events report nothing any more; but then nothing runs, either.
void PinnedBlocks::forget_reached(Block& block) noexcept {
    std::erase_if(block.uses, [this](const DeviceEvent& use) {
        try {
            return backend_.event_passed(use.device(), use.native());
        } catch (const Error&) {
            return true;
        }
    });
}

void PinnedBlocks::wait_for(Block& block) noexcept {
    for (const DeviceEvent& use : block.uses) {
        try {
            backend_.synchronize_event(use.device(), use.native());
        } catch (const Error&) {  // the kernel's fault, not this block's
        }
    }
    block.uses.clear();
}

void* PinnedBlocks::reuse(std::size_t size, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = free_.equal_range(size);
    for (auto candidate = first; candidate != last; ++candidate) {
        Block& block = blocks_.at(candidate->second);
        forget_reached(block);
        if (!block.uses.empty()) continue;
        void* const data = reinterpret_cast<void*>(candidate->second);
        free_.erase(candidate);
        block.free = false;
        block.bytes = bytes;
        return data;
    }
    return nullptr;
}

void* PinnedBlocks::allocate(int device, std::size_t bytes) {
    if (!account_.reserve(bytes)) throw no_room(bytes, *this);
    try {
        const std::size_t size = pinned_size_class(bytes);
        if (void* const data = reuse(size, bytes)) {
            backend_.pinned_given(data, bytes);
            return data;
        }
        void* data = nullptr;
        try {
            data = backend_.allocate_pinned(device, size);
        } catch (const OutOfMemory&) {
            trim();
            data = backend_.allocate_pinned(device, size);
        }
        const std::lock_guard lock(mutex_);
        blocks_.emplace(address_of(data), Block{device, size, bytes, false, {}});
        held_ += size;
        backend_.pinned_given(data, bytes);
        return data;
    } catch (const OutOfMemory&) {
        account_.release(bytes);
        throw no_room(bytes, *this);
    } catch (...) {
        account_.release(bytes);
        throw;
    }
}

void PinnedBlocks::deallocate(void* data) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(address_of(data));
    if (found == blocks_.end() || found->second.free) return;
    found->second.free = true;
    free_.emplace(found->second.size, found->first);
    account_.release(found->second.bytes);
}

PinnedBlocks::Block* PinnedBlocks::block_of(const void* data) noexcept {
    const auto after = blocks_.upper_bound(address_of(data));
    if (after == blocks_.begin()) return nullptr;
    auto& [start, block] = *std::prev(after);
    return address_of(data) - start < block.size ? &block : nullptr;
}

bool PinnedBlocks::holds(const void* data) {
    const std::lock_guard lock(mutex_);
    return block_of(data) != nullptr;
}

void PinnedBlocks::used_by(const void* data, int device, void* stream) {
    const std::lock_guard lock(mutex_);
    Block* const found = block_of(data);
    if (found == nullptr) return;
    Block& block = *found;
    if (block.uses.size() >= max_uses) forget_reached(block);
    block.uses.emplace_back(backend_, device).record(stream);  // unrecorded, it counts as reached
}

void PinnedBlocks::trim() {
    const std::lock_guard lock(mutex_);
    for (const auto& [size, address] : free_) {
        const auto found = blocks_.find(address);
        wait_for(found->second);
        backend_.pinned_given(reinterpret_cast<void*>(address), 0);
        backend_.free_pinned(found->second.device, reinterpret_cast<void*>(address));
        blocks_.erase(found);
        held_ -= size;
    }
    free_.clear();
}

std::size_t PinnedBlocks::held() const {
    const std::lock_guard lock(mutex_);
    return held_;
}

PinnedBlock::PinnedBlock(std::size_t bytes) {
    const Device device = current_device();
    data_ = pinned_blocks(device).allocate(device.index(), bytes);
    kind_ = device.kind();
}

void PinnedBlock::give_back() noexcept {
    if (data_ != nullptr) pinned_blocks(kind_).deallocate(data_);
    data_ = nullptr;
}

}  // namespace detail

PinnedPool pinned_pool() { return PinnedPool(detail::current_device().kind()); }

std::size_t PinnedPool::used_bytes() const { return detail::pinned_blocks(kind_).account().used(); }
std::size_t PinnedPool::held_bytes() const { return detail::pinned_blocks(kind_).held(); }
std::size_t PinnedPool::peak_bytes() const { return detail::pinned_blocks(kind_).account().peak(); }
void PinnedPool::reset_peak() { detail::pinned_blocks(kind_).account().reset_peak(); }
std::size_t PinnedPool::limit() const { return detail::pinned_blocks(kind_).account().limit(); }
void PinnedPool::set_limit(std::size_t bytes) { detail::pinned_blocks(kind_).account().set_limit(bytes); }
void PinnedPool::trim() { detail::pinned_blocks(kind_).trim(); }

}  // namespace gpu
