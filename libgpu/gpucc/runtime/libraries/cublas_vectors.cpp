// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>

#include "gpucc/runtime/libraries/blas.hpp"

// cuBLAS' calls for vectors. Sums are in double.
namespace gpucc {

namespace {

template <class T>
cublasStatus_t axpy(const BlasCall& call, int n, const T* alpha, const T* x, int x_step, T* y, int y_step) {
    std::vector<Operand> operands{BlasCall::vector("x", x, n, x_step), BlasCall::vector("y", y, n, y_step, true)};
    call.add_number(operands, "alpha", alpha, sizeof(T), false);
    return call.run(operands, [=, factor = call.number(alpha)] {
        const T by = factor();
        for (int k = 0; k < n; ++k) element(y, n, y_step, k) += by * element(x, n, x_step, k);
    });
}

// A number made of a vector: `made` computes it.
template <class T, class R, class Make>
cublasStatus_t result_of(const BlasCall& call, int n, const T* x, int x_step, R* result, Make made) {
    if (result == nullptr) return call.refuse("the result's address is null");
    std::vector<Operand> operands{BlasCall::vector("x", x, n, x_step)};
    call.add_number(operands, "result", result, sizeof(R), true);
    return call.run(operands, [=] { *result = static_cast<R>(n > 0 && x_step > 0 ? made() : 0); });
}

template <class T>
cublasStatus_t dot(const BlasCall& call, int n, const T* x, int x_step, const T* y, int y_step, T* result) {
    if (result == nullptr) return call.refuse("the result's address is null");
    std::vector<Operand> operands{BlasCall::vector("x", x, n, x_step), BlasCall::vector("y", y, n, y_step)};
    call.add_number(operands, "result", result, sizeof(T), true);
    return call.run(operands, [=] {
        double sum = 0;
        for (int k = 0; k < n; ++k)
            sum += static_cast<double>(element(x, n, x_step, k)) * static_cast<double>(element(y, n, y_step, k));
        *result = static_cast<T>(sum);
    });
}
template <class T>
cublasStatus_t nrm2(const BlasCall& call, int n, const T* x, int x_step, T* result) {
    return result_of(call, n, x, x_step, result, [=] {
        double scale = 0, sum = 1;  // squares may be too large: scale * sqrt(sum)
        for (int k = 0; k < n; ++k) {
            const double size = std::fabs(static_cast<double>(element(x, n, x_step, k)));
            if (!(size > 0)) {
                if (std::isnan(size)) return size;
                continue;
            }
            if (scale < size) {
                sum = 1 + sum * (scale / size) * (scale / size);
                scale = size;
            } else {
                sum += (size / scale) * (size / scale);
            }
        }
        return scale * std::sqrt(sum);
    });
}
template <class T>
cublasStatus_t asum(const BlasCall& call, int n, const T* x, int x_step, T* result) {
    return result_of(call, n, x, x_step, result, [=] {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += std::fabs(static_cast<double>(element(x, n, x_step, k)));
        return sum;
    });
}
// The first one, counted from 1.
template <class T>
cublasStatus_t extreme(const BlasCall& call, int n, const T* x, int x_step, int* result, bool largest) {
    return result_of(call, n, x, x_step, result, [=] {
        int best = 0;
        for (int k = 1; k < n; ++k) {
            const T size = std::fabs(element(x, n, x_step, k)), old = std::fabs(element(x, n, x_step, best));
            if (largest ? size > old : size < old) best = k;
        }
        return best + 1;
    });
}
template <class T>
cublasStatus_t scal(const BlasCall& call, int n, const T* alpha, T* x, int x_step) {
    std::vector<Operand> operands{BlasCall::vector("x", x, n, x_step, true)};
    call.add_number(operands, "alpha", alpha, sizeof(T), false);
    return call.run(operands, [=, factor = call.number(alpha)] {
        const T by = factor();
        for (int k = 0; k < n; ++k) element(x, n, x_step, k) *= by;
    });
}
template <class T>
cublasStatus_t copy(const BlasCall& call, int n, const T* x, int x_step, T* y, int y_step) {
    return call.run({BlasCall::vector("x", x, n, x_step), BlasCall::vector("y", y, n, y_step, true)}, [=] {
        for (int k = 0; k < n; ++k) element(y, n, y_step, k) = element(x, n, x_step, k);
    });
}
template <class T>
cublasStatus_t swap(const BlasCall& call, int n, T* x, int x_step, T* y, int y_step) {
    return call.run({BlasCall::vector("x", x, n, x_step, true), BlasCall::vector("y", y, n, y_step, true)}, [=] {
        for (int k = 0; k < n; ++k) std::swap(element(y, n, y_step, k), element(x, n, x_step, k));
    });
}

}  // namespace

}  // namespace gpucc

using namespace gpucc;

#define GPUCC_VECTOR_CALLS(S, s, T)                                                                                    \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int x_step, T* y,         \
                                   int y_step, const char* file, int line) {                                           \
        return axpy({handle, __func__, file, line}, n, alpha, x, x_step, y, y_step);                                   \
    }                                                                                                                  \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int x_step, const T* y, int y_step,        \
                                  T* result, const char* file, int line) {                                             \
        return dot({handle, __func__, file, line}, n, x, x_step, y, y_step, result);                                   \
    }                                                                                                                  \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int x_step, T* result, const char* file,  \
                                   int line) {                                                                         \
        return nrm2({handle, __func__, file, line}, n, x, x_step, result);                                             \
    }                                                                                                                  \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int x_step, T* result, const char* file,  \
                                   int line) {                                                                         \
        return asum({handle, __func__, file, line}, n, x, x_step, result);                                             \
    }                                                                                                                  \
    cublasStatus_t cublasI##S##amax_(cublasHandle_t handle, int n, const T* x, int x_step, int* result,                \
                                     const char* file, int line) {                                                     \
        return extreme({handle, "cublasI" #s "amax", file, line}, n, x, x_step, result, true);                         \
    }                                                                                                                  \
    cublasStatus_t cublasI##S##amin_(cublasHandle_t handle, int n, const T* x, int x_step, int* result,                \
                                     const char* file, int line) {                                                     \
        return extreme({handle, "cublasI" #s "amin", file, line}, n, x, x_step, result, false);                        \
    }                                                                                                                  \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int x_step, const char* file,   \
                                   int line) {                                                                         \
        return scal({handle, __func__, file, line}, n, alpha, x, x_step);                                              \
    }                                                                                                                  \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int x_step, T* y, int y_step,             \
                                   const char* file, int line) {                                                       \
        return gpucc::copy({handle, __func__, file, line}, n, x, x_step, y, y_step);                                   \
    }                                                                                                                  \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step, const char* file, \
                                   int line) {                                                                         \
        return gpucc::swap({handle, __func__, file, line}, n, x, x_step, y, y_step);                                   \
    }
GPUCC_VECTOR_CALLS(S, s, float)
GPUCC_VECTOR_CALLS(D, d, double)
