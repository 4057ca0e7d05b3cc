// SPDX-License-Identifier: MIT
// Kernels of one's own: modules, templates, constant memory, and a kernel's body in the program's file.
#include "support.hpp"

#include <string>

TEST_CASE("kernels: a module of two functions") {
    // loaded_from_source = r'''extern "C" { __global__ void test_sum(...) ... __global__ void test_multiply(...) ...
    // }'''
    // module = cp.RawModule(code=loaded_from_source)
    const gpu::RawModule module(R"(
extern "C" {
__global__ void test_sum(const float* x1, const float* x2, float* y, unsigned int N) {
    unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (tid < N) y[tid] = x1[tid] + x2[tid];
}
__global__ void test_multiply(const float* x1, const float* x2, float* y, unsigned int N) {
    unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (tid < N) y[tid] = x1[tid] * x2[tid];
}
})");
    // ker_sum = module.get_function('test_sum');  ker_times = module.get_function('test_multiply')
    using Signature = void(const float*, const float*, float*, unsigned);
    const auto ker_sum = module.kernel<Signature>("test_sum"), ker_times = module.kernel<Signature>("test_multiply");
    // N = 10;  x1 = cp.arange(N**2, dtype=cp.float32).reshape(N, N);  x2 = cp.ones((N, N), dtype=cp.float32)
    const unsigned n = 10;
    const gpu::Array<float> x1 = gpu::arange<float>(n * n).reshape({n, n}), x2 = gpu::full<float>({n, n}, 3);
    gpu::Array<float> y = gpu::zeros<float>({n, n});
    // ker_sum((N,), (N,), (x1, x2, y, N**2));  assert cp.allclose(y, x1 + x2)
    ker_sum({.grid = n, .block = n}, x1, x2, y, n * n);
    CHECK(values(y) == values(gpu::Array<float>(x1 + x2)));
    // ker_times((N,), (N,), (x1, x2, y, N**2));  assert cp.allclose(y, x1 * x2)
    ker_times[{n, n}](x1, x2, y, n * n);
    CHECK(values(y) == values(gpu::Array<float>(x1 * x2)));
}

TEST_CASE("kernels: instances of a template by their names") {
    // code = 'template<typename T> __global__ void fx3(T* arr, int N) {...}';  name_exp = ['fx3<float>', 'fx3<double>']
    // mod = cp.RawModule(code=code, options=('-std=c++11',), name_expressions=name_exp)
    const gpu::RawModule mod(R"(
template <typename T> __global__ void fx3(T* arr, int N) {
    unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < N) arr[tid] = arr[tid] * 3;
}
)",
                             {.names = {"fx3<float>", "fx3<double>"}});
    // ker_float = mod.get_function(name_exp[0]);  a = cp.arange(N, dtype=cp.float32);  ker_float((1,), (N,), (a, N))
    const int n = 10;
    gpu::Array<float> a = gpu::arange<float>(n);
    mod.kernel<void(float*, int)>("fx3<float>")({.grid = 1, .block = n}, a, n);
    CHECK(values(a) == std::vector<float>{0, 3, 6, 9, 12, 15, 18, 21, 24, 27});
    // ker_double((1,), (N,), (a, N))
    gpu::Array<double> b = gpu::arange<double>(n);
    mod.kernel<void(double*, int)>("fx3<double>")({.grid = 1, .block = 16}, b, n);
    CHECK(values(b) == std::vector<double>{0, 3, 6, 9, 12, 15, 18, 21, 24, 27});
}

TEST_CASE("kernels: constant memory") {
    // __constant__ float coef[3];  memptr = module.get_global('coef');  coef = cp.ndarray((3,), cp.float32, memptr)
    const gpu::RawModule module(R"(
__constant__ float coef[3];
extern "C" __global__ void polynomial(const float* x, float* y, int n) {
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (tid < n) y[tid] = coef[0] + x[tid] * (coef[1] + x[tid] * coef[2]);
}
)");
    auto coef = module.symbol<float>("coef");
    coef.copy_from({1, 2, 3});
    CHECK(values(coef) == std::vector<float>{1, 2, 3});
    const gpu::Array<float> x = gpu::arange<float>(5);
    gpu::Array<float> y = gpu::zeros<float>({5});
    const auto polynomial = module.kernel<void(const float*, float*, int)>("polynomial");
    polynomial({.grid = 1, .block = 32}, x, y, 5);
    CHECK(values(y) == std::vector<float>{1, 6, 17, 34, 57});
    // coef[...] = cp.array([0, 1, 0]): the next launch sees them
    coef = gpu::to_device({0.f, 1.f, 0.f});
    polynomial({.grid = 1, .block = 32}, x, y, 5);
    CHECK(values(y) == values(x));
}

namespace {

// @jit.rawkernel()
// def elementwise_copy(x, y, size):
//     tid = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
//     ntid = jit.gridDim.x * jit.blockDim.x
//     for i in range(tid, size, ntid): y[i] = x[i]
GPU_KERNEL(elementwise_copy, (const float* x, float* y, unsigned size), R"(
    unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned ntid = gridDim.x * blockDim.x;
    for (unsigned i = tid; i < size; i += ntid) y[i] = x[i];
)");

}  // namespace

TEST_CASE("kernels: a kernel's body in the program, called both ways") {
    // size = cp.uint32(2 ** 22);  x = cp.random.normal(size=(size,), dtype=cp.float32);  y = cp.empty((size,),
    // dtype=cp.float32)
    const unsigned size = 1 << 16;
    gpu::random::Generator rng(2);
    const gpu::Array<float> x = rng.normal<float>({size});
    gpu::Array<float> y = gpu::zeros<float>({size}), z = gpu::zeros<float>({size});
    // elementwise_copy((128,), (1024,), (x, y, size))
    elementwise_copy({.grid = 8, .block = 1024}, x, y, size);
    CHECK(gpu::all(x == y).item());
    // elementwise_copy[128, 1024](x, y, size)
    elementwise_copy[{8, 1024}](x, z, size);
    CHECK(gpu::all(x == z).item());
}

TEST_CASE("kernels: arguments that CuPy would pass as other bits") {
    // k((1,), (4,), (x, 2.0)): a Python float is a double, and the kernel's float gets half of its bits
    const gpu::RawKernel<> scale(R"(
extern "C" __global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }
)",
                                 "scale");
    gpu::Array<float> x = gpu::arange<float>(4);
    CHECK_THROWS_AS(scale({.grid = 1, .block = 4}, x, 2.0), gpu::DTypeError);
    scale({.grid = 1, .block = 4}, x, 2.f);
    CHECK(values(x) == std::vector<float>{0, 2, 4, 6});
    // k((1,), (4,), (x.T, ...)) of a window: CuPy passes the address and forgets the strides
    gpu::Array<float> wide = gpu::zeros<float>({4, 4});
    CHECK_THROWS_AS(scale({.grid = 1, .block = 4}, wide(gpu::all, gpu::slice(0, 2)), 2.f), gpu::ShapeError);
}

TEST_CASE("kernels: what a compiled kernel needs") {
    // add_kernel.attributes: {'max_threads_per_block': 1024, 'num_regs': 10, 'shared_size_bytes': 0, ...}
    const gpu::RawKernel<void(float*)> kernel(R"(
extern "C" __global__ void turn(float* x) {
    __shared__ float all[64];
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[63 - threadIdx.x];
}
)",
                                              "turn");
    const gpu::KernelAttributes attributes = kernel.attributes();
    CHECK(attributes.static_shared == 64 * sizeof(float));
    CHECK(attributes.max_threads_per_block >= 64);
    CHECK(kernel.source().find("all[63 - threadIdx.x]") != std::string::npos);
    gpu::Array<float> x = gpu::arange<float>(64);
    kernel({.grid = 1, .block = 64}, x);
    CHECK(values(x)[0] == 63);
}
