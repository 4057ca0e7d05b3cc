// SPDX-License-Identifier: MIT
#include <atomic>

#include <gpu/error.hpp>
#include <gpu/stream.hpp>

#include "backend/device_event.hpp"
#include "counts.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
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

StreamGuard::~StreamGuard() { detail::set_stream_back(previous_); }

struct Event::Handle {
    explicit Handle(Device device_) : device(device_), event(detail::backend(device), device.index()) {}

    Device device;
    detail::DeviceEvent event;
    std::atomic<bool> recorded{false};
};

Event::Event() : handle_(std::make_shared<Handle>(detail::current_device())) {}

Device Event::device() const { return handle_->device; }

void Event::record(StreamRef stream) {
    detail::refuse_in_capture("Event::record", "record it around a replay");
    const Device where = handle_->device;
    detail::backend(where).record_event(where.index(), handle_->event.native(), detail::native_stream(stream, where));
    handle_->recorded = true;
}

void Event::synchronize() const {
    if (!handle_->recorded) return;  // as in CUDA: nothing to wait for
    detail::refuse_in_capture("Event::synchronize");
    const Device where = handle_->device;
    detail::count_work({.kind = LedgerEntry::Kind::wait, .device = where, .name = "an event"});
    detail::backend(where).synchronize_event(where.index(), handle_->event.native());
    detail::throw_index_fault(where);
}

bool Event::done() const {
    const Device where = handle_->device;
    return !handle_->recorded || detail::backend(where).event_reached(where.index(), handle_->event.native());
}

void StreamRef::wait(const Event& event) const {
    const Device where = device(), other = event.device();
    if (&detail::backend(where) != &detail::backend(other)) {
        throw DeviceError("wait: the stream is on " + where.to_string() + ", the event on " + other.to_string() +
                          ": a GPU can't wait for the host backend, nor the other way round; use event.synchronize()");
    }
    if (!event.handle_->recorded) return;
    detail::refuse_in_capture("wait", "let the stream of a replay wait");
    detail::backend(where).wait_event(where.index(), detail::native_stream(*this, where),
                                      event.handle_->event.native());
}

float elapsed_ms(const Event& start, const Event& stop) {
    if (!start.handle_->recorded || !stop.handle_->recorded) {
        throw Error("elapsed_ms: both events must be recorded first: start.record(); ...; stop.record();");
    }
    if (!(start.device() == stop.device())) {
        throw DeviceError("elapsed_ms: the events are on " + start.device().to_string() + " and " +
                          stop.device().to_string());
    }
    start.synchronize();
    stop.synchronize();
    const Device where = stop.device();
    return detail::backend(where).elapsed_ms(where.index(), start.handle_->event.native(),
                                             stop.handle_->event.native());
}

}  // namespace gpu
