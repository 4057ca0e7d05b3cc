// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include <gpu/error.hpp>

#include "on_gpu.hpp"
#include "support/messages.hpp"

using namespace gpu::detail;

namespace {

constexpr const char* add_text = R"(
extern "C" __global__ void add(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
template <class T>
__global__ void scale(T* x, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}
__global__ void shared_copy(const int* x, int* y, int n) {
    extern __shared__ int buffer[];
    for (int k = threadIdx.x; k < n; k += blockDim.x) buffer[k] = x[k];
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) y[k] = buffer[n - 1 - k];
}
__global__ void cell(int* where, int width) {
    where[blockIdx.y * width + blockIdx.x] = threadIdx.y * 10 + threadIdx.x;
}
)";

std::string error_of(LoadedKernel& kernel, const LaunchShape& shape, int n = 1) {
    return support::error_of<gpu::LaunchError>(
        [&] { launch(kernel, shape, nullptr, static_cast<const int*>(nullptr), static_cast<int*>(nullptr), n); });
}

}  // namespace

TEST_CASE("extern \"C\", template and plain kernels run with what they were given") {
    const auto add = raw(add_text, "add", "(const float*, const float*, float*, int)");
    for (const std::size_t n : {1u, 33u, 1009u, (1u << 20) + 3u}) {
        const auto x = small_numbers<float>(n);
        const OnGpu<float> x_gpu(x), z(n);
        launch(*add, line(static_cast<std::uint32_t>((n + 255) / 256), 256), nullptr, x_gpu.data(), x_gpu.data(),
               z.data(), static_cast<int>(n));
        const auto values = z.values();
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < n; ++k) wrong += values[k] != 2 * x[k];
        CHECK(wrong == 0);
    }
    const auto scale = raw(add_text, "scale<double>", "(double*, double, int)");
    const OnGpu<double> d(std::vector<double>{1, 2, 3});
    launch(*scale, line(1, 32), nullptr, d.data(), 2.5, 3);
    CHECK(d.values() == std::vector<double>{2.5, 5, 7.5});

    const auto cell = raw(add_text, "cell", "(int*, int)");
    const OnGpu<int> cells(std::vector<int>(6, -1));
    launch(*cell, {.grid = {3, 2, 1}, .block = {1, 1, 1}, .shared_bytes = 0}, nullptr, cells.data(), 3);
    CHECK(cells.values() == std::vector<int>(6, 0));
}

TEST_CASE("96 KiB of dynamic shared memory work, more than the device has is refused with the figures") {
    const auto kernel = raw(add_text, "shared_copy", "(const int*, int*, int)");
    const int n = (96 << 10) / 4;
    const auto x = small_numbers<int>(n);
    const OnGpu<int> x_gpu(x), y(n);
    const LaunchShape too_much = line(1, 256, std::size_t{1} << 20);
    CHECK(error_of(*kernel, too_much).find("a block needs 1048576 bytes of shared memory (0 static, 1048576 dynamic); "
                                           "the device allows ") != std::string::npos);
    try {
        launch(*kernel, line(1, 256, 96 << 10), nullptr, static_cast<const int*>(x_gpu.data()), y.data(), n);
    } catch (const gpu::LaunchError& error) {
        std::printf("SKIP: 96 KiB of shared memory: %s\n", error.what());  // compute capability 7.5 has 64 KiB
        return;
    }
    const auto values = y.values();
    for (std::size_t k = 0; k < x.size(); ++k) REQUIRE(values[k] == x[x.size() - 1 - k]);
}

TEST_CASE("launches beyond the limits are refused with value and limit, and the device stays usable") {
    const auto kernel = raw(add_text, "shared_copy", "(const int*, int*, int)");
    CHECK(error_of(*kernel, line(0, 32)) ==
          "kernel shared_copy: grid (0,1,1) is empty: every length must be at least 1");
    CHECK(error_of(*kernel, line(1, 0)) ==
          "kernel shared_copy: block (0,1,1) is empty: every length must be at least 1");
    CHECK(error_of(*kernel, line(1, 2048)) ==
          "kernel shared_copy: block (2048,1,1) is larger than the device's limit (1024,1024,64)");
    CHECK(error_of(*kernel, {.grid = {}, .block = {64, 32, 1}, .shared_bytes = 0}) ==
          "kernel shared_copy: block (64,32,1) has 2048 threads; the device allows 1024");
    CHECK(error_of(*kernel, {.grid = {1, 65536, 1}, .block = {}, .shared_bytes = 0}) ==
          "kernel shared_copy: grid (1,65536,1) is larger than the device's limit (2147483647,65535,65535)");
    const OnGpu<int> after(std::vector<int>{1, 2, 3});
    CHECK(after.values() == std::vector<int>{1, 2, 3});
}

TEST_CASE("a wrong number of arguments is refused") {
    const auto kernel = raw(add_text, "add");
    CHECK_THROWS_WITH_AS(launch(*kernel, line(1, 1), nullptr, 1, 2, 3),
                         "kernel add: it takes 4 arguments, but 3 were given", gpu::LaunchError);
}

TEST_CASE("an image that isn't one is refused when it is loaded, not when it is launched") {
    const KernelSource source{.name = "broken", .text = "", .entries = {"broken"}, .options = {}};
    const auto load = [&](const std::string& text, const std::string& entry) {
        Image image;
        for (const char c : text) image.bytes.push_back(static_cast<std::byte>(c));
        image.entries = {entry};
        return backend().load(0, image, source);
    };
    CHECK_THROWS_AS((void)load("this is no cubin", "broken"), gpu::LaunchError);
    CHECK_THROWS_AS((void)load(".version 7.0\n.target sm_75\n.address_size 64\nnonsense", "broken"), gpu::LaunchError);
    Image image = backend().compile(0, backend().generate({.name = "add", .source = {add_text, "a.cu", 1},
                                                          .signature = "", .options = {}}));
    image.entries = {"another_name"};
    CHECK_THROWS_AS((void)backend().load(0, image, source), gpu::LaunchError);
}

TEST_CASE("compile failures come out as they are") {
    CHECK_THROWS_AS((void)raw("__global__ void k() { x; }", "k"), CompileFailure);
    CHECK_THROWS_AS((void)raw(add_text, "add", "(int)"), CompileFailure);
}
