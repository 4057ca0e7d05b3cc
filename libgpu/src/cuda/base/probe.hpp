// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gpu::detail::cuda {

/// What the CUDA runtime says about this machine before anything is used.
struct Probe {
    int runtime_version = 0;      ///< 13000 for 13.0: what libgpu was built with
    int driver_version = 0;       ///< the newest CUDA version that the driver supports; 0: no driver
    int error = 0;                ///< of cudaGetDeviceCount
    std::string error_text;       ///< its name and text
    int device_count = 0;
};

/// Asks the CUDA runtime; this loads the driver, if there is one.
[[nodiscard]] Probe probe_machine();

/// Why no GPU can be used, in one sentence; empty if one can.
[[nodiscard]] std::string why_unusable(const Probe& probe);

}  // namespace gpu::detail::cuda
