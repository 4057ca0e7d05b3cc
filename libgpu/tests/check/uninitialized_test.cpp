// SPDX-License-Identifier: MIT
#include "check/support.hpp"

using namespace support;

TEST_CASE("an element that nobody has written is reported where it is read") {
    const gpu::RawKernel<void(const float*, float*)> add(cu(R"(
__global__ void add(const float* x, float* y) {
    y[threadIdx.x] += x[threadIdx.x];
}
)"),
                                                         "add");
    const auto x = gpu::arange<float>(64);
    const gpu::CheckReport report = gpu::check([&] {
        auto y = gpu::empty<float>(gpu::Shape{64});
        add({.grid = 1, .block = 64}, x, y);
    });
    CHECK(told(report) ==
          "uninitialised: test.cu:3 reads y[0], which nothing has written\n"
          "block (0,0,0), thread (0,0,0)\n"
          "gpu::empty gives an array of anything: write it before it is read, or make it with gpu::zeros\n");
}
