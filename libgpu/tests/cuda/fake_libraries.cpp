// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "fake_libraries.hpp"

#include <cstring>
#include <memory>
#include <sstream>

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace fake {

namespace {

std::size_t alive = 0;
int next_info = 0;

/// What was queued before a call of the stand-ins is done when they read memory.
void finish_work() { host().synchronize_device(0); }

template <class... A>
void note(const A&... parts) {
    finish_work();
    std::ostringstream text;
    const char* between = "";
    ((text << between << parts, between = " "), ...);
    calls().push_back(text.str());
}

/// A kernel of the stand-ins' own is queued, and will run into a fault.
void queue_fault(void* stream) {
    static const std::shared_ptr<LoadedKernel> kernel = [] {
        const KernelSource source =
            host().generate(RawText{.name = "strays",
                                    .source = {"__global__ void strays(int* x) { x[1] = 1; }", "strays.cu", 1},
                                    .signature = "",
                                    .options = {}});
        return host().load(0, host().compile(0, source), source);
    }();
    static int* const one = static_cast<int*>(host().allocate(0, sizeof(int), nullptr));
    int* x = one;
    void* arguments[] = {&x};
    host().launch(0, *kernel, {.over = LaunchShape{}, .values = {arguments, 1}}, stream);
}

int take_info() {
    const auto& infos = behaviour().infos;
    const auto at = static_cast<std::size_t>(next_info++);
    return at < infos.size() ? infos[at] : 0;
}
void take_infos(int* info, int batch) {
    for (int k = 0; k < batch; ++k) info[k] = take_info();
}

cublasStatus_t blas_status() { return static_cast<cublasStatus_t>(behaviour().blas_status); }
cusolverStatus_t solver_status() { return static_cast<cusolverStatus_t>(behaviour().solver_status); }
const char* letter(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N ? "N" : operation == CUBLAS_OP_T ? "T" : "C";
}

// The real part of what a product is scaled by.
double scale(const void* factor, cublasComputeType_t compute) {
    return compute == CUBLAS_COMPUTE_64F ? *static_cast<const double*>(factor)
                                         : static_cast<double>(*static_cast<const float*>(factor));
}

cusolverStatus_t sizes(std::size_t* device, std::size_t* host) {
    *device = 64;
    *host = behaviour().wants_host_memory ? 8 : 0;
    return CUSOLVER_STATUS_SUCCESS;
}

BlasApi make_blas() {
    BlasApi api;
    api.create = [](cublasHandle_t* handle) {
        note("cublasCreate");
        *handle = reinterpret_cast<cublasHandle_t>(8);
        return CUBLAS_STATUS_SUCCESS;
    };
    api.set_stream = [](cublasHandle_t, cudaStream_t) {
        if (behaviour().keeps_workspace) note("cublasSetStream");
        return CUBLAS_STATUS_SUCCESS;
    };
    api.set_workspace = [](cublasHandle_t, void* data, std::size_t bytes) {
        note("workspace", bytes);
        return data ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
    };
    api.set_math_mode = [](cublasHandle_t, cublasMath_t mode) {
        note("math mode", static_cast<int>(mode));
        return CUBLAS_STATUS_SUCCESS;
    };
    api.get_status_name = [](cublasStatus_t) { return "CUBLAS_STATUS_STAND_IN"; };
    api.get_status_string = [](cublasStatus_t) { return "the stand-in was told to fail"; };
    api.gemm = [](cublasHandle_t, cublasOperation_t a, cublasOperation_t b, std::int64_t m, std::int64_t n,
                  std::int64_t k, const void* alpha, const void*, cudaDataType a_type, std::int64_t lda, const void*,
                  cudaDataType, std::int64_t ldb, const void* beta, void*, cudaDataType, std::int64_t ldc,
                  cublasComputeType_t compute, cublasGemmAlgo_t) {
        note("gemm", letter(a), letter(b), m, n, k, "ld", lda, ldb, ldc, "type", static_cast<int>(a_type), "compute",
             static_cast<int>(compute), "scale", scale(alpha, compute), scale(beta, compute));
        if (behaviour().faults) queue_fault(nullptr);
        return blas_status();
    };
    api.gemm_batched = [](cublasHandle_t, cublasOperation_t a, cublasOperation_t b, std::int64_t m, std::int64_t n,
                          std::int64_t k, const void* alpha, const void*, cudaDataType, std::int64_t lda,
                          long long stride_a, const void*, cudaDataType, std::int64_t ldb, long long stride_b,
                          const void* beta, void*, cudaDataType, std::int64_t ldc, long long stride_c,
                          std::int64_t batch, cublasComputeType_t compute, cublasGemmAlgo_t) {
        note("gemm_batched", letter(a), letter(b), m, n, k, "ld", lda, ldb, ldc, "strides", stride_a, stride_b,
             stride_c, "batch", batch, "scale", scale(alpha, compute), scale(beta, compute));
        return blas_status();
    };
    api.getrf_batched.functions.fill(
        [](cublasHandle_t, int n, void* const* a, int lda, int* pivots, int* info, int batch) {
            finish_work();
            note("getrfBatched", n, lda, batch, "apart", static_cast<char*>(a[1]) - static_cast<char*>(a[0]));
            take_infos(info, batch);
            for (int k = 0; k < n * batch; ++k) pivots[k] = k % n + 1;
            return blas_status();
        });
    api.getrs_batched.functions.fill([](cublasHandle_t, cublasOperation_t op, int n, int columns, const void* const* a,
                                        int lda, const int* pivots, void* const* b, int ldb, int* info, int batch) {
        finish_work();
        note("getrsBatched", letter(op), n, columns, lda, ldb, batch, "apart",
             static_cast<const char*>(a[1]) - static_cast<const char*>(a[0]),
             static_cast<char*>(b[1]) - static_cast<char*>(b[0]), "pivot", pivots[0]);
        *info = 0;
        return blas_status();
    });
    api.trsm.functions.fill([](cublasHandle_t, cublasSideMode_t, cublasFillMode_t fill, cublasOperation_t op,
                               cublasDiagType_t diagonal, std::int64_t m, std::int64_t n, const void*, const void*,
                               std::int64_t lda, void*, std::int64_t ldb) {
        note("trsm", fill == CUBLAS_FILL_MODE_LOWER ? "lower" : "upper", letter(op),
             diagonal == CUBLAS_DIAG_UNIT ? "unit" : "whole", m, n, lda, ldb);
        return blas_status();
    });
    api.trsv.functions.fill([](cublasHandle_t, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                               std::int64_t n, const void*, std::int64_t lda, void*, std::int64_t step) {
        note("trsv", fill == CUBLAS_FILL_MODE_LOWER ? "lower" : "upper", letter(op),
             diagonal == CUBLAS_DIAG_UNIT ? "unit" : "whole", n, lda, step);
        return blas_status();
    });
    return api;
}

void fill_factor(SolverApi& api) {
    api.potrf_size = [](auto, auto, cublasFillMode_t, std::int64_t, cudaDataType, const void*, std::int64_t,
                        cudaDataType, std::size_t* device, std::size_t* host) { return sizes(device, host); };
    api.potrf = [](auto, auto, cublasFillMode_t fill, std::int64_t n, cudaDataType type, void*, std::int64_t lda,
                   cudaDataType, void*, std::size_t, void*, std::size_t, int* info) {
        note("Xpotrf", fill == CUBLAS_FILL_MODE_LOWER ? "lower" : "upper", n, lda, "type", static_cast<int>(type));
        if (behaviour().faults) queue_fault(nullptr);
        *info = take_info();
        return solver_status();
    };
    api.potrf_batched.functions.fill(
        [](cusolverDnHandle_t, cublasFillMode_t fill, int n, void** a, int lda, int* info, int batch) {
            finish_work();
            note("potrfBatched", fill == CUBLAS_FILL_MODE_LOWER ? "lower" : "upper", n, lda, batch, "apart",
                 static_cast<char*>(a[1]) - static_cast<char*>(a[0]));
            take_infos(info, batch);
            return solver_status();
        });
    api.getrf_size = [](auto, auto, std::int64_t, std::int64_t, cudaDataType, const void*, std::int64_t, cudaDataType,
                        std::size_t* device, std::size_t* host) { return sizes(device, host); };
    api.getrf = [](auto, auto, std::int64_t m, std::int64_t n, cudaDataType, void*, std::int64_t lda,
                   std::int64_t* pivots, cudaDataType, void*, std::size_t, void*, std::size_t, int* info) {
        note("Xgetrf", m, n, lda);
        for (std::int64_t k = 0; k < n; ++k) pivots[k] = n - k;
        *info = take_info();
        return solver_status();
    };
    api.geqrf_size = [](auto, auto, std::int64_t, std::int64_t, cudaDataType, const void*, std::int64_t, cudaDataType,
                        const void*, cudaDataType, std::size_t* device,
                        std::size_t* host) { return sizes(device, host); };
    api.geqrf = [](auto, auto, std::int64_t m, std::int64_t n, cudaDataType, void*, std::int64_t lda, cudaDataType,
                   void*, cudaDataType, void*, std::size_t, void*, std::size_t, int* info) {
        note("Xgeqrf", m, n, lda);
        *info = take_info();
        return solver_status();
    };
    api.orgqr_size.functions.fill([](cusolverDnHandle_t, int, int, int, const void*, int, const void*, int* size) {
        *size = 5;
        return CUSOLVER_STATUS_SUCCESS;
    });
    api.orgqr.functions.fill(
        [](cusolverDnHandle_t, int m, int n, int k, void* a, int lda, const void*, void*, int size, int* info) {
            finish_work();
            note("orgqr", m, n, k, lda, "work", size, "first", static_cast<float*>(a)[0], "last",
                 static_cast<float*>(a)[m * n - 1]);
            *info = 0;
            return solver_status();
        });
}

void fill_spectral(SolverApi& api) {
    api.syevd_size = [](auto, auto, auto, auto, std::int64_t, cudaDataType, const void*, std::int64_t, cudaDataType,
                        const void*, cudaDataType, std::size_t* device,
                        std::size_t* host) { return sizes(device, host); };
    api.syevd = [](auto, auto, cusolverEigMode_t mode, cublasFillMode_t, std::int64_t n, cudaDataType type, void*,
                   std::int64_t, cudaDataType real, void*, cudaDataType, void*, std::size_t, void*, std::size_t,
                   int* info) {
        note("Xsyevd", static_cast<int>(mode), n, "types", static_cast<int>(type), static_cast<int>(real));
        *info = take_info();
        return solver_status();
    };
    api.syev_batched_size = [](auto, auto, auto, auto, std::int64_t, cudaDataType, const void*, std::int64_t,
                               cudaDataType, const void*, cudaDataType, std::size_t* device, std::size_t* host,
                               std::int64_t) { return sizes(device, host); };
    api.syev_batched = [](auto, auto, cusolverEigMode_t mode, cublasFillMode_t, std::int64_t n, cudaDataType, void*,
                          std::int64_t, cudaDataType, void*, cudaDataType, void*, std::size_t, void*, std::size_t,
                          int* info, std::int64_t batch) {
        note("XsyevBatched", static_cast<int>(mode), n, batch);
        take_infos(info, static_cast<int>(batch));
        return solver_status();
    };
    api.gesvd_size = [](auto, auto, signed char, signed char, std::int64_t, std::int64_t, cudaDataType, const void*,
                        std::int64_t, cudaDataType, const void*, cudaDataType, const void*, std::int64_t, cudaDataType,
                        const void*, std::int64_t, cudaDataType, std::size_t* device,
                        std::size_t* host) { return sizes(device, host); };
    api.gesvd = [](auto, auto, signed char u_job, signed char v_job, std::int64_t m, std::int64_t n, cudaDataType,
                   void*, std::int64_t lda, cudaDataType, void*, cudaDataType, void*, std::int64_t ldu, cudaDataType,
                   void*, std::int64_t ldv, cudaDataType, void*, std::size_t, void*, std::size_t, int* info) {
        note("Xgesvd", u_job, v_job, m, n, "ld", lda, ldu, ldv);
        *info = take_info();
        return solver_status();
    };
    api.gesvdp_size = [](auto, auto, auto, int, std::int64_t, std::int64_t, cudaDataType, const void*, std::int64_t,
                         cudaDataType, const void*, cudaDataType, const void*, std::int64_t, cudaDataType, const void*,
                         std::int64_t, cudaDataType, std::size_t* device,
                         std::size_t* host) { return sizes(device, host); };
    api.gesvdp = [](auto, auto, cusolverEigMode_t mode, int economy, std::int64_t m, std::int64_t n, cudaDataType type,
                    void* a, std::int64_t, cudaDataType, void* s, cudaDataType, void* u, std::int64_t ldu,
                    cudaDataType, void* v, std::int64_t ldv, cudaDataType, void*, std::size_t, void*, std::size_t,
                    int* info, double* moved) {
        const bool wide = type == CUDA_R_64F;
        note("Xgesvdp", static_cast<int>(mode), economy, m, n, "ld", ldu, ldv, u && v ? "placed" : "without a place",
             wide ? "in double" : "");
        if (wide) {  // U becomes A, and the values its first numbers
            std::memcpy(u, a, static_cast<std::size_t>(m * n) * sizeof(double));
            std::memcpy(s, a, static_cast<std::size_t>(n) * sizeof(double));
            for (std::int64_t k = 0; k < n * n; ++k) static_cast<double*>(v)[k] = static_cast<double>(k);
        } else {
            for (std::int64_t k = 0; k < n * n; ++k) static_cast<float*>(v)[k] = static_cast<float>(k);
            static_cast<float*>(s)[0] = behaviour().largest;
        }
        *info = take_info();
        *moved = behaviour().moved;
        return solver_status();
    };
    api.gesvdj_size.functions.fill([](cusolverDnHandle_t, cusolverEigMode_t, int, int, int, const void*, int,
                                      const void*, const void*, int, const void*, int, int* size, gesvdjInfo_t) {
        *size = 7;
        return CUSOLVER_STATUS_SUCCESS;
    });
    api.gesvdj.functions.fill([](cusolverDnHandle_t, cusolverEigMode_t mode, int economy, int m, int n, void*, int lda,
                                 void*, void* u, int ldu, void* v, int ldv, void*, int size, int* info, gesvdjInfo_t) {
        note("gesvdj", static_cast<int>(mode), economy, m, n, "ld", lda, ldu, ldv, "work", size,
             u && v ? "placed" : "without a place");
        for (int k = 0; k < n * n; ++k) static_cast<float*>(v)[k] = static_cast<float>(k);
        *info = take_info();
        return solver_status();
    });
    api.gesvdj_batched_size.functions.fill([](cusolverDnHandle_t, cusolverEigMode_t, int, int, const void*, int,
                                              const void*, const void*, int, const void*, int, int* size, gesvdjInfo_t,
                                              int) {
        *size = 9;
        return CUSOLVER_STATUS_SUCCESS;
    });
    api.gesvdj_batched.functions.fill([](cusolverDnHandle_t, cusolverEigMode_t mode, int m, int n, void*, int, void*,
                                         void* u, int ldu, void* v, int ldv, void*, int, int* info, gesvdjInfo_t,
                                         int batch) {
        note("gesvdjBatched", static_cast<int>(mode), m, n, "ld", ldu, ldv, "batch", batch);
        for (int k = 0; k < m * m * batch; ++k) static_cast<float*>(u)[k] = static_cast<float>(k);
        for (int k = 0; k < n * n * batch; ++k) static_cast<float*>(v)[k] = static_cast<float>(k);
        take_infos(info, batch);
        return solver_status();
    });
}

SolverApi make_solver() {
    SolverApi api;
    api.create = [](cusolverDnHandle_t* handle) {
        note("cusolverDnCreate");
        *handle = reinterpret_cast<cusolverDnHandle_t>(8);
        return CUSOLVER_STATUS_SUCCESS;
    };
    api.set_stream = [](auto, cudaStream_t) { return CUSOLVER_STATUS_SUCCESS; };
    api.create_params = [](cusolverDnParams_t*) { return CUSOLVER_STATUS_SUCCESS; };
    api.create_gesvdj_info = [](gesvdjInfo_t*) { return CUSOLVER_STATUS_SUCCESS; };
    api.set_gesvdj_tolerance = [](gesvdjInfo_t, double) { return CUSOLVER_STATUS_SUCCESS; };
    api.set_gesvdj_max_sweeps = [](gesvdjInfo_t, int) { return CUSOLVER_STATUS_SUCCESS; };
    fill_factor(api);
    fill_spectral(api);
    return api;
}

class FakeBase final : public LinearAlgebraBase {
public:
    [[nodiscard]] Backend& backend() override { return host(); }
    [[nodiscard]] const BlasApi& blas() override {
        static const BlasApi api = make_blas();
        return api;
    }
    [[nodiscard]] const SolverApi& solver() override {
        static const SolverApi api = make_solver();
        return api;
    }
    void use_device(int) override {}
    void wait_if_blocking(void* stream) override {
        if (behaviour().blocking) host().synchronize_stream(0, stream);
    }
    [[nodiscard]] void* allocate(int device, std::size_t bytes, void* stream) override {
        alive += bytes;
        void* const data = host().allocate(device, bytes, stream);
        std::memset(data, 0xa5, bytes);  // nothing may count on zeros
        return data;
    }
    void deallocate(int device, void* data, std::size_t bytes, void*) noexcept override {
        alive -= bytes;
        host().deallocate(device, data, bytes);
    }
    [[nodiscard]] void* take_workspace(int, std::size_t bytes, void*) override {
        static char memory[2];  // which the stand-ins don't touch
        alive += bytes;
        return &memory[behaviour().keeps_workspace ? 0 : ++workspaces_ % 2];
    }
    void give_workspace(int, void*, std::size_t bytes, void*) noexcept override { alive -= bytes; }
    [[nodiscard]] std::size_t blas_workspace(int) override { return 4096; }
    [[nodiscard]] std::size_t block_memory(int) override { return 232448; }

private:
    unsigned workspaces_ = 0;
};

}  // namespace

std::vector<std::string>& calls() {
    static std::vector<std::string> all;
    return all;
}

Behaviour& behaviour() {
    static Behaviour one;
    return one;
}

void reset() {
    calls().clear();
    behaviour() = {};
    next_info = 0;
}

Backend& host() {
    static Backend& backend = *make_host_backend().release();
    return backend;
}

LinearAlgebra& linear_algebra() {
    static LinearAlgebra& one = *make_linear_algebra(std::make_unique<FakeBase>()).release();
    return one;
}

std::size_t bytes_alive() { return alive; }

}  // namespace fake
#endif
