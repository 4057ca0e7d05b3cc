// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>

#include "host/streams/streams.hpp"

namespace gpu::detail::host {

/// A copy, on a device or from or to the host.
class CopyWork final : public Work {
public:
    CopyWork(void* to, const void* from, std::size_t bytes) : to_(to), from_(from), bytes_(bytes) {}
    void run() override { std::memmove(to_, from_, bytes_); }

private:
    void* to_;
    const void* from_;
    std::size_t bytes_;
};

class FillWork final : public Work {
public:
    FillWork(void* data, unsigned char byte, std::size_t bytes) : data_(data), byte_(byte), bytes_(bytes) {}
    void run() override { std::memset(data_, byte_, bytes_); }

private:
    void* data_;
    unsigned char byte_;
    std::size_t bytes_;
};

}  // namespace gpu::detail::host
