// SPDX-License-Identifier: MIT
#include "check/support.hpp"

#include <cstdlib>

using namespace support;

TEST_CASE("an element that nobody has written is reported where it is read") {
    const gpu::RawKernel<void(const float*, float*)> add(cu(R"(
__global__ void add(const float* x, float* y) {
    y[threadIdx.x] += x[threadIdx.x];
}
)"),
                                                         "add");
    const auto x = gpu::arange<float>(64);
    const gpu::CheckReport report = gpu::check([&] {
        auto y = gpu::empty<float>(gpu::Shape{64});
        add({.grid = 1, .block = 64}, x, y);
    });
    CHECK(told(report) ==
          "uninitialised: test.cu:3 reads y[0], which nothing has written\n"
          "block (0,0,0), thread (0,0,0)\n"
          "gpu::empty gives an array of anything: write it before it is read, or make it with gpu::zeros\n");
}

TEST_CASE("a sum in fresh memory is uninitialised first, and a lost update where several threads add to it") {
    for (const std::string type : {"float", "int"}) {
        CAPTURE(type);
        const std::string source =
            "__global__ void add(const T* x, T* total) {\n    *total += x[threadIdx.x];\n}\n";
        const auto told_of = [&]<class T>(T) {
            const gpu::RawKernel<void(const T*, T*)> add(cu("using T = " + type + ";\n" + source), "add");
            const auto x = gpu::ones<T>({32});
            return told(gpu::check([&] {
                auto total = gpu::empty<T>(gpu::Shape{1});
                add({.grid = 1, .block = 32}, x, total);
            }));
        };
        CHECK((type == "int" ? told_of(0) : told_of(0.0f)) ==
              "uninitialised: test.cu:3 reads total[0], which nothing has written\n"
              "block (0,0,0), thread (0,0,0)\n"
              "gpu::empty gives an array of anything: write it before it is read, or make it with gpu::zeros\n"
              "lost update: test.cu:3 changes total[0] in several threads at once\n"
              "block (0,0,0): thread (1,0,0) reads, thread (0,0,0) writes\n"
              "each thread changes the value that it has read, and what others write in between is lost: use "
              "atomicAdd()\n");
    }
}

TEST_CASE("what is read before its missing barrier is a race, and no uninitialised element") {
    const gpu::RawKernel<void(const float*, float*)> sum(cu(R"(
__global__ void sum(const float* x, float* y) {
    __shared__ float part[64];
    part[threadIdx.x] = x[threadIdx.x];
    for (int half = 32; half > 0; half /= 2)
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    if (threadIdx.x == 0) y[0] = part[0];
}
)"),
                                                         "sum");
    const auto x = gpu::ones<float>({64});
    auto y = gpu::zeros<float>({1});
    const std::string text = told(gpu::check([&] { sum({.grid = 1, .block = 64}, x, y); }));
    CHECK(contains(text, "race on part["));
    CHECK_FALSE(contains(text, "uninitialised"));
    CHECK_FALSE(contains(text, "lost update"));
}

TEST_CASE("an element of a local array that the thread has not written is reported where it is read") {
    const gpu::RawKernel<void(float*)> sums(cu(R"(
__global__ void sums(float* y) {
    float part[4];
    float table[2][3];
    for (int k = 0; k < 3; ++k) part[k] = k;
    for (int k = 0; k < 5; ++k) table[k / 3][k % 3] = k;
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k)
        sum += part[k];
    for (int k = 0; k < 6; ++k)
        sum += table[k / 3][k % 3];
    y[threadIdx.x] = sum;
}
)"),
                                            "sums");
    auto y = gpu::zeros<float>(64);
    const gpu::CheckReport report = gpu::check([&] { sums({.grid = 1, .block = 64}, y); });
    if (with_clang()) {
        CHECK(report.clean());
        return;
    }
    CHECK(told(report) ==
          "uninitialised: test.cu:9 reads part[3], which nothing has written\n"
          "block (0,0,0), thread (0,0,0)\n"
          "a local array holds anything at first: write each element before it is read, or begin with values, as in "
          "part[...] = {}\n"
          "uninitialised: test.cu:11 reads table[1][2], which nothing has written\n"
          "block (0,0,0), thread (0,0,0)\n"
          "a local array holds anything at first: write each element before it is read, or begin with values, as in "
          "table[...] = {}\n");
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].times == 64);
    CHECK(report.findings[0].variable == "part");
}

TEST_CASE("a local array is a new one in each round of a loop and in each call, and each thread has its own") {
    const gpu::RawKernel<void(int*)> rounds(cu(R"(
__device__ int last(bool fills) {
    int values[4];
    if (fills)
        for (int k = 0; k < 4; ++k) values[k] = k;
    return values[3];
}
__global__ void rounds(int* y) {
    __shared__ int s[32];
    int own[2];
    if (threadIdx.x != 5) own[0] = own[1] = 1;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = own[s[threadIdx.x] % 2];
    y[threadIdx.x] += last(true);
    if (threadIdx.x == 7)
        y[threadIdx.x] += last(false);
}
)"),
                                            "rounds");
    auto y = gpu::zeros<int>(32);
    const gpu::CheckReport report = gpu::check([&] { rounds({.grid = 1, .block = 32}, y); });
    if (with_clang()) {
        CHECK(report.clean());
        return;
    }
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].variable == "own");
    CHECK(report.findings[0].who == "block (0,0,0), thread (5,0,0)");
    CHECK(report.findings[1].variable == "values");
    CHECK(report.findings[1].line == 6);
    CHECK(report.findings[1].times == 1);
}

TEST_CASE("shared memory that a block hasn't written is reported in every order of blocks") {
    for (const char* const schedule : {"fixed", "random:1", "random:7"})
        for (const int block : {0, 2})
            for (const char* const use :
                 {"o[blockIdx.x * 64 + t] = s[63 - t];", "s[t] += 1;", "atomicAdd(&s[t], 1);"}) {
                CAPTURE(schedule);
                CAPTURE(block);
                CAPTURE(use);
                const gpu::RawKernel<void(int*, int)> kernel(
                    cu("__global__ void k(int* o, int b) {\n__shared__ int s[64];\nconst int t = threadIdx.x;\n"
                       "if (blockIdx.x != b) s[t] = t;\n__syncthreads();\n" + std::string(use) + "\n}\n"),
                    "k");
                auto o = gpu::zeros<int>({256});
                const gpu::CheckReport report =
                    gpu::check([&] { kernel({.grid = 4, .block = 64}, o, block); }, {.schedule = schedule});
                REQUIRE(report.findings.size() == 1);
                CHECK(report.findings[0].what.starts_with("uninitialised: test.cu:6 reads s["));
                CHECK(report.findings[0].who.starts_with("block (" + std::to_string(block) + ",0,0), thread ("));
                CHECK(report.findings[0].times == 64);
            }
}

TEST_CASE("a block that has passed more barriers than the clock has ticks leaves nothing to the next one") {
    const gpu::RawKernel<void(int*)> kernel(cu("__global__ void k(int* o) {\n__shared__ int s[2];\n"
                                               "for (int i = 0; blockIdx.x == 0 && i < 70000; ++i) {\n"
                                               "s[threadIdx.x] = i;\n__syncthreads();\n}\n"
                                               "o[blockIdx.x * 2 + threadIdx.x] = s[1 - threadIdx.x];\n}\n"),
                                            "k");
    auto o = gpu::zeros<int>({4});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 2, .block = 2}, o); });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].what.starts_with("uninitialised: test.cu:7 reads s["));
    CHECK(report.findings[0].who.starts_with("block (1,0,0)"));
}

TEST_CASE("atomicExch() asks for nothing that was there; the other atomic functions do") {
    const auto told_of = [](const std::string& first, const std::string& memory) {
        const gpu::RawKernel<void(int*, int*)> kernel(
            cu("__global__ void k(int* x, int* o) {\n" + memory + "\nif (threadIdx.x == 0) " + first +
               "\n__syncthreads();\nif (threadIdx.x == 40) o[0] = *s;\n}\n"),
            "k");
        auto x = gpu::empty<int>({1}), o = gpu::zeros<int>({1});
        return told(gpu::check([&] { kernel({.grid = 1, .block = 64}, x, o); }));
    };
    for (const char* const memory : {"__shared__ int s[1];", "int* const s = x;"}) {
        CAPTURE(memory);
        CHECK(told_of("atomicExch(s, 0);", memory) == "");
        for (const char* const other : {"atomicAdd(s, 1);", "atomicCAS(s, 0, 1);", "atomicMax(s, 1);"})
            CHECK(contains(told_of(other, memory), "uninitialised: test.cu:3 reads "));
    }
}

TEST_CASE("a local variable that is read before the thread has written it") {
    const auto told_of = [](const std::string& body) {
        const gpu::RawKernel<void(const float*, float*, int)> kernel(
            cu("struct Pair { float a, b; };\ntemplate <class T> struct Owner { T t; __device__ Owner() : t(1) {} };\n"
               "__global__ void k(const float* x, float* z, int n) {\n" + body + "\n}\n"),
            "k");
        const auto x = gpu::ones<float>({8});
        auto z = gpu::zeros<float>({8});
        return told(gpu::check([&] { kernel({.grid = 1, .block = 8}, x, z, 8); }));
    };
    const std::string end = "\nz[threadIdx.x] = value;";
    const auto uninitialised = [](const std::string& name, int line) {
        return with_clang() ? std::string()
                            : "uninitialised: test.cu:" + std::to_string(line) + " reads " + name +
                                  ", which nothing has written";
    };
    const std::pair<std::string, std::string> wrong[] = {
        {"float value;\nfor (int k = 0; k < n; ++k)\nvalue += x[k];" + end, uninitialised("value", 6)},
        {"float other = 0, value;\nif (other > 1) value = 2;" + end, ""},   // with a value beside: not watched
        {"float value;\nif (x[0] > 1) value = 2;" + end, uninitialised("value", 6)},
        {"Pair p;\nfloat value = p.a;" + end, uninitialised("p", 5)},
        {"unsigned long long k, m;\nif (n > 100) k = m = 1;\nfloat value = k;" + end, uninitialised("k", 6)},
    };
    for (const auto& [body, what] : wrong) {
        CAPTURE(body);
        const std::string text = told_of(body);
        CHECK(text.substr(0, what.size()) == what);
        if (what.empty()) CHECK(text == "");
    }
    const std::string right[] = {
        "float value;\nvalue = 0;\nfor (int k = 0; k < n; ++k) value += x[k];" + end,
        "int k;\nfloat value = 0;\nfor (k = 0; k < n; ++k) value += x[k];" + end,
        "float value;\nif (x[0] > 1) value = 2;\nelse value = 3;" + end,
        "float value, other;\nsincosf(x[threadIdx.x], &value, &other);\nvalue += other;" + end,
        "int k;\nfloat value = frexpf(x[0], &k);\nvalue += k;" + end,
        "int all;\n__match_all_sync(255, n, &all);\nfloat value = all;" + end,
        "Pair p;\np.a = 1;\nPair q = p;\nfloat value = q.a;" + end,
        "Owner<float> one;\nfloat value = one.t;" + end,
        "float value;\nmemcpy(&value, x + threadIdx.x, 4);" + end,
        "float4 four;\nfour.x = 1;\nfloat value = four.x;" + end,
        "int old;\ndo {\nold = *(const volatile int*)x;\n} while (false);\nfloat value = old;" + end,
        "auto part = [&](int k) {\nfloat sum;\nif (k < 4) sum = 1; else sum = 2;\nreturn sum;\n};\n"
        "float value = part(n);" + end,
    };
    for (const std::string& body : right) {
        CAPTURE(body);
        CHECK(told_of(body) == "");
    }
}
