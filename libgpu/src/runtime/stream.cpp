// SPDX-License-Identifier: MIT
#include <gpu/stream.hpp>

#include <gpu/error.hpp>

#include "counts.hpp"
#include "runtime/capture.hpp"
#include "runtime/devices/context.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/index_faults.hpp"

namespace gpu {

StreamRef StreamRef::from_native(void* handle, Device device) noexcept {
    StreamRef stream;
    stream.handle_ = handle;
    stream.named_ = true;
    stream.kind_ = device.kind();
    stream.index_ = device.index();
    return stream;
}

Device StreamRef::device() const { return named_ ? detail::make_device(kind_, index_) : detail::current_device(); }

void StreamRef::synchronize() const {
    detail::refuse_in_capture("synchronize");
    const Device where = device();
    void* const native = detail::native_stream(*this, where);
    detail::count_work({.kind = LedgerEntry::Kind::wait,
                   .device = where,
                   .name = native == nullptr ? "the default stream" : "a stream"});
    detail::backend(where).synchronize_stream(where.index(), native);
    detail::throw_index_fault(where);
}

struct Stream::Handle {
    explicit Handle(Device device_) : device(device_), native(detail::backend(device).create_stream(device.index())) {}
    ~Handle() { detail::backend(device).destroy_stream(device.index(), native); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    Device device;
    void* native;
};

Stream::Stream() : handle_(std::make_shared<Handle>(detail::current_device())) {}

StreamRef Stream::ref() const noexcept { return StreamRef::from_native(handle_->native, handle_->device); }

StreamRef Stream::current() { return detail::current_stream(detail::current_device()); }

StreamGuard::StreamGuard(StreamRef stream) : previous_(Stream::current()) {
    const Device current = detail::current_device();
    if (!stream.is_current() && !(stream.device() == current)) {
        throw DeviceError("the stream is on " + stream.device().to_string() + ", the current device is " +
                          current.to_string() + ": write gpu::DeviceGuard device_guard(" +
                          detail::spelled(stream.device()) + ") before the gpu::StreamGuard");
    }
    if (!stream.is_current()) detail::set_current_stream(stream);
}

StreamGuard::~StreamGuard() { detail::set_current_stream(previous_); }

}  // namespace gpu
