// SPDX-License-Identifier: MIT
// The table that the host backend gets when it opens this library.
#include <complex>
#include <cstdint>

#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

namespace {

using detail::host::LinalgFunctions;
using detail::host::LinalgModule;

template <class T>
constexpr LinalgFunctions all() {
    return {matmul<T>, cholesky<T>, lu<T>, lu_solve<T>, qr<T>, eigh<T>, svd<T>, svd_jacobi<T>};
}

// CMakeLists.txt defines for each type whether it was asked for.
template <class T, bool is_wanted>
constexpr LinalgFunctions all_if_wanted() {
    if constexpr (is_wanted) return all<T>();
    return {};
}

constexpr LinalgFunctions product(decltype(LinalgFunctions::matmul) matmul) {
    return {matmul, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
}

#if GPU_LINALG_LAPACK  // gesdd does by itself what makes tall matrices fast, and is as fast for small ones
constexpr auto threads = use_threads;
constexpr std::int64_t jacobi_columns = 0;
constexpr bool tall_qr = false;
#else  // for small matrices, Eigen's divide and conquer ends in Jacobi's method anyway; its QR factorisation is blocked
constexpr decltype(LinalgModule::use_threads) threads = nullptr;
constexpr std::int64_t jacobi_columns = 16;
constexpr bool tall_qr = true;
#endif

// In the order of DType. Signed and unsigned products have the same bits.
constexpr LinalgModule module{
    detail::host::linalg_module_version,
    threads,
    jacobi_columns,
    tall_qr,
    {product(nullptr), product(matmul_whole<std::uint8_t>), product(matmul_whole<std::uint16_t>),
     product(matmul_whole<std::uint32_t>), product(matmul_whole<std::uint64_t>), product(matmul_whole<std::uint8_t>),
     product(matmul_whole<std::uint16_t>), product(matmul_whole<std::uint32_t>), product(matmul_whole<std::uint64_t>),
     product(matmul_short<half>), product(matmul_short<bfloat16>), all<float>(),
     all_if_wanted<double, GPU_LINALG_float64>(),
     all_if_wanted<std::complex<float>, GPU_LINALG_complex64>(),
     all_if_wanted<std::complex<double>, GPU_LINALG_complex128>()}};

}  // namespace

}  // namespace gpu::host_linalg

extern "C" __attribute__((visibility("default"))) const gpu::detail::host::LinalgModule* gpu_host_linalg_module() {
    return &gpu::host_linalg::module;
}
