// SPDX-License-Identifier: MIT
// The library behind the host's linear algebra: found, missing, or another one.
#include <doctest/doctest.h>

#include <string>

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

}  // namespace

TEST_CASE("the host's library is beside libgpu, and has all types") {
    const host::LinalgModule& module = host::open_linalg_module(host::linalg_module_candidates());
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
    CHECK(module.longest >= 1 << 26);
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
