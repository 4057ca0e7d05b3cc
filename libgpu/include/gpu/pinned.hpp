// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

#include <gpu/device.hpp>
#include <gpu/dtype.hpp>
#include <gpu/export.hpp>

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

/// Host memory that is page-locked: a GPU copies from and to it directly, at full speed, while the host goes on. On the
/// host backend it is ordinary memory. It comes from pinned_pool(); it may be destroyed while copies still use it.
///
/// Use it like a std::vector of fixed size: range-for, `[]`, and everywhere where a span fits. It can be moved, not
/// copied.
/// @snippet public/async_test.cpp pinned
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
    /// Uninitialised memory, for what is written before it is read.
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
