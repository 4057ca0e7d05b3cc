// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda/base/cudart.hpp"

namespace gpu::detail::cuda {

/// Large copies between pageable memory and a device go through a ring of page-locked memory, one a device, made when
/// it is first needed. The driver's own staging has one thread and reaches less than half of what several do.
class Staging {
public:
    explicit Staging(int device_count);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// From this size on, a copy is worth it.
    static constexpr std::size_t worth = std::size_t{4} << 20;

    /// Waits for the stream's earlier work, copies, and waits for the copy. False, and nothing is done, if there is no
    /// page-locked memory to be had. @throws LaunchError, DeviceError
    bool to_device(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream);
    bool to_host(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream);

private:
    struct Ring;
    template <class Copy>
    bool through_ring(int device, void* device_data, std::size_t bytes, cudaStream_t stream, Copy copy);

    std::vector<std::unique_ptr<Ring>> rings_;
};

/// True if CUDA can copy from and to all of this host memory by itself: it is page-locked, or managed.
/// @throws DeviceError if it is a device's memory
[[nodiscard]] bool is_page_locked(const void* data, std::size_t bytes);

}  // namespace gpu::detail::cuda
