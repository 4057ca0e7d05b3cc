// SPDX-License-Identifier: MIT

// Exercise 21: work on several devices. exercise.hpp says what each function does.

#include "exercise.hpp"

double sum_of_squares(const std::vector<float>& x, int devices) {
    std::vector<gpu::Array<double>> sums;  // one on each device, of one element
    // ---- your code (about 4 lines) ----
    // A raw kernel on each device: its threads stride over the piece, and add to the device's sum by atomics.
    GPU_KERNEL(add_squares, (const float* x, double* sum, int n), R"(
        const int first = blockIdx.x * blockDim.x + threadIdx.x;
        double own = 0;
        for (int i = first; i < n; i += gridDim.x * blockDim.x) own += double(x[i]) * x[i];
        atomicAdd(sum, own);
    )");
    for (int d = 0; d < devices; ++d) {
        const gpu::DeviceGuard guard{gpu::Device(d)};
        const auto [first, size] = range_of(x.size(), devices, d);
        const gpu::Array<float> piece = gpu::to_device(std::span(x).subspan(first, size));
        sums.push_back(gpu::zeros<double>(1));
        add_squares({.grid = 4, .block = 128}, piece, sums.back(), static_cast<int>(size));
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
    // What arrives is stored by a kernel, on the device that has got it.
    GPU_KERNEL(store, (const float* value, float* u, int i), "u[i] = *value;");
    const auto send = [&](const Piece& from, int element, Piece& to, int halo) {
        const gpu::Array<float> value = from.u(gpu::slice(element, element + 1)).to(to.u.device());
        const gpu::DeviceGuard guard(to.u.device());
        store({.grid = 1, .block = 1}, value, to.u, halo);
    };
    for (std::size_t d = 1; d < pieces.size(); ++d) {
        send(pieces[d - 1], pieces[d - 1].size, pieces[d], 0);
        send(pieces[d], 1, pieces[d - 1], pieces[d - 1].size + 1);
    }
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
