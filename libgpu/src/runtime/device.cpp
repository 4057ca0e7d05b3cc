// SPDX-License-Identifier: MIT
#include <gpu/device.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <gpu/error.hpp>

#include "counts.hpp"
#include "runtime/context.hpp"
#include "runtime/index_faults.hpp"
#include "runtime/registry.hpp"

namespace gpu {

namespace detail {

namespace {

struct ThreadState {
    std::optional<Device> device;
    std::vector<StreamRef> streams;  // at most one a device
};

ThreadState& state() {
    thread_local ThreadState instance;
    return instance;
}

}  // namespace

Device current_device() {
    auto& device = state().device;
    if (!device) device = default_device();
    return *device;
}

void set_current_device(Device device) noexcept { state().device = device; }

StreamRef current_stream(Device device) {
    for (const StreamRef& stream : state().streams) {
        if (stream.device() == device) return stream;
    }
    return StreamRef::from_native(nullptr, device);
}

void set_current_stream(StreamRef stream) {
    auto& streams = state().streams;
    std::erase_if(streams, [&](const StreamRef& other) { return other.device() == stream.device(); });
    streams.push_back(stream);
}

void* native_stream(StreamRef stream, Device device) {
    if (stream.is_current()) stream = current_stream(device);
    if (!(stream.device() == device)) {
        throw DeviceError("the stream is on " + stream.device().to_string() + ", the work is for " +
                          device.to_string() + ": make a stream under DeviceGuard(" + device.to_string() + ")");
    }
    return stream.native();
}

}  // namespace detail

namespace {

int checked_index(BackendKind kind, int index) {
    const int count = detail::backend(kind).device_count();
    if (index < 0 || index >= count) {
        throw DeviceError(std::string("there is no device ") + (kind == BackendKind::cuda ? "cuda:" : "host:") +
                          std::to_string(index) + ": the backend has " + std::to_string(count));
    }
    return index;
}

}  // namespace

Device::Device(int index) : kind_(detail::default_device().kind()), index_(checked_index(kind_, index)) {}

Device Device::cuda(int index) { return {BackendKind::cuda, checked_index(BackendKind::cuda, index)}; }
Device Device::host(int index) { return {BackendKind::host, checked_index(BackendKind::host, index)}; }
int Device::count() { return detail::backend(detail::default_device()).device_count(); }
Device Device::current() { return detail::current_device(); }

std::string Device::to_string() const {
    return (kind_ == BackendKind::cuda ? "cuda:" : "host:") + std::to_string(index_);
}

DeviceProperties Device::properties() const { return detail::backend(kind_).properties(index_); }

DeviceGuard::DeviceGuard(Device device) : previous_(detail::current_device()) { detail::set_current_device(device); }
DeviceGuard::~DeviceGuard() { detail::set_current_device(previous_); }

void synchronize() {
    const Device device = detail::current_device();
    detail::counters().synchronizations += 1;
    detail::backend(device).synchronize_device(device.index());
    detail::throw_index_fault(device);
}

}  // namespace gpu
