// SPDX-License-Identifier: MIT

// Exercise 13: three reduction kernels. Each is four strings of CUDA C++; the library writes the loops, the tree and
// the launches around them. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> norms(const gpu::Array<float>& a, int axis) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        // Without squares that could overflow: two norms together have the norm hypot(a, b).
        "abs(x)",
        "hypot(a, b)",
        "y = a",
        "0",
        // ---- end ----
        "norm");
    // ---- your code (1 line) ----
    return kernel(a.swapaxes(0, axis), {.axis = 0});  // a view whose first axis is the one to reduce
    // ---- end ----
}

gpu::Array<float> row_maxima(const gpu::Array<float>& a) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        // The largest element is minus the smallest of the negative ones.
        "-x",
        "a != a || a < b ? a : b",
        "y = -a",
        "INFINITY",
        // ---- end ----
        "row_maximum");
    return kernel(a, {.axis = 1});
}

gpu::Array<float> masked_means(const gpu::Array<float>& a, const gpu::Array<bool>& mask) {
    static const gpu::ReductionKernel kernel(
        "float32 x, bool chosen", "float32 y",
        // ---- your code (about 6 lines) ----
        // No double: a sum is two floats, what Knuth's addition rounds off is added up beside it.
        "chosen ? Part{x, 0, 1} : Part{0, 0, 0}", "together(a, b)",
        "y = isfinite(a.sum) ? (double(a.sum) + a.lost) / a.count : a.sum",
        "Part{0, 0, 0}", "masked_mean",
        {.preamble = R"(
            struct Part { float sum, lost; int count; };
            __device__ Part together(Part a, Part b) {
                const float sum = a.sum + b.sum, of_b = sum - a.sum;
                const float lost = (a.sum - (sum - of_b)) + (b.sum - of_b);
                return {sum, a.lost + b.lost + lost, a.count + b.count};
            })",
         .reduce_type = "Part"});
    // ---- end ----
    return kernel(a, mask, {.axis = 1});
}
