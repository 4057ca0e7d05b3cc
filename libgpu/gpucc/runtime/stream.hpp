// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>

#include <cuda_runtime_api.h>

namespace gpu::detail {
struct NativeEvent;
}
namespace gpucc {
struct Capture;
}

// What a program's handles point to.
struct CUstream_st {
    void* native = nullptr;
    unsigned int flags = 0;
    int priority = 0, device = 0;
};
struct CUevent_st {
    gpu::detail::NativeEvent* native = nullptr;
    bool is_recorded = false, has_time = true;
    std::weak_ptr<gpucc::Capture> capture = {};  ///< where it was recorded last, if that was captured
    std::set<cudaGraphNode_t> captured = {};     ///< the nodes that it comes after there
};

namespace gpucc {

/// libgpu's handle of a program's stream; null for the default one.
inline void* native_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ? nullptr : stream->native;
}

/// True for a stream that exists.
[[nodiscard]] bool is_stream(cudaStream_t stream);

}  // namespace gpucc
