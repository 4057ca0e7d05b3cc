// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/device.hpp>

#include "backend/backend.hpp"

namespace gpu::detail {

/// The backend of this kind. @throws DeviceError that says why if there is none.
Backend& backend(BackendKind kind);

/// The backend that executes for a device.
inline Backend& backend(Device device) { return backend(device.kind()); }

/// What LIBGPU_DEVICE names, else the first usable GPU, else the host.
/// @throws DeviceError for a name that can't be used
Device default_device();

/// The device of this kind and index. @throws DeviceError
Device make_device(BackendKind kind, int index);

/// What LIBGPU_DEVICE may say: "host", "host:1", "cuda", "cuda:0". @throws DeviceError for anything else.
struct DeviceName {
    BackendKind kind;
    int index;
};
DeviceName parse_device_name(const std::string& text);

}  // namespace gpu::detail
