// SPDX-License-Identifier: MIT
#pragma once

// The bytes of an array, for the grader. Part of check.hpp.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace course {

/// A buffer like std::vector, except that Bytes(size) leaves its bytes uninitialized, so that a large one is first
/// touched by the threads that fill it.
class Bytes {
public:
    Bytes() = default;
    explicit Bytes(std::size_t size) : data_(size > 0 ? new std::byte[size] : nullptr), size_(size) {}
    Bytes(const std::byte* first, const std::byte* last) : Bytes(static_cast<std::size_t>(last - first)) {
        std::copy(first, last, data_.get());
    }
    Bytes(const Bytes& other) : Bytes(other.begin(), other.end()) {}
    Bytes(Bytes&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
    Bytes& operator=(Bytes other) noexcept {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~Bytes() = default;

    [[nodiscard]] std::byte* data() noexcept { return data_.get(); }
    [[nodiscard]] const std::byte* data() const noexcept { return data_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::byte* begin() noexcept { return data_.get(); }
    [[nodiscard]] std::byte* end() noexcept { return data_.get() + size_; }
    [[nodiscard]] const std::byte* begin() const noexcept { return data_.get(); }
    [[nodiscard]] const std::byte* end() const noexcept { return data_.get() + size_; }
    [[nodiscard]] std::byte& operator[](std::size_t i) noexcept { return data_[i]; }
    [[nodiscard]] const std::byte& operator[](std::size_t i) const noexcept { return data_[i]; }

    /// Keeps the existing bytes; new ones are uninitialized.
    void resize(std::size_t size) {
        Bytes other(size);
        std::copy_n(begin(), std::min(size, size_), other.begin());
        *this = std::move(other);
    }

    friend bool operator==(const Bytes& a, const Bytes& b) noexcept {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    std::unique_ptr<std::byte[]> data_;
    std::size_t size_ = 0;
};

}  // namespace course
