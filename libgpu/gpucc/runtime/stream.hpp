// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

namespace gpu::detail {
struct NativeEvent;
}

// What a program's handles point to.
struct CUstream_st {
    void* native = nullptr;
    unsigned int flags = 0;
};
struct CUevent_st {
    gpu::detail::NativeEvent* native = nullptr;
    bool is_recorded = false, has_time = true;
};

namespace gpucc {

/// libgpu's handle of a program's stream; null for the default one.
inline void* native_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ? nullptr : stream->native;
}

/// True for a stream that exists.
[[nodiscard]] bool is_stream(cudaStream_t stream);

}  // namespace gpucc
