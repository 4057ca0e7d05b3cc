// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/matrix_work.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "cuda/base/launch_limits.hpp"

namespace gpu::detail::cuda {

cudaDataType data_type(DType dtype) {
    switch (dtype) {
        case DType::float16: return CUDA_R_16F;
        case DType::bfloat16: return CUDA_R_16BF;
        case DType::float32: return CUDA_R_32F;
        case DType::float64: return CUDA_R_64F;
        case DType::complex64: return CUDA_C_32F;
        case DType::complex128: return CUDA_C_64F;
        default: throw DTypeError("linear algebra on the GPU knows no " + std::string(name(dtype)));
    }
}

MatrixWork::MatrixWork(LinearAlgebraBase& base, const MatrixProblem& problem, std::function<std::string()> shape)
    : base_(base), problem_(problem), shape_(std::move(shape)) {
    base_.use_device(problem.device);
}

MatrixWork::Buffer::Buffer(const MatrixWork& work, std::size_t bytes, bool zeroed)
    : work_(work),
      bytes_(bytes),
      data_(bytes > 0 ? work.base_.allocate(work.problem_.device, bytes, work.problem_.stream) : nullptr) {
    if (zeroed) work.zero(data_, bytes);
}

MatrixWork::Buffer::~Buffer() {
    if (data_) work_.base_.deallocate(work_.problem_.device, data_, bytes_, work_.problem_.stream);
}

MatrixWork::BlasWorkspace::BlasWorkspace(const MatrixWork& work, std::size_t bytes)
    : work_(work), bytes_(bytes), data_(work.base_.take_workspace(work.problem_.device, bytes, work.problem_.stream)) {}

MatrixWork::BlasWorkspace::~BlasWorkspace() {
    work_.base_.give_workspace(work_.problem_.device, data_, bytes_, work_.problem_.stream);
}

void MatrixWork::wait() const { base_.backend().synchronize_stream(problem_.device, problem_.stream); }

void MatrixWork::zero(void* data, std::size_t bytes) const {
    base_.backend().fill(problem_.device, data, 0, bytes, problem_.stream);
}

void MatrixWork::copy(void* to, const void* from, std::size_t bytes) const {
    base_.backend().copy(problem_.device, to, from, bytes, CopyKind::device_to_device, problem_.stream);
}

void MatrixWork::fetch_bytes(void* to, const void* from, std::size_t bytes) const {
    base_.backend().copy(problem_.device, to, from, bytes, CopyKind::device_to_host, problem_.stream);
}

std::vector<std::int64_t> MatrixWork::infos(const Buffer& buffer) const {
    const std::vector<int> values = fetch<int>(buffer.data(), problem_.batch);
    return {values.begin(), values.end()};
}

void MatrixWork::check(cublasStatus_t status, const char* function) const {
    launch_history().add(function);
    if (status != CUBLAS_STATUS_SUCCESS) fail(describe(base_.blas(), status), function);
    wait_if_blocking(function);
}

void MatrixWork::check(cusolverStatus_t status, const char* function) const {
    launch_history().add(function);
    if (status != CUSOLVER_STATUS_SUCCESS) fail(describe(status), function);
    wait_if_blocking(function);
}

void MatrixWork::wait_if_blocking(const char* function) const {
    try {
        base_.wait_if_blocking(problem_.stream);
    } catch (const LaunchError& error) {
        throw LaunchError(std::string(function) + operands_text() + " failed: " + error.what() +
                          " (LIBGPU_LAUNCH_BLOCKING=1: it is this call that did it)");
    }
}

std::string MatrixWork::operands_text() const {
    const std::string items = problem_.batch == 1 ? "" : ", " + std::to_string(problem_.batch) + " of them";
    return " (" + std::string(name(problem_.dtype)) + ", " + shape_() + items + ")";
}

void MatrixWork::fail(const std::string& status, const char* function) const {
    wait();  // throws if an earlier kernel has failed
    throw DeviceError(std::string(function) + operands_text() + ": " + status);
}

int MatrixWork::narrow(std::int64_t value, const char* function) const {
    if (value >= 0 && value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
    throw Error(std::string(function) + operands_text() + ": " + std::to_string(value) +
                " is more than its 32 bits hold");
}

namespace {

// The distance between columns. It doesn't matter for a single column, but cuBLAS checks it.
std::int64_t leading_dimension(const MatrixBatch& column_major) noexcept {
    return column_major.columns == 1 ? std::max<std::int64_t>(column_major.rows, 1) : column_major.column_stride;
}

GemmFactor factor(const MatrixBatch& matrix, const char* which) {
    if (is_column_major(matrix)) return {matrix.data, false, leading_dimension(matrix), matrix.batch_stride};
    const MatrixBatch other = transposed(matrix);
    if (is_column_major(other)) return {matrix.data, true, leading_dimension(other), matrix.batch_stride};
    throw Error("matmul: the " + std::string(which) + " matrix, " + std::to_string(matrix.rows) + " x " +
                std::to_string(matrix.columns) + " with strides " + std::to_string(matrix.row_stride) + " and " +
                std::to_string(matrix.column_stride) + ", is neither row- nor column-major");
}

}  // namespace

MatrixBatch transposed(const MatrixBatch& matrix) noexcept {
    MatrixBatch result = matrix;
    std::swap(result.rows, result.columns);
    std::swap(result.row_stride, result.column_stride);
    return result;
}

bool is_column_major(const MatrixBatch& matrix) noexcept {
    return (matrix.rows == 1 || matrix.row_stride == 1) &&
           (matrix.columns == 1 || matrix.column_stride >= std::max<std::int64_t>(matrix.rows, 1));
}

GemmPlan plan_gemm(const MatrixBatch& left, const MatrixBatch& right, const MatrixBatch& result) {
    if (!is_column_major(result)) {
        const MatrixBatch other = transposed(result);
        if (is_column_major(other)) return plan_gemm(transposed(right), transposed(left), other);
        (void)factor(result, "resulting");  // throws
    }
    return {.m = result.rows,
            .n = result.columns,
            .k = left.columns,
            .a = factor(left, "left"),
            .b = factor(right, "right"),
            .c = result.data,
            .c_leading = leading_dimension(result),
            .c_batch_stride = result.batch_stride};
}

}  // namespace gpu::detail::cuda
