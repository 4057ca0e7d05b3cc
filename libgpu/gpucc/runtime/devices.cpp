// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/see/ledger.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/seam/seam.hpp"

using namespace gpucc;

namespace {

struct ErrorText {
    cudaError_t code;
    const char *name, *text;
};
constexpr ErrorText error_texts[] = {
#define GPUCC_ERROR(name, value, text) {name, #name, text},
#include "gpucc/error_table.h"
#undef GPUCC_ERROR
};

const ErrorText* find_error(cudaError_t code) {
    const auto* const found = std::find_if(std::begin(error_texts), std::end(error_texts),
                                           [&](const ErrorText& one) { return one.code == code; });
    return found == std::end(error_texts) ? nullptr : found;
}

bool is_device(int device) { return device >= 0 && device < Program::get().backend().device_count(); }

std::string no_device(int device) {
    return "device " + std::to_string(device) + ": there " +
           (Program::get().backend().device_count() == 1
                ? std::string("is device 0 alone (LIBGPU_HOST_DEVICES=2 gives two)")
                : "are devices 0 to " + std::to_string(Program::get().backend().device_count() - 1));
}

// A kernel's time limit, in seconds; 60 where nothing is said.
bool has_time_limit() {
    const char* const seconds = std::getenv("LIBGPU_HOST_TIMEOUT");
    return seconds == nullptr || *seconds == '\0' || std::strtod(seconds, nullptr) > 0;
}

// The facts of a device that are numbers: those that programs size their work by are a current GPU's.
int attribute_of(cudaDeviceAttr attribute, const gpu::DeviceProperties& facts) {
    namespace limits = gpu::detail::host::limits;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: return facts.max_threads_per_block;
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY: return limits::block_xy;
        case cudaDevAttrMaxBlockDimZ: return limits::block_z;
        case cudaDevAttrMaxGridDimX: return limits::grid_x;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ: return limits::grid_yz;
        case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(facts.max_shared_per_block);
        case cudaDevAttrTotalConstantMemory: return 65536;
        case cudaDevAttrKernelExecTimeout: return has_time_limit() ? 1 : 0;
        case cudaDevAttrSingleToDoublePrecisionPerfRatio: return 2;
        case cudaDevAttrWarpSize: return facts.warp_size;
        case cudaDevAttrMaxPitch: return 0x7fffffff;
        case cudaDevAttrTextureAlignment:
        case cudaDevAttrSurfaceAlignment: return 512;
        case cudaDevAttrTexturePitchAlignment: return 32;
        case cudaDevAttrMaxTexture1DWidth:
        case cudaDevAttrMaxTexture2DWidth: return 131072;
        case cudaDevAttrMaxTexture2DHeight: return 65536;
        case cudaDevAttrMaxTexture1DLinearWidth: return 1 << 27;
        case cudaDevAttrMaxTexture2DLinearWidth: return 131072;
        case cudaDevAttrMaxTexture2DLinearHeight: return 65000;
        case cudaDevAttrMaxTexture2DLinearPitch: return 2097120;
        case cudaDevAttrMaxRegistersPerBlock: return 65536;
        case cudaDevAttrMultiProcessorCount: return facts.multiprocessors;
        case cudaDevAttrL2CacheSize: return static_cast<int>(facts.l2_cache);
        case cudaDevAttrMaxThreadsPerMultiProcessor: return limits::multiprocessor_threads;
        case cudaDevAttrComputeCapabilityMajor: return 9;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return limits::multiprocessor_shared;
        case cudaDevAttrMaxRegistersPerMultiprocessor: return 65536;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return limits::max_shared;
        case cudaDevAttrMaxBlocksPerMultiprocessor: return limits::multiprocessor_blocks;
        case cudaDevAttrReservedSharedMemoryPerBlock: return limits::reserved_shared;
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrAsyncEngineCount:
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrHostRegisterSupported:
        case cudaDevAttrCanUseHostPointerForRegisteredMem:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMemoryPoolsSupported: return 1;
        default: return 0;
    }
}

unsigned int device_flags = 0;
std::set<std::pair<int, int>> peers;  ///< a device, and another one whose memory it may use

// What cudaDeviceSetLimit() has set; the host's kernels ask for no such thing. Null: there is no such limit.
std::size_t* limit_at(cudaLimit limit) {
    static std::size_t limits[] = {1024, std::size_t{1} << 20, std::size_t{8} << 20, 2, 2048, 64, 0};
    return limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize ? nullptr : &limits[limit];
}

}  // namespace

cudaError_t cudaGetLastError() { return Program::get().last_error(true); }
cudaError_t cudaPeekAtLastError() { return Program::get().last_error(false); }
const char* cudaGetErrorString(cudaError_t code) {
    const ErrorText* const found = find_error(code);
    return found != nullptr ? found->text : "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t code) {
    const ErrorText* const found = find_error(code);
    return found != nullptr ? found->name : "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int* count) {
    *count = Program::get().backend().device_count();
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = Program::get().device();
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device, const char* file, int line) {
    GPUCC_CALL;
    if (!is_device(device)) return Program::get().fail(cudaErrorInvalidDevice, call, no_device(device));
    Program::get().set_device(device);
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    Program& program = Program::get();
    if (properties == nullptr || !is_device(device)) return program.fail(cudaErrorInvalidDevice, {__func__, "", 0});
    const gpu::DeviceProperties facts = program.backend().properties(device);
    const auto number = [&](cudaDeviceAttr attribute) { return attribute_of(attribute, facts); };
    std::memset(static_cast<void*>(properties), 0, sizeof *properties);
    facts.name.copy(properties->name, sizeof properties->name - 1);
    properties->totalGlobalMem = facts.total_memory;
    properties->sharedMemPerBlock = facts.max_shared_per_block;
    properties->regsPerBlock = number(cudaDevAttrMaxRegistersPerBlock);
    properties->warpSize = facts.warp_size;
    properties->memPitch = 0x7fffffff;
    properties->maxThreadsPerBlock = facts.max_threads_per_block;
    for (int k = 0; k < 3; ++k) {
        properties->maxThreadsDim[k] = number(static_cast<cudaDeviceAttr>(cudaDevAttrMaxBlockDimX + k));
        properties->maxGridSize[k] = number(static_cast<cudaDeviceAttr>(cudaDevAttrMaxGridDimX + k));
    }
    properties->totalConstMem = 65536;
    properties->major = number(cudaDevAttrComputeCapabilityMajor);
    properties->minor = 0;
    properties->textureAlignment = properties->surfaceAlignment = 512;
    properties->texturePitchAlignment = 32;
    properties->multiProcessorCount = facts.multiprocessors;
    properties->canMapHostMemory = properties->concurrentKernels = properties->unifiedAddressing = 1;
    properties->managedMemory = properties->concurrentManagedAccess = properties->cooperativeLaunch = 1;
    properties->asyncEngineCount = 1;
    properties->l2CacheSize = number(cudaDevAttrL2CacheSize);
    properties->maxThreadsPerMultiProcessor = number(cudaDevAttrMaxThreadsPerMultiProcessor);
    properties->sharedMemPerMultiprocessor = static_cast<size_t>(number(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    properties->regsPerMultiprocessor = number(cudaDevAttrMaxRegistersPerMultiprocessor);
    properties->sharedMemPerBlockOptin = static_cast<size_t>(number(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    properties->maxBlocksPerMultiProcessor = number(cudaDevAttrMaxBlocksPerMultiprocessor);
    properties->memoryPoolsSupported = properties->hostRegisterSupported = 1;
    properties->streamPrioritiesSupported = properties->canUseHostPointerForRegisteredMem = 1;
    properties->globalL1CacheSupported = properties->localL1CacheSupported = 1;
    properties->reservedSharedMemPerBlock = static_cast<size_t>(number(cudaDevAttrReservedSharedMemoryPerBlock));
    properties->maxTexture1D = number(cudaDevAttrMaxTexture1DWidth);
    properties->maxTexture2D[0] = number(cudaDevAttrMaxTexture2DWidth);
    properties->maxTexture2D[1] = number(cudaDevAttrMaxTexture2DHeight);
    for (int k = 0; k < 3; ++k)
        properties->maxTexture2DLinear[k] = number(static_cast<cudaDeviceAttr>(cudaDevAttrMaxTexture2DLinearWidth + k));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    properties->kernelExecTimeoutEnabled = number(cudaDevAttrKernelExecTimeout);
#pragma GCC diagnostic pop
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    Program& program = Program::get();
    if (value == nullptr || !is_device(device)) return program.fail(cudaErrorInvalidDevice, {__func__, "", 0});
    *value = attribute_of(attribute, program.backend().properties(device));
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t gpuccDeviceSynchronize(const char* file, int line) {
    const Call call{"cudaDeviceSynchronize", file, line};
    if (const auto refused = refused_while_capturing(call)) return *refused;
    Program& program = Program::get();
    return program.run(
        call,
        [&] {
            program.backend().synchronize_device(program.device());
            note_work(call, {.kind = Work::Kind::wait});
            return cudaSuccess;
        },
        Effect::waits);
}
cudaError_t gpuccDeviceReset(const char* file, int line) {
    const Call call{"cudaDeviceReset", file, line};
    Program& program = Program::get();
    const cudaError_t error = program.run(
        call,
        [&] {
            program.backend().synchronize_device(program.device());
            return cudaSuccess;
        },
        Effect::waits);
    program.reset();
    return error;
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    device_flags = flags;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    std::size_t* const at = limit_at(limit);
    if (at == nullptr) return Program::get().fail(cudaErrorUnsupportedLimit, {__func__, "", 0});
    *at = value;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    const std::size_t* const at = limit_at(limit);
    if (value == nullptr) return Program::get().fail(cudaErrorInvalidValue, {__func__, "", 0});
    if (at == nullptr) return Program::get().fail(cudaErrorUnsupportedLimit, {__func__, "", 0});
    *value = *at;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    *flags = device_flags | cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
    return is_device(device) ? cudaSuccess : Program::get().fail(cudaErrorInvalidDevice, {__func__, "", 0});
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    if (text == nullptr || length < 13 || !is_device(device))
        return Program::get().fail(cudaErrorInvalidValue, {__func__, "", 0});
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", static_cast<unsigned>(device) + 1U);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    unsigned domain = 0, bus = 0;
    if (device == nullptr || text == nullptr || std::sscanf(text, "%x:%x:", &domain, &bus) != 2 || bus == 0 ||
        !is_device(static_cast<int>(bus) - 1))
        return Program::get().fail(cudaErrorInvalidValue, {__func__, "", 0});
    *device = static_cast<int>(bus) - 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    if (!is_device(device) || !is_device(peer)) return Program::get().fail(cudaErrorInvalidDevice, {__func__, "", 0});
    *can = device != peer ? 1 : 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    Program& program = Program::get();
    if (!is_device(peer)) return program.fail(cudaErrorInvalidDevice, {__func__, "", 0});
    if (peer == program.device()) return program.fail(cudaErrorPeerAccessUnsupported, {__func__, "", 0});
    if (flags != 0) return program.fail(cudaErrorInvalidValue, {__func__, "", 0});
    {
        const std::lock_guard lock(program.mutex);
        if (peers.insert({program.device(), peer}).second) return cudaSuccess;
    }
    return program.fail(cudaErrorPeerAccessAlreadyEnabled, {__func__, "", 0});
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    Program& program = Program::get();
    if (!is_device(peer)) return program.fail(cudaErrorInvalidDevice, {__func__, "", 0});
    {
        const std::lock_guard lock(program.mutex);
        if (peers.erase({program.device(), peer}) == 1) return cudaSuccess;
    }
    return program.fail(cudaErrorPeerAccessNotEnabled, {__func__, "", 0});
}
