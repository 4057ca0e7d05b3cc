// SPDX-License-Identifier: MIT

// Exercise 21: work on several devices. exercise.hpp says what each function does.

#include "exercise.hpp"

double sum_of_squares(const std::vector<float>& x, int devices) {
    std::vector<gpu::Array<double>> sums;  // one on each device, of one element
    // ---- your code (about 4 lines) ----
    // TODO: For each device d: make it the current one, for as long as its turn of the loop lasts; bring its piece of x
    //       there; and queue the sum of its squares: gpu::sum<double> gives an array of one element, on the device.
    // ---- end ----
    double total = 0;
    for (const gpu::Array<double>& sum : sums) total += sum.item();
    return total;
}

// One step on a device's piece of u. Its n elements are u[1] to u[n]; u[0] and u[n + 1] are the halo.
GPU_KERNEL(step, (const float* u, float* next, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i <= n) next[i] = 0.25f * (u[i - 1] + 2 * u[i] + u[i + 1]);
)");

void exchange(std::vector<Piece>& pieces) {
    // ---- your code (about 4 lines) ----
    // TODO: Between each two neighbours, `left` and `right`: the last element of `left` goes into the first place of
    //       `right`, and the first element of `right` into the last place of `left`. A view of one element is
    //       u(gpu::slice(i, i + 1)), and view.to(device) brings it to another device.
    // ---- end ----
}

void advance(std::vector<Piece>& pieces) {
    for (Piece& piece : pieces) {
        // ---- your code (about 3 lines) ----
        // TODO: Launch step(...) on the device of this piece, in blocks of 256 threads; then u and next change places.
        // ---- end ----
    }
}
