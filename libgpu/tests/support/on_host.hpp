// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/device.hpp>

namespace support {

/// True where the tests run on the host backend.
inline bool on_host() { return gpu::Device::current().kind() == gpu::BackendKind::host; }

}  // namespace support
