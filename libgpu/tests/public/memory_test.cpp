// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <gpu/gpu.hpp>

TEST_CASE("guard words tell of a kernel that wrote beyond its array") {
    if (gpu::Device::current().kind() != gpu::BackendKind::cuda || std::getenv("LIBGPU_GUARD") == nullptr) {
        std::puts(
            "SKIP: guard words: they are for a GPU under LIBGPU_GUARD=1; on the host a guard page stops the kernel");
        CHECK(gpu::damaged_arrays().empty());
        return;
    }
    gpu::RawKernel<void(float*, int)> write_at("__global__ void write_at(float* x, int i) { x[i] = 1; }", "write_at");
    auto x = gpu::zeros<float>({3});
    write_at({.grid = 1, .block = 1}, x, 2);
    CHECK(gpu::damaged_arrays().empty());
    write_at({.grid = 1, .block = 1}, x, 3);
    //! [damaged_arrays]
    const std::string damage = gpu::damaged_arrays();
    //! [damaged_arrays]
    CHECK(damage == "a kernel wrote past the end of an array of 12 bytes: it changed 4 bytes past it; is there a guard "
                    "such as if (i < n)?\n");
}
