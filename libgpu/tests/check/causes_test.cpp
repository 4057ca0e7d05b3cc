// SPDX-License-Identifier: MIT
#include "check/support.hpp"

// What is advised where a race or an unset value follows from something else.

using namespace support;

namespace {

gpu::CheckReport checked(const std::string& body, gpu::LaunchConfig launch, gpu::Array<float>& x) {
    const gpu::RawKernel<void(float*)> kernel(cu("__global__ void k(float* x) {\n" + body + "\n}\n"), "k");
    return gpu::check([&] { kernel(launch, x); });
}

gpu::Finding only_finding(const std::string& body, gpu::LaunchConfig launch, gpu::Array<float>& x) {
    const gpu::CheckReport report = checked(body, launch, x);
    REQUIRE(report.findings.size() == 1);
    return report.findings[0];
}

}  // namespace

TEST_CASE("two threads with one element: one of them may be beside the matrix") {
    auto x = gpu::zeros<float>({3, 5});
    const std::string place =
        "const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n";
    const gpu::LaunchConfig launch{.grid = {1, 1}, .block = gpu::Dim3(8, 4)};
    const std::string beside = "the thread at x = 5, y = 0 of the grid is in no column: x has 3 rows of 5; leave out "
                               "threads that are outside in either direction, not only those past the last element";
    CHECK(only_finding(place + "if (j * 5 + i < 15) x[j * 5 + i] = 10 * j + i;", launch, x).advice == beside);
    CHECK(only_finding(place + "if (j * 5 + i < 15) x[j * 5 + i] += 1 + i;", launch, x).advice == beside);
    const std::string clamped = place + "const int k = min(j, 2) * 5 + min(i, 4);\n";
    const gpu::LaunchConfig high{.grid = 1, .block = gpu::Dim3(5, 8)};
    const gpu::Finding found = only_finding(clamped + "x[k] = fminf(2 * x[k], 1.0f);", high, x);
    CHECK(found.what == "lost update: test.cu:4 changes x[12] in several threads at once");
    CHECK(found.advice == "the thread at x = 2, y = 6 of the grid is in no row: x has 3 rows of 5; leave out threads "
                          "that are outside in either direction: they have no element to change");
    CHECK(only_finding("x[0] = fminf(2 * x[0], 1.0f);", {.grid = 1, .block = 8}, x)
              .advice.ends_with("use atomicAdd() or another atomic, or let one thread alone change each element"));
    CHECK(only_finding(place + "if (i < 5 && j < 3) x[0] += 1 + i;", launch, x).advice.ends_with("use atomicAdd()"));
}

TEST_CASE("a local array in a kernel with barriers may have been meant to be shared") {
    auto x = gpu::zeros<float>({64});
    const gpu::LaunchConfig launch{.grid = 1, .block = 64};
    const std::string load = "const int t = threadIdx.x;\nfloat part[64];\npart[t] = t;\n";
    const std::string kernel = load + "__syncthreads();\nx[t] = part[63 - t];";
    if (with_clang()) {
        CHECK(checked(kernel, launch, x).clean());
        return;
    }
    const gpu::Finding found = only_finding(kernel, launch, x);
    CHECK(found.what == "uninitialised: test.cu:6 reads part[63], which this thread hasn't written");
    CHECK(found.advice ==
          "without __shared__ each thread has an array part of its own, and what other threads write isn't in it: "
          "declare it __shared__ if the block is to share it");
    CHECK(only_finding(load + "x[t] = part[63 - t];", launch, x).advice.starts_with("a local array holds anything"));
}

TEST_CASE("one shared variable that all threads change in one line isn't mended by barriers") {
    auto x = gpu::zeros<float>({64});
    const gpu::Finding found = only_finding("__shared__ float most;\nmost = 0;\n__syncthreads();\n"
                                            "for (int k = 0; k < 3; ++k) most = fmaxf(most, x[threadIdx.x] + k);",
                                            {.grid = 1, .block = 64}, x);
    CHECK(found.advice.starts_with("most is one variable for the whole block, and several threads write it"));
}

TEST_CASE("of a block with several warps a barrier is missing where all threads can pass it") {
    auto x = gpu::zeros<float>({7});
    const std::string swap = "__shared__ float part[256];\nconst int t = threadIdx.x;\nif (t < 7) part[t] = x[t];\n"
                             "if (t < 7) x[t] = part[6 - t];";
    const gpu::Finding block = only_finding(swap, {.grid = 1, .block = 256}, x);
    CHECK(block.kind == gpu::FindingKind::missing_barrier);
    CHECK(block.advice == "put __syncthreads() between the two lines, where all threads of the block pass it");
    CHECK(only_finding(swap, {.grid = 1, .block = 32}, x).kind == gpu::FindingKind::missing_syncwarp);
    CHECK(only_finding("__shared__ float part[256];\nconst int t = threadIdx.x;\nif (t < 7) {\npart[t] = x[t];\n"
                       "x[t] = part[6 - t];\n}",
                       {.grid = 1, .block = 256}, x)
              .kind == gpu::FindingKind::missing_syncwarp);
}
