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

// The types that CMakeLists.txt was asked for.
constexpr LinalgFunctions of_float64() {
#ifdef GPU_LINALG_float64
    return all<double>();
#else
    return {};
#endif
}

constexpr LinalgFunctions of_complex64() {
#ifdef GPU_LINALG_complex64
    return all<std::complex<float>>();
#else
    return {};
#endif
}

constexpr LinalgFunctions of_complex128() {
#ifdef GPU_LINALG_complex128
    return all<std::complex<double>>();
#else
    return {};
#endif
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
     product(matmul_half), all<float>(), of_float64(), of_complex64(), of_complex128()}};

}  // namespace

}  // namespace gpu::host_linalg

extern "C" __attribute__((visibility("default"))) const gpu::detail::host::LinalgModule* gpu_host_linalg_module() {
    return &gpu::host_linalg::module;
}
