// SPDX-License-Identifier: MIT
#include "host/compile/kernel_variables.hpp"
#include "host/compile/refusals.hpp"
#include "host/compile/source_scan.hpp"
#include "host/support.hpp"

using namespace support;
using namespace gpu::detail::host;
using gpu::detail::tokens_of;

TEST_CASE("parameter names are found in lists of all kinds") {
    using Names = std::vector<std::string>;
    CHECK(parameter_names("(const float* x, float * __restrict__ y, int n)") == Names{"x", "y", "n"});
    CHECK(parameter_names("(const float*, int)") == Names{"", ""});
    CHECK(parameter_names("(Pair<int, float> p, dim3 d, unsigned long long k = (1 << 3))") == Names{"p", "d", "k"});
    CHECK(parameter_names("()").empty());
    CHECK(parameter_names("(void)").empty());
    CHECK(parameter_names("(float x[4] /* , y */, T* z)") == Names{"x", "z"});
}

TEST_CASE("synchronisation is seen in code alone") {
    const auto seen = [](const std::string& text) { return synchronises(tokens_of(text)); };
    CHECK(seen("__syncthreads();"));
    CHECK(seen("x = __syncthreads_count(1);"));
    CHECK(seen("__shfl_down_sync(m, v, 1);"));
    CHECK(seen("__ballot_sync(m, v);"));
    CHECK_FALSE(seen("// __syncthreads();\nf(\"__syncwarp()\"); /* __shfl_sync */"));
    CHECK_FALSE(seen("int sync = 1;"));
}

TEST_CASE("loops that may wait for another thread are seen") {
    const auto waits = [](const std::string& text) { return may_wait(tokens_of(text)); };
    CHECK(waits("volatile int* f = p; while (*f == 0) {}"));
    CHECK(waits("for (;;) { if (*(volatile int*)f) break; }"));
    CHECK(waits("while (atomicCAS(lock, 0, 1) != 0);"));
    CHECK(waits("do { k = 1; } while (atomicAdd(f, 0) < n);"));
    CHECK(waits("int load(int* f) { return atomicAdd(f, 0); } void g() { while (load(f) == 0) {} }"));
    CHECK_FALSE(waits("volatile int x = 1; x += 1;"));
    CHECK_FALSE(waits("for (int k = 0; k < n; ++k) atomicAdd(&bins[x[k]], 1);"));
    CHECK_FALSE(waits("do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (seen != old);"));
    CHECK_FALSE(waits("atomicAdd(y, 1); while (fabsf(x) < 2.f) x = x * x;"));
}

TEST_CASE("a variable that a condition declares is seen") {
    const auto declares = [](const std::string& text) { return declares_in_while(tokens_of(text)); };
    CHECK(declares("while (int left = n - k) {}"));
    CHECK(declares("while (const Node* next = node->next) {}"));
    CHECK_FALSE(declares("while (left = n - k) {}"));
    CHECK_FALSE(declares("while (a * b == c) {}"));
    CHECK_FALSE(declares("while (k < n) {}"));
}

TEST_CASE("a function that is no kernel is told from one") {
    const auto no_kernel = [](const std::string& text) { return is_no_kernel(tokens_of(text), "add"); };
    CHECK(no_kernel("__device__ float add(float a) { return a; }"));
    CHECK(no_kernel("int x;\nvoid add(float* a) { a[0] = 1; }\n__global__ void other() { add(0); }"));
    CHECK_FALSE(no_kernel("__global__ void add(float* a) {}"));
    CHECK_FALSE(no_kernel("template <class T>\n__global__ void __launch_bounds__(64) add(T* a) {}"));
    CHECK_FALSE(no_kernel("__device__ int add(int a) { return a; }\nvoid __global__ add(float* a) {}"));
    CHECK_FALSE(no_kernel("#define KERNEL __global__\nKERNEL void add(float* a) {}"));
    CHECK_FALSE(no_kernel("__global__ void other(float* a) { a[0] = add(1); }"));
}

TEST_CASE("dynamic shared memory is redirected wherever it is declared") {
    bool found = false;
    const auto rewritten = [&found](const std::string& text) {
        return with_shared_variables(text, tokens_of(text), found);
    };
    CHECK(rewritten("extern __shared__ float s[];\nint a;") ==
          "extern __thread   float s[] gpu_at_dynamic_shared;\nint a;");
    CHECK(found);
    CHECK(rewritten("__shared__ extern int a[]; extern   __shared__ char b[];") ==
          "  extern __thread int a[] gpu_at_dynamic_shared; extern __thread     char b[] "
          "gpu_at_dynamic_shared;");
    CHECK(rewritten("// extern __shared__ float s[];\n__shared__ int s[3];") ==
          "// extern __shared__ float s[];\n__shared__ int s[3];");
    CHECK_FALSE(found);
    CHECK(rewritten("template <class T> void f() { extern __shared__ T s[], t[][4]; }") ==
          "template <class T> void f() {                 T (&s)[] = (decltype(s))gpu_dynamic_shared, "
          "(&t)[][4] = (decltype(t))gpu_dynamic_shared; }");
    CHECK(found);
    CHECK(rewritten("void f() { static __shared__ int a[3]; extern __shared__ int b[4]; }") ==
          "void f() {        __shared__ int a[3];        __shared__ int b[4]; }");
    CHECK_FALSE(found);
    CHECK(rewritten("__shared__ alignas(16) float s[4], t;") == "alignas(16) __shared__  float s[4], t;");
}
