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
    // lazy: no reduction, but a thread for each row, or column, that runs along it
    static const gpu::ElementwiseKernel along("raw float32 x, int64 count, int64 step, int64 next", "float32 y", R"(
        double sum = 0;
        for (long long k = 0; k < count; ++k) {
            const double value = x[i * next + k * step];
            sum += value * value;
        }
        y = float(sqrt(sum));
    )", "norm_along");
    const std::int64_t rows = a.shape()[0], columns = a.shape()[1], one = 1;
    gpu::Array<float> y = gpu::empty<float>(axis == 1 ? rows : columns);
    along(a, axis == 1 ? columns : rows, axis == 1 ? one : columns, axis == 1 ? columns : one, gpu::out(y));
    return y;
    // ---- end ----
}

gpu::Array<float> row_maxima(const gpu::Array<float>& a) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        "x",
        "a != a || a > b ? a : b",  // a NaN in a stays; one in b comes through, as no comparison with it is true
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
        "chosen ? Part{x, 1} : Part{0, 0}",  // no chosen * x: 0 times NaN is NaN
        "Part{a.sum + b.sum, a.count + b.count}",
        "y = a.sum / a.count",               // 0 / 0 is the NaN of a row without any
        "Part{0, 0}", "masked_mean",
        {.preamble = "struct Part { double sum, count; };", .reduce_type = "Part"});
    // ---- end ----
    return kernel(a, mask, {.axis = 1});
}
