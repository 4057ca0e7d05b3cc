// SPDX-License-Identifier: MIT
// Shows how much of its lanes' work a warp wastes, for several shapes of it, where a loop's length depends on the row.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

// [times_dense]
// The elements of row r of the sparse matrix have the numbers begin[r] to begin[r + 1] - 1; x is the dense one.
GPU_KERNEL(times_dense,
           (const int* begin, const int* column_of, const float* value, const float* x, float* y, int rows,
            int columns),
           R"(
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const int end = begin[row + 1];
    float sum = 0.0f;
    for (int k = begin[row]; k < end; ++k)
        sum += value[k] * x[column_of[k] * columns + column];
    y[row * columns + column] = sum;
)");
// [/times_dense]

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int rows = 128, columns = 64;
    std::vector<int> begin{0}, column_of;
    for (int row = 0; row < rows; ++row) {
        for (int k = 0; k < 1 + 29 * row % 64; ++k) column_of.push_back(2 * k);  // 1 to 64 elements in a row
        begin.push_back(static_cast<int>(column_of.size()));
    }
    const auto begins = gpu::to_device(begin), columns_of = gpu::to_device(column_of);
    const auto values = gpu::ones<float>(column_of.size()), x = gpu::ones<float>({rows, columns});
    auto y = gpu::zeros<float>({rows, columns});
    double percent[33] = {};
    for (const int width : {32, 16, 8, 4, 2, 1}) {  // a warp is `width` columns of 32 / width rows
        const gpu::Dim3 block(width, 256 / width), grid(columns / width, (rows * width + 255) / 256);
        const gpu::CheckReport report = gpu::check([&] {
            times_dense({.grid = grid, .block = block}, begins, columns_of, values, x, y, rows, columns);
        });
        gpu::WorkCounts loop, store;  // of the line that reads most, and of the one that writes
        for (const gpu::LineCounts& line : report.kernels.at(0).lines) {
            if (line.work.global_reads > loop.global_reads) loop = line.work;
            if (line.work.global_writes > 0) store = line.work;
        }
        percent[width] = 100.0 * double(loop.global_reads) / (32.0 * double(loop.global_requests));
        std::printf("warp of %2d x %-2d  %5.1f %%  %2d sectors per write\n", width, 32 / width, percent[width],
                    int(store.global_sectors / store.global_requests));
    }
    std::printf("Answer: %.0f %% and %.0f %%\n", percent[32], percent[8]);
}
