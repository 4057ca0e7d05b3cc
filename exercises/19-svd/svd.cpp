// SPDX-License-Identifier: MIT

// Exercise 19: an image, and a thousand small matrices, by their largest singular values.

#include "exercise.hpp"

Factors compress(const gpu::Array<float>& image, int k) {
    // ---- your code (about 2 lines) ----
    // TODO: Decompose the image, and keep what belongs to its k largest singular values: slices of U, S and Vt.
    return {gpu::zeros<float>({image.shape()[0], k}), gpu::zeros<float>({k}), gpu::zeros<float>({k, image.shape()[1]})};
    // ---- end ----
}

float residual(const gpu::Array<float>& image, const gpu::Array<float>& u, const gpu::Array<float>& s,
               const gpu::Array<float>& vt) {
    // ---- your code (about 2 lines) ----
    // TODO: The difference, without a matrix diag(S) and with one product; then the quotient of two norms.
    return 0;
    // ---- end ----
}

gpu::Array<float> compress_each(const gpu::Array<float>& stack, int k) {
    // ---- your code (about 3 lines) ----
    // TODO: The same as in part a, for all matrices at once, and their products. S needs one more axis, in between.
    return gpu::zeros<float>(stack.shape());
    // ---- end ----
}
