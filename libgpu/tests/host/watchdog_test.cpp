// SPDX-License-Identifier: MIT
#include <cstdio>

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

// Loops that change nothing: a compiler may drop them if it takes for granted that loops end.
const char* const without_effect = R"(
__global__ void idle(int* x) {
    if (threadIdx.x == 3) while (true) {}
    x[threadIdx.x] = 1;
}
__global__ void counting(int* x, unsigned n) {
    for (unsigned odd = 2 * n + 1; odd != 0; odd = odd * 3 + 2) {}
    x[threadIdx.x] = 1;
}
__global__ void idle_in_fiber(int* x) {
    __syncthreads();
    while (threadIdx.x == 5) {}
    x[threadIdx.x] = 1;
}
)";

constexpr const char* advice =
    " did not end within 0.2 s; does a loop never end, or wait for a thread that can't come? "
    "LIBGPU_HOST_TIMEOUT=SECONDS sets the limit (0: none)";

}  // namespace

TEST_CASE("a kernel that never ends is stopped, and the next launch works") {
    const EnvironmentGuard guard("LIBGPU_HOST_TIMEOUT", "0.2");
    const Buffer<int> x(64);
    const auto fine = build_raw("fine", source);
    for (int repeat = 0; repeat < 2; ++repeat) {
        x[0] = 0;
        CHECK(launch_error([&] { launch(*build_raw("spin", source), shape(3, 1), x.data()); }) ==
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

TEST_CASE("an endless loop without an effect is stopped too, whichever compiler made the kernel") {
    const EnvironmentGuard guard("LIBGPU_HOST_TIMEOUT", "0.2");
    for (const char* const compiler : {"g++", "clang++"}) {
        CAPTURE(compiler);
        const EnvironmentGuard chosen("LIBGPU_HOST_CXX", compiler);
        const auto where = backend_with(2);
        try {
            (void)where->compiler_identity(0);
        } catch (const gpu::LibraryNotFound&) {
            std::printf("SKIP: case: endless loops that %s compiles: it is not installed\n", compiler);
            continue;
        }
        const Buffer<int> x(64, 0, *where);
        const auto idle = build_raw("idle", without_effect, *where);
        CHECK(launch_error([&] { launch_on(*where, *idle, shape(1, 32), x.data()); }) ==
              std::string("kernel idle: block (0,0,0) thread (3,0,0)") + advice);
        const auto counting = build_raw("counting", without_effect, *where);
        CHECK(contains(launch_error([&] { launch_on(*where, *counting, shape(1, 32), x.data(), 7U); }), advice));
        const auto fiber = build_raw("idle_in_fiber", without_effect, *where);
        CHECK(launch_error([&] { launch_on(*where, *fiber, shape(1, 32), x.data()); }) ==
              std::string("kernel idle_in_fiber: block (0,0,0) thread (5,0,0)") + advice);
        const gpu::detail::ElementwiseText endless{.name = "endless",
                                                   .parameters = {input("float", "x"), output("float", "z")},
                                                   .rank = 1,
                                                   .typedefs = "",
                                                   .preamble = {},
                                                   .body = {.text = "while (x != 0) {}\nz = x",
                                                            .file = "endless",
                                                            .made_in = "watchdog_test.cpp"}};
        const auto elements = build(endless, *where);
        const Buffer<float> from(8, 1, *where), to(8, 0, *where);
        CHECK(contains(launch_error([&] {
                           where->launch(
                               0, *elements,
                               {.over = gpu::detail::ElementwiseSpace{.size = 8, .shape = {8}},
                                .arguments = {array_argument(from.data()), array_argument(to.data())}},
                               nullptr);
                           where->synchronize_stream(0, nullptr);
                       }),
                       advice));
    }
}
