// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "cuda/base/cudart.hpp"
#include "cuda/base/handle_pool.hpp"

namespace gpu::detail::cuda {

/// Copies of a few bytes to the host, such as item()'s. Into pageable memory the driver would copy in two steps of its
/// own, and wait for both; so they go to a page-locked place, for which the host waits once.
class SmallCopies {
public:
    static constexpr std::size_t most = 4096;  ///< bytes of a copy

    /// Returns when the bytes are there. The device must be the thread's current one.
    void to_host(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream);

private:
    HandlePool<void*> places_;
};

}  // namespace gpu::detail::cuda
