// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "backend/backend.hpp"

namespace gpu::detail {

/// Owns an event of a backend's; moved from, none.
class DeviceEvent {
public:
    DeviceEvent(Backend& backend, int device)
        : backend_(&backend), device_(device), event_(backend.create_event(device)) {}
    DeviceEvent(DeviceEvent&& other) noexcept
        : backend_(other.backend_), device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}
    DeviceEvent& operator=(DeviceEvent&& other) noexcept {
        std::swap(backend_, other.backend_);
        std::swap(device_, other.device_);
        std::swap(event_, other.event_);
        return *this;
    }
    ~DeviceEvent() {
        if (event_ != nullptr) backend_->destroy_event(device_, event_);
    }

    [[nodiscard]] Backend& backend() const noexcept { return *backend_; }
    [[nodiscard]] int device() const noexcept { return device_; }
    [[nodiscard]] NativeEvent* native() const noexcept { return event_; }

    /// In a stream of its device.
    void record(void* stream) const { backend_->record_event(device_, event_, stream); }

private:
    Backend* backend_;
    int device_;
    NativeEvent* event_;
};

}  // namespace gpu::detail
