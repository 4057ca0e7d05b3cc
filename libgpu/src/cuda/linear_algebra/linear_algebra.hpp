// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "backend/backend.hpp"
#include "backend/linalg.hpp"
#include "cuda/linear_algebra/blas_api.hpp"
#include "cuda/linear_algebra/solver_api.hpp"

namespace gpu::detail::cuda {

/// What linear algebra stands on. Tests put libraries of their own and the host's memory here.
class LinearAlgebraBase {
public:
    virtual ~LinearAlgebraBase() = default;

    /// Copies, fills, waits, compiles and launches.
    [[nodiscard]] virtual Backend& backend() = 0;
    /// @throws LibraryNotFound
    [[nodiscard]] virtual const BlasApi& blas() = 0;
    [[nodiscard]] virtual const SolverApi& solver() = 0;

    /// Makes the device the thread's current one: handles are made on it, and calls go to it.
    virtual void use_device(int device) = 0;
    /// Memory that is used in this stream alone. @throws OutOfMemory
    [[nodiscard]] virtual void* allocate(int device, std::size_t bytes, void* stream) = 0;
    virtual void deallocate(int device, void* data, std::size_t bytes, void* stream) noexcept = 0;
    /// The same for cuBLAS's workspace, which the device may keep from one call to the next.
    [[nodiscard]] virtual void* take_workspace(int device, std::size_t bytes, void* stream) = 0;
    virtual void give_workspace(int device, void* data, std::size_t bytes, void* stream) noexcept = 0;
    /// With LIBGPU_LAUNCH_BLOCKING=1 waits for what was just begun. @throws LaunchError with what became of it
    virtual void wait_if_blocking(void* stream) = 0;
    /// Bytes of workspace that cuBLAS likes to have on this device.
    [[nodiscard]] virtual std::size_t blas_workspace(int device) = 0;
    /// The most shared memory that a block of this device can ask for.
    [[nodiscard]] virtual std::size_t block_memory(int device) = 0;
};

/// Linear algebra by cuBLAS and cuSOLVER, and by kernels of libgpu's own for products of integers.
[[nodiscard]] std::unique_ptr<LinearAlgebra> make_linear_algebra(std::unique_ptr<LinearAlgebraBase> base);

/// From a table, see svd_table.cpp.
[[nodiscard]] SvdPlan fastest_svd_plan(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n,
                                       SvdVectors vectors) noexcept;

}  // namespace gpu::detail::cuda
