// SPDX-License-Identifier: MIT
// Products of integers, in unsigned arithmetic, which wraps around; and of halves.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gpu/dtype.hpp>

#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

namespace {

// At least 32 bits: two uint16 would multiply as int, which overflows.
template <class U>
using Wide = std::conditional_t<(sizeof(U) < 4), std::uint32_t, U>;

// A column-major copy as W, whatever the order.
template <class From, class W>
std::vector<W> packed(const Matrix& matrix) {
    std::vector<W> copy(static_cast<std::size_t>(matrix.rows * matrix.columns));
    const From* const data = static_cast<const From*>(matrix.data);
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
        W* const to = copy.data() + column * matrix.rows;
        const From* const from = data + column * matrix.column_stride;
        for (std::int64_t row = 0; row < matrix.rows; ++row) to[row] = static_cast<W>(from[row * matrix.row_stride]);
    }
    return copy;
}

template <class W, class To>
void unpack(const std::vector<W>& values, const Matrix& result) {
    To* const data = static_cast<To*>(result.data);
    for (std::int64_t column = 0; column < result.columns; ++column) {
        for (std::int64_t row = 0; row < result.rows; ++row) {
            data[row * result.row_stride + column * result.column_stride] =
                static_cast<To>(values[static_cast<std::size_t>(row + column * result.rows)]);
        }
    }
}

Matrix dense(void* data, std::int64_t rows, std::int64_t columns) { return {data, rows, columns, 1, rows}; }

}  // namespace

template <class U>
void matmul_whole(const Matrix& left, const Matrix& right, const Matrix& result) {
    using W = Wide<U>;
    const std::vector<W> a = packed<U, W>(left);
    const std::int64_t m = left.rows, k = left.columns;
    const U* const b = static_cast<const U*>(right.data);
    std::vector<W> sums(static_cast<std::size_t>(m * right.columns));
    constexpr std::int64_t block = 256;  // this many rows of `a` stay in cache while all columns pass
    for (std::int64_t first = 0; first < m; first += block) {
        const std::int64_t rows = std::min(block, m - first);
        for (std::int64_t column = 0; column < right.columns; ++column) {
            W* const sum = sums.data() + column * m + first;
            for (std::int64_t inner = 0; inner < k; ++inner) {
                const W factor = b[inner * right.row_stride + column * right.column_stride];
                const W* const values = a.data() + inner * m + first;
                for (std::int64_t row = 0; row < rows; ++row) sum[row] += values[row] * factor;
            }
        }
    }
    unpack<W, U>(sums, result);
}

template void matmul_whole<std::uint8_t>(const Matrix&, const Matrix&, const Matrix&);
template void matmul_whole<std::uint16_t>(const Matrix&, const Matrix&, const Matrix&);
template void matmul_whole<std::uint32_t>(const Matrix&, const Matrix&, const Matrix&);
template void matmul_whole<std::uint64_t>(const Matrix&, const Matrix&, const Matrix&);

template <class T>
void matmul_short(const Matrix& left, const Matrix& right, const Matrix& result) {
    std::vector<float> a = packed<T, float>(left), b = packed<T, float>(right);
    std::vector<float> product(static_cast<std::size_t>(result.rows * result.columns));
    matmul<float>(dense(a.data(), left.rows, left.columns), dense(b.data(), right.rows, right.columns),
                  dense(product.data(), result.rows, result.columns));
    unpack<float, T>(product, result);
}

template void matmul_short<half>(const Matrix&, const Matrix&, const Matrix&);
template void matmul_short<bfloat16>(const Matrix&, const Matrix&, const Matrix&);

}  // namespace gpu::host_linalg
