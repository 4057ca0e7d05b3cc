// SPDX-License-Identifier: MIT
// What a call costs the program that makes it, on the current device: arrays so small that the work is next to nothing.
// What a kernel costs at its first call, when it must be compiled. And how long some linear algebra takes until its
// result is there. LIBGPU_DEVICE chooses the device.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using FloatArray = gpu::Array<float>;

struct Arrays {
    FloatArray image = gpu::ones<float>({32, 32}), filter = gpu::ones<float>({3, 3});
    FloatArray x = gpu::ones<float>({1000}), y = gpu::ones<float>({1000}), z = gpu::empty<float>({1000});
};

// Calls are timed in bursts that no queue is too short for; between two bursts the device catches up.
template <class Call>
void time_calls(benchmark::State& state, const Call& call) {
    constexpr int burst = 200;
    Arrays arrays;
    call(arrays);  // compiles
    gpu::synchronize();
    int queued = 0;
    for (auto _ : state) {
        call(arrays);
        if (++queued < burst) continue;
        state.PauseTiming();
        gpu::synchronize();
        queued = 0;
        state.ResumeTiming();
    }
    gpu::synchronize();
}

const gpu::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
const gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
const gpu::RawKernel<void(const float*, float*, int)> scale(
    "__global__ void scale(const float* x, float* z, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) z[i] = 2 * x[i];\n}\n",
    "scale");

// As long as a real kernel file: 200 lines.
const gpu::RawKernel<void(const float*, float*, int)> long_scale(
    [] {
        std::string text =
            "__global__ void scale(const float* x, float* z, int n) {\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
        for (int line = 4; line < 200; ++line) text += "    // line " + std::to_string(line) + " of a longer kernel\n";
        return text + "    if (i < n) z[i] = 2 * x[i];\n}\n";
    }(),
    "scale");

void expression(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { a.z = a.x + a.y; });
}
void longer_expression(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { a.z = gpu::sqrt(a.x * a.x + a.y * a.y) - 2.F * a.x; });
}
void elementwise_kernel(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { squared_diff(a.x, a.y, gpu::out(a.z)); });
}
void elementwise_kernel_with_new_output(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { benchmark::DoNotOptimize(squared_diff(a.x, a.y)); });
}
void raw_kernel(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { scale({.grid = 4, .block = 256}, a.x, a.z, 1000); });
}
void raw_kernel_of_200_lines(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { long_scale({.grid = 4, .block = 256}, a.x, a.z, 1000); });
}
void sum(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { benchmark::DoNotOptimize(gpu::sum(a.x)); });
}
void reduction_kernel(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { benchmark::DoNotOptimize(l2norm(a.x)); });
}
void item(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { benchmark::DoNotOptimize(gpu::sum(a.x).item()); });
}
void copy_to_device(benchmark::State& state) {
    const std::vector<float> host(1000, 1.F);
    time_calls(state, [&host](Arrays& a) { a.z.copy_from(host); });
}

void convolve2d(benchmark::State& state) {
    time_calls(state, [](Arrays& a) { benchmark::DoNotOptimize(gpu::signal::convolve2d(a.image, a.filter)); });
}

// A text that was never compiled before: each call has a number of its own, and there is no cache on disk.
template <class Kernel>
void time_first_calls(benchmark::State& state, const Kernel& kernel) {
    static int number = 0;
    Arrays arrays;
    gpu::synchronize();
    for (auto _ : state) {
        kernel(arrays, std::to_string(++number));
        gpu::synchronize();
    }
}
void first_call_of_an_elementwise_kernel(benchmark::State& state) {
    time_first_calls(state, [](Arrays& a, const std::string& number) {
        gpu::ElementwiseKernel("T x, T y", "T z", "z = x * y + " + number, "fresh")(a.x, a.y, gpu::out(a.z));
    });
}
void first_call_of_a_reduction_kernel(benchmark::State& state) {
    time_first_calls(state, [](Arrays& a, const std::string& number) {
        (void)gpu::ReductionKernel("T x", "T y", "x + " + number, "a + b", "y = a", "0", "fresh")(a.x);
    });
}
void first_launch_of_a_raw_kernel(benchmark::State& state) {
    time_first_calls(state, [](Arrays& a, const std::string& number) {
        const gpu::RawKernel<void(float*)> kernel("__global__ void k(float* z) { z[threadIdx.x] = " + number + "; }\n",
                                                  "k");
        kernel({.grid = 1, .block = 32}, a.z);
    });
}

// Its text is always the same one, so this is timed once, in a type that nothing above has used.
void first_call_of_convolve2d(benchmark::State& state) {
    const auto image = gpu::ones<double>({32, 32}), filter = gpu::ones<double>({3, 3});
    gpu::synchronize();
    for (auto _ : state) {
        benchmark::DoNotOptimize(gpu::signal::convolve2d(image, filter));
        gpu::synchronize();
    }
}

// Until the result is there.
template <class Call>
void time_work(benchmark::State& state, const Call& call) {
    benchmark::DoNotOptimize(call());  // opens libraries, compiles
    gpu::synchronize();
    for (auto _ : state) {
        benchmark::DoNotOptimize(call());
        gpu::synchronize();
    }
}
FloatArray random_matrix(std::int64_t rows, std::int64_t columns) {
    return gpu::random::Generator(1).uniform<float>({rows, columns});
}
void matmul_512(benchmark::State& state) {
    time_work(state, [a = random_matrix(512, 512)] { return gpu::matmul(a, a); });
}
void svd_200x100(benchmark::State& state) {
    time_work(state, [a = random_matrix(200, 100)] { return gpu::linalg::svd(a); });
}
void solve_300(benchmark::State& state) {
    time_work(state, [a = random_matrix(300, 300), b = random_matrix(300, 1)] { return gpu::linalg::solve(a, b); });
}

BENCHMARK(expression);
BENCHMARK(longer_expression);
BENCHMARK(elementwise_kernel);
BENCHMARK(elementwise_kernel_with_new_output);
BENCHMARK(raw_kernel);
BENCHMARK(raw_kernel_of_200_lines);
BENCHMARK(sum);
BENCHMARK(reduction_kernel);
BENCHMARK(item);
BENCHMARK(copy_to_device);
BENCHMARK(convolve2d);
BENCHMARK(first_call_of_an_elementwise_kernel)->Iterations(10)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(first_call_of_a_reduction_kernel)->Iterations(10)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(first_launch_of_a_raw_kernel)->Iterations(10)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(first_call_of_convolve2d)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(matmul_512)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(svd_200x100)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(solve_300)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
    ::setenv("LIBGPU_CACHE_DIR", "", 1);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    const gpu::Device device = gpu::Device::current();
    benchmark::AddCustomContext("device", device.to_string() + ", " + device.properties().name);
    benchmark::RunSpecifiedBenchmarks();
}
