// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <gpu/dtype.hpp>

#include "backend/linalg.hpp"
#include "cuda/base/handle_pool.hpp"
#include "cuda/linear_algebra/linear_algebra.hpp"

namespace gpu::detail::cuda {

/// A cuBLAS handle, and its latest settings.
struct BlasHandle {
    cublasHandle_t handle = nullptr;
    std::size_t workspace_bytes = 0;  ///< that cuBLAS should have on the handle's device
    void* stream = nullptr;
    void* workspace = nullptr;  ///< null: cuBLAS's own
};

/// cuSOLVER's objects, created together.
struct SolverHandle {
    cusolverDnHandle_t handle = nullptr;
    cusolverDnParams_t params = nullptr;
    gesvdjInfo_t gesvdj = nullptr;
};

/// The dtype's name in both libraries. @throws DTypeError for types that they don't know.
[[nodiscard]] cudaDataType data_type(DType dtype);

/// The maximum of the libraries' counts, which are ints.
inline constexpr std::int64_t max_items = 0x7fffffff;

/// The bytes of info codes: one int per matrix.
[[nodiscard]] inline std::size_t info_bytes(const MatrixProblem& problem) {
    return static_cast<std::size_t>(problem.batch) * sizeof(int);
}

/// One operation being queued in a stream: memory freed after it, copies, and errors that name it.
class MatrixWork {
public:
    /// @param shape the problem's size for error messages, "3 x 4".
    MatrixWork(LinearAlgebraBase& base, const MatrixProblem& problem, std::function<std::string()> shape);

    /// Memory for the duration of the operation.
    class Buffer {
    public:
        Buffer(const MatrixWork& work, std::size_t bytes, bool zeroed = false);
        ~Buffer();
        Buffer(const Buffer&) = delete;
        Buffer& operator=(const Buffer&) = delete;

        [[nodiscard]] void* data() const noexcept { return data_; }
        template <class T>
        [[nodiscard]] T* as() const noexcept {
            return static_cast<T*>(data_);
        }

    private:
        const MatrixWork& work_;
        std::size_t bytes_;
        void* data_;
    };
    [[nodiscard]] Buffer buffer(std::size_t bytes) const { return Buffer(*this, bytes); }

    /// cuBLAS's workspace for the duration of the operation.
    class BlasWorkspace {
    public:
        BlasWorkspace(const MatrixWork& work, std::size_t bytes);
        ~BlasWorkspace();
        BlasWorkspace(const BlasWorkspace&) = delete;
        BlasWorkspace& operator=(const BlasWorkspace&) = delete;

        [[nodiscard]] void* data() const noexcept { return data_; }

    private:
        const MatrixWork& work_;
        std::size_t bytes_;
        void* data_;
    };

    [[nodiscard]] Buffer zeroed(std::size_t bytes) const { return Buffer(*this, bytes, true); }

    /// Workspace for a cuSOLVER function, on the device and on the host, shared by a batch's items.
    class Workspace {
    public:
        Workspace(const MatrixWork& work, std::size_t device_bytes, std::size_t host_bytes)
            : work_(work), on_device_(work, device_bytes), on_host_(host_bytes) {}

        /// The host's part may be read until an item is done.
        void next_item() {
            if (used_ && !on_host_.empty()) work_.wait();
            used_ = true;
        }
        [[nodiscard]] void* device() const noexcept { return on_device_.data(); }
        [[nodiscard]] void* host() noexcept { return on_host_.empty() ? nullptr : on_host_.data(); }

    private:
        const MatrixWork& work_;
        Buffer on_device_;
        std::vector<char> on_host_;
        bool used_ = false;
    };

    [[nodiscard]] std::size_t element() const noexcept { return size_of(problem_.dtype); }
    [[nodiscard]] std::size_t real_element() const noexcept { return size_of(real_dtype(problem_.dtype)); }
    [[nodiscard]] cudaDataType type() const { return data_type(problem_.dtype); }
    [[nodiscard]] cudaDataType real_type() const { return data_type(real_dtype(problem_.dtype)); }
    /// The k-th matrix in a batch of matrices with `elements` elements each.
    [[nodiscard]] void* item(void* data, std::int64_t k, std::int64_t elements) const noexcept {
        return static_cast<char*>(data) + static_cast<std::size_t>(k * elements) * element();
    }

    void wait() const;
    void zero(void* data, std::size_t bytes) const;
    void copy(void* to, const void* from, std::size_t bytes) const;
    /// Copies to the host; waits for everything queued before.
    template <class T>
    [[nodiscard]] std::vector<T> fetch(const void* data, std::int64_t count) const {
        std::vector<T> values(static_cast<std::size_t>(count));
        fetch_bytes(values.data(), data, values.size() * sizeof(T));
        return values;
    }
    /// The operation's info codes; waits for it.
    [[nodiscard]] std::vector<std::int64_t> infos(const Buffer& buffer) const;

    /// To be called after a library call; waits for it if calls block. @throws LaunchError if it or an earlier kernel
    /// failed, otherwise DeviceError that names function, problem and status.
    void check(cublasStatus_t status, const char* function) const;
    void check(cusolverStatus_t status, const char* function) const;
    /// The value as the 32-bit number that functions of cuBLAS and cuSOLVER take. @throws Error
    [[nodiscard]] int narrow(std::int64_t value, const char* function) const;

private:
    void fetch_bytes(void* to, const void* from, std::size_t bytes) const;
    void wait_if_blocking(const char* function) const;
    [[noreturn]] void fail(const std::string& status, const char* function) const;
    [[nodiscard]] std::string operands_text() const;

    LinearAlgebraBase& base_;
    const MatrixProblem& problem_;
    std::function<std::string()> shape_;
};

/// A factor of a product as cuBLAS reads it: column-major with a leading dimension, transposed or not.
struct GemmFactor {
    const void* data = nullptr;
    bool transposed = false;
    std::int64_t leading = 1;
    std::int64_t batch_stride = 0;
};

/// C (m x n) = op(A) (m x k) op(B) (k x n), all column-major.
struct GemmPlan {
    std::int64_t m = 0, n = 0, k = 0;
    GemmFactor a, b;
    void* c = nullptr;
    std::int64_t c_leading = 1, c_batch_stride = 0;
};

/// The same matrices with rows and columns exchanged.
[[nodiscard]] MatrixBatch transposed(const MatrixBatch& matrix) noexcept;

/// True if columns follow each other and have no gaps. A vector and its transpose may both be column-major.
[[nodiscard]] bool is_column_major(const MatrixBatch& matrix) noexcept;

/// How cuBLAS, which only knows column-major matrices, computes result = left * right without a copy: a row-major
/// result is the transpose of a column-major one, and (left right)^T = right^T left^T.
/// @throws Error if a matrix is neither row- nor column-major
[[nodiscard]] GemmPlan plan_gemm(const MatrixBatch& left, const MatrixBatch& right, const MatrixBatch& result);

}  // namespace gpu::detail::cuda
