// SPDX-License-Identifier: MIT

// Exercise 13: three reduction kernels. Each is four strings of CUDA C++; the library writes the loops, the tree and
// the launches around them. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> norms(const gpu::Array<float>& a, int axis) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        "x * x",
        "a + b",
        "y = sqrt(a)",  // once, at the end: the root of a sum isn't the sum of roots
        "0",
        // ---- end ----
        "norm");
    // ---- your code (1 line) ----
    // Into an array that is there: one element for each row, or for each column.
    gpu::Array<float> result = gpu::empty<float>(a.shape()[1 - axis]);
    kernel(a, {.axis = axis, .out = gpu::out(result)});
    return result;
    // ---- end ----
}

gpu::Array<float> row_maxima(const gpu::Array<float>& a) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        "x", "a != a || b != b ? a + b : fmaxf(a, b)",  // a sum keeps any NaN; fmaxf alone would drop it
        "y = a", "-INFINITY",
        // ---- end ----
        "row_maximum");
    return kernel(a, {.axis = 1});
}

gpu::Array<float> masked_means(const gpu::Array<float>& a, const gpu::Array<bool>& mask) {
    static const gpu::ReductionKernel kernel(
        "float32 x, bool chosen", "float32 y",
        // ---- your code (about 6 lines) ----
        // A part is a mean with its weight; two means together are weighed by how many elements each stands for.
        "chosen ? Part{x, 1} : Part{0, 0}", "together(a, b)",
        "y = a.count > 0 ? float(a.mean) : NAN", "Part{0, 0}", "masked_mean",
        {.preamble = R"(
            struct Part { double mean, count; };
            __device__ Part together(Part a, Part b) {
                const double count = a.count + b.count;
                return {count > 0 ? (a.mean * a.count + b.mean * b.count) / count : 0, count};
            })",
         .reduce_type = "Part"});
    // ---- end ----
    return kernel(a, mask, {.axis = 1});
}
