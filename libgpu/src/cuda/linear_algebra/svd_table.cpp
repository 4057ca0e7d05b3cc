// SPDX-License-Identifier: MIT
// Which singular value decomposition is fastest where, as bench/svd_bench.cpp measured it on an H200 with cuSOLVER of
// CUDA 13.0 (docs/benchmarks/linear-algebra.md). Small matrices that libgpu's own kernel takes don't come here.
#include "cuda/linear_algebra/linear_algebra.hpp"

namespace gpu::detail::cuda {

namespace {

/// From this many columns on (m >= n) a method is the fastest.
struct Row {
    std::int64_t columns;
    SvdMethod method;
};

constexpr Row real_rows[] = {{0, SvdMethod::qr}, {16, SvdMethod::jacobi}, {160, SvdMethod::polar}};
constexpr Row complex_rows[] = {{0, SvdMethod::qr}, {16, SvdMethod::jacobi}, {96, SvdMethod::polar}};
// The values alone: QR then needs no sweeps over vectors.
constexpr Row value_rows[] = {{0, SvdMethod::qr}, {96, SvdMethod::polar}};
constexpr std::int64_t batched_jacobi = 32;  // cuSOLVER does batches of up to 32 x 32 in one launch

template <std::size_t count>
SvdMethod look_up(const Row (&rows)[count], std::int64_t columns) noexcept {
    SvdMethod method = rows[0].method;
    for (const Row& row : rows)
        if (columns >= row.columns) method = row.method;
    return method;
}

}  // namespace

// No QR before: for tall matrices the methods do that themselves, and were 0 to 20 % faster than with ours.
SvdPlan fastest_svd_plan(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n, SvdVectors vectors) noexcept {
    if (batch > 1 && m <= batched_jacobi && n <= batched_jacobi) return {SvdMethod::jacobi};
    if (vectors == SvdVectors::none) return {look_up(value_rows, n)};
    // A square U of a tall matrix is large: QR counts it in 64 bits.
    if (vectors == SvdVectors::full && m != n) return {SvdMethod::qr};
    return {is_complex(dtype) ? look_up(complex_rows, n) : look_up(real_rows, n)};
}

}  // namespace gpu::detail::cuda
