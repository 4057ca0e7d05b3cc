// SPDX-License-Identifier: MIT
// Matrix products for every combination of storage orders, without copies except OpenBLAS's own blocks.
#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "host_linalg/functions.hpp"
#include "host_linalg/lapack/fortran.hpp"
#include "host_linalg/lapack/memory.hpp"

extern "C" {
void openblas_set_num_threads(int count);
int openblas_get_num_threads(void);
}

namespace gpu::host_linalg {

namespace {

using namespace lapack;

bool is_column_major(const Matrix& matrix) { return matrix.row_stride == 1; }

Matrix transposed(const Matrix& m) { return {m.data, m.columns, m.rows, m.column_stride, m.row_stride}; }

/// A matrix as BLAS takes it, by columns: a row-major one is passed as the columns of its transpose.
struct Stored {
    explicit Stored(const Matrix& matrix)
        : turn(is_column_major(matrix) ? "N" : "T"),
          rows(static_cast<Int>(is_column_major(matrix) ? matrix.rows : matrix.columns)),
          columns(static_cast<Int>(is_column_major(matrix) ? matrix.columns : matrix.rows)),
          step(std::max(rows, static_cast<Int>(is_column_major(matrix) ? matrix.column_stride : matrix.row_stride))) {}

    const char* turn;
    Int rows, columns;
    Int step;  ///< from a column to the next
};

bool fits_all(const Matrix& matrix) {
    return fits(matrix.rows) && fits(matrix.columns) && fits(matrix.row_stride) && fits(matrix.column_stride);
}

template <class T>
T* elements(const Matrix& matrix) {
    return static_cast<T*>(matrix.data);
}

/// Y = M X of vectors, in steps. Y is set to 0 first: some versions of OpenBLAS multiply what is there by beta = 0,
/// which keeps a NaN.
template <class T>
void multiply_vector(const Matrix& matrix, const T* x, std::int64_t step_x, T* y, std::int64_t step_y) {
    const Stored stored(matrix);
    const Room<T> copy(reads_beyond<T> ? matrix.columns : 0);
    if constexpr (reads_beyond<T>) {
        for (std::int64_t k = 0; k < matrix.columns; ++k) copy[k] = x[k * step_x];
        x = copy.data();
        step_x = 1;
    }
    const Int x_step = static_cast<Int>(step_x), y_step = static_cast<Int>(step_y);
    const T one = 1;
    for (std::int64_t row = 0; row < matrix.rows; ++row) y[row * step_y] = T(0);
    Routines<T>::gemv(stored.turn, &stored.rows, &stored.columns, &one, elements<T>(matrix), &stored.step, x, &x_step,
                      &one, y, &y_step, 1);
}

/// For what BLAS can't count: one of the numbers has more than 31 bits.
template <class T>
void multiply_plainly(const Matrix& left, const Matrix& right, const Matrix& result) {
    const auto at = [](const Matrix& m, std::int64_t row, std::int64_t column) -> T& {
        return elements<T>(m)[row * m.row_stride + column * m.column_stride];
    };
    for (std::int64_t column = 0; column < result.columns; ++column) {
        for (std::int64_t row = 0; row < result.rows; ++row) {
            T sum = 0;
            for (std::int64_t k = 0; k < left.columns; ++k) sum += at(left, row, k) * at(right, k, column);
            at(result, row, column) = sum;
        }
    }
}

}  // namespace

template <class T>
void matmul(const Matrix& left, const Matrix& right, const Matrix& result) {
    // The transposed product is the product of the transposes in reverse order.
    if (!is_column_major(result)) return matmul<T>(transposed(right), transposed(left), transposed(result));
    if (!fits_all(left) || !fits_all(right) || !fits_all(result)) return multiply_plainly<T>(left, right, result);
    T* const to = elements<T>(result);
    if (result.columns == 1) {
        return multiply_vector(left, elements<T>(right), right.row_stride, to, result.row_stride);
    }
    if (result.rows == 1) {
        return multiply_vector(transposed(right), elements<T>(left), left.column_stride, to, result.column_stride);
    }
    const Stored a(left), b(right);
    const Int m = static_cast<Int>(result.rows), n = static_cast<Int>(result.columns);
    const Int k = static_cast<Int>(left.columns), step = Stored(result).step;
    const T one = 1, zero = 0;
    Routines<T>::gemm(a.turn, b.turn, &m, &n, &k, &one, elements<T>(left), &a.step, elements<T>(right), &b.step, &zero,
                      to, &step, 1, 1);
}

template void matmul<float>(const Matrix&, const Matrix&, const Matrix&);
template void matmul<double>(const Matrix&, const Matrix&, const Matrix&);
template void matmul<std::complex<float>>(const Matrix&, const Matrix&, const Matrix&);
template void matmul<std::complex<double>>(const Matrix&, const Matrix&, const Matrix&);

// OpenBLAS has begun with a thread for each core, or OPENBLAS_NUM_THREADS. The number stays the same for all calls, so
// that the same call gives the same bits; small problems are one thread's in any case.
void use_threads(int count) { openblas_set_num_threads(std::min(count, openblas_get_num_threads())); }

}  // namespace gpu::host_linalg
