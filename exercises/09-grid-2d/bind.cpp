// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include <limits>
#include <string>

#include "exercise.hpp"

COURSE_BIND(fill)
COURSE_BIND(column_sums)

// A prediction goes to the grader as a number; one that isn't made is no number.
namespace predictions {

double predict_sectors(int columns, int bytes) {
    const int sectors = ::predict_sectors(columns, bytes);
    return sectors == 0 ? std::numeric_limits<double>::quiet_NaN() : sectors;
}

}  // namespace predictions

COURSE_BIND(predictions::predict_sectors)

// What a run shows: the kernel runs in check mode, and its requests are counted.
namespace shown {

template <class T>
double sectors_of(int columns, const char* name) {
    const gpu::DeviceGuard on_host(gpu::Device::host());
    const gpu::RawModule rows(R"(
        template <class T>
        __global__ void row_sums(const T* a, T* sums, int columns) {
            const int row = blockIdx.x * blockDim.x + threadIdx.x;  // a thread per row
            T sum = 0;
            for (int column = 0; column < columns; ++column) sum += a[row * columns + column];
            sums[row] = sum;
        })", {.names = {name}});
    const gpu::RawKernel<void(const T*, T*, int)> row_sums = rows.kernel<void(const T*, T*, int)>(name);
    constexpr int threads = 256;
    const gpu::Array<T> a = gpu::zeros<T>({threads, columns});
    gpu::Array<T> sums = gpu::empty<T>({threads});
    const gpu::CheckReport report =
        gpu::check([&] { row_sums({.grid = 2, .block = threads / 2}, a, sums, columns); });
    for (const gpu::KernelCounts& kernel : report.kernels)
        for (const gpu::LineCounts& line : kernel.lines)
            if (line.work.global_reads > 0)
                return static_cast<double>(line.work.global_sectors) / static_cast<double>(line.work.global_requests);
    return 0;
}

double sectors(int columns, int bytes) {
    return bytes == 4 ? sectors_of<float>(columns, "row_sums<float>") : sectors_of<double>(columns, "row_sums<double>");
}

}  // namespace shown

COURSE_BIND(shown::sectors)
