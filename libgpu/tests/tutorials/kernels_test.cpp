// SPDX-License-Identifier: MIT
// Kernels of one's own: elementwise, reduction, raw, fused; raw_arguments_test and raw_kernels_test have more.
//
// What the tutorials' programs get wrong, or what was right in older versions only, is corrected here:
// - my_add writes without looking where the array ends, which is right for an exact grid alone: `if (tid < n)`.
// - N**2, a 64-bit integer, is passed for an `unsigned int`: a typed signature takes an unsigned.
// - "'0' # identity value (that is, axis)": the identity is what a sum starts with, and has nothing to do with axes.
// - `@cupyp.fuse` and a `jit.` that nothing imports; `size(64, 64)` for `size=(64, 64)`; a print without brackets.
// - types promote as in NumPy 2 on both sides: see differences_test.cpp.
// - float(x) isn't fast where print(x) is slow: both wait and copy once, see study_test.cpp.
#include "support.hpp"

TEST_CASE("kernels: squared_diff of two arrays, and of an array and a number") {
    // squared_diff = cp.ElementwiseKernel('float32 x, float32 y', 'float32 z', 'z = (x - y) * (x - y)', 'squared_diff')
    const gpu::ElementwiseKernel squared_diff("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y)",
                                              "squared_diff");
    // x = cp.arange(10, dtype=np.float32).reshape(2, 5);  y = cp.arange(5, dtype=np.float32)
    const gpu::Array<float> x = gpu::arange<float>(10).reshape({2, 5});
    const gpu::Array<float> y = gpu::arange<float>(5);
    // squared_diff(x, y)
    const gpu::Array<float> d = squared_diff(x, y);
    CHECK(values(d) == std::vector<float>{0, 0, 0, 0, 0, 25, 25, 25, 25, 25});
    // squared_diff(x, 5)
    const gpu::Array<float> five = squared_diff(x, 5);
    CHECK(values(five) == std::vector<float>{25, 16, 9, 4, 1, 0, 1, 4, 9, 16});
    // z = cp.empty((2, 5), dtype=np.float32);  squared_diff(x, y, z)
    gpu::Array<float> z = gpu::empty<float>({2, 5});
    squared_diff(x, y, gpu::out(z));
    CHECK(values(z) == std::vector<float>{0, 0, 0, 0, 0, 25, 25, 25, 25, 25});
}

TEST_CASE("kernels: type placeholders") {
    // squared_diff_generic = cp.ElementwiseKernel('T x, T y', 'T z', 'z = (x - y) * (x - y)', 'squared_diff_generic')
    const gpu::ElementwiseKernel generic("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff_generic");
    const gpu::Array<double> d = generic(gpu::arange<double>(5), 2);
    CHECK(values(d) == std::vector<double>{4, 1, 0, 1, 4});
    const gpu::Array<int> i = generic(gpu::arange<int>(5), gpu::full<int>({5}, 4));
    CHECK(values(i) == std::vector<int>{16, 9, 4, 1, 0});
    // squared_diff_generic with T diff = x - y; z = diff * diff;
    const gpu::ElementwiseKernel diff("T x, T y", "T z", "T diff = x - y;\nz = diff * diff;", "squared_diff_generic");
    const gpu::Array<float> f = diff(gpu::arange<float>(5), 2);
    CHECK(values(f) == std::vector<float>{4, 1, 0, 1, 4});
    // squared_diff_super_generic = cp.ElementwiseKernel('X x, Y y', 'Z z', 'z = (x - y) * (x - y)', ...)
    const gpu::ElementwiseKernel super_generic("X x, Y y", "Z z", "z = (x - y) * (x - y)",
                                               "squared_diff_super_generic");
    gpu::Array<double> z = gpu::empty<double>({5});
    super_generic(gpu::arange<int>(5), gpu::full<float>({5}, 1.5f), gpu::out(z));
    CHECK(values(z) == std::vector<double>{2.25, 0.25, 0.25, 2.25, 6.25});
}

TEST_CASE("kernels: l2norm by a reduction kernel") {
    // l2norm_kernel = cp.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = sqrt(a)', '0', 'l2norm')
    const gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    // x = cp.arange(10, dtype=np.float32).reshape(2, 5);  l2norm_kernel(x, axis=1)
    const gpu::Array<float> x = gpu::arange<float>(10).reshape({2, 5});
    const gpu::Array<float> rows = l2norm(x, {.axis = 1});
    CHECK(close(values(rows), {5.477226f, 15.9687195f}));  // array([ 5.477226 , 15.9687195], dtype=float32)
    const gpu::Array<float> all = l2norm(x);
    CHECK(all.rank() == 0);
    CHECK(all.item() == doctest::Approx(std::sqrt(285.0)));
}

TEST_CASE("kernels: my_add in CUDA C++") {
    // add_kernel = cp.RawKernel(r'''extern "C" __global__ void my_add(...)''', 'my_add')
    const gpu::RawKernel<void(const float*, const float*, float*, int)> add_kernel(R"(
extern "C" __global__ void my_add(const float* x1, const float* x2, float* y, int n) {
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (tid < n) y[tid] = x1[tid] + x2[tid];
}
)",
                                                                                   "my_add");
    // x1 = cp.arange(25, dtype=cp.float32).reshape(5, 5);  x2 = the same;  y = cp.zeros((5, 5), dtype=cp.float32)
    const gpu::Array<float> x1 = gpu::arange<float>(25).reshape({5, 5});
    const gpu::Array<float> x2 = gpu::arange<float>(25).reshape({5, 5});
    const gpu::Array<float> doubled = 2.f * gpu::arange<float>(25);
    // add_kernel((5,), (5,), (x1, x2, y)), and grids that don't fit exactly
    for (const int block : {5, 8, 32}) {
        gpu::Array<float> y = gpu::zeros<float>({5, 5});
        add_kernel({.grid = (25 + block - 1) / block, .block = block}, x1, x2, y, 25);
        CHECK(values(y) == values(doubled));  // [[ 0., 2., 4., 6., 8.], [10., ...
    }
}

TEST_CASE("kernels: complex numbers in CUDA C++") {
    using Z = gpu::complex<float>;
    // complex_kernel = cp.RawKernel(r'''#include <cupy/complex.cuh> ...''', 'my_func'): here without a header
    const gpu::RawKernel<void(const Z*, const Z*, Z*, float, int)> complex_kernel(R"(
extern "C" __global__ void my_func(const complex<float>* x1, const complex<float>* x2, complex<float>* y, float a,
                                   int n) {
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (tid < n) y[tid] = x1[tid] + a * x2[tid];
}
)",
                                                                                  "my_func");
    // x1 = cp.arange(25, dtype=cp.complex64).reshape(5, 5);  x2 = 1j * x1;  y = cp.zeros((5, 5), dtype=cp.complex64)
    const gpu::Array<Z> x1 = gpu::arange<float>(25).reshape({5, 5}).astype<Z>();
    const gpu::Array<Z> x2 = Z(0, 1) * x1;
    gpu::Array<Z> y = gpu::zeros<Z>({5, 5});
    // complex_kernel((5,), (5,), (x1, x2, y, cp.float32(2.0)))
    complex_kernel({.grid = 5, .block = 5}, x1, x2, y, 2.f, 25);
    const auto got = values(y);  // [[ 0. +0.j, 1. +2.j, 2. +4.j, ...
    for (int k = 0; k < 25; ++k) {
        CHECK(got[static_cast<std::size_t>(k)] == Z(static_cast<float>(k), 2 * static_cast<float>(k)));
    }
}

TEST_CASE("kernels: two functions of one source, over a grid with a last block that is too large") {
    const char* const source = R"(
extern "C" {
__global__ void test_sum(const float* x1, const float* x2, float* y, unsigned int N) {
    unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (tid < N) y[tid] = x1[tid] + x2[tid];
}
__global__ void test_multiply(const float* x1, const float* x2, float* y, unsigned int N) {
    unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (tid < N) y[tid] = x1[tid] * x2[tid];
}
})";
    using Signature = void(const float*, const float*, float*, unsigned);
    const gpu::RawKernel<Signature> ker_sum(source, "test_sum"), ker_times(source, "test_multiply");
    // N = 10;  x1 = cp.arange(N**2, dtype=cp.float32).reshape(N, N);  x2 = cp.ones((N, N), dtype=cp.float32)
    const unsigned n = 10;
    const gpu::Array<float> x1 = gpu::arange<float>(n * n).reshape({n, n});
    const gpu::Array<float> x2 = gpu::ones<float>({n, n});
    gpu::Array<float> y = gpu::zeros<float>({n, n});
    // ker_sum((N,), (N,), (x1, x2, y, N**2));  assert cp.allclose(y, x1 + x2)
    ker_sum({.grid = n, .block = n + 6}, x1, x2, y, n * n);
    const gpu::Array<float> sum = x1 + x2;
    CHECK(values(y) == values(sum));
    // ker_times((N,), (N,), (x1, x2, y, N**2));  assert cp.allclose(y, x1 * x2)
    ker_times({.grid = n, .block = n + 6}, x1, x2, y, n * n);
    CHECK(values(y) == values(x1));
}

TEST_CASE("kernels: fused functions") {
    // @cp.fuse()  def squared_diff(x, y): return (x - y) * (x - y)
    const auto squared_diff = gpu::fuse([](auto a, auto b) { return (a - b) * (a - b); });
    // x_cp = cp.arange(10);  y_cp = cp.arange(10)[::-1];  squared_diff(x_cp, y_cp)
    const gpu::Array<int> x = gpu::arange<int>(10);
    const gpu::Array<int> ramp = gpu::arange<int>(10);
    const gpu::Counts before = gpu::counts();
    const gpu::Array<int> d = squared_diff(x, ramp(gpu::slice(gpu::none, gpu::none, -1)));
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(values(d) == std::vector<int>{81, 49, 25, 9, 1, 1, 9, 25, 49, 81});
    // @cp.fuse()  def sum_of_products(x, y): return cp.sum(x * y, axis=-1)
    const auto sum_of_products = gpu::fuse([](auto a, auto b) { return gpu::sum(a * b, {.axis = -1}); });
    const gpu::Array<float> p = gpu::arange<float>(10).reshape({2, 5});
    const gpu::Counts middle = gpu::counts();
    const gpu::Array<float> s = sum_of_products(p, p);
    CHECK((gpu::counts() - middle).launches == 1);
    CHECK(values(s) == std::vector<float>{30, 255});
}
