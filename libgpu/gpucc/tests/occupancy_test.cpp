// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>

#include "driver_run.hpp"
#include "gpucc/runtime/occupancy.hpp"

namespace gpucc_test {

TEST_CASE("the dynamic shared memory that so many blocks leave for each fits them, and 128 bytes more don't") {
    const Built built(R"(#include <cstdio>
__global__ void kernel(int* x) {
    __shared__ int own[100];
    own[threadIdx.x] = *x;
    *x = own[0];
}
int main() {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 230000);
    for (int blocks : {1, 2, 3, 5, 32, 33}) {
        size_t bytes = 0;
        int fit = -1, fit_more = -1;
        const cudaError_t error = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, blocks, 64);
        if (error == cudaSuccess) {
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, 64, bytes);
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit_more, kernel, 64, bytes + 128);
        }
        std::printf("%d: %s, %d fit, %d\n", blocks, cudaGetErrorName(error), fit, int(fit_more < fit));
    }
}
)");
    REQUIRE(built.is_there());
    CHECK(run(built.program + " 2>/dev/null").output ==
          "1: cudaSuccess, 1 fit, 1\n2: cudaSuccess, 2 fit, 1\n3: cudaSuccess, 3 fit, 1\n5: cudaSuccess, 5 fit, 1\n"
          "32: cudaSuccess, 32 fit, 1\n33: cudaErrorInvalidValue, -1 fit, 0\n");
}

}  // namespace gpucc_test

// Occupancy as CUDA computes it: beside the toolkit's own calculator, a header that needs no GPU.
#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>

namespace gpucc_test {

namespace {

namespace limits = gpu::detail::host::limits;

cudaOccDeviceProp properties() {
    cudaOccDeviceProp facts;
    facts.computeMajor = 9;
    facts.maxThreadsPerBlock = 1024;
    facts.maxThreadsPerMultiprocessor = 2048;
    facts.regsPerBlock = facts.regsPerMultiprocessor = 65536;
    facts.warpSize = 32;
    facts.sharedMemPerBlock = limits::shared;
    facts.sharedMemPerBlockOptin = limits::max_shared;
    facts.sharedMemPerMultiprocessor = limits::multiprocessor_shared;
    facts.reservedSharedMemPerBlock = limits::reserved_shared;
    facts.numSms = 1;
    return facts;
}

cudaOccFuncAttributes attributes(int registers, std::size_t static_shared, std::size_t max_dynamic) {
    cudaOccFuncAttributes facts;
    facts.maxThreadsPerBlock = 1024;
    facts.numRegs = registers;
    facts.sharedSizeBytes = static_shared;
    facts.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    facts.maxDynamicSharedSizeBytes = max_dynamic;
    facts.numBlockBarriers = 1;
    return facts;
}

int by_cuda(const cudaOccFuncAttributes& kernel, int threads, std::size_t shared) {
    const cudaOccDeviceProp device = properties();
    const cudaOccDeviceState state;
    cudaOccResult result;
    REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, shared) ==
            CUDA_OCC_SUCCESS);
    return result.activeBlocksPerMultiprocessor;
}

}  // namespace

TEST_CASE("blocks at once are what CUDA's calculator says, for every block size and number of registers") {
    int count = 0, wrong = 0;
    for (const std::size_t shared : {0, 1, 3000, 6272, 6273, 45'576, 46'592, 51'200, 116'000, 232'448, 232'449}) {
        for (int registers = 0; registers <= 255; registers += registers == 0 ? 16 : 1) {
            const cudaOccFuncAttributes kernel = attributes(registers, 0, limits::max_shared + 1);
            for (int threads = 1; threads <= 1025; ++threads) {
                const int want = by_cuda(kernel, threads, shared);
                const int got = gpucc::blocks_at_once({threads, registers, shared});
                if (got != want && ++wrong < 5) {
                    CAPTURE(threads);
                    CAPTURE(registers);
                    CAPTURE(shared);
                    CHECK(got == want);
                }
                ++count;
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(count == 11 * 241 * 1025);
}

TEST_CASE("a program's calls agree with CUDA's calculator, with static memory and a limit of its own") {
    const Built built(R"(#include <cstdio>
template <int N> __global__ void kernel(int* x) {
    __shared__ int own[N];
    own[threadIdx.x % N] = *x;
    *x = own[0];
}
template <int N> void ask() {
    const int sizes[] = {0, 100, 8192, 20000, 49152, 50000, 110000, 200000};
    for (int most : {0, 120000}) {
        if (most > 0) cudaFuncSetAttribute(kernel<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
        cudaFuncAttributes facts;
        cudaFuncGetAttributes(&facts, kernel<N>);
        for (int shared : sizes) {
            for (int threads : {1, 32, 96, 192, 224, 256, 1000, 1024}) {
                int blocks = -1, grid = -1, block = -1;
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<N>, threads, shared);
                cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel<N>, shared, threads);
                std::printf("%d %d %d %d %d %d %d\n", facts.numRegs, int(facts.sharedSizeBytes),
                            facts.maxDynamicSharedSizeBytes, shared, threads, blocks, block);
            }
        }
    }
}
int main() { ask<1>(); ask<100>(); ask<6000>(); }
)");
    REQUIRE(built.is_there());
    std::istringstream lines(run(built.program).output);
    int count = 0;
    for (std::array<int, 7> row; lines >> row[0] >> row[1] >> row[2] >> row[3] >> row[4] >> row[5] >> row[6]; ++count) {
        const auto [registers, own, most, shared, threads, blocks, block] = row;
        CAPTURE(own);
        CAPTURE(most);
        CAPTURE(shared);
        CAPTURE(threads);
        cudaOccFuncAttributes kernel = attributes(registers, std::size_t(own), std::size_t(most));
        CHECK(blocks == by_cuda(kernel, threads, std::size_t(shared)));
        kernel.maxThreadsPerBlock = threads;
        const cudaOccDeviceProp device = properties();
        const cudaOccDeviceState state;
        int grid = 0, want = 0;
        REQUIRE(cudaOccMaxPotentialOccupancyBlockSize(&grid, &want, &device, &kernel, &state, std::size_t(shared)) ==
                CUDA_OCC_SUCCESS);
        CHECK(block == want);
    }
    CHECK(count == 3 * 2 * 8 * 8);
}

}  // namespace gpucc_test
#else
TEST_CASE("blocks at once are what CUDA's calculator says") {
    std::printf("SKIP: gpucc.driver: blocks at once: there is no CUDA toolkit, whose cuda_occupancy.h says how many\n");
}
#endif
