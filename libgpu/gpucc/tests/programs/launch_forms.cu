// SPDX-License-Identifier: MIT
// Launches in all forms that programs have.
#include <stdio.h>
#include <assert.h>
#define LAUNCH(k, n) k<<<(n + 31) / 32, 32>>>
#define RUN(kernel, ...) do { kernel<<<1, 32>>>(__VA_ARGS__); } while (0)
// a launch in a comment: f<<<1, 2>>>(x);
const char* text = "f<<<1,2>>>(x)"; /* g<<<1,1>>>() */
const char* raw = R"(h<<<3,4>>>(y);)";
namespace ns { namespace inner {
template <class T> struct Box { T v; __host__ __device__ T get() const { return v; } Box(T t) : v(t) { printf("host box\n"); } void print() { printf("box %d\n", (int)v); } };
__global__ void add(int* p, int v) { p[threadIdx.x] += v; }
template <class T> __global__ void add_box(T* p, Box<T> b) { p[threadIdx.x] += b.get(); }
} }
__global__ void set(int* p, int = 0) { p[threadIdx.x] = 1; }
__global__ void over(int* p) { p[0] = 10; }
__global__ void over(float* p) { p[0] = 20.5f; }
static __global__ void only_static(int* p) { p[1] = 77; }
extern "C" __global__ void plain_c(int* p) { p[2] = 78; }
template <typename F> __global__ void apply(int* p, F f) { p[threadIdx.x] = f(p[threadIdx.x]); }
struct Times { int k; __device__ int operator()(int x) const { return x * k; } };
enum class Op { add, mul };
template <Op op, bool flag = true> __global__ void with_op(int* p) { if (op == Op::mul && flag) p[threadIdx.x] *= 3; else p[threadIdx.x] += 3; }
template <class... A> __global__ void pack(int* p, A... a) { int s = 0; ((s += a), ...); p[threadIdx.x] = s; }
__global__ void __launch_bounds__(256, 2) bounded(int *p) { p[0]++; }
struct Launcher { int* p; void (*fn)(int*, int); void go() { fn<<<1, 32>>>(p, 3); this->fn<<<dim3(1), dim3{32, 1, 1}, 0, nullptr>>>(p, 4); } };
void show(const char* what, int* d) { int h[4]; cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); printf("%s %d %d %d %d\n", what, h[0], h[1], h[2], h[3]); }
int main() {
    int* d; cudaMalloc(&d, 32 * sizeof(int));
    set<<<1, 32>>>(d); show("set", d);
    ns::inner::add<<<1, 32>>>(d, 5); show("add", d);
    ::ns::inner::add << <1, 32>> >(d, 1 << 3); show("spaced", d);
    LAUNCH(ns::inner::add, 32)(d, 1); show("macro", d);
    RUN(ns::inner::add, d, 2); show("run", d);
    if (d) set<<<1, 32>>>(d); else set<<<1, 32>>>(d);
    for (int i = 0; i < 3; i++) ns::inner::add<<<dim3(1, 1), (i < 2 ? 32 : 16)>>>(d, i);
    show("loop", d);
    ns::inner::Box<int> b(4);
    ns::inner::add_box<<<1, 32>>>(d, b); show("box", d);
    ns::inner::add_box<int><<<1, 32>>>(d, b); show("box", d);
    over<<<1, 1>>>(d); over<<<1, 1>>>((float*)(d + 3)); only_static<<<1, 1>>>(d); plain_c<<<1, 1>>>(d);
    show("over", d);
    apply<<<1, 32>>>(d, Times{2}); show("apply", d);
    with_op<Op::mul><<<1, 32>>>(d); with_op<Op::add, (3 > 2)><<<1, 32>>>(d); show("op", d);
    pack<<<1, 32>>>(d, 1, 2, 3); show("pack", d);
    Launcher l{d, ns::inner::add}; l.go(); show("pointer", d);
    void (*table[2])(int*, int) = {ns::inner::add, set};
    table[0]<<<1, 32>>>(d, 100); (true ? table[0] : table[1])<<<1, 32>>>(d, 1000); show("table", d);
    auto lambda = [&](int v) { ns::inner::add<<<1, 32>>>(d, v); }; lambda(10000); show("lambda", d);
    bounded<<<1, 1>>>(d); show("bounded", d);
    void* args[] = {&d, nullptr}; int v = 7; args[1] = &v;
    cudaLaunchKernel((void*)ns::inner::add, dim3(1), dim3(32), args, 0, 0); show("launchkernel", d);
    int x = 1 << 2 << 3; printf("%d %s %s\n", x, text, raw);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 3;
}
