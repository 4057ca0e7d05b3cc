// SPDX-License-Identifier: MIT
// Shows the four strings of a reduction kernel, and what becomes of a maximum whose identity is 0.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    // [norm]
    const gpu::ReductionKernel norm("T x", "T y",
                                    "x * x",        // map: what is reduced, made of each element
                                    "a + b",        // reduce: two become one, in any order
                                    "y = sqrt(a)",  // post: once for each result
                                    "0",            // identity: changes nothing in reduce; the value of nothing
                                    "norm");
    const auto table = gpu::to_device({3.f, 4.f, 6.f, 8.f}).reshape({2, 2});
    const gpu::Array<float> all = norm(table), rows = norm(table, {.axis = 1});
    // [/norm]
    std::printf("norm of all %.4f, of the rows %g and %g\n", all.item(), rows(0).item(), rows(1).item());

    const auto x = gpu::to_device({-3.f, -1.f, -7.f});
    // [largest]
    const gpu::ReductionKernel largest("T x", "T y", "x", "max(a, b)", "y = a", "0", "largest");
    // [/largest]
    const gpu::ReductionKernel mended("T x", "T y", "x", "max(a, b)", "y = a", "-INFINITY", "mended");
    const gpu::Array<float> top = largest(x), right = mended(x);
    std::printf("largest of -3, -1, -7: with identity 0 %g, with -INFINITY %g\n", top.item(), right.item());
    std::printf("Answer: %g\n", top.item());
}
