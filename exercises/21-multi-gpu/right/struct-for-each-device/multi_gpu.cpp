// SPDX-License-Identifier: MIT

// Exercise 21: work on several devices. exercise.hpp says what each function does.

#include "exercise.hpp"

double sum_of_squares(const std::vector<float>& x, int devices) {
    std::vector<gpu::Array<double>> sums;  // one on each device, of one element
    // ---- your code (about 4 lines) ----
    // What belongs to a device stands together in a struct; one loop fills them, one computes, one collects.
    struct Worker {
        gpu::Device device;
        Range range;
        gpu::Array<float> elements = {};
    };
    std::vector<Worker> workers;
    for (int d = 0; d < devices; ++d) workers.push_back({gpu::Device(d), range_of(x.size(), devices, d)});
    for (Worker& worker : workers) {
        const gpu::DeviceGuard guard(worker.device);
        worker.elements = gpu::to_device(std::span(x).subspan(worker.range.first, worker.range.size));
    }
    for (Worker& worker : workers) {
        const gpu::DeviceGuard guard(worker.device);
        sums.push_back(gpu::sum<double>(worker.elements * worker.elements));
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
    // Four views by their names, and a line for each direction.
    const auto outermost_left = [](Piece& piece) { return piece.u(gpu::slice(1, 2)); };
    const auto outermost_right = [](Piece& piece) { return piece.u(gpu::slice(piece.size, piece.size + 1)); };
    const auto halo_left = [](Piece& piece) { return piece.u(gpu::slice(0, 1)); };
    const auto halo_right = [](Piece& piece) { return piece.u(gpu::slice(piece.size + 1, piece.size + 2)); };
    for (std::size_t d = 1; d < pieces.size(); ++d) {
        halo_left(pieces[d]) = outermost_right(pieces[d - 1]).to(pieces[d].u.device());
        halo_right(pieces[d - 1]) = outermost_left(pieces[d]).to(pieces[d - 1].u.device());
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
