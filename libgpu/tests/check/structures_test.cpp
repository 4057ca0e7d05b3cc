// SPDX-License-Identifier: MIT
// Structures as parameters and as elements: their size, and the padding that nobody writes.
#include "check/support.hpp"

using namespace support;

TEST_CASE("writes of several threads by wide stores race unless all write the same") {
    const std::string structure = "struct Body { float x, y, z, vx, vy, vz; };\n";
    const auto found = [&](const std::string& parameters, const std::string& body, auto... arrays) {
        const gpu::RawKernel<> kernel(cu(structure + "__global__ void k(" + parameters +
                                         ") {\n    int i = blockIdx.x * "
                                         "blockDim.x + threadIdx.x;\n" +
                                         body + "\n}"),
                                      "k");
        std::string kinds;
        for (const unsigned threads : {32U, 64U})
            for (const auto& finding : gpu::check([&] { kernel({.grid = 2, .block = threads}, arrays...); }).findings)
                (kinds += to_string(finding.kind)) += ' ';
        return kinds;
    };
    const auto p = gpu::zeros<float>({1024}), q = gpu::arange<float>(1024);
    const std::string arrays = "float* p, const float* q";
    for (const std::string& body : std::vector<std::string>{
             "((float4*)p)[0] = make_float4(i, 1, 2, 3);",
             "((float4*)p)[0] = make_float4(0, 1, 2, i);",
             "float4 v = ((const float4*)q)[i % 64]; v.w = i; ((float4*)p)[i / 2] = v;",
             "((Body*)p)[blockIdx.x == 0 ? threadIdx.x : 0] = ((const Body*)q)[i % 100];",
             "((float3*)p)[0] = ((const float3*)q)[i];",
             "memcpy(&p[i], &q[4 * i], 12);",
             "__shared__ Body s; s = ((const Body*)q)[i % 100]; __syncthreads(); p[i] = s.vz;"}) {
        CAPTURE(body);
        const std::string kinds = found(arrays, body, p, q);
        CHECK_FALSE(kinds.empty());
        CHECK(kinds.find("uninit") == std::string::npos);
    }
    for (const std::string& body : std::vector<std::string>{
             "((float4*)p)[0] = make_float4(4, 1, 2, 3);",
             "__shared__ float4 s; s = make_float4(1, 2, 3, 4); __syncthreads(); p[i] = s.x;",
             "__shared__ double2 s; s = make_double2(1, 2); __syncthreads(); p[i] = s.x;",
             "__shared__ float4 s; s = ((const float4*)q)[0]; __syncthreads(); p[i] = s.x;",
             "((Body*)p)[0] = ((const Body*)q)[3];", "memcpy(p, q, 12);",
             "__shared__ Body s; s = ((const Body*)q)[5]; __syncthreads(); p[i] = s.vz;"}) {
        CAPTURE(body);
        CHECK(found(arrays, body, p, q).empty());
    }
    const gpu::RawKernel<void(gpu::complex<double>*)> one(
        cu("__global__ void k(complex<double>* p) { p[0] = complex<double>(1, 2); }"), "k");
    auto z = gpu::zeros<gpu::complex<double>>({1});
    CHECK(told(gpu::check([&] { one({.grid = 2, .block = 64}, z); })).empty());
}

TEST_CASE("a structure, memset() or memcpy() over what another thread wrote is a race, however large it is") {
    auto p = gpu::zeros<float>({4096});
    const auto q = gpu::arange<float>(4096);
    const auto findings = [&](int size, const std::string& body) {
        const gpu::RawKernel<> kernel(cu("struct S { float v[" + std::to_string(size) +
                                         "]; };\n__global__ void k(float* p, const float* q) {\n    S* s = (S*)p;\n"
                                         "    const S* t = (const S*)q;\n    int i = threadIdx.x;\n" + body + "\n}"),
                                      "k");
        return gpu::check([&] { kernel({.grid = 1, .block = 64}, p, q); }).findings;
    };
    const auto is_race = [&](int size, const std::string& body) {
        CAPTURE(size);
        CAPTURE(body);
        const auto found = findings(size, body);
        REQUIRE(found.size() == 1);
        const bool is_one = found[0].kind == gpu::FindingKind::missing_barrier ||
                            found[0].kind == gpu::FindingKind::missing_syncwarp;
        CHECK_MESSAGE(is_one, found[0].what);
    };
    for (const int size : {3, 4, 6, 75}) {
        for (const int member : {0, size - 1}) {
            const std::string v = ".v[" + std::to_string(member) + "]";
            is_race(size, "if (i == 0) s[0]" + v + " = 77; else if (i == 1) s[0] = t[1];");
            is_race(size, "if (i == 1) s[0] = t[1]; __syncwarp(); if (i == 40) s[0]" + v + " = 77;");
            is_race(size, "__shared__ S own; if (i == 0) own" + v + " = 77; else if (i == 32) own = t[1];\n"
                          "__syncthreads(); if (i == 0) p[0] = own" + v + ";");
            is_race(size, "if (i == 0) s[0]" + v + " = 77; else if (i == 32) memset(s, 1, sizeof(S));");
            is_race(size, "if (i == 0) s[0]" + v + " = 77; else if (i == 32) memcpy(s, t + 1, sizeof(S));");
            CHECK(findings(size, "if (i == 0) s[0]" + v + " = t[1]" + v + "; else if (i == 32) s[0] = t[1];").empty());
        }
        is_race(size, "s[0] = t[i % 8];");
        is_race(size, "s[i / 2] = t[i % 8];");
        CHECK(findings(size, "s[0] = t[3];").empty());
        CHECK(findings(size, "if (i < 8) s[i] = t[i];").empty());
    }
}

TEST_CASE("a structure of 16 bytes is copied from and to wherever its members may lie") {
    struct S {
        float a, b, c, d;
    };
    auto p = gpu::zeros<float>({256}), q = gpu::arange<float>(256);
    auto* const to = reinterpret_cast<S*>(p.data());
    const auto* const from = reinterpret_cast<const S*>(q.data());
    for (const std::string& body : std::vector<std::string>{
             "__shared__ float first; __shared__ S t[64]; if (i == 0) first = 1; t[i] = q[i];\n"
             "__syncthreads(); p[i] = t[63 - i]; if (i == 5) p[i].d = first;",
             "__shared__ int buffer[260]; S* t = (S*)(buffer + 1); t[i] = q[i]; __syncthreads(); p[i] = t[63 - i];",
             "__shared__ S t; if (i == 0) t = q[1]; __syncthreads(); p[i] = t;"}) {
        CAPTURE(body);
        const gpu::RawKernel<void(S*, const S*)> kernel(
            cu("struct S { float a, b, c, d; };\n__global__ void k(S* p, const S* q) {\n    int i = threadIdx.x;\n" +
               body + "\n}"),
            "k");
        CHECK(told(gpu::check([&] { kernel({.grid = 1, .block = 64}, to, from); })).empty());
    }
}

namespace {

template <int count>
void check_parameter() {
    const std::string n = std::to_string(count);
    CAPTURE(n);
    struct S {
        int values[count];
    };
    const gpu::RawKernel<void(const S, int*)> sum(
        cu("struct S { int values[" + n + "]; };\n__global__ void sum(const S of, int* z) {\nint s = 0;\n"
           "for (int i = 0; i < " + n + "; ++i) s += of.values[i];\n"
           "z[blockIdx.x * blockDim.x + threadIdx.x] = s;\n}\n"),
        "sum");
    const gpu::RawKernel<void(S, int*)> change(
        cu("struct S { int values[" + n + "]; };\n__global__ void change(S of, int* z) {\n"
           "const int i = blockIdx.x * blockDim.x + threadIdx.x;\nof.values[i % " + n + "] += i;\n"
           "z[i] = of.values[i % " + n + "];\n}\n"),
        "change");
    S of;
    int total = 0;
    for (int i = 0; i < count; ++i) total += of.values[i] = i % 7;
    auto z = gpu::zeros<int>({96});
    CHECK(told(gpu::check([&] { sum({.grid = 2, .block = 48}, of, z); })) == "");
    CHECK(gpu::to_host(z) == std::vector<int>(96, total));
    CHECK(told(gpu::check([&] { change({.grid = 2, .block = 48}, of, z); })) == "");
    std::vector<int> changed;
    for (int i = 0; i < 96; ++i) changed.push_back(of.values[i % count] + i);
    CHECK(gpu::to_host(z) == changed);
}

}  // namespace

TEST_CASE("a structure by value may be as large as a GPU takes it") {
    check_parameter<3>();
    check_parameter<5>();
    check_parameter<128>();
    check_parameter<129>();
    check_parameter<150>();    // 600 bytes
    check_parameter<1024>();
    check_parameter<8000>();   // 32 KB
}

TEST_CASE("padding that nobody writes is copied with its structure, wherever that lies") {
    struct Members {
        const char *text, *set;
        int bytes;
        const char* before = "";
    };
    const Members all[] = {
        {"char c; double d; short s;", "at.c = 1; at.d = 2; at.s = 3;", 24},
        {"float distance; int id; bool hit;", "at.distance = 1; at.id = 2; at.hit = true;", 12},
        {"char c; float4 v;", "at.c = 1; at.v = make_float4(1, 2, 3, 4);", 32},
        {"float x, y, z;", "at.x = at.y = at.z = 1;", 16, "__align__(16) "},
        {"char c; float4 v[40]; char e;",
         "at.c = at.e = 1; for (int k = 0; k < 40; ++k) at.v[k] = make_float4(1, 2, 3, 4);", 672},
    };
    for (const Members& one : all)
        for (const char* const place : {"__shared__ S s[16]; S& at = s[threadIdx.x];",
                                        "S* s = (S*)x; S& at = s[threadIdx.x];",
                                        "S own[1];\nS& at = own[0]; S* const s = own;"})
            for (const bool is_set : {true, false}) {
                CAPTURE(one.text);
                CAPTURE(place);
                CAPTURE(is_set);
                const bool is_own = std::string_view(place).starts_with("S own");
                if (is_own && with_clang() && !is_set) continue;   // it sees no local array
                const gpu::RawKernel<void(std::int8_t*, std::int8_t*)> copy(
                    cu("struct " + std::string(one.before) + "S { " + one.text +
                       " };\n__global__ void copy(signed char* x, signed char* z) {\n" + place + "\n" +
                       (is_set ? one.set : "") +
                       "\n__syncthreads();\nS mine = s[" + (is_own ? "0" : "15 - threadIdx.x") +
                       "];\n((S*)z)[threadIdx.x] = mine;\n}\n"),
                    "copy");
                auto x = gpu::empty<std::int8_t>({16 * one.bytes}), z = gpu::empty<std::int8_t>({16 * one.bytes});
                const std::string text = told(gpu::check([&] { copy({.grid = 1, .block = 16}, x, z); }));
                CHECK_MESSAGE(text.empty() == is_set, text);
                if (!is_set) CHECK(text.starts_with("uninitialised: test.cu:"));
            }
}
