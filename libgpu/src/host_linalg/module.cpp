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

// In the order of DType. Signed and unsigned products have the same bits.
constexpr LinalgModule module{
    detail::host::linalg_module_version,
    {product(nullptr), product(matmul_whole<std::uint8_t>), product(matmul_whole<std::uint16_t>),
     product(matmul_whole<std::uint32_t>), product(matmul_whole<std::uint64_t>), product(matmul_whole<std::uint8_t>),
     product(matmul_whole<std::uint16_t>), product(matmul_whole<std::uint32_t>), product(matmul_whole<std::uint64_t>),
     product(matmul_half), all<float>(), all_if_wanted<double, GPU_LINALG_float64>(),
     all_if_wanted<std::complex<float>, GPU_LINALG_complex64>(),
     all_if_wanted<std::complex<double>, GPU_LINALG_complex128>()}};

}  // namespace

}  // namespace gpu::host_linalg

extern "C" __attribute__((visibility("default"))) const gpu::detail::host::LinalgModule* gpu_host_linalg_module() {
    return &gpu::host_linalg::module;
}
