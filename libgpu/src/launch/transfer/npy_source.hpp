// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <gpu/npy.hpp>

#include "array/npy_header.hpp"

namespace gpu::detail {

/// The bytes of a .npy file, from beginning to end: a file, or a member of an archive.
class NpySource {
public:
    explicit NpySource(std::string where) : where_(std::move(where)) {}
    NpySource(const NpySource&) = delete;
    NpySource& operator=(const NpySource&) = delete;
    virtual ~NpySource() = default;

    /// @throws FileError, DTypeError, ShapeError
    NpyHeader header();
    /// What follows, which may be changed; it stays until something else is read. @throws FileError
    std::byte* elements(std::size_t bytes);

    /// "load_npy(x.npy)"
    [[nodiscard]] const std::string& where() const noexcept { return where_; }

protected:
    void set_left(std::size_t bytes) noexcept { left_ = bytes; }

private:
    /// So many bytes are there.
    virtual std::byte* next(std::size_t bytes) = 0;
    void check(std::size_t bytes, const char* what) const;
    std::string text(std::size_t bytes);

    std::string where_;
    std::size_t left_ = 0;
};

/// A new array on the current device. @throws FileError, DTypeError, ShapeError
ArrayCore read_npy(NpySource& source, const WantedType& wanted);

/// An array as the bytes of a .npy file.
struct NpyBytes {
    std::string start;
    std::unique_ptr<std::byte[]> elements;
    std::size_t bytes = 0;
};
NpyBytes npy_bytes(const ArrayCore& array);

}  // namespace gpu::detail
