// SPDX-License-Identifier: MIT
// Shows a module: a template for several types, and a constant that its kernels share.
#include <iostream>

#include <gpu/gpu.hpp>

int main() {
    // [module]
    const gpu::RawModule module(gpu::file("module.cu"), {.names = {"weighted<float, 1>", "weighted<double, 2>"}});
    module.symbol<float>("weights") = gpu::to_device({0.25f, 0.5f, 0.25f});
    const auto near = module.kernel<void(const float*, float*, int)>("weighted<float, 1>");
    const auto far = module.kernel<void(const double*, double*, int)>("weighted<double, 2>");
    // [/module]
    const gpu::Array<float> x = gpu::arange<float>(6);
    const gpu::Array<double> u = gpu::arange<double>(6);
    auto y = gpu::empty<float>({6});
    auto v = gpu::empty<double>({6});
    near({.grid = 1, .block = 32}, x, y, 6);
    far({.grid = 1, .block = 32}, u, v, 6);
    std::cout << "weighted<float, 1>   " << y << "\nweighted<double, 2>  " << v << "\n";
}
