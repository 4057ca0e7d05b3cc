// SPDX-License-Identifier: MIT
// Each rule of check mode in each kind of memory: a rule or an exception that one kind lacks shows here.
#include <optional>
#include <string_view>

#include "check/support.hpp"

using namespace support;

namespace {

using enum gpu::FindingKind;

constexpr std::string_view memories[] = {"global", "shared", "__device__", "local"};

// What must be found: a kind, nothing, or (absent) the rule has no meaning in that memory.
struct Expected {
    constexpr Expected(gpu::FindingKind kind) : found(kind) {}
    constexpr Expected(bool meant) : is_meant(meant) {}
    std::optional<gpu::FindingKind> found;
    bool is_meant = true;
};
constexpr Expected nothing = true, absent = false;

// m is 64 ints that nobody has written (__device__: zeros), y 128 ints of the launch's own.
struct MemoryRule {
    std::string_view name, body;
    Expected expected[4];  // by memory
    int blocks = 1;
};

const MemoryRule rules[] = {
    {"another thread's value behind no barrier", "m[t] = t; y[t] = m[63 - t];",
     {missing_barrier, missing_barrier, missing_barrier, absent}},
    {"another thread's value behind a barrier", "m[t] = t; __syncthreads(); y[t] = m[63 - t];",
     {nothing, nothing, nothing, absent}},
    {"another lane's value behind nothing", "m[t] = 0; __syncthreads(); m[t] = t; y[t] = m[t ^ 1];",
     {missing_syncwarp, missing_syncwarp, missing_syncwarp, absent}},
    {"another lane's value behind __syncwarp()", "m[t] = t; __syncwarp(); y[t] = m[t ^ 1];",
     {nothing, nothing, nothing, absent}},
    {"another lane's value behind a shuffle", "m[t] = t; t += __shfl_sync(~0u, 0, 0); y[t] = m[t ^ 1];",
     {missing_syncwarp, missing_syncwarp, missing_syncwarp, absent}},
    {"the same value by all threads", "m[0] = 7; __syncthreads(); y[t] = m[0];", {nothing, nothing, nothing, absent}},
    {"each thread's own value by all", "m[0] = t; __syncthreads(); y[t] = m[0];",
     {missing_barrier, missing_barrier, missing_barrier, absent}},
    {"atomics by all", "if (t == 0) m[0] = 0; __syncthreads(); atomicAdd(&m[0], 1); __syncthreads(); y[t] = m[0];",
     {nothing, nothing, nothing, absent}},
    {"atomics, and a plain reset beside them",
     "if (t == 0) m[0] = 1; __syncthreads(); if (t == 0) m[0] = 0; atomicAdd(&m[0], 1);",
     {missing_barrier, missing_barrier, missing_barrier, absent}},
    {"atomics, and a plain read beside them",
     "if (t == 0) m[0] = 0; __syncthreads(); atomicAdd(&m[0], 1); y[t] = m[0];",
     {missing_barrier, missing_barrier, missing_barrier, absent}},
    {"a first look in front of atomicCAS()",
     "if (t == 0) m[0] = 0; __syncthreads();\n    int old = m[0], seen;\n"
     "    do { seen = old; old = atomicCAS(&m[0], seen, seen + t); } while (old != seen);",
     {nothing, nothing, nothing, absent}},
    {"atomicExch() as the first write", "atomicExch(&m[t], 1); y[t] = m[t];", {nothing, nothing, nothing, absent}},
    {"atomicAdd() to what nobody has written", "atomicAdd(&m[t], 1);",
     {uninitialized_read, uninitialized_read, nothing, absent}},
    {"a flag by volatile accesses, with fences",
     "volatile int* v = m;\n    if (t == 0) v[0] = 0;\n    __syncthreads();\n"
     "    if (t == 0) { m[1] = 5; __threadfence(); v[0] = 1; }\n"
     "    if (t == 32) { while (v[0] == 0) {} __threadfence(); y[0] = m[1]; }",
     {nothing, nothing, nothing, absent}},
    {"a flag by volatile accesses, without fences",
     "volatile int* v = m;\n    if (t == 0) v[0] = 0;\n    __syncthreads();\n"
     "    if (t == 0) { m[1] = 5; v[0] = 1; }\n    if (t == 32) { while (v[0] == 0) {} y[0] = m[1]; }",
     {missing_barrier, missing_barrier, missing_barrier, absent}},
    {"a volatile counter",
     "volatile int* v = m;\n    if (t == 0) v[0] = 0;\n    __syncthreads();\n    v[0] += 1;",
     {missing_barrier, missing_barrier, missing_barrier, absent}},
    {"a lock with fences",
     "if (t == 0) m[0] = m[1] = 0; __syncthreads();\n    if (t % 32 == 0) {\n"
     "        while (atomicCAS(&m[0], 0, 1) != 0) {}\n        __threadfence();\n        m[1] += 1;\n"
     "        __threadfence();\n        atomicExch(&m[0], 0);\n    }",
     {nothing, nothing, nothing, absent}},
    {"a lock without fences",
     "if (t == 0) m[0] = m[1] = 0; __syncthreads();\n    if (t % 32 == 0) {\n"
     "        while (atomicCAS(&m[0], 0, 1) != 0) {}\n        m[1] += 1;\n        atomicExch(&m[0], 0);\n    }",
     {missing_barrier, missing_barrier, missing_barrier, absent}},
    {"what nobody has written", "y[t] = m[t % 8];",
     {uninitialized_read, uninitialized_read, nothing, uninitialized_read}},
    {"what has been written", "for (int k = 0; k < 8; ++k) m[k] = k;\n    __syncthreads();\n    y[t] = m[t % 8];",
     {nothing, nothing, nothing, nothing}},
    {"a structure with padding, by its members",
     "Pair* p = (Pair*)m + (t & 0);\n    p->tag = 1; p->value = 2;\n    __syncthreads();\n    Pair q = *p;\n"
     "    y[t] = q.value;",
     {nothing, nothing, nothing, nothing}},
    {"an aligned structure with padding, by its members",
     "Triple* p = (Triple*)m + (t & 0);\n    p->x = 1; p->y = 2; p->z = 3;\n    __syncthreads();\n    Triple q = *p;\n"
     "    y[t] = (int)q.z;",
     {nothing, nothing, nothing, nothing}},
    {"a structure that nobody has written", "Pair q = *((Pair*)m + (t & 0)); y[t] = q.value + q.tag;",
     {uninitialized_read, uninitialized_read, nothing, uninitialized_read}},
    {"behind the end", "m[t + 8] = 1; y[t] = m[t + 8];", {out_of_bounds, out_of_bounds, out_of_bounds, absent}},
    {"behind the end of an own array", "m[t + 8] = 1; y[t] = m[t + 8];", {absent, absent, absent, out_of_bounds}},
    {"beside the alignment", "*(int*)((char*)m + 2 + 4 * (t & 0)) = 1;",
     {misaligned_access, misaligned_access, misaligned_access, misaligned_access}},
    {"another block's value",
     "if (t == 0) m[blockIdx.x] = 1;\n    y[64 * blockIdx.x + t] = t > 0 ? 0 : m[0] + m[blockIdx.x];",
     {inter_block_race, absent, inter_block_race, absent}, 2},
    {"the last block's sum, with a fence",
     "__shared__ bool last;\n    if (t == 0) {\n        m[blockIdx.x] = 1;\n        __threadfence();\n"
     "        last = atomicAdd(&y[127], 1) == 1;\n    }\n    __syncthreads();\n"
     "    if (last && t == 0) y[0] = m[0] + m[1];",
     {nothing, absent, nothing, absent}, 2},
    {"the last block's sum, without a fence",
     "__shared__ bool last;\n    if (t == 0) {\n        m[blockIdx.x] = 1;\n"
     "        last = atomicAdd(&y[127], 1) == 1;\n    }\n    __syncthreads();\n"
     "    if (last && t == 0) y[0] = m[0] + m[1];",
     {inter_block_race, absent, inter_block_race, absent}, 2},
};

// The kernels k0, k1, ... of all rules that are meant in this memory, in one text: one compile.
std::string kernels_in(std::size_t memory) {
    const std::string_view name = memories[memory];
    std::string text = "struct Pair { char tag; int value; };\nstruct __align__(16) Triple { float x, y, z; };\n";
    for (std::size_t k = 0; k < std::size(rules); ++k) {
        if (!rules[k].expected[memory].is_meant) continue;
        const bool is_small =
            rules[k].name == "behind the end of an own array" || rules[k].name == "what nobody has written";
        const std::string number = std::to_string(k), array = std::string("int m[") + (is_small ? "8" : "64") + "];\n";
        if (name == "__device__") text += "namespace n" + number + " {\n__device__ " + array;
        text += "__global__ void k" + number + "(" + (name == "global" ? "int* m, " : "") + "int* y) {\n";
        text += "    int t = threadIdx.x;\n";
        if (name == "shared") text += "    __shared__ __align__(16) " + array;
        if (name == "local") text += "    __align__(16) " + array;
        text += "    " + std::string(rules[k].body) + "\n}\n";
        if (name == "__device__") text += "}\n";
    }
    return text;
}

// The kinds of all findings, each with a blank behind it.
std::string found_by(const gpu::RawModule& module, std::size_t memory, std::size_t rule,
                     const std::string& schedule) {
    const std::string number = std::to_string(rule);
    const bool is_device = memories[memory] == "__device__";
    const auto kernel = module.kernel((is_device ? "n" + number + "::" : "") + "k" + number);
    auto m = gpu::empty<int>({64}), y = gpu::zeros<int>({128});
    const gpu::LaunchConfig config{.grid = rules[rule].blocks, .block = 64};
    const gpu::CheckReport report = gpu::check(
        [&] {
            if (memories[memory] == "global")
                kernel(config, m, y);
            else
                kernel(config, y);
        },
        {.schedule = schedule});
    std::string kinds;
    for (const gpu::Finding& finding : report.findings) (kinds += to_string(finding.kind)) += ' ';
    return kinds;
}

}  // namespace

TEST_CASE("each rule holds in each kind of memory") {
    for (std::size_t memory = 0; memory < std::size(memories); ++memory) {
        if (memories[memory] == "local" && with_clang()) continue;  // see with_clang()
        const gpu::RawModule module(cu(kernels_in(memory)));
        for (std::size_t k = 0; k < std::size(rules); ++k) {
            const Expected& expected = rules[k].expected[memory];
            if (!expected.is_meant) continue;
            CAPTURE(rules[k].name);
            CAPTURE(memories[memory]);
            for (const char* const schedule : {"fixed", "random:3"})
                CHECK(found_by(module, memory, k, schedule) ==
                      (expected.found ? std::string(to_string(*expected.found)) + ' ' : ""));
        }
    }
}
