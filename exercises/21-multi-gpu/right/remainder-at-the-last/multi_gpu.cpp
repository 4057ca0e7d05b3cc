// SPDX-License-Identifier: MIT

// Exercise 21: work on several devices. exercise.hpp says what each function does.

#include "exercise.hpp"

double sum_of_squares(const std::vector<float>& x, int devices) {
    std::vector<gpu::Array<double>> sums;  // one on each device, of one element
    // ---- your code (about 4 lines) ----
    // Equal pieces, rounded down, and the last device takes what is left over as well.
    const std::size_t each = x.size() / static_cast<std::size_t>(devices);
    for (int d = 0; d < devices; ++d) {
        const gpu::DeviceGuard guard{gpu::Device(d)};
        const std::size_t first = each * static_cast<std::size_t>(d);
        const auto piece = gpu::to_device(std::span(x).subspan(first, d == devices - 1 ? x.size() - first : each));
        sums.push_back(gpu::sum<double>(gpu::square(piece)));
    }
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
    // Two sweeps: first everybody's last element goes to the right, then everybody's first one to the left.
    for (std::size_t d = 0; d + 1 < pieces.size(); ++d)
        pieces[d + 1].u(gpu::slice(0, 1)) = pieces[d].u(gpu::slice(-2, -1)).to(pieces[d + 1].u.device());
    for (std::size_t d = pieces.size() - 1; d > 0; --d)
        pieces[d - 1].u(gpu::slice(-1, gpu::none)) = pieces[d].u(gpu::slice(1, 2)).to(pieces[d - 1].u.device());
    // ---- end ----
}

void advance(std::vector<Piece>& pieces) {
    for (Piece& piece : pieces) {
        // ---- your code (about 3 lines) ----
        const gpu::DeviceGuard guard(piece.u.device());  // a raw kernel runs on the current device
        step({.grid = (piece.size + 255) / 256, .block = 256}, piece.u, piece.next, piece.size);
        std::swap(piece.u, piece.next);
        // ---- end ----
    }
}
