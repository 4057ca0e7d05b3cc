// SPDX-License-Identifier: MIT
// Shows the four strings of a reduction kernel, and what becomes of a maximum whose identity is 0.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    // [growth]
    const gpu::ReductionKernel growth("T rate", "T y",
                                      "1 + rate",   // map: what is reduced, made of each element
                                      "a * b",      // reduce: two become one, in any order
                                      "y = a - 1",  // post: once for each result
                                      "1",          // identity: changes nothing in reduce
                                      "growth");
    const auto rates = gpu::to_device({0.5f, 0.25f, -0.5f, 0.5f}).reshape({2, 2});
    const gpu::Array<float> all = growth(rates), rows = growth(rates, {.axis = 1});
    // [/growth]
    const gpu::Array<float> none = growth(gpu::empty<float>({0}));
    std::printf("growth in all %g, of the rows %g and %g, of nothing %g\n", all.item(), rows(0).item(), rows(1).item(),
                none.item());

    const auto x = gpu::to_device({-3.f, -1.f, -7.f});
    // [largest]
    const gpu::ReductionKernel largest("T x", "T y", "x", "max(a, b)", "y = a", "0", "largest");
    // [/largest]
    const gpu::ReductionKernel mended("T x", "T y", "x", "max(a, b)", "y = a", "-INFINITY", "mended");
    const gpu::Array<float> top = largest(x), right = mended(x);
    std::printf("largest of -3, -1, -7: with identity 0 %g, with -INFINITY %g\n", top.item(), right.item());
    std::printf("Answer: %g\n", top.item());
}
