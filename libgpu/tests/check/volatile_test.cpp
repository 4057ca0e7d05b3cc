// SPDX-License-Identifier: MIT
// volatile is for flags: what it makes safe, and what it doesn't.
#include "check/support.hpp"

using namespace support;

namespace {

constexpr const char* schedules[] = {"fixed", "random:1", "random:2", "random:3"};

struct Case {
    const char* name;
    gpu::LaunchConfig launch;
    std::string first, second;   ///< what the first and the other of two threads do
    bool is_wrong;
};

/// What is found in any of the schedules. Each has a module of its own, whose variables begin as they should.
std::string found(const Case& one, const char* place) {
    const bool shared = std::string_view(place) == "shared";
    std::string all;
    for (const char* const schedule : schedules) {
        const std::string begin = shared ? "__shared__ volatile int at_block[2]; if (threadIdx.x == 0) at_block[0] = "
                                           "at_block[1] = 0; __syncthreads(); volatile int *f = at_block, *x = f + 1;\n"
                                         : "volatile int *f = memory, *x = f + 1;\n";
        const gpu::RawKernel<void(volatile int*, int*, int*)> kernel(
            cu("__device__ int lock = 0;\n__global__ void k(volatile int* memory, int* d, int* o) {\n" + begin +
               "if (blockIdx.x == 0 && threadIdx.x == 0) {\n" + one.first +
               "\n} else if (threadIdx.x == blockDim.x - 1) {\n" + one.second + "\n}\n}\n// " + one.name + schedule),
            "k");
        auto memory = gpu::zeros<int>({2}), d = gpu::zeros<int>({1}), o = gpu::zeros<int>({1});
        all += told(gpu::check([&] { kernel(one.launch, memory, d, o); }, {.schedule = schedule}));
    }
    return all;
}

constexpr gpu::LaunchConfig blocks{.grid = 2, .block = 1}, warps{.grid = 1, .block = 64}, lanes{.grid = 1, .block = 2};
const std::string take = "while (atomicCAS(&lock, 0, 1) != 0) {}\n", give = "atomicExch(&lock, 0);",
                  take_in_block = "while (atomicCAS_block(&lock, 0, 1) != 0) {}\n",
                  fence = "__threadfence();\n", block_fence = "__threadfence_block();\n";

}  // namespace

TEST_CASE("a volatile flag carries data from one thread to another, if fences stand on both sides") {
    const Case cases[] = {
        {"flag", blocks, "d[0] = 5;\n" + fence + "f[0] = 1;", "while (f[0] == 0) {}\n" + fence + "o[0] = d[0];", false},
        {"flag of a warp", lanes, "d[0] = 5;\n" + fence + "f[0] = 1;",
         "while (f[0] == 0) {}\n" + fence + "o[0] = d[0];", false},
        {"flag of a block", warps, "d[0] = 5;\n" + block_fence + "f[0] = 1;",
         "do {\n} while (f[0] == 0);\n" + block_fence + "o[0] = d[0];", false},
        {"flag that is set back", warps, "f[0] = 1;\nwhile (f[0] == 1) {}", "while (f[0] == 0) {}\nf[0] = 0;", false},
        {"look at what was set behind a fence", blocks, "d[0] = 5;\n" + fence + "f[0] = 1;",
         "const int seen = f[0];\nif (seen == 1) o[0] = d[0];", false},
        {"the same value", warps, "f[0] = 1;", "f[0] = 1;", false},
        {"no fence", blocks, "d[0] = 5;\nf[0] = 1;", "while (f[0] == 0) {}\n" + fence + "o[0] = d[0];", true},
        {"fence of the block alone", blocks, "d[0] = 5;\n" + block_fence + "f[0] = 1;",
         "while (f[0] == 0) {}\n" + fence + "o[0] = d[0];", true},
        {"data in volatile memory, and no flag", blocks, "x[0] = 1;", "o[0] = x[0];", true},
        {"two write", blocks, "x[0] = 1;", "x[0] = 2;", true},
        {"an atomic function and volatile", blocks, "atomicExch((int*)x, 1);", "x[0] = 2;", true},
        {"volatile reads of what an atomic function writes", blocks, "atomicAdd((int*)x, 1);", "o[0] = x[0];", false},
    };
    for (const Case& one : cases)
        for (const char* const place : {"global", "shared"}) {
            if (place[0] == 's' && one.launch.grid.x > 1) continue;
            CAPTURE(one.name);
            CAPTURE(place);
            const std::string text = found(one, place);
            CHECK_MESSAGE(text.empty() == !one.is_wrong, text);
        }
}

TEST_CASE("a lock needs a fence behind taking it and one before giving it back, wide enough for who shares it") {
    const std::string add = "x[0] = x[0] + 1;\n", set = "x[0] = 2;\n";
    const std::string right = take + fence + add + fence + give,
                      right_in_block = take_in_block + block_fence + add + block_fence + give;
    const Case cases[] = {
        {"right", blocks, right, right, false},
        {"right in a block", warps, right_in_block, right_in_block, false},
        {"right in a block, wider fences", warps, right, right, false},
        {"no fence behind taking", blocks, take + set + fence + give, right, true},
        {"no fence behind taking, in a block", warps, take_in_block + set + block_fence + give, right_in_block, true},
        {"no fence before giving", blocks, take + fence + set + give, right, true},
        {"a fence of the block alone", blocks, take + block_fence + set + fence + give, right, true},
        {"a lock of the block alone", blocks, right_in_block, right_in_block, true},
        {"one without the lock", blocks, right, set, true},
    };
    for (const Case& one : cases) {
        CAPTURE(one.name);
        const std::string text = found(one, "global");
        CHECK_MESSAGE(text.empty() == !one.is_wrong, text);
    }
}

TEST_CASE("what is reported of races by volatile accesses") {
    const auto first_of = [](const Case& one) {
        const std::string text = found(one, "global");
        return text.substr(0, text.find('\n')) + '\n' + text.substr(text.find('\n', text.find('\n') + 1) + 1);
    };
    CHECK(first_of({"blocks", blocks, "x[0] = 1;", "o[0] = x[0];", true})
              .starts_with("race on memory[1]: test.cu:7 reads what test.cu:5 writes, in another block\n"
                           "volatile makes a thread access memory itself, and orders nothing: use an atomic, or hand "
                           "the element over by a flag, with __threadfence() before the flag is set and after it is "
                           "seen\n"));
    // As reductions were written when warps ran in lockstep.
    const gpu::RawKernel<void(const float*, float*)> sums(cu(R"(__global__ void sums(const float* x, float* z) {
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    volatile float* p = part;
    if (t < 32) {
        p[t] += p[t + 32];
        p[t] += p[t + 16];
    }
    if (t == 0) z[0] = p[0];
})"),
                                                           "sums");
    const auto x = gpu::ones<float>({64});
    auto z = gpu::zeros<float>({1});
    const gpu::CheckReport report = gpu::check([&] { sums({.grid = 1, .block = 64}, x, z); });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::missing_syncwarp);
    CHECK(contains(report.findings[0].advice, "__syncwarp()"));
    CHECK(report.findings[0].variable == "part");
}

TEST_CASE("the last block reads what the others wrote behind a fence") {
    const auto report_of = [](const std::string& fence_or_none) {
        const gpu::RawKernel<void(const float*, int, float*, float*)> total(
            cu("__device__ unsigned arrived = 0;\n"
               "__global__ void total(const float* x, int n, float* part, float* out) {\n__shared__ bool last;\n"
               "if (threadIdx.x == 0) {\npart[blockIdx.x] = x[blockIdx.x];\n" +
               fence_or_none +
               "last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;\n}\n__syncthreads();\n"
               "if (last && threadIdx.x == 0) {\nfloat t = 0;\nfor (int b = 0; b < gridDim.x; ++b) t += part[b];\n"
               "*out = t;\n}\n}\n"),
            "total");
        const auto x = gpu::ones<float>({4});
        auto part = gpu::zeros<float>({4}), out = gpu::zeros<float>({1});
        return gpu::check([&] { total({.grid = 4, .block = 32}, x, 4, part, out); });
    };
    CHECK(told(report_of("__threadfence();\n")) == "");
    const gpu::CheckReport report = report_of("");
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].advice ==
          "by atomicInc() at test.cu:6 a block knows that the others have come, not that what they wrote has: put "
          "__threadfence() between the write and atomicInc()");
}

TEST_CASE("a plain first look at what a loop around atomicCAS() changes") {
    const auto told_of = [](const std::string& look) {
        const gpu::RawKernel<void(const int*, int*)> largest(
            cu("__global__ void largest(const int* x, int* z) {\nconst int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "int seen = " + look + ";\nwhile (seen < x[i]) {\nconst int was = atomicCAS(z, seen, x[i]);\n"
               "if (was == seen) break;\nseen = was;\n}\n}\n"),
            "largest");
        const auto x = gpu::to_device(std::vector<int>{9, 3, 1, 4, 2, 7, 8, 5});
        auto z = gpu::zeros<int>({1});
        return told(gpu::check([&] { largest({.grid = 4, .block = 2}, x, z); }));
    };
    CHECK(contains(told_of("*z"), "the first look in front of a loop around atomicCAS() has to be atomic as well: read "
                                  "by atomicAdd() of 0, or through a pointer to volatile\n"));
    CHECK(told_of("atomicAdd(z, 0)") == "");
    CHECK(told_of("*(volatile int*)z") == "");
}
