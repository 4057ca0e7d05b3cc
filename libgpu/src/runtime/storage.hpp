// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <gpu/array_core.hpp>
#include <gpu/device.hpp>
#include <gpu/dtype.hpp>

#include "runtime/graph.hpp"

namespace gpu::detail {

/// One device buffer: allocated in its constructor, freed in its destructor, shared by arrays, views and expressions.
class Storage {
public:
    /// Ledgers show the elements' type.
    Storage(Device device, std::size_t bytes, DType elements);
    /// Memory allocated elsewhere. The owner, if there is one, is kept until all work queued on the device before the
    /// destructor is done.
    Storage(Device device, void* data, std::size_t bytes, std::shared_ptr<void> owner);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    [[nodiscard]] Device device() const noexcept { return device_; }
    [[nodiscard]] void* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    /// Code outside libgpu may keep the address from now on.
    void hand_out() noexcept;

    /// Increases with every write; an expression remembers the version of its inputs.
    [[nodiscard]] std::uint64_t version() const noexcept { return version_.load(std::memory_order_relaxed); }
    void mark_written() noexcept {
        version_.fetch_add(1, std::memory_order_relaxed);
        if (is_capturing()) [[unlikely]] written_by_graph(*this);
    }

    /// Nobody has written it yet: the thread with this mark will, see before_access; null: it is as it should be.
    void waits_in(const void* thread) noexcept { waits_in_.store(thread, std::memory_order_release); }
    [[nodiscard]] bool waits_elsewhere(const void* thread) const noexcept {
        const void* const waits = waits_in_.load(std::memory_order_acquire);
        return waits != nullptr && waits != thread;
    }

    /// What has been written since is what expressions built at this version were promised.
    void is_again(std::uint64_t version) noexcept { version_.store(version, std::memory_order_relaxed); }

private:
    Device device_;
    std::size_t bytes_;
    void* data_ = nullptr;
    bool borrowed_ = false;
    std::atomic<bool> handed_out_{false};
    std::shared_ptr<void> owner_;
    std::atomic<std::uint64_t> version_{0};
    std::atomic<const void*> waits_in_{nullptr};
};

/// The bytes of a dense array. @throws ShapeError beyond 2^63 - 1.
std::size_t bytes_of(const Shape& shape, DType dtype);

/// The first element's address for libgpu's own use, which ends before the array does; data_of() is for all others.
/// @throws Error for a result that waits in another thread's gpu::fuse
[[nodiscard]] void* address_of(const ArrayCore& core);

/// A new array on this device, created in its current stream.
ArrayCore make_array_on(Device device, DType dtype, const Shape& shape, Layout layout);

}  // namespace gpu::detail
