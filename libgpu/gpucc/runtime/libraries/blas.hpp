// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cublas_v2.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "gpucc/runtime/libraries/in_place.hpp"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

namespace gpucc {

/// A call of cuBLAS: the numbers behind its pointers lie where the handle's mode says.
class BlasCall {
public:
    BlasCall(cublasHandle_t handle, const char* name, const char* file, int line)
        : handle_(handle), call_{name, file, line} {}

    [[nodiscard]] bool on_device() const { return handle_ != nullptr && handle_->mode == CUBLAS_POINTER_MODE_DEVICE; }
    cublasStatus_t refuse(const std::string& why) const;

    /// The number when the work is done: the host's is read now.
    template <class T>
    [[nodiscard]] std::function<T()> number(const T* at) const {
        if (on_device()) return [at] { return *at; };
        return [value = at != nullptr ? *at : T()] { return value; };
    }
    /// Of n elements, `step` apart, which count backwards if it is negative.
    template <class T>
    static Operand vector(const char* name, const T* x, int n, int step, bool is_written = false) {
        const std::size_t length =
            n <= 0 ? 0 : 1 + static_cast<std::size_t>(n - 1) * static_cast<std::size_t>(std::abs(step));
        return {name, x, length * sizeof(T), is_written};
    }
    /// Of columns that are `ld` elements apart.
    static Operand matrix(const char* name, const void* a, std::size_t element, int rows, int columns, int ld,
                          bool is_written = false) {
        if (rows <= 0 || columns <= 0) return {name, a, 0, is_written};
        const std::size_t length =
            static_cast<std::size_t>(columns - 1) * static_cast<std::size_t>(ld) + static_cast<std::size_t>(rows);
        return {name, a, length * element, is_written};
    }
    /// A result's operand, if the device has it.
    void add_number(std::vector<Operand>& operands, const char* name, const void* at, std::size_t bytes,
                    bool is_written) const {
        if (on_device()) operands.push_back({name, at, bytes, is_written});
    }
    [[nodiscard]] cublasStatus_t run(const std::vector<Operand>& operands, const std::function<void()>& work) const;

private:
    cublasHandle_t handle_;
    Call call_;
};

/// Element k of a vector in BLAS' order.
template <class T>
T& element(T* x, int n, int step, int k) {
    return step >= 0 ? x[static_cast<std::ptrdiff_t>(k) * step] : x[static_cast<std::ptrdiff_t>(k - n + 1) * step];
}

}  // namespace gpucc
