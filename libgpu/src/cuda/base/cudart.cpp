// SPDX-License-Identifier: MIT
#include "cuda/base/cudart.hpp"

#include <cstdlib>

#include <gpu/error.hpp>

#include "cuda/base/launch_limits.hpp"

namespace gpu::detail::cuda {

bool is_kernel_fault(cudaError_t error) noexcept {
    switch (error) {
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure: return true;
        default: return false;
    }
}

AddressMap& device_arrays() {
    static auto* const instance = new AddressMap;
    return *instance;
}

// The runtime itself can't be asked any more: its context is lost.
std::string host_pointer_of_recent_launches() {
    return launch_history().host_pointer([](std::uintptr_t value) {
        AddressRange range;
        return !device_arrays().find(value, range) && is_host_address(value);
    });
}

std::string describe(cudaError_t error) {
    return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

void fail(cudaError_t error, const std::string& what) {
    (void)cudaGetLastError();  // an error that isn't sticky must not surface again on the next call
    std::string message = what + ": " + describe(error);
    if (!is_kernel_fault(error)) throw DeviceError(message);

    const std::string launches = launch_history().to_string();
    message += ". A kernel that was launched before did this";
    if (!launches.empty()) message += "; the last launches, newest first: " + launches;
    if (error == cudaErrorIllegalAddress)
        if (const std::string pointer = host_pointer_of_recent_launches(); !pointer.empty()) message += ". " + pointer;
    message += ". Run again with LIBGPU_LAUNCH_BLOCKING=1 to see which one; this process can't use the GPU any more";
    throw LaunchError(message);
}

cudaError_t try_use_device(int device) noexcept {
    static const bool is_alone = [] {
        int count = 0;
        return cudaGetDeviceCount(&count) == cudaSuccess && count == 1;
    }();
    static thread_local bool is_current = false;
    if (is_alone && is_current) return cudaSuccess;  // there is no other device
    int current = -1;
    if (!is_alone) {
        if (const cudaError_t error = cudaGetDevice(&current); error != cudaSuccess) return error;
    }
    const cudaError_t error = current == device ? cudaSuccess : cudaSetDevice(device);
    is_current = error == cudaSuccess;
    return error;
}

void use_device(int device) {
    if (const cudaError_t error = try_use_device(device); error != cudaSuccess) fail(error, "cudaSetDevice");
}

int attribute(int device, cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
    return value;
}

namespace {

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

Probe probe_machine() {
    Probe probe;
    probe.runtime_version = CUDART_VERSION;
    (void)cudaDriverGetVersion(&probe.driver_version);  // without a driver it succeeds and reports 0
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
