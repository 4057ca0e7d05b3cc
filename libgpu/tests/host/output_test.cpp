// SPDX-License-Identifier: MIT
// What kernels print, and the clocks that they read.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <sstream>

#include "host/support.hpp"
#include "support/printed.hpp"

using namespace support;

namespace {

const char* const source = R"(
__global__ void formats(const char* name, void* address) {
    int given = printf("%d %5.2f|%-4d|%+e %s %c %%\n", 1, 2.5f, 3, 4.5, "text", 'x');
    given = given * 100 + printf("%lld %llu %x %#o %p %hd %g\n", -5ll, 6ull, 255, 8, address, (short)7, 1e20);
    printf("%d %d\n", given, printf("none\n"));
}
__global__ void with_barrier(int n) {
    __syncthreads();
    if (threadIdx.x == 1) printf("[block %d thread %d of %d]\n", blockIdx.x, threadIdx.x, n);
    __syncthreads();
}
__global__ void crowd() { printf("<%06d:%04d>\n", blockIdx.x, threadIdx.x); }
__global__ void crowd_of_fibers() { __syncwarp(); printf("<%06d:%04d>\n", blockIdx.x, threadIdx.x); }
__global__ void very_long(int width) { printf("%*d|", width, 7); }
__global__ void clocks(long long* out) {
    long long start = clock64();
    clock_t also = clock();
    int sum = 0;
    for (volatile int k = 0; k < 20000; ++k) sum += k;
    out[0] = clock64() - start;
    out[1] = also > 0;
    out[2] = sum;
}
)";

// What launches write to standard output.
std::string printed_by(const std::function<void()>& launches) {
    return printed([&] {
        launches();
        backend().synchronize_device(0);
    });
}

}  // namespace

TEST_CASE("printf in a kernel knows C's formats, and returns how many arguments it had") {
    const auto kernel = build_raw("formats", source);
    const auto text = printed_by(
        [&] { launch(*kernel, shape(1, 1), static_cast<const char*>(nullptr), reinterpret_cast<void*>(0x1234)); });
    CHECK(text == "1  2.50|3   |+4.500000e+00 text x %\n-5 6 ff 010 0x1234 7 1e+20\nnone\n607 0\n");
    const auto fibers = build_raw("with_barrier", source);
    CHECK(printed_by([&] { launch(*fibers, shape(1, 4), 4); }) == "[block 0 thread 1 of 4]\n");
}

TEST_CASE("a printf of many blocks is never torn, and each is there once") {
    for (const char* const name : {"crowd", "crowd_of_fibers"}) {
        const auto kernel = build_raw(name, source);
        std::istringstream text(printed_by([&] { launch(*kernel, shape(400, 64)); }));
        std::vector<std::string> lines, expected;
        for (std::string line; std::getline(text, line);) lines.push_back(line);
        for (int b = 0; b < 400; ++b)
            for (int t = 0; t < 64; ++t) {
                char line[32];
                std::snprintf(line, sizeof line, "<%06d:%04d>", b, t);
                expected.emplace_back(line);
            }
        std::sort(lines.begin(), lines.end());
        CHECK(lines == expected);
    }
}

TEST_CASE("printf in elementwise and reduction kernels, in each of their skeletons") {
    const gpu::detail::ElementwiseText body{
        .name = "speak",
        .parameters = {input("float", "x"), output("float", "z")},
        .rank = 1,
        .typedefs = "",
        .preamble = {},
        .body = {"z = x; if (i == 1) printf(\"x[%lld] = %g\\n\", i, x);", "speak", 1}};
    const gpu::detail::ReductionText sum{
        .name = "sum",
        .parameters = {input("float", "x"), output("float", "z")},
        .kept_rank = 0,
        .reduced_rank = 1,
        .accumulator = "float",
        .typedefs = "",
        .preamble = {"__device__ float shown(float v) { printf(\"%g \", v); return v; }", "sum", 1},
        .map = {"shown(x)", "sum (map)", 1},
        .reduce = {"a + b", "sum (reduce)", 1},
        .post = {"z = a; printf(\"= %g\\n\", a)", "sum (post)", 1},
        .identity = "0"};
    const Buffer<float> x({1.5F, 2.5F, 4}), z(3);
    const std::vector<gpu::detail::Argument> arguments{array_argument(x.data()), array_argument(z.data())};
    const auto loop = build(body);
    CHECK(printed_by([&] {
              backend().launch(0, *loop,
                               {.over = gpu::detail::ElementwiseSpace{.size = 3, .shape = gpu::Shape(3)},
                                .arguments = arguments},
                               nullptr);
          }) == "x[1] = 2.5\n");
    const auto tree = build(sum);
    CHECK(printed_by([&] {
              backend().launch(0, *tree,
                               {.over = gpu::detail::ReductionSpace{.outputs = 1,
                                                                    .reduced = 3,
                                                                    .kept = gpu::Shape{},
                                                                    .reduced_shape = gpu::Shape(3)},
                                .arguments = arguments},
                               nullptr);
          }) == "1.5 2.5 4 = 8\n");
}

TEST_CASE("a printf longer than 2048 characters is cut") {
    const auto kernel = build_raw("very_long", source);
    CHECK(printed_by([&] { launch(*kernel, shape(1, 1), 2000); }).size() == 2001);
    CHECK(printed_by([&] { launch(*kernel, shape(1, 1), 5000); }) == std::string(2048, ' '));
}

TEST_CASE("clocks go on") {
    const Buffer<long long> out(3);
    launch(*build_raw("clocks", source), shape(1, 1), out.data());
    backend().synchronize_device(0);
    CHECK(out[0] > 0);
    CHECK(out[1] == 1);
}
