// SPDX-License-Identifier: MIT
// Shows a fused function with a reduction in it, and whether an array of the squares is made.
#include <iostream>

#include <gpu/gpu.hpp>

int main() {
    // [fused]
    const auto lengths = gpu::fuse([](auto a) { return sqrt(gpu::sum(a * a, {.axis = -1})); });
    const auto x = gpu::to_device<float>({{3, 4}, {6, 8}, {5, 12}});
    const gpu::Array<float> of_rows = lengths(x);
    // [/fused]
    const gpu::Counts before = gpu::counts();
    const gpu::Array<float> of_many = lengths(gpu::ones<float>({1000, 1024}));
    const gpu::Counts work = gpu::counts() - before;
    std::cout << "lengths of the rows " << of_rows << ", of many " << of_many(0)
              << "\nan array of the squares: " << (work.bytes_allocated < 8'000'000 ? "none\n" : "one\n");
}
