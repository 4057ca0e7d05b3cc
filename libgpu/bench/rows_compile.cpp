// SPDX-License-Identifier: MIT
// How long a student waits for a kernel of 60 lines: compiled, and from the cache on disk.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gpu/gpu.hpp>

#include "fiber_kernels.hpp"
#include "measure.hpp"

namespace bench {

namespace {

constexpr int kernels = 5;

// Three kernels and two functions in 60 lines; the number makes it another text.
std::string text_of(int number) {
    return "// kernel file " + std::to_string(number) + R"(
__device__ float clamp(float value, float low, float high) {
    return fminf(fmaxf(value, low), high);
}

__device__ float warp_sum(float value) {
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    return value;
}

__global__ void smooth(const float* x, float* y, int n) {
    __shared__ float tile[258];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
    tile[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x == 0) {
        tile[0] = i > 0 ? x[i - 1] : 0.0f;
        tile[257] = i + 256 < n ? x[i + 256] : 0.0f;
    }
    __syncthreads();
    if (i < n) y[i] = clamp((tile[t - 1] + tile[t] + tile[t + 1]) / 3.0f, -1.0f, 1.0f);
}

__global__ void transpose(const float* a, float* b, int n) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n) {
        tile[threadIdx.y][threadIdx.x] = a[y * n + x];
    }
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < n && y < n) {
        b[y * n + x] = tile[threadIdx.x][threadIdx.y];
    }
}

__global__ void reduce(const float* x, float* sums) {
    __shared__ float part[8];
    int t = threadIdx.x;
    int lane = t % 32;
    int warp = t / 32;

    float sum = warp_sum(x[blockIdx.x * 256 + t]);
    if (lane == 0) {
        part[warp] = sum;
    }
    __syncthreads();

    if (warp == 0) {
        sum = lane < 8 ? part[lane] : 0.0f;
        sum = warp_sum(sum);
        if (t == 0) {
            sums[blockIdx.x] = sum;
        }
    }
}
)";
}

double first_launch_ms(int number) {
    // Another kernel first: the workers start, the compiler is identified.
    gpu::Array<int> out = gpu::zeros<int>({256});
    const Barriers warm_up(std::string(barriers_text), "barriers");
    warm_up({.grid = 1, .block = 256}, out, 1);
    const gpu::Array<float> x = gpu::ones<float>({256});
    gpu::Array<float> sums = gpu::zeros<float>({1});
    gpu::synchronize();
    const Sum reduce(text_of(number), "reduce");
    const double ms = time_ms([&] {
        reduce({.grid = 1, .block = 256}, x, sums);
        gpu::synchronize();
    });
    expect("reduce", sums.item() == 256);
    return ms;
}

double ms_from_cache(int number) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    std::FILE* const pipe = ::popen(("'" + self + "' --from-cache " + std::to_string(number)).c_str(), "r");
    double ms = 0;
    const bool read = pipe != nullptr && std::fscanf(pipe, "%lf", &ms) == 1;
    expect("the process that loads from the cache", read && ::pclose(pipe) == 0);
    return ms;
}

}  // namespace

void print_time_from_cache(int number) { std::printf("%.4f\n", first_launch_ms(number)); }

// The cache is the caller's: a folder that is new and empty.
std::vector<Row> compile_rows() {
    std::vector<double> cold, cached;
    for (int number = 0; number < kernels; ++number) {
        cold.push_back(first_launch_ms(number));
        for (int again = 0; again < 3; ++again) cached.push_back(ms_from_cache(number));
    }
    return {{"kernel of 60 lines: compile, load, first launch", median(cold), "ms", 120, false},
            {"the same from the cache, in a new process", median(cached), "ms", 1, false}};
}

}  // namespace bench
