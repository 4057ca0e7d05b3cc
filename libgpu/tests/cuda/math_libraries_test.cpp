// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include <gpu/error.hpp>

#include "cuda/base/toolkit.hpp"
#include "cuda/linear_algebra/blas_api.hpp"
#include "cuda/linear_algebra/solver_api.hpp"

using namespace gpu::detail::cuda;

namespace {

template <class Load>
std::string message_of(const Load& load) {
    try {
        (void)load();
        return {};
    } catch (const gpu::LibraryNotFound& error) {
        return error.what();
    }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("without cuBLAS or cuSOLVER the error says what to set, what was tried, and why each failed") {
    const std::string no_blas = message_of([] { return load_blas({"/nonexistent/libcublas.so.13", "libm.so.6"}); });
    CHECK(no_blas.find("cuBLAS, which multiplies matrices on the GPU, was not found. Set LIBGPU_CUBLAS to the path of "
                       "libcublas.so." +
                       std::to_string(toolkit_major()) + ". Tried:\n") == 0);
    CHECK(contains(no_blas, "\n  /nonexistent/libcublas.so.13: "));
    CHECK(contains(no_blas, "cannot open shared object file"));
    CHECK(contains(no_blas, "\n  libm.so.6: it has no function cublasCreate_v2"));
    const std::string no_solver = message_of([] { return load_solver({"libm.so.6"}); });
    CHECK(no_solver.find("cuSOLVER, which solves and decomposes on the GPU, was not found. Set LIBGPU_CUSOLVER to the "
                         "path of libcusolver.so." +
                         std::to_string(toolkit_major() - 1) + ". Tried:\n") == 0);
    CHECK(contains(no_solver, "\n  libm.so.6: it has no function cusolverDnCreate"));
}

TEST_CASE("older versions of a library are tried after the toolkit's, each in all places") {
    const auto both = library_candidates("libcublas", "LIBGPU_CUBLAS_UNSET", {13, 12});
    REQUIRE(both.size() % 2 == 0);
    for (std::size_t k = 0; k < both.size(); ++k) {
        CHECK(contains(both[k], k < both.size() / 2 ? "libcublas.so.13" : "libcublas.so.12"));
    }
}

TEST_CASE("the toolkit's cuBLAS and cuSOLVER have every function that libgpu calls") {
    const std::string no_blas = message_of([] { return blas(); });
    const std::string no_solver = message_of([] { return solver(); });
    if (!no_blas.empty() || !no_solver.empty()) {
        std::printf("SKIP: functions of cuBLAS and cuSOLVER: %s%s\n", no_blas.c_str(), no_solver.c_str());
        CHECK(!contains(no_blas + no_solver, "it has no function"));
        return;
    }
    for (auto* function : blas().getrs_batched.functions) CHECK((function != nullptr));
    for (auto* function : solver().orgqr.functions) CHECK((function != nullptr));
    CHECK(describe(blas(), CUBLAS_STATUS_NOT_SUPPORTED).find("CUBLAS_STATUS_NOT_SUPPORTED: ") == 0);
}
#endif
