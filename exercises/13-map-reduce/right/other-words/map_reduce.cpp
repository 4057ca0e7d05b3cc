// SPDX-License-Identifier: MIT

// Exercise 13: three reduction kernels. Each is four strings of CUDA C++; the library writes the loops, the tree and
// the launches around them. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> norms(const gpu::Array<float>& a, int axis) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        "double(x) * x",
        "a + b",
        "y = float(sqrt(a))",
        "0",
        // ---- end ----
        "norm");
    // ---- your code (1 line) ----
    return kernel(a, {.axis = axis});
    // ---- end ----
}

gpu::Array<float> row_maxima(const gpu::Array<float>& a) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        "x",
        "isnan(a) || isnan(b) ? NAN : max(a, b)",
        "y = a",
        "-INFINITY",                // less than any element: 0 would win over a row of negative ones
        // ---- end ----
        "row_maximum");
    return kernel(a, {.axis = 1});
}

gpu::Array<float> masked_means(const gpu::Array<float>& a, const gpu::Array<bool>& mask) {
    static const gpu::ReductionKernel kernel(
        "float32 x, bool chosen", "float32 y",
        // ---- your code (about 6 lines) ----
        "part(x, chosen)",
        "a + b",
        "y = a.sum / a.count",               // 0 / 0 is the NaN of a row without any
        "part(0, false)", "masked_mean",
        {.preamble = R"(
            struct Part { double sum; long long count; };
            __device__ Part operator+(Part a, Part b) { return {a.sum + b.sum, a.count + b.count}; }
            __device__ Part part(float x, bool chosen) { return {chosen ? x : 0, chosen}; })",
         .reduce_type = "Part"});
    // ---- end ----
    return kernel(a, mask, {.axis = 1});
}
