// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/math_libraries.hpp"

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

namespace {

// What NVIDIA recommends for cuBLAS.
constexpr std::size_t large_workspace = std::size_t{32} << 20, small_workspace = std::size_t{4} << 20;

class MathLibraries final : public LinearAlgebraBase {
public:
    MathLibraries(Backend& backend, DeviceMemory& memory, bool blocking)
        : backend_(backend), memory_(memory), blocking_(blocking) {}

    [[nodiscard]] Backend& backend() override { return backend_; }
    [[nodiscard]] const BlasApi& blas() override { return cuda::blas(); }
    [[nodiscard]] const SolverApi& solver() override { return cuda::solver(); }

    void use_device(int device) override { cuda::use_device(device); }
    [[nodiscard]] void* allocate(int device, std::size_t bytes, void* stream) override {
        return memory_.allocate(device, bytes, stream_of(stream));
    }
    void deallocate(int device, void* data, std::size_t bytes, void* stream) noexcept override {
        memory_.deallocate_in_stream(device, data, bytes, stream_of(stream));
    }
    [[nodiscard]] void* take_workspace(int device, std::size_t bytes, void* stream) override {
        return memory_.take_workspace(device, bytes, stream_of(stream));
    }
    void give_workspace(int device, void* data, std::size_t bytes, void* stream) noexcept override {
        memory_.give_workspace(device, data, bytes, stream_of(stream));
    }
    void wait_if_blocking(void* stream) override {
        if (!blocking_) return;
        const cudaError_t outcome = cudaStreamSynchronize(stream_of(stream));
        if (outcome == cudaSuccess) return;
        (void)cudaGetLastError();
        throw LaunchError(describe(outcome));
    }
    [[nodiscard]] std::size_t blas_workspace(int device) override {
        return attribute(device, cudaDevAttrComputeCapabilityMajor) >= 9 ? large_workspace : small_workspace;
    }
    [[nodiscard]] std::size_t block_memory(int device) override {
        return static_cast<std::size_t>(attribute(device, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    }

private:
    Backend& backend_;
    DeviceMemory& memory_;
    bool blocking_;
};

}  // namespace

std::unique_ptr<LinearAlgebraBase> make_math_libraries(Backend& backend, DeviceMemory& memory, bool blocking) {
    return std::make_unique<MathLibraries>(backend, memory, blocking);
}

}  // namespace gpu::detail::cuda
