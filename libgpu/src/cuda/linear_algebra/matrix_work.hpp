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

/// cuBLAS's handle, and what was set in it last.
struct BlasHandle {
    cublasHandle_t handle = nullptr;
    std::size_t workspace_bytes = 0;  ///< that cuBLAS likes to have on the handle's device
    void* stream = nullptr;
    void* workspace = nullptr;  ///< null: one of cuBLAS's own
};

/// cuSOLVER's objects, made together.
struct SolverHandle {
    cusolverDnHandle_t handle = nullptr;
    cusolverDnParams_t params = nullptr;
    gesvdjInfo_t gesvdj = nullptr;
};

/// The name that both libraries give a dtype. @throws DTypeError for those that they don't know.
[[nodiscard]] cudaDataType data_type(DType dtype);

/// The most that a count of the libraries, an int, can say.
inline constexpr std::int64_t max_items = 0x7fffffff;

/// An info code, an int, for each matrix.
[[nodiscard]] inline std::size_t info_bytes(const MatrixProblem& problem) {
    return static_cast<std::size_t>(problem.batch) * sizeof(int);
}

/// One operation on its way to a stream: memory that is freed behind it, copies, and errors that name it.
class MatrixWork {
public:
    /// `shape`: how errors call the problem's size, "3 x 4".
    MatrixWork(LinearAlgebraBase& base, const MatrixProblem& problem, std::function<std::string()> shape);

    /// Memory for the operation's time.
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

    /// cuBLAS's workspace for the operation's time.
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

    /// Room for a function of cuSOLVER, on the device and on the host, that a batch's items share.
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
    /// The item's matrix in a batch of matrices of so many elements.
    [[nodiscard]] void* item(void* data, std::int64_t k, std::int64_t elements) const noexcept {
        return static_cast<char*>(data) + static_cast<std::size_t>(k * elements) * element();
    }

    void wait() const;
    void zero(void* data, std::size_t bytes) const;
    void copy(void* to, const void* from, std::size_t bytes) const;
    /// Waits for all that was queued before.
    template <class T>
    [[nodiscard]] std::vector<T> fetch(const void* data, std::int64_t count) const {
        std::vector<T> values(static_cast<std::size_t>(count));
        fetch_bytes(values.data(), data, values.size() * sizeof(T));
        return values;
    }
    /// The operation's info codes; waits for it.
    [[nodiscard]] std::vector<std::int64_t> infos(const Buffer& buffer) const;

    /// After a call; waits for it if calls block. @throws LaunchError if it or a kernel before ran into a fault, else
    /// DeviceError that names function, problem and status.
    void check(cublasStatus_t status, const char* function) const;
    void check(cusolverStatus_t status, const char* function) const;
    /// The number as the 32 bits that a function of cuBLAS or cuSOLVER takes. @throws Error
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

/// True if columns follow each other, each without gaps. A vector may be both this and its transpose.
[[nodiscard]] bool is_column_major(const MatrixBatch& matrix) noexcept;

/// How cuBLAS, which knows column-major matrices alone, computes result = left * right without a copy: a row-major
/// result is the transpose of a column-major one, and (left right)^T = right^T left^T.
/// @throws Error if a matrix is neither row- nor column-major
[[nodiscard]] GemmPlan plan_gemm(const MatrixBatch& left, const MatrixBatch& right, const MatrixBatch& result);

}  // namespace gpu::detail::cuda
