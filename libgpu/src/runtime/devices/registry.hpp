// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/device.hpp>
#include <gpu/stream.hpp>

#include "backend/backend.hpp"

namespace gpu::detail {

/// The backend of this kind. @throws DeviceError with the reason if there is none.
Backend& backend(BackendKind kind);

/// From now on backend() gives this one for the host, which stands before that which it has given so far. It lives as
/// long as the process.
void replace_host_backend(Backend& by) noexcept;

/// The backend that executes for a device.
inline Backend& backend(Device device) { return backend(device.kind()); }

/// The device in LIBGPU_DEVICE, otherwise the first usable GPU, otherwise the host.
/// @throws DeviceError for a name that can't be used
Device default_device();

/// The device of this kind and index. @throws DeviceError
Device make_device(BackendKind kind, int index);

/// The valid values of LIBGPU_DEVICE: "host", "host:1", "cuda", "cuda:0". @throws DeviceError for anything else.
struct DeviceName {
    BackendKind kind;
    int index;
};
DeviceName parse_device_name(const std::string& text);

/// The maximum number of devices of one kind: the size of per-device tables.
inline constexpr int max_devices = 64;

/// This thread's current device.
Device current_device();
void set_current_device(Device device) noexcept;

/// This thread's current stream on a device: the default stream unless a StreamGuard says otherwise.
StreamRef current_stream(Device device);
void set_current_stream(StreamRef stream);
/// The same where nothing may be thrown: what waits is computed, and its error thrown by what uses arrays next.
void set_stream_back(StreamRef stream) noexcept;

/// How a program writes the device: gpu::Device(1), or gpu::Device::host(1) beside GPUs.
std::string spelled(Device device);

/// Computes what of this thread waits to be computed; null if nothing does. Called before arrays and streams are used.
/// Where it may not throw, it keeps an error for the next time.
using BeforeAccess = void (*)(bool may_throw);
extern constinit thread_local BeforeAccess before_access;
inline void compute_what_waits() {
    if (before_access != nullptr) [[unlikely]] before_access(true);
}

/// The native handle to use for work on `device`. @throws DeviceError if the stream belongs to another device.
void* native_stream(StreamRef stream, Device device);

}  // namespace gpu::detail
