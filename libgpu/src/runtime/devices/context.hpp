// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/device.hpp>
#include <gpu/stream.hpp>

namespace gpu::detail {

/// The most devices of one kind: what stands by device has so many places.
inline constexpr int most_devices = 64;

/// This thread's current device.
Device current_device();
void set_current_device(Device device) noexcept;

/// This thread's current stream on a device: the default stream unless a StreamGuard says otherwise.
StreamRef current_stream(Device device);
void set_current_stream(StreamRef stream);

/// How a program writes it: gpu::Device(1), or gpu::Device::host(1) beside GPUs.
std::string spelled(Device device);

/// The native handle to use for work on `device`. @throws DeviceError if the stream belongs to another device.
void* native_stream(StreamRef stream, Device device);

}  // namespace gpu::detail
