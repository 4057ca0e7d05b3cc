// SPDX-License-Identifier: MIT
// Which singular value decomposition is fastest where. bench/svd_bench.cpp measures it; the table is to be replaced by what
// it prints on the GPU that matters.
#include "cuda/linear_algebra.hpp"

namespace gpu::detail::cuda {

namespace {

/// From this many columns on (m >= n) a method is the fastest.
struct Row {
    std::int64_t columns;
    SvdMethod method;
};

// A first guess from others' measurements, not measured yet. Polar needs a symmetric eigenproblem, which is slow for
// small matrices; Jacobi's sweeps are many for large ones.
constexpr Row real_rows[] = {{0, SvdMethod::jacobi}, {128, SvdMethod::qr}, {512, SvdMethod::polar}};
constexpr Row complex_rows[] = {{0, SvdMethod::jacobi}, {64, SvdMethod::qr}, {256, SvdMethod::polar}};
constexpr std::int64_t batched_jacobi = 32;  // cuSOLVER does batches of up to 32 x 32 in one launch

template <std::size_t count>
SvdMethod look_up(const Row (&rows)[count], std::int64_t columns) noexcept {
    SvdMethod method = rows[0].method;
    for (const Row& row : rows)
        if (columns >= row.columns) method = row.method;
    return method;
}

}  // namespace

SvdMethod fastest_svd_method(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n,
                             SvdVectors vectors) noexcept {
    if (batch > 1 && m <= batched_jacobi && n <= batched_jacobi) return SvdMethod::jacobi;
    const SvdMethod method = is_complex(dtype) ? look_up(complex_rows, n) : look_up(real_rows, n);
    // A square U of a tall matrix is large: QR counts it in 64 bits.
    return vectors == SvdVectors::full && m != n ? SvdMethod::qr : method;
}

}  // namespace gpu::detail::cuda
