// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gpu/trace.hpp>

#include "host/check/stream_order.hpp"

namespace gpu::detail::host {

/// When each operation would begin and end on a GPU that counts_to_time.hpp models: an operation waits for its stream,
/// for events, for the default stream, for the engine that copies its way, or for multiprocessors that are free; the
/// host waits where its code does.
class ModelledSchedule {
public:
    /// The host asks for an operation that takes so long; its times and its stream's number are filled in.
    void add(StreamPlace where, TracedOperation operation, double us);
    void record(StreamPlace where, const void* event);
    void wait(StreamPlace where, const void* event);
    /// The host waits.
    void synchronize(StreamPlace where);
    void synchronize(const void* event);
    /// The device's memory is freed in its default stream.
    void freed(int device);
    /// What is made at the same place isn't the same.
    void destroy_stream(const void* stream) noexcept;
    void destroy_event(const void* event) noexcept { events_.erase(event); }

    [[nodiscard]] std::vector<TracedOperation> take() noexcept { return std::move(operations_); }
    [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

private:
    struct Stream {
        int device = 0;
        bool is_default = false;
        double done_us = 0;
    };
    struct Running {
        double end_us;
        std::int64_t blocks;
    };
    struct Device {
        double to_device_us = 0, to_host_us = 0;  // the engines' last copies end
        std::vector<Running> kernels;
    };

    int number_of(StreamPlace where);
    [[nodiscard]] double ready_us(const Stream& stream) const;
    void host_waits(double until_us);
    void keep(TracedOperation operation);

    std::vector<Stream> streams_{{0, true, 0}};  // 0: the default stream of the first device
    std::map<std::pair<const void*, int>, int> numbers_{{{nullptr, 0}, 0}};
    std::map<const void*, double> events_;
    std::map<int, Device> devices_;
    std::vector<TracedOperation> operations_;
    std::uint64_t left_out_ = 0;
    double now_us_ = 0;  // the host's
};

}  // namespace gpu::detail::host
