// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "backend/address_map.hpp"

#if CUDART_VERSION < 12080
#error "libgpu's CUDA backend needs CUDA toolkit 12.8 or newer (cudaLibraryLoadData); build with -DGPU_CUDA=OFF"
#endif

namespace gpu::detail {
struct NativeEvent;
}

namespace gpu::detail::cuda {

/// Throws the exception for a CUDA error: LaunchError for a kernel's fault, DeviceError for everything else.
///
/// The message names the CUDA function, the error and, if an earlier kernel may be the cause, the last launches.
[[noreturn]] void fail(cudaError_t error, const std::string& what);

inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) fail(error, what);
}

/// True for errors with which a later call reports that a kernel faulted.
[[nodiscard]] bool is_kernel_fault(cudaError_t error) noexcept;

/// "cudaErrorIllegalAddress: an illegal memory access was encountered".
[[nodiscard]] std::string describe(cudaError_t error);

/// Everything allocated on all devices. Never destroyed: signal handlers look up addresses in it.
[[nodiscard]] AddressMap& device_arrays();

/// After an illegal address: the argument of a recent launch that points to host memory, if there is one; otherwise
/// empty.
[[nodiscard]] std::string host_pointer_of_recent_launches();

/// Makes a device the thread's current one for CUDA.
///
/// It isn't reset: every call of the backend names its device, and cudaSetDevice back to an unused device would create
/// a context there.
void use_device(int device);
[[nodiscard]] cudaError_t try_use_device(int device) noexcept;

[[nodiscard]] int attribute(int device, cudaDeviceAttr which);

inline cudaStream_t stream_of(void* handle) noexcept { return static_cast<cudaStream_t>(handle); }
inline cudaEvent_t event_of(NativeEvent* handle) noexcept { return reinterpret_cast<cudaEvent_t>(handle); }

/// What the CUDA runtime reports about this machine before anything is used.
struct Probe {
    int runtime_version = 0;      ///< 13000 for 13.0: the version libgpu was built with
    int driver_version = 0;       ///< the newest CUDA version that the driver supports; 0: no driver
    int error = 0;                ///< of cudaGetDeviceCount
    std::string error_text;       ///< its name and text
    int device_count = 0;
};

/// Queries the CUDA runtime; this loads the driver, if there is one.
[[nodiscard]] Probe probe_machine();

/// Why no GPU can be used, in one sentence; empty if one can.
[[nodiscard]] std::string why_unusable(const Probe& probe);

}  // namespace gpu::detail::cuda
