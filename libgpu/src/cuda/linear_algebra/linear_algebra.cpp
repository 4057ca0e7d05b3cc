// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/linear_algebra.hpp"

#include <mutex>

#include <gpu/error.hpp>

#include "cuda/base/library.hpp"

namespace gpu::detail::cuda {

namespace {

static_assert(Matches<decltype(cublasSgetrfBatched), BlasApi::GetrfBatched>::value);
static_assert(Matches<decltype(cublasZgetrsBatched), BlasApi::GetrsBatched>::value);
static_assert(Matches<decltype(cublasStrsm_v2_64), BlasApi::Trsm>::value);
static_assert(Matches<decltype(cublasZtrsv_v2_64), BlasApi::Trsv>::value);

}  // namespace

BlasApi load_blas(const std::vector<std::string>& candidates) {
    BlasApi api;
    open_library(candidates,
                 "cuBLAS, which multiplies matrices on the GPU, was not found. Set LIBGPU_CUBLAS to the path of "
                 "libcublas.so." +
                     std::to_string(toolkit_major()) + ".",
                 [&](void* library) {
                     look_up(library, "cublasCreate_v2", api.create);
                     look_up(library, "cublasDestroy_v2", api.destroy);
                     look_up(library, "cublasSetStream_v2", api.set_stream);
                     look_up(library, "cublasSetWorkspace_v2", api.set_workspace);
                     look_up(library, "cublasSetMathMode", api.set_math_mode);
                     look_up(library, "cublasGetStatusName", api.get_status_name);
                     look_up(library, "cublasGetStatusString", api.get_status_string);
                     look_up(library, "cublasGemmEx_64", api.gemm);
                     look_up(library, "cublasGemmStridedBatchedEx_64", api.gemm_batched);
                     look_up(library, "cublas", "getrfBatched", api.getrf_batched);
                     look_up(library, "cublas", "getrsBatched", api.getrs_batched);
                     look_up(library, "cublas", "trsm_v2_64", api.trsm);
                     look_up(library, "cublas", "trsv_v2_64", api.trsv);
                 });
    return api;
}

const BlasApi& blas() {
    static std::mutex mutex;
    static const BlasApi* api = nullptr;  // leaked with the library
    const std::lock_guard lock(mutex);
    if (!api) {
        api = new BlasApi(
            load_blas(library_candidates("libcublas", "LIBGPU_CUBLAS", {toolkit_major(), toolkit_major() - 1})));
    }
    return *api;
}

std::string describe(const BlasApi& api, cublasStatus_t status) {
    return std::string(api.get_status_name(status)) + ": " + api.get_status_string(status);
}

namespace {

static_assert(Matches<decltype(cusolverDnSpotrfBatched), SolverApi::PotrfBatched>::value);
static_assert(Matches<decltype(cusolverDnSorgqr_bufferSize), SolverApi::OrgqrSize>::value);
static_assert(Matches<decltype(cusolverDnZungqr), SolverApi::Orgqr>::value);
static_assert(Matches<decltype(cusolverDnDgesvdj_bufferSize), SolverApi::GesvdjSize>::value);
static_assert(Matches<decltype(cusolverDnCgesvdj), SolverApi::Gesvdj>::value);
static_assert(Matches<decltype(cusolverDnDgesvdjBatched_bufferSize), SolverApi::GesvdjBatchedSize>::value);
static_assert(Matches<decltype(cusolverDnCgesvdjBatched), SolverApi::GesvdjBatched>::value);

// Toolkit 13 has libcusolver.so.12: one version behind.
int solver_major() noexcept { return toolkit_major() - 1; }

void fill_handles(void* library, SolverApi& api) {
    look_up(library, "cusolverDnCreate", api.create);
    look_up(library, "cusolverDnSetStream", api.set_stream);
    look_up(library, "cusolverDnCreateParams", api.create_params);
    look_up(library, "cusolverDnCreateGesvdjInfo", api.create_gesvdj_info);
    look_up(library, "cusolverDnXgesvdjSetTolerance", api.set_gesvdj_tolerance);
    look_up(library, "cusolverDnXgesvdjSetMaxSweeps", api.set_gesvdj_max_sweeps);
}

void fill_wide(void* library, SolverApi& api) {
    look_up(library, "cusolverDnXpotrf_bufferSize", api.potrf_size);
    look_up(library, "cusolverDnXpotrf", api.potrf);
    look_up(library, "cusolverDnXgetrf_bufferSize", api.getrf_size);
    look_up(library, "cusolverDnXgetrf", api.getrf);
    look_up(library, "cusolverDnXgeqrf_bufferSize", api.geqrf_size);
    look_up(library, "cusolverDnXgeqrf", api.geqrf);
    look_up(library, "cusolverDnXsyevd_bufferSize", api.syevd_size);
    look_up(library, "cusolverDnXsyevd", api.syevd);
    look_up(library, "cusolverDnXsyevBatched_bufferSize", api.syev_batched_size);
    look_up(library, "cusolverDnXsyevBatched", api.syev_batched);
    look_up(library, "cusolverDnXgesvd_bufferSize", api.gesvd_size);
    look_up(library, "cusolverDnXgesvd", api.gesvd);
    look_up(library, "cusolverDnXgesvdp_bufferSize", api.gesvdp_size);
    look_up(library, "cusolverDnXgesvdp", api.gesvdp);
}

void fill_typed(void* library, SolverApi& api) {
    look_up(library, "cusolverDn", "potrfBatched", api.potrf_batched);
    look_up(library, "cusolverDn", "gesvdj_bufferSize", api.gesvdj_size);
    look_up(library, "cusolverDn", "gesvdj", api.gesvdj);
    look_up(library, "cusolverDn", "gesvdjBatched_bufferSize", api.gesvdj_batched_size);
    look_up(library, "cusolverDn", "gesvdjBatched", api.gesvdj_batched);
    const char* const functions[] = {"Sorgqr", "Dorgqr", "Cungqr", "Zungqr"};
    for (std::size_t k = 0; k < 4; ++k) {
        const std::string name = std::string("cusolverDn") + functions[k];
        look_up(library, name + "_bufferSize", api.orgqr_size.functions[k]);
        look_up(library, name, api.orgqr.functions[k]);
    }
}

}  // namespace

SolverApi load_solver(const std::vector<std::string>& candidates) {
    SolverApi api;
    open_library(candidates,
                 "cuSOLVER, which solves and decomposes on the GPU, was not found. Set LIBGPU_CUSOLVER to the path of "
                 "libcusolver.so." +
                     std::to_string(solver_major()) + ".",
                 [&](void* library) {
                     fill_handles(library, api);
                     fill_wide(library, api);
                     fill_typed(library, api);
                 });
    return api;
}

const SolverApi& solver() {
    static std::mutex mutex;
    static const SolverApi* api = nullptr;  // leaked with the library
    const std::lock_guard lock(mutex);
    if (!api) {
        api = new SolverApi(
            load_solver(library_candidates("libcusolver", "LIBGPU_CUSOLVER", {solver_major(), solver_major() - 1})));
    }
    return *api;
}

std::string describe(cusolverStatus_t status) {
    switch (status) {
        case CUSOLVER_STATUS_SUCCESS: return "CUSOLVER_STATUS_SUCCESS";
        case CUSOLVER_STATUS_NOT_INITIALIZED: return "CUSOLVER_STATUS_NOT_INITIALIZED: the library isn't initialised";
        case CUSOLVER_STATUS_ALLOC_FAILED: return "CUSOLVER_STATUS_ALLOC_FAILED: no memory for the library itself";
        case CUSOLVER_STATUS_INVALID_VALUE: return "CUSOLVER_STATUS_INVALID_VALUE: an argument is out of range";
        case CUSOLVER_STATUS_ARCH_MISMATCH: return "CUSOLVER_STATUS_ARCH_MISMATCH: not on a GPU of this kind";
        case CUSOLVER_STATUS_MAPPING_ERROR: return "CUSOLVER_STATUS_MAPPING_ERROR: memory can't be mapped";
        case CUSOLVER_STATUS_EXECUTION_FAILED: return "CUSOLVER_STATUS_EXECUTION_FAILED: a kernel failed";
        case CUSOLVER_STATUS_INTERNAL_ERROR: return "CUSOLVER_STATUS_INTERNAL_ERROR: a step inside the library failed";
        case CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED:
            return "CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED: not for such a matrix";
        case CUSOLVER_STATUS_NOT_SUPPORTED: return "CUSOLVER_STATUS_NOT_SUPPORTED: not for such arguments";
        case CUSOLVER_STATUS_INVALID_WORKSPACE: return "CUSOLVER_STATUS_INVALID_WORKSPACE: the workspace doesn't fit";
        default: return "cuSOLVER status " + std::to_string(static_cast<int>(status));
    }
}

namespace {

// NVIDIA's recommendations for cuBLAS.
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
