// SPDX-License-Identifier: MIT
// What launches here launches on a GPU: the same limits, each named with the value that breaks it.
#include "host/support.hpp"

using namespace support;

namespace {

const char* const source = R"(
__global__ void loop(int* x) { x[0] = 1; }
__global__ void fiber(int* x) { extern __shared__ int d[]; d[threadIdx.x] = 1; __syncthreads(); x[0] = d[0]; }
__global__ void most(int* x) { __shared__ int s[12288]; s[threadIdx.x] = 1; __syncthreads(); x[0] = s[0]; }
__global__ void over(int* x) { __shared__ int s[12289]; s[threadIdx.x] = 1; __syncthreads(); x[0] = s[0]; }
)";

}  // namespace

TEST_CASE("every limit of a launch, at it and past it") {
    const Buffer<int> x(1);
    for (const char* const name : {"loop", "fiber"}) {
        const auto kernel = build_raw(name, source);
        const auto said = [&](const LaunchShape& launched) {
            return launch_error([&] {
                launch(*kernel, launched, x.data());
                backend().synchronize_device(0);
            });
        };
        const auto one = [](unsigned x_, unsigned y, unsigned z) { return gpu::detail::Extent3{x_, y, z}; };
        const auto refused = [&](const LaunchShape& launched, const std::string& why) {
            CHECK(said(launched) == std::string("kernel ") + name + ": " + why);
        };
        refused({.grid = one(2147483648U, 1, 1), .block = {}, .shared_bytes = 4},
                "grid (2147483648,1,1): 2147483648 along x is more than the limit of 2147483647");
        refused({.grid = one(1, 65536, 1), .block = {}, .shared_bytes = 4},
                "grid (1,65536,1): 65536 along y is more than the limit of 65535");
        refused({.grid = one(1, 1, 65536), .block = {}, .shared_bytes = 4},
                "grid (1,1,65536): 65536 along z is more than the limit of 65535");
        refused({.grid = {}, .block = one(1025, 1, 1), .shared_bytes = 4},
                "block (1025,1,1): 1025 along x is more than the limit of 1024");
        refused({.grid = {}, .block = one(1, 1025, 1), .shared_bytes = 4},
                "block (1,1025,1): 1025 along y is more than the limit of 1024");
        refused({.grid = {}, .block = one(1, 1, 65), .shared_bytes = 4},
                "block (1,1,65): 65 along z is more than the limit of 64");
        refused({.grid = {}, .block = one(32, 32, 2), .shared_bytes = 4},
                "block (32,32,2): 2048 threads are more than the limit of 1024 a block");
        refused({.grid = one(1, 0, 1), .block = {}, .shared_bytes = 4},
                "grid (1,0,1): every length must be at least 1; is the array empty?");
        refused({.grid = {}, .block = one(1, 1, 0), .shared_bytes = 4},
                "block (1,1,0): every length must be at least 1; is the array empty?");
        refused({.grid = {}, .block = {}, .shared_bytes = 232449},
                "232449 bytes of shared memory (0 static, 232449 dynamic) are more than the limit of 232448");
        for (const LaunchShape& fits : {LaunchShape{.grid = one(1, 65535, 1), .block = {}, .shared_bytes = 4},
                                        LaunchShape{.grid = one(1, 1, 65535), .block = {}, .shared_bytes = 4},
                                        LaunchShape{.grid = {}, .block = one(1024, 1, 1), .shared_bytes = 4096},
                                        LaunchShape{.grid = {}, .block = one(1, 1024, 1), .shared_bytes = 4},
                                        LaunchShape{.grid = {}, .block = one(4, 4, 64), .shared_bytes = 4096},
                                        LaunchShape{.grid = {}, .block = {}, .shared_bytes = 232448}})
            CHECK(said(fits) == "no error");
    }
}

TEST_CASE("48 KiB of static shared memory, and not a byte more") {
    const Buffer<int> x(1);
    const auto said = [&](const char* name, std::size_t dynamic) {
        const auto kernel = build_raw(name, source);
        return launch_error([&] {
            launch(*kernel, shape(1, 32, dynamic), x.data());
            backend().synchronize_device(0);
        });
    };
    CHECK(said("most", 0) == "no error");
    CHECK(said("most", 232448 - 49152) == "no error");
    CHECK(contains(said("most", 232448 - 49152 + 1),
                   "232449 bytes of shared memory (49152 static, 183297 dynamic) are more"));
    CHECK(contains(said("over", 0),
                   "49156 bytes of static __shared__ arrays are more than the limit of 49152; use extern"));
}

TEST_CASE("a cooperative launch has no more blocks and threads than run at once") {
    const Buffer<int> x(1);
    const auto kernel = build_raw("waits", "__global__ void waits(int* x) { __syncthreads(); }");
    const auto said = [&](std::uint32_t blocks, std::uint32_t threads) {
        return launch_error([&] {
            LaunchShape together = shape(blocks, threads);
            together.cooperative = true;
            launch(*kernel, together, x.data());
            backend().synchronize_device(0);
        });
    };
    CHECK(said(256, 256) == "no error");
    CHECK(said(64, 1024) == "no error");
    CHECK(contains(said(257, 32), "a cooperative launch of 257 blocks of 32 threads"));
    CHECK(contains(said(65, 1024), "at most 256 blocks and 65536 threads"));
}
