// SPDX-License-Identifier: MIT
// Shows one operation three ways: an expression, an elementwise kernel, and a function for arrays and Eigen.
#include <cstdio>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

int main() {
    const auto x = gpu::to_device({1.f, 2.f, 3.f}), y = gpu::full<float>({3}, 10);
    // [expression]
    const gpu::Array<float> a = 2 * x + y;
    // [/expression]
    // [kernel]
    const gpu::ElementwiseKernel axpy("T a, T x, T y", "T z", "z = a * x + y", "axpy");
    const gpu::Array<float> b = axpy(2, x, y);  // T is float: the arrays decide, numbers never do
    const gpu::Array<int> c = axpy(2, gpu::arange<int>(3), 10);
    // [/kernel]
    // [function]
    const auto function = gpu::fuse([](auto u, auto v) { return 2 * u + v; });
    const gpu::Array<float> d = function(x, y);
    const Eigen::ArrayXf e = function(Eigen::ArrayXf{{1, 2, 3}}, Eigen::ArrayXf{{10, 10, 10}});
    // [/function]
    for (const auto& each : {a, b, d}) std::printf("%s ", gpu::to_string(each).c_str());
    std::printf("%s\n%g %g %g on the CPU\n", gpu::to_string(c).c_str(), e[0], e[1], e[2]);
}
