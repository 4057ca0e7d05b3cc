// SPDX-License-Identifier: MIT
// The three lines of each kind of finding, whole: what and where, who, and what to do.
#include "check/support.hpp"

using namespace support;

namespace {

bool with_clang() {
    const char* const compiler = std::getenv("LIBGPU_HOST_CXX");
    return compiler != nullptr && contains(compiler, "clang");
}

/// An array's type, as the compiler spells it.
std::string int_array(int length) { return (with_clang() ? "int[" : "int [") + std::to_string(length) + ']'; }

/// What is told of the kernel `k` in 2 blocks of 64 threads, with x of 128 floats and y of 128 ints, all 0.
std::string told_of(const std::string& body, const gpu::CheckOptions& options = {}) {
    const gpu::RawKernel<void(float*, int*, int)> kernel(
        cu("__global__ void k(float* x, int* y, int n) {\n    const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n" +
           body + "}\n"),
        "k");
    auto x = gpu::zeros<float>({128});
    auto y = gpu::zeros<int>({128});
    return told(gpu::check([&] { kernel({.grid = 2, .block = 64}, x, y, 128); }, options));
}

}  // namespace

TEST_CASE("out of bounds: global, shared and local arrays, and no array at all") {
    CHECK(told_of("    y[i - 1] = t;\n") ==
          "out of bounds: test.cu:3 writes y[-1], just before the start of y (128 elements of 4 bytes)\n"
          "block (0,0,0), thread (0,0,0)\n"
          "the index is negative here: leave these threads out with an if, or correct the index\n");
    CHECK(told_of("    __shared__ int s[64];\n    s[t + 1] = t;\n    __syncthreads();\n    y[i] = s[t];\n") ==
          "out of bounds: test.cu:4 uses s[64], just past the end of s (" + int_array(64) +
              ")\n"
              "block (0,0,0), thread (63,0,0)\n"
              "make the array larger, or keep the index below its length\n");
    CHECK(told_of("    int l[4] = {t, t, t, t};\n    y[i] = l[t / 16 + 1];\n") ==
          "out of bounds: test.cu:4 uses l[4], just past the end of l (" + int_array(4) +
              ")\n"
              "block (0,0,0), thread (48,0,0)\n"
              "make the array larger, or keep the index below its length\n");
    CHECK(told_of("    int* nowhere = nullptr;\n    nowhere[t] = 1;\n") ==
          "out of bounds: test.cu:4 writes through a null pointer\n"
          "block (0,0,0), thread (0,0,0)\n"
          "give the kernel arrays of the device (gpu::Array), and check the index\n");
}

TEST_CASE("races: in a block, in a warp, between blocks") {
    CHECK(told_of("    __shared__ int s[64];\n    s[t] = t;\n    y[i] = s[63 - t];\n") ==
          "race on s[32]: test.cu:4 writes what test.cu:5 reads, with no barrier between\n"
          "block (0,0,0): thread (32,0,0) writes, thread (31,0,0) reads\n"
          "put __syncthreads() between the two lines, where all threads of the block pass it\n");
    CHECK(told_of("    __shared__ int s[64];\n    s[t] = t;\n    y[i] = s[t ^ 1];\n") ==
          "race on s[1]: test.cu:4 writes what test.cu:5 reads, with no __syncwarp() between\n"
          "block (0,0,0): thread (1,0,0) writes, thread (0,0,0) reads\n"
          "lanes of a warp don't run in lockstep: put __syncwarp() between the two lines (or __syncthreads(), if the "
          "block may have more than one warp)\n");
    CHECK(told_of("    if (t == 0) y[0] += 1;\n") ==
          "race on y[0]: test.cu:3 reads what another thread writes there, in another block\n"
          "block (1,0,0) thread (0,0,0) reads, block (0,0,0) thread (0,0,0) writes\n"
          "blocks run in any order and no barrier joins them: use atomicAdd() or another atomic, or let each block "
          "have elements of its own and combine them in a second kernel\n");
}

TEST_CASE("barriers: two in two branches; a lane that a mask names waits elsewhere; a mask without its own lane") {
    CHECK(told_of("    if (t < 32)\n        __syncthreads();\n    else\n        __syncthreads();\n    y[i] = t;\n") ==
          "divergent barrier: test.cu:4 and test.cu:6 are different barriers, and threads of one block wait at both\n"
          "block (0,0,0): 32 threads at line 4 (such as (0,0,0)), 32 threads at line 6 (such as (32,0,0))\n"
          "all threads of a block must come to the same __syncthreads(): take it out of the branch\n");
    CHECK(told_of("    if (t % 2) y[i] = __shfl_sync(0xffffffff, t, 0);\n    else __syncthreads();\n") ==
          "deadlock: test.cu:3: __shfl_sync() waits for threads that can't come\n"
          "block (0,0,0): 32 threads wait at __shfl_sync() in line 3 with mask 0xffffffff, which names thread (0,0,0), "
          "32 threads wait at __syncthreads() in line 4\n"
          "all threads that a mask names, or that are left of a block, must reach the same operation: take it out of "
          "the branch, or name only the lanes that come\n");
    CHECK(told_of("    if (t == 5) y[i] = __shfl_sync(1, t, 0);\n") ==
          "deadlock: test.cu:3: a warp operation waits for threads that can't come\n"
          "block (0,0,0): thread (5,0,0) calls it with mask 0x1, which does not name its own lane\n"
          "the mask must name every lane that calls: 0xffffffff where the whole warp does\n");
}

TEST_CASE("arithmetic and assertions") {
    CHECK(told_of("    y[i] = n / (t - 7);\n") ==
          "division by zero: test.cu:3 divides an integer by zero\n"
          "block (0,0,0), thread (7,0,0)\n"
          "a GPU would give a meaningless number: test the divisor first\n");
    CHECK(told_of("    y[i] = n % (t - 7);\n") ==
          "division by zero: test.cu:3 divides an integer by zero\n"
          "block (0,0,0), thread (7,0,0)\n"
          "a GPU would give a meaningless number: test the divisor first\n");
    CHECK(told_of("    assert(i < 70);\n    y[i] = t;\n") ==
          "failed: test.cu:3: assertion `i < 70' failed\n"
          "block (1,0,0), thread (6,0,0)\n"
          "the kernel itself says that this can't be: look at the values that lead here\n");
    CHECK(told_of("    if (i == 9) __trap();\n") ==
          "failed: test.cu:3: __trap() was called\n"
          "block (0,0,0), thread (9,0,0)\n"
          "the kernel itself says that this can't be: look at the values that lead here\n");
}

TEST_CASE("an access that isn't aligned") {
    CHECK(told_of("    if (t == 1) *reinterpret_cast<double*>(x + 1) = 1;\n") ==
          "misaligned: test.cu:3 writes a double at byte 4 of x, which is not a multiple of 8\n"
          "block (0,0,0), thread (1,0,0)\n"
          "an access of 8 or 16 bytes (float2, double, float4) must begin at a multiple of its size: choose an index "
          "that is, or access single elements\n");
}

TEST_CASE("kernels that take too much: time and stack") {
    CHECK(told_of("    volatile int* gate = y;\n    while (i == 3 && gate[0] == 0) {\n    }\n",
                  {.seconds_per_block = 0.2}) ==
          "endless loop: test.cu:4 still ran after 0.2 s\n"
          "block (0,0,0), thread (3,0,0)\n"
          "does a loop's condition never become false, or does it wait for a thread that can't come?\n");
    CHECK(told_of("    volatile int l[20000];\n    for (int k = 0; k < n; ++k) l[k] = t;\n    y[i] = l[n - 1];\n") ==
          "stack overflow: kernel k needs more stack than a thread has\n"
          "block (0,0,0), thread (0,0,0)\n"
          "a thread has 64 KiB here: does a function call itself for ever, or is a local array too large?\n");
}

TEST_CASE("shared memory that nobody has written") {
    CHECK(told_of("    __shared__ int s[64];\n    if (t < 63) s[t] = t;\n    __syncthreads();\n    y[i] = s[t];\n") ==
          "uninitialised: test.cu:6 reads s[63], which nothing has written\n"
          "block (0,0,0), thread (63,0,0)\n"
          "shared memory holds anything when a block begins: write each element before it is read\n");
}
