// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>
#include <library_types.h>

// cuBLAS' commonest calls over libgpu's linear algebra of the host. As in cuBLAS, matrices are column-major. Calls are
// done when they return, in their stream's order; sums are rounded in another order than a GPU's.

struct __half;

typedef struct cublasContext* cublasHandle_t;
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

GPUCC_API cublasStatus_t cublasCreate(cublasHandle_t* handle);
GPUCC_API cublasStatus_t cublasDestroy(cublasHandle_t handle);
GPUCC_API cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
GPUCC_API cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
GPUCC_API cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
GPUCC_API cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
GPUCC_API cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
GPUCC_API cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
GPUCC_API cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* memory, size_t bytes);
GPUCC_API cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
GPUCC_API const char* cublasGetStatusString(cublasStatus_t status);
GPUCC_API const char* cublasGetStatusName(cublasStatus_t status);

GPUCC_API cublasStatus_t cublasSetVector(int n, int item, const void* from, int from_step, void* to, int to_step,
                                         GPUCC_PLACE);
GPUCC_API cublasStatus_t cublasGetVector(int n, int item, const void* from, int from_step, void* to, int to_step,
                                         GPUCC_PLACE);
GPUCC_API cublasStatus_t cublasSetMatrix(int rows, int columns, int item, const void* from, int from_ld, void* to,
                                         int to_ld, GPUCC_PLACE);
GPUCC_API cublasStatus_t cublasGetMatrix(int rows, int columns, int item, const void* from, int from_ld, void* to,
                                         int to_ld, GPUCC_PLACE);

// Of numbers of type T, by the letter that stands for it.
#define GPUCC_BLAS_CALLS(S, T)                                                                                       \
    GPUCC_API cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int x_step,   \
                                             T* y, int y_step, GPUCC_PLACE);                                         \
    GPUCC_API cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int x_step, const T* y,        \
                                            int y_step, T* result, GPUCC_PLACE);                                     \
    GPUCC_API cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int x_step, T* result,        \
                                             GPUCC_PLACE);                                                           \
    GPUCC_API cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int x_step, T* result,        \
                                             GPUCC_PLACE);                                                           \
    GPUCC_API cublasStatus_t cublasI##S##amax_(cublasHandle_t handle, int n, const T* x, int x_step, int* result,    \
                                               const char* file, int line);                                          \
    GPUCC_API cublasStatus_t cublasI##S##amin_(cublasHandle_t handle, int n, const T* x, int x_step, int* result,    \
                                               const char* file, int line);                                          \
    GPUCC_API cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int x_step,         \
                                             GPUCC_PLACE);                                                           \
    GPUCC_API cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int x_step, T* y, int y_step, \
                                             GPUCC_PLACE);                                                           \
    GPUCC_API cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,       \
                                             GPUCC_PLACE);                                                           \
    GPUCC_API cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t of_a, int m, int n,            \
                                             const T* alpha, const T* a, int a_ld, const T* x, int x_step,           \
                                             const T* beta, T* y, int y_step, GPUCC_PLACE);                          \
    GPUCC_API cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,         \
                                            int x_step, const T* y, int y_step, T* a, int a_ld, GPUCC_PLACE);        \
    GPUCC_API cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b,  \
                                             int m, int n, int k, const T* alpha, const T* a, int a_ld, const T* b,  \
                                             int b_ld, const T* beta, T* c, int c_ld, GPUCC_PLACE);                  \
    GPUCC_API cublasStatus_t cublas##S##gemmStridedBatched(                                                          \
        cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k, const T* alpha,  \
        const T* a, int a_ld, long long a_stride, const T* b, int b_ld, long long b_stride, const T* beta, T* c,     \
        int c_ld, long long c_stride, int count, GPUCC_PLACE);                                                       \
    GPUCC_API cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t of_a,                   \
                                                    cublasOperation_t of_b, int m, int n, int k, const T* alpha,     \
                                                    const T* const a[], int a_ld, const T* const b[], int b_ld,      \
                                                    const T* beta, T* const c[], int c_ld, int count, GPUCC_PLACE);  \
    GPUCC_API cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b,  \
                                             int m, int n, const T* alpha, const T* a, int a_ld, const T* beta,      \
                                             const T* b, int b_ld, T* c, int c_ld, GPUCC_PLACE);
GPUCC_BLAS_CALLS(S, float)
GPUCC_BLAS_CALLS(D, double)
#undef GPUCC_BLAS_CALLS

/// The number, from 1, of the element whose size is the largest, or the smallest.
inline cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float* x, int x_step, int* result, GPUCC_PLACE) {
    return cublasISamax_(handle, n, x, x_step, result, file, line);
}
inline cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double* x, int x_step, int* result,
                                   GPUCC_PLACE) {
    return cublasIDamax_(handle, n, x, x_step, result, file, line);
}
inline cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float* x, int x_step, int* result, GPUCC_PLACE) {
    return cublasISamin_(handle, n, x, x_step, result, file, line);
}
inline cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double* x, int x_step, int* result,
                                   GPUCC_PLACE) {
    return cublasIDamin_(handle, n, x, x_step, result, file, line);
}

GPUCC_API cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m,
                                     int n, int k, const __half* alpha, const __half* a, int a_ld, const __half* b,
                                     int b_ld, const __half* beta, __half* c, int c_ld, GPUCC_PLACE);
/// Matrices of half, bfloat16, float or double; alpha and beta have the type that is computed in.
GPUCC_API cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m,
                                      int n, int k, const void* alpha, const void* a, cudaDataType a_type, int a_ld,
                                      const void* b, cudaDataType b_type, int b_ld, const void* beta, void* c,
                                      cudaDataType c_type, int c_ld, cublasComputeType_t compute,
                                      cublasGemmAlgo_t algorithm, GPUCC_PLACE);

// The names before cublas_v2.h was the only one.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

#define GPUCC_ABSENT_BLAS(name)                                                                                       \
    template <class... A>                                                                                             \
    cublasStatus_t name(A&&...) {                                                                                     \
        static_assert(                                                                                                \
            sizeof...(A) > 99,                                                                                        \
            #name " isn't in gpucc: cublas<t>gemm, gemv, ger, geam and the vectors' calls for float and double are"); \
        return CUBLAS_STATUS_NOT_SUPPORTED;                                                                           \
    }
GPUCC_ABSENT_BLAS(cublasStrsm)
GPUCC_ABSENT_BLAS(cublasDtrsm)
GPUCC_ABSENT_BLAS(cublasStrmm)
GPUCC_ABSENT_BLAS(cublasDtrmm)
GPUCC_ABSENT_BLAS(cublasSsyrk)
GPUCC_ABSENT_BLAS(cublasDsyrk)
GPUCC_ABSENT_BLAS(cublasSsymm)
GPUCC_ABSENT_BLAS(cublasDsymm)
GPUCC_ABSENT_BLAS(cublasSsymv)
GPUCC_ABSENT_BLAS(cublasDsymv)
GPUCC_ABSENT_BLAS(cublasStrsv)
GPUCC_ABSENT_BLAS(cublasDtrsv)
GPUCC_ABSENT_BLAS(cublasCgemm)
GPUCC_ABSENT_BLAS(cublasZgemm)
GPUCC_ABSENT_BLAS(cublasGemmStridedBatchedEx)
GPUCC_ABSENT_BLAS(cublasGemmBatchedEx)
GPUCC_ABSENT_BLAS(cublasSgetrfBatched)
GPUCC_ABSENT_BLAS(cublasDgetrfBatched)
#undef GPUCC_ABSENT_BLAS
