// SPDX-License-Identifier: MIT
// The three lines of each kind of finding, whole: what and where, who, and what to do.
#include "check/support.hpp"

using namespace support;

namespace {

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

TEST_CASE("races: what the kernel's text tells of their cure") {
    CHECK(contains(told_of("    y[0] |= t;\n"), "lost: use atomicOr()"));
    CHECK(contains(told_of("    y[0] = max(y[0], i);\n"), "lost: use atomicMax(), which takes integers"));
    CHECK(contains(told_of("    y[0] = y[0] + 1;\n"), "lost: use atomicAdd()"));
    CHECK(contains(told_of("    if (i > 0) x[i] = 0.5f * (x[i - 1] + 1) + i;\n"), "a stencil in place"));
    CHECK(contains(told_of("    __shared__ int s[64];\n    for (int r = 0; r < 3; ++r) {\n        s[t] = r + t;\n"
                        "        __syncthreads();\n        y[i] += s[63 - t];\n    }\n"),
                   "put __syncthreads() at the loop's end as well"));
    CHECK(contains(told_of("    __shared__ int s[64];\n    if (t < 40) {\n        s[t] = t;\n        __syncthreads();\n"
                        "    }\n    if (t > 40) y[i] = s[t - 40];\n"),
                   "stands in a branch: move it out"));
}

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
          "give the kernel an array of the device (gpu::Array), or set the pointer before it is followed\n");
    CHECK(
        told_of("    int rows = 65536, columns = 32768 + t;\n    y[rows * columns + t] = 1;\n") ==
        "out of bounds: test.cu:4 writes y[-2147483648], 2147483648 before the start of y (128 elements of 4 "
        "bytes)\n"
        "block (0,0,0), thread (0,0,0)\n"
        "an int goes on at -2147483648 after 2147483647: was this index to be 2147483648? Compute it in long long, as "
        "in static_cast<long long>(row) * columns\n");
    CHECK(told_of("    unsigned left = blockIdx.x * 64 + t - 1u;\n    y[left] = 1;\n") ==
          "out of bounds: test.cu:4 writes y[4294967295], 4294967168 past the end of y (128 elements of 4 bytes)\n"
          "block (0,0,0), thread (0,0,0)\n"
          "an unsigned number goes on at 4294967295 below 0: was this index to be -1? Compute it as an int, and leave "
          "out what is below 0\n");
    CHECK(told_of("    volatile long long zero = 0;\n    y[i] = reinterpret_cast<int (*)(int)>(zero)(t);\n") ==
          "out of bounds: test.cu:4 calls a function through a null pointer\n"
          "block (0,0,0), thread (0,0,0)\n"
          "set the pointer first, on the device: a function's address that host code takes is of no use in a kernel\n");
    CHECK(told_of("    if (t == 5) memset(y, 0, 8 * n * sizeof(int));\n") ==
          "out of bounds: test.cu:3 writes y[128], just past the end of y (128 elements of 4 bytes)\n"
          "block (0,0,0), thread (5,0,0)\n"
          "leave out the threads that have no element, with a guard such as if (i < n)\n");
    CHECK(told_of("    extern __shared__ int s[];\n    s[t] = t;\n    y[i] = s[t];\n") ==
          "out of bounds: test.cu:4 writes s[0], just past the end of s (0 elements of 4 bytes)\n"
          "block (0,0,0), thread (0,0,0)\n"
          "an extern array has the bytes that the launch gives it, and this one gives none: k({.grid = ..., .block = "
          "..., .shared = bytes}, ...)\n");
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
    CHECK(told_of("    if (t == 0) y[blockIdx.x] = 1;\n    if (t == 0) x[blockIdx.x] = y[1 - blockIdx.x];\n") ==
          "race on y[1]: test.cu:3 writes what test.cu:4 reads, in another block\n"
          "block (1,0,0) thread (0,0,0) writes, block (0,0,0) thread (0,0,0) reads\n"
          "blocks run in any order and no barrier joins them: use atomicAdd() or another atomic, or let each block "
          "have elements of its own and combine them in a second kernel\n");
}

TEST_CASE("several threads write one element: who they are, and what no barrier cures") {
    const std::string lost =
        "each thread changes the value that it has read, and what others write in between is lost: use atomicAdd()\n";
    const std::string in_a_warp = "block (0,0,0): thread (1,0,0) reads, thread (0,0,0) writes\n";
    CHECK(told_of("    if (i < 20) y[0] += t;\n") ==
          "lost update: test.cu:3 changes y[0] in several threads at once\n" + in_a_warp + lost);
    // Of what several blocks and several threads of each do, that of the blocks is reported.
    const std::string in_two_blocks = "block (1,0,0) thread (0,0,0) reads, block (0,0,0) thread (63,0,0) writes\n";
    CHECK(told_of("    y[0] += i;\n") ==
          "lost update: test.cu:3 changes y[0] in several threads at once\n" + in_two_blocks + lost);
    CHECK(told_of("    if (t == 0) y[0] += 1;\n") ==
          "lost update: test.cu:3 changes y[0] in several threads at once\n"
          "block (1,0,0) thread (0,0,0) reads, block (0,0,0) thread (0,0,0) writes\n" +
              lost);
    CHECK(told_of("    const int old = y[5];\n    y[5] = old + i + 1;\n") ==
          "lost update: test.cu:3 reads y[5], and test.cu:4 writes it, in several threads at once\n" + in_two_blocks +
              "each thread changes the value that it has read, and what others write in between is lost: use "
              "atomicAdd() or another atomic, or let one thread alone change each element\n");
    CHECK(told_of("    __shared__ int s[8];\n    if (t < 8) s[t] = 0;\n    __syncthreads();\n    s[t % 8] += t;\n"
                  "    __syncthreads();\n    if (t < 8) y[t] = s[t];\n")
              .starts_with("lost update: test.cu:6 changes s[0] in several threads at once\n"));
    CHECK(told_of("    y[i / 2] = i;\n") ==
          "written twice: test.cu:3 writes y[0] in several threads, each a value of its own\n"
          "block (0,0,0): thread (1,0,0) writes, thread (0,0,0) writes\n"
          "each element needs one thread: check the index and the stride (if all these threads are to add to one "
          "element, use atomicAdd())\n");
    // A shared variable is one for the block: perhaps each thread was to have its own. With one writer a barrier is
    // missing.
    const std::string one_for_all =
        "largest is one variable for the whole block, and several threads write it: leave out __shared__ if each is to "
        "have its own";
    const std::string shared_largest =
        "    __shared__ int largest;\n    largest = 0;\n"
        "    for (int k = 0; k < 3; ++k) largest = max(largest, (i + k) % 7);\n    y[i] = largest;\n";
    const std::string each_its_own = told_of(shared_largest);
    CHECK(each_its_own.starts_with("race on largest: test.cu:"));
    CHECK(each_its_own.ends_with(one_for_all + "; if one is meant, put __syncthreads() between the two lines\n"));
    CHECK(told_of("    __shared__ int largest;\n    largest = t;\n")
              .ends_with(one_for_all + ", or let one thread alone write it\n"));
    CHECK(told_of("    __shared__ int largest;\n    if (t == 0) largest = n;\n    y[i] = largest;\n")
              .ends_with("put __syncthreads() between the two lines, where all threads of the block pass it\n"));
    // A tree without its barrier isn't of this kind: each element has one writer.
    CHECK(told_of("    __shared__ int s[64];\n    s[t] = t;\n    __syncthreads();\n"
                  "    for (int half = 32; half > 0; half /= 2) if (t < half) s[t] += s[t + half];\n"
                  "    if (t == 0) y[blockIdx.x] = s[0];\n")
              .starts_with("race on s["));
}

TEST_CASE("two threads that write one element with the same value: no finding, and reported with the counts") {
    const gpu::RawKernel<void(int*, int)> kernel(
        cu("__global__ void k(int* y, int n) {\n"
           "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) y[i] = 7;\n}\n"),
        "k");
    auto y = gpu::zeros<int>({128});
    const gpu::CheckReport twice = gpu::check([&] { kernel({.grid = 2, .block = 64}, y, 128); });
    CHECK(told(twice) == "");
    REQUIRE(twice.kernels.size() == 1);
    CHECK(twice.kernels[0].rewritten ==
          "test.cu:2 writes y[64] in block (0,0,0) thread (0,0,0) and in block (1,0,0) thread (0,0,0)");
    const gpu::CheckReport once = gpu::check([&] { kernel({.grid = 1, .block = 64}, y, 128); });
    CHECK(once.kernels[0].rewritten == "");
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
    CHECK(told_of("    volatile int* gate = y;\n    while (i == 3 && gate[0] == 0) {\n    }\n") ==
          "deadlock: test.cu:4 reads y[0] again and again, and no thread is left that would change it\n"
          "block (0,0,0): 1 thread waits for y[0], 63 threads ended\n"
          "whoever is waited for must get there without what the waiting threads hold: release before a barrier, and "
          "never wait for a thread that has ended\n");
    CHECK(told_of("    volatile int* gate = y;\n    while (i == 3 && gate[0] < 9) gate[0] = gate[0] % 2 + 1;\n",
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

TEST_CASE("each finding names the rule of the notional machine that it breaks") {
    const auto rule_of = [](const std::string& body) {
        const gpu::RawKernel<void(float*, int*)> kernel(
            cu("__global__ void k(float* x, int* y) {\n    const int t = threadIdx.x;\n" + body + "}\n"), "k");
        auto x = gpu::empty<float>({128});
        auto y = gpu::zeros<int>({128});
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 2, .block = 64}, x, y); });
        REQUIRE(!report.findings.empty());
        const std::string rule = std::to_string(static_cast<int>(report.findings[0].rule));
        const std::string line = "breaks rule " + rule + ": " + std::string(gpu::sentence(report.findings[0].rule));
        CHECK(contains(report.to_text(), line));
        CHECK(line == "breaks " + gpu::to_string(report.findings[0].rule));
        return report.findings[0].rule;
    };
    CHECK(rule_of("    y[128 + t] = t;\n") == gpu::Rule::many_threads);
    CHECK(rule_of("    __shared__ int s[64];\n    s[t] = t;\n    y[t + 64 * blockIdx.x] = s[63 - t];\n") ==
          gpu::Rule::many_threads);
    CHECK(rule_of("    y[t] = blockIdx.x;\n") == gpu::Rule::blocks_never_wait);
    CHECK(rule_of("    __shared__ int s[64];\n    y[t + 64 * blockIdx.x] = s[t];\n") == gpu::Rule::shared_memory);
    CHECK(rule_of("    if (t < 40) __syncthreads();\n    else { __syncthreads(); }\n") ==
          gpu::Rule::barriers_count_all);
    CHECK(rule_of("    y[t + 64 * blockIdx.x] = x[t] > 0;\n") == gpu::Rule::host_only_queues);
}
