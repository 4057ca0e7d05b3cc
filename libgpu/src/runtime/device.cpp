// SPDX-License-Identifier: MIT
#include <gpu/device.hpp>

#include <optional>
#include <string>
#include <type_traits>

#include <gpu/error.hpp>
#include <gpu/print.hpp>

#include "counts.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
#include "runtime/index_faults.hpp"

namespace gpu {

namespace detail {

namespace {

// Needs no destructor: static objects that are destroyed after main can still use it.
struct ThreadState {
    std::optional<Device> device;
    void* streams[2][max_devices] = {};  // by kind and index; null: the default stream
};
static_assert(std::is_trivially_destructible_v<ThreadState>);

ThreadState& state() noexcept {
    static thread_local ThreadState instance;
    return instance;
}

void*& stream_of(Device device) {
    if (device.index() >= max_devices)
        throw DeviceError(device.to_string() + ": streams are for the first " + std::to_string(max_devices) +
                          " devices only");
    return state().streams[device.kind() == BackendKind::cuda ? 1 : 0][device.index()];
}

}  // namespace

Device current_device() {
    auto& device = state().device;
    if (!device) device = default_device();
    return *device;
}

void set_current_device(Device device) noexcept { state().device = device; }

StreamRef current_stream(Device device) { return StreamRef::from_native(stream_of(device), device); }

constinit thread_local BeforeAccess before_access = nullptr;

void set_current_stream(StreamRef stream) {
    compute_what_waits();
    stream_of(stream.device()) = stream.native();
}

void set_stream_back(StreamRef stream) noexcept {
    if (before_access != nullptr) before_access(false);
    stream_of(stream.device()) = stream.native();
}

std::string spelled(Device device) {
    const std::string index = "(" + std::to_string(device.index()) + ")";
    if (device.kind() == default_device().kind()) return "gpu::Device" + index;
    return (device.kind() == BackendKind::cuda ? "gpu::Device::cuda" : "gpu::Device::host") + index;
}

void* native_stream(StreamRef stream, Device device) {
    compute_what_waits();
    if (stream.is_current()) stream = current_stream(device);
    if (!(stream.device() == device)) {
        throw DeviceError("the stream is on " + stream.device().to_string() + ", the work is for " +
                          device.to_string() + ": make the stream under gpu::DeviceGuard guard(" + spelled(device) +
                          ")");
    }
    if (is_capturing()) [[unlikely]]
        check_captured_stream(device, stream.native());
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

std::string to_string(BackendKind kind) { return kind == BackendKind::cuda ? "cuda" : "host"; }

Device Device::cuda(int index) { return {BackendKind::cuda, checked_index(BackendKind::cuda, index)}; }
Device Device::host(int index) { return {BackendKind::host, checked_index(BackendKind::host, index)}; }
int Device::count() { return detail::backend(detail::default_device()).device_count(); }
Device Device::current() { return detail::current_device(); }

DeviceProperties Device::properties() const { return detail::backend(kind_).properties(index_); }

bool Device::can_access_peer(Device other) const {
    return kind_ == other.kind_ && detail::backend(kind_).can_access_peer(index_, other.index_);
}

DeviceGuard::DeviceGuard(Device device) : previous_(detail::current_device()) { detail::set_current_device(device); }
DeviceGuard::~DeviceGuard() { detail::set_current_device(previous_); }

void synchronize() {
    detail::refuse_in_capture("synchronize");
    const Device device = detail::current_device();
    detail::count_work({.kind = LedgerEntry::Kind::wait, .device = device, .name = "all work on the device"});
    detail::backend(device).synchronize_device(device.index());
    detail::throw_index_fault(device);
}

}  // namespace gpu
