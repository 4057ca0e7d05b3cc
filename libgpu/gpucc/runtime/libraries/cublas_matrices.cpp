// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include <gpu/dtype.hpp>

#include "gpucc/runtime/libraries/blas.hpp"
#include "gpucc/seam/seam.hpp"

// cuBLAS' calls for matrices: products by libgpu's linear algebra.
namespace gpucc {

namespace {

using gpu::DType;
using gpu::detail::host::LinalgMatrix;

std::string shown(const char* name, int value, const char* rule) {
    return std::string(name) + " is " + std::to_string(value) + ": " + rule;
}

/// A product's shapes: op(A) is m x k, op(B) k x n.
struct Product {
    cublasOperation_t of_a, of_b;
    int m, n, k, a_ld, b_ld, c_ld;

    [[nodiscard]] int a_rows() const { return of_a == CUBLAS_OP_N ? m : k; }
    [[nodiscard]] int a_columns() const { return of_a == CUBLAS_OP_N ? k : m; }
    [[nodiscard]] int b_rows() const { return of_b == CUBLAS_OP_N ? k : n; }
    [[nodiscard]] int b_columns() const { return of_b == CUBLAS_OP_N ? n : k; }
    // "": cuBLAS takes them.
    [[nodiscard]] std::string wrong() const {
        if (m < 0 || n < 0 || k < 0)
            return "m, n and k are " + std::to_string(m) + ", " + std::to_string(n) + " and " + std::to_string(k) +
                   ": lengths are 0 or more";
        if (a_ld < std::max(1, a_rows()))
            return shown("lda", a_ld, "it is at least the number of rows of A as it lies");
        if (b_ld < std::max(1, b_rows()))
            return shown("ldb", b_ld, "it is at least the number of rows of B as it lies");
        if (c_ld < std::max(1, m)) return shown("ldc", c_ld, "it is at least m");
        return "";
    }
    // op(matrix), by its strides.
    static LinalgMatrix view(const void* data, cublasOperation_t of, int rows, int columns, int ld) {
        void* const begin = const_cast<void*>(data);
        return of == CUBLAS_OP_N ? LinalgMatrix{begin, rows, columns, 1, ld}
                                 : LinalgMatrix{begin, rows, columns, ld, 1};
    }
};

// alpha op(A) op(B) + beta C. Where beta is 0, C isn't read.
template <class T>
void multiply(const Product& shape, T alpha, const T* a, const T* b, T beta, T* c) {
    std::vector<T> product(static_cast<std::size_t>(shape.m) * static_cast<std::size_t>(shape.n));
    if (shape.k > 0 && !product.empty() && alpha != T(0))
        gpu::detail::program::matmul(gpu::dtype_of<T>, Product::view(a, shape.of_a, shape.m, shape.k, shape.a_ld),
                                     Product::view(b, shape.of_b, shape.k, shape.n, shape.b_ld),
                                     {product.data(), shape.m, shape.n, 1, shape.m});
    const T* from = product.data();
    for (int column = 0; column < shape.n; ++column) {
        T* const to = c + static_cast<std::ptrdiff_t>(column) * shape.c_ld;
        for (int row = 0; row < shape.m; ++row)
            to[row] = beta == T(0) ? alpha * *from++ : alpha * *from++ + beta * to[row];
    }
}

template <class T>
void add_matrices(std::vector<Operand>& operands, const Product& shape, const T* a, const T* b, const T* c) {
    operands.push_back(BlasCall::matrix("A", a, sizeof(T), shape.a_rows(), shape.a_columns(), shape.a_ld));
    operands.push_back(BlasCall::matrix("B", b, sizeof(T), shape.b_rows(), shape.b_columns(), shape.b_ld));
    operands.push_back(BlasCall::matrix("C", c, sizeof(T), shape.m, shape.n, shape.c_ld, true));
}

template <class T>
cublasStatus_t gemm(const BlasCall& call, const Product& shape, const T* alpha, const T* a, long long a_stride,
                    const T* b, long long b_stride, const T* beta, T* c, long long c_stride, int count) {
    if (const std::string why = shape.wrong(); !why.empty()) return call.refuse(why);
    if (count < 0) return call.refuse(shown("batchCount", count, "it is 0 or more"));
    std::vector<Operand> operands;
    for (const int k : {0, count - 1})  // the first and the last
        if (count > 0) add_matrices(operands, shape, a + k * a_stride, b + k * b_stride, c + k * c_stride);
    call.add_number(operands, "alpha", alpha, sizeof(T), false);
    call.add_number(operands, "beta", beta, sizeof(T), false);
    return call.run(operands, [=, first = call.number(alpha), second = call.number(beta)] {
        for (int k = 0; k < count; ++k)
            multiply(shape, first(), a + k * a_stride, b + k * b_stride, second(), c + k * c_stride);
    });
}

// The arrays of pointers lie on the device.
template <class T>
cublasStatus_t gemm_batched(const BlasCall& call, const Product& shape, const T* alpha, const T* const* a,
                            const T* const* b, const T* beta, T* const* c, int count) {
    if (const std::string why = shape.wrong(); !why.empty()) return call.refuse(why);
    if (count < 0) return call.refuse(shown("batchCount", count, "it is 0 or more"));
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(void*);
    std::vector<Operand> operands{{"the array of A's addresses", a, bytes},
                                  {"the array of B's addresses", b, bytes},
                                  {"the array of C's addresses", c, bytes}};
    call.add_number(operands, "alpha", alpha, sizeof(T), false);
    call.add_number(operands, "beta", beta, sizeof(T), false);
    return call.run(operands, [=, first = call.number(alpha), second = call.number(beta)] {
        for (int k = 0; k < count; ++k) {
            std::vector<Operand> matrices;
            add_matrices(matrices, shape, a[k], b[k], c[k]);
            for (const Operand& matrix : matrices)
                if (const std::string why = wrong_operand(matrix); !why.empty()) throw std::runtime_error(why);
            multiply(shape, first(), a[k], b[k], second(), c[k]);
        }
    });
}

template <class T>
cublasStatus_t gemv(const BlasCall& call, cublasOperation_t of_a, int m, int n, const T* alpha, const T* a, int a_ld,
                    const T* x, int x_step, const T* beta, T* y, int y_step) {
    if (m < 0 || n < 0 || a_ld < std::max(1, m)) return call.refuse(shown("lda", a_ld, "it is at least m"));
    if (x_step == 0 || y_step == 0) return call.refuse("a vector's step is 0");
    const int x_length = of_a == CUBLAS_OP_N ? n : m, y_length = of_a == CUBLAS_OP_N ? m : n;
    std::vector<Operand> operands{BlasCall::matrix("A", a, sizeof(T), m, n, a_ld),
                                  BlasCall::vector("x", x, x_length, x_step),
                                  BlasCall::vector("y", y, y_length, y_step, true)};
    call.add_number(operands, "alpha", alpha, sizeof(T), false);
    call.add_number(operands, "beta", beta, sizeof(T), false);
    return call.run(operands, [=, first = call.number(alpha), second = call.number(beta)] {
        std::vector<double> sums(static_cast<std::size_t>(y_length));
        for (int column = 0; column < n; ++column)
            for (int row = 0; row < m; ++row) {
                const int in = of_a == CUBLAS_OP_N ? column : row, out = of_a == CUBLAS_OP_N ? row : column;
                sums[static_cast<std::size_t>(out)] +=
                    static_cast<double>(a[static_cast<std::ptrdiff_t>(column) * a_ld + row]) *
                    static_cast<double>(element(x, x_length, x_step, in));
            }
        const T by = first(), old = second();
        for (int k = 0; k < y_length; ++k) {
            T& to = element(y, y_length, y_step, k);
            const T product = by * static_cast<T>(sums[static_cast<std::size_t>(k)]);
            to = old == T(0) ? product : product + old * to;
        }
    });
}
template <class T>
cublasStatus_t ger(const BlasCall& call, int m, int n, const T* alpha, const T* x, int x_step, const T* y, int y_step,
                   T* a, int a_ld) {
    if (m < 0 || n < 0 || a_ld < std::max(1, m)) return call.refuse(shown("lda", a_ld, "it is at least m"));
    if (x_step == 0 || y_step == 0) return call.refuse("a vector's step is 0");
    std::vector<Operand> operands{BlasCall::vector("x", x, m, x_step), BlasCall::vector("y", y, n, y_step),
                                  BlasCall::matrix("A", a, sizeof(T), m, n, a_ld, true)};
    call.add_number(operands, "alpha", alpha, sizeof(T), false);
    return call.run(operands, [=, factor = call.number(alpha)] {
        for (int column = 0; column < n; ++column) {
            const T by = factor() * element(y, n, y_step, column);
            for (int row = 0; row < m; ++row)
                a[static_cast<std::ptrdiff_t>(column) * a_ld + row] += by * element(x, m, x_step, row);
        }
    });
}
// A matrix whose factor is 0 isn't read.
template <class T>
cublasStatus_t geam(const BlasCall& call, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, const T* alpha,
                    const T* a, int a_ld, const T* beta, const T* b, int b_ld, T* c, int c_ld) {
    const auto rows = [&](cublasOperation_t of) { return of == CUBLAS_OP_N ? m : n; };
    if (m < 0 || n < 0 || c_ld < std::max(1, m)) return call.refuse(shown("ldc", c_ld, "it is at least m"));
    if (a_ld < std::max(1, rows(of_a))) return call.refuse(shown("lda", a_ld, "it is at least the rows of A"));
    if (b_ld < std::max(1, rows(of_b))) return call.refuse(shown("ldb", b_ld, "it is at least the rows of B"));
    const auto reads = [&](const T* factor) { return call.on_device() || (factor != nullptr && *factor != T(0)); };
    const bool takes_a = reads(alpha), takes_b = reads(beta);
    std::vector<Operand> operands{BlasCall::matrix("C", c, sizeof(T), m, n, c_ld, true)};
    if (takes_a) operands.push_back(BlasCall::matrix("A", a, sizeof(T), rows(of_a), m + n - rows(of_a), a_ld));
    if (takes_b) operands.push_back(BlasCall::matrix("B", b, sizeof(T), rows(of_b), m + n - rows(of_b), b_ld));
    call.add_number(operands, "alpha", alpha, sizeof(T), false);
    call.add_number(operands, "beta", beta, sizeof(T), false);
    return call.run(operands, [=, first = call.number(alpha), second = call.number(beta)] {
        const auto part = [](T factor, const T* matrix, cublasOperation_t of, int ld, int row, int column) {
            if (factor == T(0)) return T(0);
            if (of != CUBLAS_OP_N) std::swap(row, column);
            return factor * matrix[static_cast<std::ptrdiff_t>(column) * ld + row];
        };
        for (int column = 0; column < n; ++column)  // C may be A or B, where that isn't transposed
            for (int row = 0; row < m; ++row)
                c[static_cast<std::ptrdiff_t>(column) * c_ld + row] =
                    part(first(), a, of_a, a_ld, row, column) + part(second(), b, of_b, b_ld, row, column);
    });
}

// Products of other types are computed in float or double.

bool to_dtype(cudaDataType type, DType& dtype) {
    switch (type) {
        case CUDA_R_32F: dtype = DType::float32; return true;
        case CUDA_R_64F: dtype = DType::float64; return true;
        case CUDA_R_16F: dtype = DType::float16; return true;
        case CUDA_R_16BF: dtype = DType::bfloat16; return true;
        default: return false;
    }
}
template <class W>
W read_as(const void* data, DType type, std::size_t k) {
    switch (type) {
        case DType::float64: return static_cast<W>(static_cast<const double*>(data)[k]);
        case DType::float16: return static_cast<W>(static_cast<float>(static_cast<const gpu::half*>(data)[k]));
        case DType::bfloat16: return static_cast<W>(static_cast<float>(static_cast<const gpu::bfloat16*>(data)[k]));
        default: return static_cast<W>(static_cast<const float*>(data)[k]);
    }
}
template <class W>
void write_as(void* data, DType type, std::size_t k, W value) {
    switch (type) {
        case DType::float64: static_cast<double*>(data)[k] = static_cast<double>(value); break;
        case DType::float16: static_cast<gpu::half*>(data)[k] = gpu::half(value); break;
        case DType::bfloat16: static_cast<gpu::bfloat16*>(data)[k] = gpu::bfloat16(value); break;
        default: static_cast<float*>(data)[k] = static_cast<float>(value);
    }
}
template <class W>
std::vector<W> dense(const void* data, DType type, int rows, int columns, int ld) {
    std::vector<W> values;
    values.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row)
            values.push_back(read_as<W>(
                data, type,
                static_cast<std::size_t>(column) * static_cast<std::size_t>(ld) + static_cast<std::size_t>(row)));
    return values;
}

struct TypedMatrix {
    const void* data;
    DType type;
};

template <class W>
void multiply_as(const Product& shape, W alpha, const TypedMatrix& a, const TypedMatrix& b, W beta,
                 const TypedMatrix& c) {
    const std::vector<W> left = dense<W>(a.data, a.type, shape.a_rows(), shape.a_columns(), shape.a_ld);
    const std::vector<W> right = dense<W>(b.data, b.type, shape.b_rows(), shape.b_columns(), shape.b_ld);
    std::vector<W> result(static_cast<std::size_t>(shape.m) * static_cast<std::size_t>(shape.n));
    if (beta != W(0)) result = dense<W>(c.data, c.type, shape.m, shape.n, shape.c_ld);
    Product packed = shape;
    packed.a_ld = shape.a_rows();
    packed.b_ld = shape.b_rows();
    packed.c_ld = shape.m;
    multiply(packed, alpha, left.data(), right.data(), beta, result.data());
    for (int column = 0; column < shape.n; ++column)
        for (int row = 0; row < shape.m; ++row)
            write_as(
                const_cast<void*>(c.data), c.type,
                static_cast<std::size_t>(column) * static_cast<std::size_t>(shape.c_ld) + static_cast<std::size_t>(row),
                result[static_cast<std::size_t>(column) * static_cast<std::size_t>(shape.m) +
                       static_cast<std::size_t>(row)]);
}

// `factor_type` is that of alpha and beta.
cublasStatus_t gemm_of(const BlasCall& call, const Product& shape, DType factor_type, const void* alpha,
                       const TypedMatrix& a, const TypedMatrix& b, const void* beta, const TypedMatrix& c) {
    if (const std::string why = shape.wrong(); !why.empty()) return call.refuse(why);
    std::vector<Operand> operands{
        BlasCall::matrix("A", a.data, gpu::size_of(a.type), shape.a_rows(), shape.a_columns(), shape.a_ld),
        BlasCall::matrix("B", b.data, gpu::size_of(b.type), shape.b_rows(), shape.b_columns(), shape.b_ld),
        BlasCall::matrix("C", c.data, gpu::size_of(c.type), shape.m, shape.n, shape.c_ld, true)};
    call.add_number(operands, "alpha", alpha, gpu::size_of(factor_type), false);
    call.add_number(operands, "beta", beta, gpu::size_of(factor_type), false);
    const auto factor = [&](const void* at) -> std::function<double()> {
        if (call.on_device()) return [=] { return read_as<double>(at, factor_type, 0); };
        return [value = read_as<double>(at, factor_type, 0)] { return value; };
    };
    return call.run(operands, [=, first = factor(alpha), second = factor(beta)] {
        if (factor_type == DType::float64)
            multiply_as<double>(shape, first(), a, b, second(), c);
        else
            multiply_as(shape, static_cast<float>(first()), a, b, static_cast<float>(second()), c);
    });
}

}  // namespace

}  // namespace gpucc

using namespace gpucc;

#define GPUCC_MATRIX_CALLS(S, T)                                                                                      \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t of_a, int m, int n, const T* alpha,       \
                                   const T* a, int a_ld, const T* x, int x_step, const T* beta, T* y, int y_step,     \
                                   const char* file, int line) {                                                      \
        return gemv({handle, __func__, file, line}, of_a, m, n, alpha, a, a_ld, x, x_step, beta, y, y_step);          \
    }                                                                                                                 \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int x_step,        \
                                  const T* y, int y_step, T* a, int a_ld, const char* file, int line) {               \
        return ger({handle, __func__, file, line}, m, n, alpha, x, x_step, y, y_step, a, a_ld);                       \
    }                                                                                                                 \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m,      \
                                   int n, int k, const T* alpha, const T* a, int a_ld, const T* b, int b_ld,          \
                                   const T* beta, T* c, int c_ld, const char* file, int line) {                       \
        return gemm({handle, __func__, file, line}, {of_a, of_b, m, n, k, a_ld, b_ld, c_ld}, alpha, a, 0, b, 0, beta, \
                    c, 0, 1);                                                                                         \
    }                                                                                                                 \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                                     \
        cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k, const T* alpha,   \
        const T* a, int a_ld, long long a_stride, const T* b, int b_ld, long long b_stride, const T* beta, T* c,      \
        int c_ld, long long c_stride, int count, const char* file, int line) {                                        \
        return gemm({handle, __func__, file, line}, {of_a, of_b, m, n, k, a_ld, b_ld, c_ld}, alpha, a, a_stride, b,   \
                    b_stride, beta, c, c_stride, count);                                                              \
    }                                                                                                                 \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b,      \
                                          int m, int n, int k, const T* alpha, const T* const a[], int a_ld,          \
                                          const T* const b[], int b_ld, const T* beta, T* const c[], int c_ld,        \
                                          int count, const char* file, int line) {                                    \
        return gemm_batched({handle, __func__, file, line}, {of_a, of_b, m, n, k, a_ld, b_ld, c_ld}, alpha, a, b,     \
                            beta, c, count);                                                                          \
    }                                                                                                                 \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m,      \
                                   int n, const T* alpha, const T* a, int a_ld, const T* beta, const T* b, int b_ld,  \
                                   T* c, int c_ld, const char* file, int line) {                                      \
        return geam({handle, __func__, file, line}, of_a, of_b, m, n, alpha, a, a_ld, beta, b, b_ld, c, c_ld);        \
    }
GPUCC_MATRIX_CALLS(S, float)
GPUCC_MATRIX_CALLS(D, double)

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k,
                           const __half* alpha, const __half* a, int a_ld, const __half* b, int b_ld,
                           const __half* beta, __half* c, int c_ld, const char* file, int line) {
    return gemm_of({handle, __func__, file, line}, {of_a, of_b, m, n, k, a_ld, b_ld, c_ld}, DType::float16, alpha,
                   {a, DType::float16}, {b, DType::float16}, beta, {c, DType::float16});
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType a_type, int a_ld, const void* b,
                            cudaDataType b_type, int b_ld, const void* beta, void* c, cudaDataType c_type, int c_ld,
                            cublasComputeType_t compute, cublasGemmAlgo_t, const char* file, int line) {
    const BlasCall call(handle, __func__, file, line);
    DType left{}, right{}, result{};
    if (!to_dtype(a_type, left) || !to_dtype(b_type, right) || !to_dtype(c_type, result) ||
        compute == CUBLAS_COMPUTE_32I) {
        call.refuse("gpucc multiplies matrices of half, bfloat16, float and double");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    const DType factor = compute == CUBLAS_COMPUTE_64F   ? DType::float64
                         : compute == CUBLAS_COMPUTE_16F ? DType::float16
                                                         : DType::float32;
    return gemm_of(call, {of_a, of_b, m, n, k, a_ld, b_ld, c_ld}, factor, alpha, {a, left}, {b, right}, beta,
                   {c, result});
}
