// SPDX-License-Identifier: MIT
#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench {

// Their twins stand in the kernels' source.
struct Places {
    std::int64_t shape[4], x[4], y[4], z[4];
};
struct Sums {
    std::int64_t kept[4], kept_x[4], kept_y[4], over[4], over_x[4], over_y[4];
};

namespace {

const char* const source = R"(
struct Places { long long shape[4], x[4], y[4], z[4]; };
struct Sums { long long kept[4], kept_x[4], kept_y[4], over[4], over_x[4], over_y[4]; };

__device__ double value(int function, double x, double y) {
    if (function == 1) return (x - y) * (x - y);
    if (function == 2) return x + y;
    if (function == 3) return x * x + 2 * y;
    if (function == 4) return 2 * x;
    if (function == 5) return x * y;
    if (function == 6) return x * x;
    return x;
}
__device__ bool far(double a, double expected, double allowed) {
    double size = fabs(expected) > 1 ? fabs(expected) : 1;
    return !(fabs(a - expected) <= allowed * size);
}
__global__ void count_wrong(Places p, int function, const float* x, const float* y, const float* z, long long n,
                            double allowed, unsigned* wrong) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        long long rest = i, at_x = 0, at_y = 0, at_z = 0;
        for (int axis = 3; axis >= 0; --axis) {
            long long k = rest % p.shape[axis];
            rest /= p.shape[axis];
            at_x += k * p.x[axis];
            at_y += k * p.y[axis];
            at_z += k * p.z[axis];
        }
        if (far(z[at_z], value(function, x[at_x], y[at_y]), allowed)) atomicAdd(wrong, 1u);
    }
}
__global__ void add_up(Sums s, int function, const float* x, const float* y, double* sums, long long outputs,
                       long long count, long long parts) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= outputs * parts) return;
    long long output = i % outputs, rest = output, from_x = 0, from_y = 0;
    for (int axis = 3; axis >= 0; --axis) {
        long long k = rest % s.kept[axis];
        rest /= s.kept[axis];
        from_x += k * s.kept_x[axis];
        from_y += k * s.kept_y[axis];
    }
    double sum = 0;
    for (long long j = i / outputs; j < count; j += parts) {
        long long left = j, at_x = from_x, at_y = from_y;
        for (int axis = 3; axis >= 0; --axis) {
            long long k = left % s.over[axis];
            left /= s.over[axis];
            at_x += k * s.over_x[axis];
            at_y += k * s.over_y[axis];
        }
        sum += value(function, x[at_x], y[at_y]);
    }
    atomicAdd(sums + output, sum);
}
__global__ void count_wrong_sums(const float* result, const double* sums, long long n, int root, double allowed,
                                 unsigned* wrong) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        if (far(result[i], root ? sqrt(sums[i]) : sums[i], allowed)) atomicAdd(wrong, 1u);
}
__global__ void count_before(const float* x, long long n, long long position, unsigned* before) {
    float most = x[position];
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        if (!(x[i] <= most) || (x[i] == most && i < position)) atomicAdd(before, 1u);
}
__global__ void distribution(const float* x, long long n, int normal, long long step, double* moments, unsigned* bins,
                             unsigned* outside) {
    double sum = 0, squares = 0;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        double value = x[i];
        bool inside = normal ? fabs(value) < 7 : value >= 0 && value < 1;
        if (!inside) atomicAdd(outside, 1u);
        sum += value;
        squares += value * value;
        double share = normal ? 0.5 * erfc(-value * 0.70710678118654752) : value;
        if (inside && i % step == 0) atomicAdd(bins + (share < 1 ? (int)(share * 256) : 255), 1u);
    }
    atomicAdd(moments, sum);
    atomicAdd(moments + 1, squares);
}
__device__ int mirrored(int k, int n) {
    while (k < 0 || k >= n) k = k < 0 ? -1 - k : 2 * n - 1 - k;
    return k;
}
__global__ void count_wrong_pixels(const float* image, const float* filter, const float* result, int rows, int columns,
                                   int size, double allowed, unsigned* wrong) {
    long long n = (long long)rows * columns;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        int row = (int)(i / columns), column = (int)(i % columns);
        double sum = 0;
        for (int k = 0; k < size; ++k)
            for (int l = 0; l < size; ++l)
                sum += (double)filter[k * size + l] * image[(long long)mirrored(row + size / 2 - k, rows) * columns +
                                                            mirrored(column + size / 2 - l, columns)];
        if (far(result[i], sum, allowed)) atomicAdd(wrong, 1u);
    }
}
)";

// Compiled once, when the first row is checked.
const gpu::RawModule& kernels() {
    static const gpu::RawModule module{gpu::Source(source)};
    return module;
}

using Counter = gpu::Array<std::uint32_t>;

gpu::LaunchConfig config(std::int64_t threads) {
    const std::int64_t blocks = std::clamp<std::int64_t>((threads + 255) / 256, 1, 1 << 14);
    return {.grid = blocks, .block = 256};
}

std::string told(const Counter& wrong, std::int64_t n) {
    const std::uint32_t count = wrong.item();
    if (count == 0) return "";
    return std::to_string(count) + " of " + std::to_string(n) + " elements differ from the double reference";
}

// A list of axes as the last of four.
void put(std::int64_t (&target)[4], const gpu::Extents& source_axes, std::int64_t filler) {
    for (std::int64_t& value : target) value = filler;
    for (int axis = 0; axis < source_axes.rank(); ++axis) target[4 - source_axes.rank() + axis] = source_axes[axis];
}

}  // namespace

std::string wrong_elements(Function function, const Window& x, const Window& y, const Window& z, double allowed) {
    Places places{};
    put(places.shape, z.shape(), 1);
    put(places.x, x.broadcast_to(z.shape()).strides(), 0);
    put(places.y, y.broadcast_to(z.shape()).strides(), 0);
    put(places.z, z.strides(), 0);
    Counter wrong = gpu::zeros<std::uint32_t>({1});
    const auto kernel =
        kernels()
            .kernel<void(Places, int, const float*, const float*, const float*, std::int64_t, double, std::uint32_t*)>(
                "count_wrong");
    kernel(config(z.size()), places, static_cast<int>(function), x.data(), y.data(), z.data(), z.size(), allowed,
           wrong);
    return told(wrong, z.size());
}

std::string wrong_sums(Function function, const Window& x, const Window& y, const Window& result,
                       const SumsOptions& options) {
    const Window same = y.broadcast_to(x.shape());
    gpu::Shape kept, over;
    gpu::Strides kept_x, kept_y, over_x, over_y;
    for (int axis = 0; axis < x.rank(); ++axis) {
        const bool reduced =
            options.axes.empty() || std::find(options.axes.begin(), options.axes.end(), axis) != options.axes.end();
        (reduced ? over : kept).append(x.shape()[axis]);
        (reduced ? over_x : kept_x).push_back(x.strides()[axis]);
        (reduced ? over_y : kept_y).push_back(same.strides()[axis]);
    }
    Sums sums{};
    put(sums.kept, kept, 1);
    put(sums.kept_x, kept_x, 0);
    put(sums.kept_y, kept_y, 0);
    put(sums.over, over, 1);
    put(sums.over_x, over_x, 0);
    put(sums.over_y, over_y, 0);
    const std::int64_t outputs = kept.size(), count = over.size();
    if (result.size() != outputs) return "the result has another size";
    // Some 2^20 threads, of at least 64 elements each.
    const std::int64_t parts =
        std::clamp<std::int64_t>((std::int64_t{1} << 20) / std::max<std::int64_t>(outputs, 1), 1, count / 64 + 1);
    gpu::Array<double> expected = gpu::zeros<double>({outputs});
    const auto add_up =
        kernels()
            .kernel<void(Sums, int, const float*, const float*, double*, std::int64_t, std::int64_t, std::int64_t)>(
                "add_up");
    add_up({.grid = (outputs * parts + 255) / 256, .block = 256}, sums, static_cast<int>(function), x.data(), y.data(),
           expected, outputs, count, parts);
    Counter wrong = gpu::zeros<std::uint32_t>({1});
    const auto compare = kernels().kernel<void(const float*, const double*, std::int64_t, int, double, std::uint32_t*)>(
        "count_wrong_sums");
    compare(config(outputs), result.data(), expected, outputs, static_cast<int>(options.root), options.allowed, wrong);
    return told(wrong, outputs);
}

std::string wrong_argmax(const Window& x, std::int64_t position) {
    if (position < 0 || position >= x.size()) return "the position is " + std::to_string(position);
    Counter before = gpu::zeros<std::uint32_t>({1});
    const auto kernel =
        kernels().kernel<void(const float*, std::int64_t, std::int64_t, std::uint32_t*)>("count_before");
    kernel(config(x.size()), x.data(), x.size(), position, before);
    if (before.item() == 0) return "";
    return std::to_string(before.item()) + " elements are larger, or equal and before it";
}

std::string wrong_distribution(const Floats& x, bool normal) {
    const std::int64_t n = x.size(), step = std::max<std::int64_t>(1, n >> 22);
    gpu::Array<double> moments = gpu::zeros<double>({2});
    Counter bins = gpu::zeros<std::uint32_t>({256}), outside = gpu::zeros<std::uint32_t>({1});
    const auto kernel =
        kernels().kernel<void(const float*, std::int64_t, int, std::int64_t, double*, std::uint32_t*, std::uint32_t*)>(
            "distribution");
    kernel(config(n), x, n, static_cast<int>(normal), step, moments, bins, outside);
    if (outside.item() != 0) return std::to_string(outside.item()) + " numbers are out of range";
    const std::vector<double> sums = gpu::to_host(moments);
    const auto count = static_cast<double>(n);
    const double mean = sums[0] / count, variance = sums[1] / count - mean * mean;
    const double expected_mean = normal ? 0 : 0.5, expected_variance = normal ? 1 : 1.0 / 12;
    // Six standard deviations of a mean, and of a variance: sqrt((kurtosis - 1) / n) of it.
    const double kurtosis = normal ? 3 : 1.8;
    if (!(std::fabs(mean - expected_mean) <= 6 * std::sqrt(expected_variance / count) + 1e-7))
        return "the mean is " + std::to_string(mean);
    if (!(std::fabs(variance / expected_variance - 1) <= 6 * std::sqrt((kurtosis - 1) / count) + 1e-6))
        return "the variance is " + std::to_string(variance);
    const double expected = static_cast<double>((n + step - 1) / step) / 256;
    double chi_squared = 0;
    for (const std::uint32_t bin : gpu::to_host(bins)) chi_squared += (bin - expected) * (bin - expected) / expected;
    // 255 degrees of freedom: a standard deviation is 22.6.
    if (!(chi_squared <= 255 + 7 * 22.6)) return "of 256 bins, chi squared is " + std::to_string(chi_squared);
    return "";
}

std::string wrong_convolution(const Floats& image, const Floats& filter, const Floats& result) {
    if (result.shape() != image.shape()) return "the result has another shape";
    Counter wrong = gpu::zeros<std::uint32_t>({1});
    const auto kernel =
        kernels().kernel<void(const float*, const float*, const float*, int, int, int, double, std::uint32_t*)>(
            "count_wrong_pixels");
    kernel(config(image.size()), image, filter, result, static_cast<int>(image.shape()[0]),
           static_cast<int>(image.shape()[1]), static_cast<int>(filter.shape()[0]), 1e-5, wrong);
    return told(wrong, image.size());
}

}  // namespace bench
