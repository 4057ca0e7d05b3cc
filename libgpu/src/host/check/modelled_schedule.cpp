// SPDX-License-Identifier: MIT
#include "host/check/modelled_schedule.hpp"

#include <algorithm>

#include "counts_to_time.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t most_operations = 512;

using Kind = TracedOperation::Kind;

std::int64_t blocks_of(const TracedOperation& operation) {
    return operation.kind == Kind::kernel ? operation.grid.x * operation.grid.y * operation.grid.z
                                          : modelled::multiprocessors;
}

}  // namespace

int ModelledSchedule::number_of(StreamPlace where) {
    const bool is_default = where.stream == nullptr;
    const auto [known, is_new] =
        numbers_.try_emplace({where.stream, is_default ? where.device : 0}, static_cast<int>(streams_.size()));
    if (is_new) streams_.push_back({where.device, is_default, 0});
    return known->second;
}

// The default stream's operations and those of the device's others wait for each other.
double ModelledSchedule::ready_us(const Stream& stream) const {
    double ready = stream.done_us;
    for (const Stream& other : streams_)
        if (other.device == stream.device && (stream.is_default || other.is_default))
            ready = std::max(ready, other.done_us);
    return ready;
}

void ModelledSchedule::keep(TracedOperation operation) {
    if (operations_.size() < most_operations)
        operations_.push_back(std::move(operation));
    else
        ++left_out_;
}

void ModelledSchedule::add(StreamPlace where, TracedOperation operation, double us) {
    operation.stream = number_of(where);
    operation.device = where.device;
    Stream& stream = streams_[static_cast<std::size_t>(operation.stream)];
    Device& device = devices_[where.device];
    operation.asked_us = now_us_;
    now_us_ += modelled::call_us;
    double start = std::max(now_us_, ready_us(stream));
    double* const engine = operation.kind == Kind::copy_to_device ? &device.to_device_us
                           : operation.kind == Kind::copy_to_host ? &device.to_host_us
                                                                  : nullptr;
    if (engine != nullptr) {
        start = std::max(start, *engine);
    } else {
        const std::int64_t wanted = std::min<std::int64_t>(blocks_of(operation), modelled::multiprocessors);
        for (;;) {
            std::int64_t busy = 0;
            double next = 0;
            for (const Running& kernel : device.kernels) {
                if (!(kernel.end_us > start)) continue;
                busy += std::min<std::int64_t>(kernel.blocks, modelled::multiprocessors);
                next = next == 0 ? kernel.end_us : std::min(next, kernel.end_us);
            }
            if (busy == 0 || busy + wanted <= modelled::multiprocessors) break;
            start = next;
        }
    }
    operation.start_us = start;
    operation.end_us = start + us;
    stream.done_us = operation.end_us;
    if (engine != nullptr) {
        *engine = operation.end_us;
    } else {
        std::erase_if(device.kernels, [this](const Running& kernel) { return kernel.end_us <= now_us_; });
        device.kernels.push_back({operation.end_us, blocks_of(operation)});
    }
    if (operation.host_waits) now_us_ = std::max(now_us_, operation.end_us);
    keep(std::move(operation));
}

void ModelledSchedule::record(StreamPlace where, const void* event) {
    events_[event] = ready_us(streams_[static_cast<std::size_t>(number_of(where))]);
}

void ModelledSchedule::wait(StreamPlace where, const void* event) {
    const auto known = events_.find(event);
    Stream& stream = streams_[static_cast<std::size_t>(number_of(where))];
    if (known != events_.end()) stream.done_us = std::max(stream.done_us, known->second);
}

void ModelledSchedule::host_waits(double until_us) {
    if (!(until_us > now_us_)) return;
    TracedOperation operation;
    operation.kind = Kind::wait;
    operation.name = "wait";
    operation.host_waits = true;
    operation.asked_us = operation.start_us = now_us_;
    operation.end_us = now_us_ = until_us;
    keep(std::move(operation));
}

void ModelledSchedule::synchronize(StreamPlace where) {
    host_waits(ready_us(streams_[static_cast<std::size_t>(number_of(where))]));
}

void ModelledSchedule::synchronize(const void* event) {
    if (const auto known = events_.find(event); known != events_.end()) host_waits(known->second);
}

void ModelledSchedule::freed(int device) {
    Stream& stream = streams_[static_cast<std::size_t>(number_of({device, nullptr}))];
    stream.done_us = ready_us(stream);
}

void ModelledSchedule::destroy_stream(const void* stream) noexcept {
    if (stream != nullptr) numbers_.erase({stream, 0});
}

}  // namespace gpu::detail::host
