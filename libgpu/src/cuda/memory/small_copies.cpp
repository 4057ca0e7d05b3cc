// SPDX-License-Identifier: MIT
#include "cuda/memory/small_copies.hpp"

#include <cstring>

namespace gpu::detail::cuda {

void SmallCopies::to_host(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    const auto place = places_.take(device, [] {
        void* made = nullptr;
        check(cudaHostAlloc(&made, most, cudaHostAllocPortable), "cudaHostAlloc");
        return made;
    });
    check(cudaMemcpyAsync(*place, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    std::memcpy(to, *place, bytes);
}

}  // namespace gpu::detail::cuda
