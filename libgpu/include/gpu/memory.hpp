// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <gpu/device.hpp>
#include <gpu/dtype.hpp>
#include <gpu/error.hpp>
#include <gpu/export.hpp>

namespace gpu {

/// The memory of one device as libgpu uses it. A value that refers to the pool, which always exists.
///
/// Freed arrays go back to the pool, not to the system, so that the next array costs next to nothing. A buffer is
/// reused only by work that comes after everything that was queued when it was freed, in any stream.
/// @snippet public/memory_test.cpp memory_pool
class GPU_API MemoryPool {
public:
    [[nodiscard]] Device device() const noexcept { return device_; }

    /// Bytes in existing arrays.
    [[nodiscard]] std::size_t used_bytes() const;
    /// Bytes that libgpu has taken from the system: used, waiting to be freed, and kept for later arrays.
    [[nodiscard]] std::size_t held_bytes() const;
    /// The maximum of bytes used at a time, since the start or the last reset_peak().
    [[nodiscard]] std::size_t peak_bytes() const;
    void reset_peak();
    /// All these numbers at one instant, with the device's total and free memory.
    [[nodiscard]] MemoryUse use() const;

    /// Makes an array that would bring used_bytes() above the limit an OutOfMemory; 0: no limit. Existing arrays stay.
    /// LIBGPU_MEMORY_LIMIT ("512M", "50%") sets it for every device at program start.
    void set_limit(std::size_t bytes);
    [[nodiscard]] std::size_t limit() const;  ///< 0: none

    /// Waits for the device, and returns memory that no array uses to the system.
    void trim();

private:
    friend GPU_API MemoryPool memory_pool(Device device) noexcept;
    friend GPU_API MemoryPool memory_pool();
    explicit MemoryPool(Device device) noexcept : device_(device) {}

    Device device_;
};

/// The pool of a device, or of the current one.
[[nodiscard]] GPU_API MemoryPool memory_pool(Device device) noexcept;
[[nodiscard]] GPU_API MemoryPool memory_pool();

/// The page-locked host memory of gpu::Pinned. Freed memory is kept, and reused once the copies that were queued when
/// it was freed are done.
/// @snippet public/memory_test.cpp pinned_pool
class GPU_API PinnedPool {
public:
    /// Bytes in existing gpu::Pinned objects.
    [[nodiscard]] std::size_t used_bytes() const;
    /// Bytes that libgpu has taken from the system; sizes are rounded up by at most a quarter.
    [[nodiscard]] std::size_t held_bytes() const;
    /// The maximum of bytes used at a time, since the start or the last reset_peak().
    [[nodiscard]] std::size_t peak_bytes() const;
    void reset_peak();
    /// Makes more than this in gpu::Pinned an OutOfMemory; 0: no limit.
    void set_limit(std::size_t bytes);
    [[nodiscard]] std::size_t limit() const;  ///< 0: none
    /// Returns unused memory to the system; waits for copies that still use it.
    void trim();

private:
    friend GPU_API PinnedPool pinned_pool();
    explicit PinnedPool(BackendKind kind) noexcept : kind_(kind) {}

    BackendKind kind_;
};

/// The pool of the current device's backend.
[[nodiscard]] GPU_API PinnedPool pinned_pool();

/// The arrays of the current device that were written beyond their ends, one per line; empty if none was. Waits.
///
/// On a GPU this needs LIBGPU_GUARD=1 in the environment when the arrays are created: each is then placed between guard
/// words. On the host backend arrays end at a guard page, and a kernel that writes past it fails at once.
/// @snippet public/memory_test.cpp damaged_arrays
[[nodiscard]] GPU_API std::string damaged_arrays();

}  // namespace gpu

/// @cond internal
// The types that count as host memory: std::vector, std::array, std::span, C arrays; neither Eigen (see gpu/eigen.hpp)
// nor arrays.
namespace gpu::detail {

template <class C>
using HostValue = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>;

template <class C>
concept HostMemory = requires(C& c) {
    std::size(c);
    requires Arithmetic<HostValue<C>>;
    requires !requires { c.core(); };
    requires !requires { c.rows(); };
};

template <HostMemory C>
using HostElement = ArrayElement<HostValue<C>>;

/// Host memory whose elements are, or become, T.
template <class C, class T>
concept HostMemoryOf = HostMemory<C> && std::is_same_v<HostElement<C>, T>;

/// Eigen's objects, without its headers: copy_in() and copy_out() are in gpu/eigen.hpp.
template <class H>
concept HostMatrix = requires(const H& h) {
    h.rows();
    h.derived();
};

}  // namespace gpu::detail
/// @endcond

namespace gpu {

/// @cond internal
namespace detail {

class GPU_API PinnedBlock {
public:
    explicit PinnedBlock(std::size_t bytes);
    PinnedBlock(PinnedBlock&& other) noexcept : data_(std::exchange(other.data_, nullptr)), kind_(other.kind_) {}
    PinnedBlock& operator=(PinnedBlock&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(kind_, other.kind_);
        return *this;
    }
    ~PinnedBlock() { give_back(); }

    [[nodiscard]] void* data() const noexcept { return data_; }

private:
    void give_back() noexcept;

    void* data_ = nullptr;
    BackendKind kind_ = BackendKind::host;
};

}  // namespace detail
/// @endcond

/// Page-locked host memory: a GPU copies from and to it directly, at full speed, while the host continues. On the host
/// backend it is ordinary memory. It comes from pinned_pool(); it may be destroyed while copies still use it.
///
/// Use it like a std::vector of fixed size: range-for, `[]`, and wherever a span fits. It can be moved, not copied.
/// @snippet public/stream_test.cpp pinned
template <Element T>
class Pinned {
public:
    using value_type = T;

    /// `size` zeros.
    explicit Pinned(std::size_t size) : Pinned(uninitialized(size)) {
        for (T& value : *this) value = T{};
    }
    /// A copy of host memory.
    explicit Pinned(std::span<const T> values) : Pinned(uninitialized(values.size())) {
        for (std::size_t k = 0; k < size_; ++k) data()[k] = values[k];
    }
    Pinned(std::initializer_list<T> values) : Pinned(std::span<const T>(values.begin(), values.size())) {}
    /// Uninitialised memory, to be written before it is read.
    [[nodiscard]] static Pinned uninitialized(std::size_t size) {
        return Pinned(size, detail::PinnedBlock(size * sizeof(T)));
    }

    Pinned(Pinned&& other) noexcept : block_(std::move(other.block_)), size_(std::exchange(other.size_, 0)) {}
    Pinned& operator=(Pinned&& other) noexcept {
        std::swap(block_, other.block_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Pinned() = default;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T* data() noexcept { return static_cast<T*>(block_.data()); }
    [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(block_.data()); }
    [[nodiscard]] T& operator[](std::size_t k) noexcept { return data()[k]; }
    [[nodiscard]] const T& operator[](std::size_t k) const noexcept { return data()[k]; }
    [[nodiscard]] T* begin() noexcept { return data(); }
    [[nodiscard]] T* end() noexcept { return data() + size_; }
    [[nodiscard]] const T* begin() const noexcept { return data(); }
    [[nodiscard]] const T* end() const noexcept { return data() + size_; }

private:
    Pinned(std::size_t size, detail::PinnedBlock block) noexcept : block_(std::move(block)), size_(size) {}

    detail::PinnedBlock block_;
    std::size_t size_;
};

}  // namespace gpu
