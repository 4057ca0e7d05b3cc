// SPDX-License-Identifier: MIT
#include "cuda/base/probe.hpp"

#include <cstdlib>

#include "cuda/base/cudart.hpp"

namespace gpu::detail::cuda {

namespace {

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

Probe probe_machine() {
    Probe probe;
    probe.runtime_version = CUDART_VERSION;
    (void)cudaDriverGetVersion(&probe.driver_version);  // without a driver it succeeds and says 0
    const cudaError_t error = cudaGetDeviceCount(&probe.device_count);
    (void)cudaGetLastError();
    probe.error = error;
    if (error != cudaSuccess) {
        probe.error_text = describe(error);
        probe.device_count = 0;
    }
    return probe;
}

std::string why_unusable(const Probe& probe) {
    if (probe.driver_version == 0) return "this machine has no NVIDIA driver (libcuda.so.1 was not found)";
    if (probe.error == cudaErrorInsufficientDriver) {
        return "the NVIDIA driver supports CUDA " + version_text(probe.driver_version) +
               ", but libgpu was built with CUDA " + version_text(probe.runtime_version) +
               ": install a newer driver, or build libgpu with an older toolkit";
    }
    if (probe.error == cudaErrorNoDevice || (probe.error == cudaSuccess && probe.device_count == 0)) {
        const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
        return "the NVIDIA driver finds no GPU" +
               (visible ? " (CUDA_VISIBLE_DEVICES is \"" + std::string(visible) + "\")" : std::string());
    }
    if (probe.error != cudaSuccess) return "CUDA can't start: " + probe.error_text;
    return {};
}

}  // namespace gpu::detail::cuda
