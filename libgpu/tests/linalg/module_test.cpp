// SPDX-License-Identifier: MIT
// The library behind the host's linear algebra: found, missing, or another one.
#include <doctest/doctest.h>

#include <sys/mman.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/error.hpp>

#include "host/fourier.hpp"
#include "host/linear_algebra.hpp"

namespace host = gpu::detail::host;

namespace {

std::string refusal(const std::vector<std::string>& candidates) {
    try {
        (void)host::open_linalg_module(candidates);
    } catch (const gpu::LibraryNotFound& error) {
        return error.what();
    }
    return "";
}

const host::LinalgModule& own_module() { return host::open_linalg_module(host::linalg_module_candidates()); }

template <class T>
const host::LinalgFunctions& functions_of(gpu::DType dtype, const std::vector<T>&) {
    return own_module().types[static_cast<std::size_t>(dtype)];
}

// The lower triangle's second column is as small as its pivot, which is subnormal. 1 / pivot is infinite.
template <class T>
void check_subnormal_pivots(gpu::DType dtype, T unit) {
    using Real = decltype(std::abs(unit));
    const T t = unit * std::numeric_limits<Real>::denorm_min() * static_cast<Real>(1024);
    std::vector<T> a{T(1), T(0), T(0), T(0), t, t, T(0), T(0), t};  // column by column
    std::vector<T> b{unit, T(2) * t, T(5) * t, T(0), T(0), T(0)};
    std::vector<std::int32_t> pivots(3);
    const host::LinalgFunctions& functions = functions_of(dtype, a);
    CHECK(functions.lu(3, a.data(), pivots.data()) == 0);
    CHECK(a == std::vector<T>{T(1), T(0), T(0), T(0), t, T(1), T(0), T(0), t});
    functions.lu_solve(3, a.data(), pivots.data(), 2, b.data());
    CHECK(b == std::vector<T>{unit, T(2), T(3), T(0), T(0), T(0)});
}

}  // namespace

TEST_CASE("the host's library is beside libgpu, and has all types") {
    const host::LinalgModule& module = own_module();
    CHECK((module.types[static_cast<std::size_t>(gpu::DType::boolean)].matmul == nullptr));
    for (int type = static_cast<int>(gpu::DType::int8); type < gpu::detail::dtype_count; ++type) {
        const host::LinalgFunctions& functions = module.types[type];
        CHECK((functions.matmul != nullptr));
        const bool factors = type >= static_cast<int>(gpu::DType::float32);
        CHECK((functions.svd != nullptr) == factors);
        CHECK((functions.cholesky != nullptr) == factors);
    }
}

TEST_CASE("a missing or foreign library is refused, and the message says what to build") {
    const std::string missing = refusal({"/nowhere/libgpu_host_linalg.so"});
    CHECK(missing.find("build it (make build, or the target gpu_host_linalg)") != std::string::npos);
    CHECK(missing.find("/nowhere/libgpu_host_linalg.so") != std::string::npos);
    CHECK(refusal({"libm.so.6"}).find("libm.so.6: of another version of libgpu") != std::string::npos);
}

TEST_CASE("Fourier transforms are in the same library, and a foreign one is refused likewise") {
    const host::FourierModule& module = host::open_fourier_module(host::linalg_module_candidates());
    CHECK((module.float32 != nullptr));
    CHECK((module.float64 != nullptr));
    CHECK(module.max_points >= 1 << 26);
    try {
        (void)host::open_fourier_module({"libm.so.6"});
        FAIL("libm isn't libgpu's");
    } catch (const gpu::LibraryNotFound& error) {
        const std::string message = error.what();
        CHECK(message.find("Fourier transforms on the host are in libgpu_host_linalg.so, which isn't usable: build it "
                           "(make build, or the target gpu_host_linalg)") == 0);
        CHECK(message.find("libm.so.6: of another version of libgpu") != std::string::npos);
    }
}

TEST_CASE("where OpenBLAS is missing, the message names its package") {
    const std::string missing = refusal({LINALG_WITHOUT_OPENBLAS});
    CHECK(missing.find("libopenblas.so.absent: cannot open shared object file") != std::string::npos);
    CHECK(missing.find("install the package libopenblas0 again") != std::string::npos);
    CHECK(refusal({"libm.so.6"}).find("libopenblas0") == std::string::npos);
}

TEST_CASE("pivots that are subnormal divide, where their reciprocals would overflow") {
    if (own_module().use_threads == nullptr) return;  // Eigen's triangles multiply by reciprocals
    check_subnormal_pivots(gpu::DType::float32, 1.f);
    check_subnormal_pivots(gpu::DType::float64, 1.);
    check_subnormal_pivots(gpu::DType::complex64, std::complex<float>(0, 1));
    check_subnormal_pivots(gpu::DType::complex128, std::complex<double>(0, 1));
}

TEST_CASE("a product of matrices whose rows lie further apart than 31 bits count") {
    const std::int64_t apart = (std::int64_t{1} << 31) + 5;
    const std::size_t bytes = static_cast<std::size_t>(apart + 2) * sizeof(float);
    void* const place =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) {
        std::puts("SKIP: a product of matrices whose rows lie far apart: no 8 GiB of address space");
        return;
    }
    float* const far = static_cast<float*>(place);
    far[0] = 1, far[1] = 2, far[apart] = 3, far[apart + 1] = 4;
    std::vector<float> right{5, 6, 7, 8}, result(4, NAN);  // row by row
    const host::LinalgMatrix a{far, 2, 2, apart, 1}, b{right.data(), 2, 2, 2, 1}, c{result.data(), 2, 2, 2, 1};
    const auto matmul = functions_of(gpu::DType::float32, right).matmul;
    matmul(a, b, c);
    CHECK(result == std::vector<float>{19, 22, 43, 50});
    matmul(b, a, c);
    CHECK(result == std::vector<float>{23, 34, 31, 46});
    matmul(b, b, {far, 2, 2, apart, 1});
    CHECK(std::vector<float>{far[0], far[1], far[apart], far[apart + 1]} == std::vector<float>{67, 78, 91, 106});
    ::munmap(place, bytes);
}
