// SPDX-License-Identifier: MIT
#include "host/support.hpp"

using namespace support;

namespace {

const char* const source = R"(
__global__ void spin(volatile int* x) {
    if (blockIdx.x == 2) while (x[0] == 0) {}
}
__global__ void spin_in_fiber(volatile int* x) {
    __syncthreads();
    if (threadIdx.x == 5) while (x[0] == 0) {}
    __syncthreads();
}
__global__ void fine(int* x) { x[threadIdx.x] = threadIdx.x; }
)";

}  // namespace

TEST_CASE("a kernel that never ends is stopped, and the next launch works") {
    const EnvironmentGuard guard("LIBGPU_HOST_TIMEOUT", "0.2");
    const Buffer<int> x(64);
    const auto fine = build_raw("fine", source);
    const char* const advice =
        " did not end within 0.2 s; does a loop never end, or wait for a thread that can't come? "
        "LIBGPU_HOST_TIMEOUT=SECONDS sets the limit (0: none)";
    for (int repeat = 0; repeat < 2; ++repeat) {
        x[0] = 0;
        CHECK(launch_error([&] { launch(*build_raw("spin", source), shape(3, 32), x.data()); }) ==
              std::string("kernel spin: block (2,0,0) thread (0,0,0)") + advice);
        CHECK(launch_error([&] { launch(*build_raw("spin_in_fiber", source), shape(1, 32), x.data()); }) ==
              std::string("kernel spin_in_fiber: block (0,0,0) thread (5,0,0)") + advice);
        launch(*fine, shape(1, 64), x.data());
        CHECK(x[63] == 63);
    }
}

TEST_CASE("a limit that is no number is refused") {
    const EnvironmentGuard guard("LIBGPU_HOST_TIMEOUT", "soon");
    const Buffer<int> x(64);
    CHECK(error_of([&] { launch(*build_raw("fine", source), shape(1, 64), x.data()); }) ==
          "LIBGPU_HOST_TIMEOUT is \"soon\"; it must be a number of seconds, or 0 for no limit");
}
