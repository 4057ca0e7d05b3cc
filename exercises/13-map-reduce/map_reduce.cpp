// SPDX-License-Identifier: MIT

// Exercise 13: three reduction kernels. Each is four strings of CUDA C++; the library writes the loops, the tree and
// the launches around them. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> norms(const gpu::Array<float>& a, int axis) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        // TODO: These four add the elements up. Change what makes it a sum and not a norm, in one place or two.
        "x",      // map: what is reduced, made of an element x
        "a + b",  // reduce: two such values become one, over and over
        "y = a",  // post: the result y, once for each row or column, of the last value a
        "0",      // identity: what changes nothing in reduce, and is the value of nothing
        // ---- end ----
        "norm");
    // ---- your code (1 line) ----
    // TODO: Reduce along `axis` instead of over all elements: {.axis = ...} is the last argument.
    return kernel(a);
    // ---- end ----
}

gpu::Array<float> row_maxima(const gpu::Array<float>& a) {
    static const gpu::ReductionKernel kernel(
        "float32 x", "float32 y",
        // ---- your code (4 lines) ----
        // TODO: Map, reduce, post and identity. No comparison with a NaN is true, but x != x is, if x is one.
        "x", "a + b", "y = a", "0",
        // ---- end ----
        "row_maximum");
    return kernel(a, {.axis = 1});
}

gpu::Array<float> masked_means(const gpu::Array<float>& a, const gpu::Array<bool>& mask) {
    static const gpu::ReductionKernel kernel(
        "float32 x, bool chosen", "float32 y",
        // ---- your code (about 6 lines) ----
        // TODO: What must be known of a part of a row, so that two parts can become one? Write it as a struct Part in
        //       the preamble; then Part{..., ...} is a value for map, reduce and identity, and a.sum a member of it.
        "x", "a + b", "y = a", "0", "masked_mean",
        {.preamble = "struct Part { float sum; };", .reduce_type = "float32"});
    // ---- end ----
    return kernel(a, mask, {.axis = 1});
}
