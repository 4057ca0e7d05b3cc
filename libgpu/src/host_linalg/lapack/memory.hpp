// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>

#include "host_linalg/lapack/fortran.hpp"

namespace gpu::host_linalg::lapack {

/// Room for so many elements, which are not set. One at least: LAPACK writes the size that it wants into the first.
/// LAPACK may read up to `max_column` elements beyond them, the extent of the longest column that may lie there
/// (reads_beyond).
template <class T>
class Room {
public:
    explicit Room(std::int64_t count, std::int64_t max_column = 0)
        : size_(static_cast<Int>(std::max<std::int64_t>(count, 1))),
          data_(new Plain[static_cast<std::size_t>(count + max_column + 4) * parts]) {}

    [[nodiscard]] T* data() const { return reinterpret_cast<T*>(data_.get()); }
    T& operator[](std::int64_t k) const { return data()[k]; }
    /// The size as LAPACK takes it, by address; beyond 31 bits it is cut off, and LAPACK refuses it as too small.
    [[nodiscard]] const Int* size() const { return &size_; }

private:
    using Plain = RealOf<T>;  // std::complex would be set to 0
    static constexpr std::size_t parts = sizeof(T) / sizeof(Plain);
    Int size_;
    std::unique_ptr<Plain[]> data_;
};

/// What is done with a matrix.
enum class Use { read, write, change };

/// The caller's matrix, or none, where LAPACK may read beyond its end: a copy, which is copied back at the end. If
/// LAPACK never does that, the caller's own.
template <class T>
class Lent {
public:
    Lent(void* own, std::int64_t rows, std::int64_t columns, Use use)
        : own_(static_cast<T*>(own)),
          count_(own != nullptr && reads_beyond<T> ? rows * columns : 0),
          use_(use),
          copy_(count_, count_ > 0 ? rows : 0) {
        if (use != Use::write) std::copy_n(own_, count_, copy_.data());
    }
    ~Lent() {
        if (use_ != Use::read) std::copy_n(copy_.data(), count_, own_);
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

    [[nodiscard]] T* data() const { return count_ > 0 ? copy_.data() : own_; }

private:
    T* own_;
    std::int64_t count_;
    Use use_;
    Room<T> copy_;
};

inline constexpr Int ask = -1;  ///< the size of a work space for which LAPACK only says how much it wants

/// The size that LAPACK wrote into its work space. A float of more than 24 bits may have been rounded down.
template <class T>
std::int64_t wanted(const T& answer) {
    using Real = RealOf<T>;
    const double size = static_cast<double>(std::real(answer));
    return static_cast<std::int64_t>(std::ceil(size * (1 + static_cast<double>(std::numeric_limits<Real>::epsilon()))));
}

}  // namespace gpu::host_linalg::lapack
