// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "host/streams/streams.hpp"

namespace gpu::detail::host {

/// So many bytes are copied sooner than another thread is woken.
inline constexpr std::size_t brief_bytes = std::size_t{16} << 10;

/// A copy on a device, or from or to the host.
class CopyWork final : public Work {
public:
    CopyWork(void* to, const void* from, std::size_t bytes) : to_(to), from_(from), bytes_(bytes) {}
    void run() override { std::memmove(to_, from_, bytes_); }
    [[nodiscard]] bool is_brief() const noexcept override { return bytes_ <= brief_bytes; }

private:
    void* to_;
    const void* from_;
    std::size_t bytes_;
};

/// Writes distinct floats from 1 to 2; read as doubles or integers, their bits are plain numbers, too.
class SpoilWork final : public Work {
public:
    SpoilWork(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
    void run() override {
        auto* const to = static_cast<unsigned char*>(data_);
        std::uint32_t bits = 0x9E3779B9;
        for (std::size_t k = 0; k < bytes_; k += sizeof bits) {
            bits = bits * 1664525 + 1013904223;
            const float value = 1 + static_cast<float>(bits >> 9) * 0x1p-23f;
            std::memcpy(to + k, &value, std::min(sizeof value, bytes_ - k));
        }
    }

private:
    void* data_;
    std::size_t bytes_;
};

class FillWork final : public Work {
public:
    FillWork(void* data, unsigned char byte, std::size_t bytes) : data_(data), byte_(byte), bytes_(bytes) {}
    void run() override { std::memset(data_, byte_, bytes_); }
    [[nodiscard]] bool is_brief() const noexcept override { return bytes_ <= brief_bytes; }

private:
    void* data_;
    unsigned char byte_;
    std::size_t bytes_;
};

/// A graph: the work queued in a stream during a capture, for replaying.
struct CapturedGraph {
    std::mutex mutex;  ///< held while a replay is queued
    std::vector<std::shared_ptr<Work>> works;
    HostEvent replayed;  ///< recorded after the last replay
};

/// One piece of a graph's work in a replay.
class RepeatedWork final : public Work {
public:
    explicit RepeatedWork(std::shared_ptr<Work> work) : work_(std::move(work)) {}
    void run() override { work_->run(); }

private:
    std::shared_ptr<Work> work_;
};

}  // namespace gpu::detail::host
