// SPDX-License-Identifier: MIT
#include <string>

#include "gpucc/runtime/libraries/blas.hpp"
#include "gpucc/runtime/memory.hpp"
#include "gpucc/runtime/stream.hpp"

// cuBLAS: handles, errors, copies of vectors and matrices.
namespace gpucc {

cublasStatus_t BlasCall::refuse(const std::string& why) const {
    Program::get().fail(cudaErrorInvalidValue, call_, why);
    return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t BlasCall::run(const std::vector<Operand>& operands, const std::function<void()>& work) const {
    if (handle_ == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    return in_place(handle_->stream, call_, operands, work) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                           : CUBLAS_STATUS_EXECUTION_FAILED;
}

namespace {

cublasStatus_t copied(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

// A vector is a matrix of one row.
cublasStatus_t copy_matrix(int rows, int columns, int item, const void* from, int from_ld, void* to, int to_ld,
                           cudaMemcpyKind kind, const Call& call) {
    if (rows < 0 || columns < 0 || item <= 0 || from_ld < rows || to_ld < rows) {
        Program::get().fail(cudaErrorInvalidValue, call,
                            std::to_string(rows) + " x " + std::to_string(columns) + " elements of " +
                                std::to_string(item) + " bytes, with leading dimensions " + std::to_string(from_ld) +
                                " and " + std::to_string(to_ld) + ": these are at least the number of rows");
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const auto size = [item](int count) { return static_cast<std::size_t>(count) * static_cast<std::size_t>(item); };
    return copied(copy_rows({to, size(to_ld), from, size(from_ld), size(rows), static_cast<std::size_t>(columns)}, kind,
                            nullptr, true, call));
}

struct StatusText {
    cublasStatus_t status;
    const char *name, *text;
};
constexpr StatusText texts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the architecture of the device"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the parameter combination is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "an error was detected checking the license"},
};

}  // namespace

}  // namespace gpucc

using namespace gpucc;

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    *mode = handle->mode;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
    return handle != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
    return handle != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
    return handle != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
    if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusString(cublasStatus_t status) {
    for (const StatusText& one : texts)
        if (one.status == status) return one.text;
    return "<unknown>";
}
const char* cublasGetStatusName(cublasStatus_t status) {
    for (const StatusText& one : texts)
        if (one.status == status) return one.name;
    return "<unknown>";
}

cublasStatus_t cublasSetVector(int n, int item, const void* from, int from_step, void* to, int to_step,
                               const char* file, int line) {
    GPUCC_CALL;
    return copy_matrix(1, n, item, from, from_step, to, to_step, cudaMemcpyHostToDevice, call);
}
cublasStatus_t cublasGetVector(int n, int item, const void* from, int from_step, void* to, int to_step,
                               const char* file, int line) {
    GPUCC_CALL;
    return copy_matrix(1, n, item, from, from_step, to, to_step, cudaMemcpyDeviceToHost, call);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int item, const void* from, int from_ld, void* to, int to_ld,
                               const char* file, int line) {
    GPUCC_CALL;
    return copy_matrix(rows, columns, item, from, from_ld, to, to_ld, cudaMemcpyHostToDevice, call);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int item, const void* from, int from_ld, void* to, int to_ld,
                               const char* file, int line) {
    GPUCC_CALL;
    return copy_matrix(rows, columns, item, from, from_ld, to, to_ld, cudaMemcpyDeviceToHost, call);
}
