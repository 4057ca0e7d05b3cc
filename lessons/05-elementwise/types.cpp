// SPDX-License-Identifier: MIT
// Shows the types of results: of two arrays, of an array and a number, and inside an operation.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    const auto ints = gpu::full<int>({1}, 16777217);  // 2^24 + 1: an int, and a double, but not a float
    const auto floats = gpu::ones<float>({1});
    const auto type = [](const auto& x) { return std::string(gpu::name(gpu::AnyArray(x).dtype())); };
    const gpu::Array<double> mixed = ints + floats;
    const gpu::Array<float> scaled = floats * 2.0;
    std::printf("int array + float array: %s, %.0f\n", type(mixed).c_str(), mixed.item());
    std::printf("float array * 2.0:       %s\n", type(scaled).c_str());
    std::printf("Answer: %s\n", type(mixed).c_str());

    // [operations]
    const gpu::ElementwiseKernel plain("X x, Y y", "Z z", "z = x + y", "plain");
    const gpu::ElementwiseKernel cast("X x, Y y", "Z z", "z = Z(x) + Z(y)", "cast");
    // [/operations]
    auto z = gpu::zeros<double>({1});
    plain(ints, floats, gpu::out(z));
    std::printf("z = x + y:       %.0f\nAnswer: %.0f\n", z.item(), z.item());
    cast(ints, floats, gpu::out(z));
    std::printf("z = Z(x) + Z(y): %.0f\n", z.item());
}
