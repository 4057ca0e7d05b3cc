// SPDX-License-Identifier: MIT
// course-probe: answers for the device. Links libgpu, never loads a student's code; prints its facts, a line each:
// "probe backend host". A value has no line breaks; other lines are libgpu's or the driver's.
//   course-probe               what device there is, and why no GPU is used
//   course-probe --measure     also a canary kernel, and the device's copy bandwidth
//   course-probe --bandwidth   of a GPU the copy bandwidth alone

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

constexpr const char* canary_source = R"(
extern "C" __global__ void canary(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 3 + i;
}
)";

/// Compiles, launches and checks a tiny kernel; what went wrong, or nothing.
std::string canary() {
    constexpr int n = 1000;
    std::vector<int> in(n);
    for (int i = 0; i < n; ++i) in[static_cast<std::size_t>(i)] = 7 * i + 1;
    const gpu::Array<int> x = gpu::to_device(in);
    gpu::Array<int> y = gpu::zeros<int>({n});
    const gpu::RawKernel<void(const int*, int*, int)> kernel(canary_source, "canary");
    kernel({.grid = 8, .block = 128}, x, y, n);
    const std::vector<int> out = gpu::to_host(y);
    for (int i = 0; i < n; ++i)
        if (const int want = in[static_cast<std::size_t>(i)] * 3 + i; out[static_cast<std::size_t>(i)] != want)
            return "element " + std::to_string(i) + " is " + std::to_string(out[static_cast<std::size_t>(i)]) +
                   ", not " + std::to_string(want);
    return "";
}

/// Bytes read and written per second by a copy on the device: the best of a few.
double copy_bandwidth() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const std::int64_t n = on_gpu ? std::int64_t{1} << 26 : std::int64_t{1} << 23;   // 256 MiB, 32 MiB
    const gpu::Array<float> from = gpu::zeros<float>({n});
    gpu::Array<float> to = gpu::zeros<float>({n});
    float best_ms = 1e30f;
    for (int round = 0; round < 8; ++round) {
        gpu::Event start, stop;
        start.record();
        to = from;
        stop.record();
        best_ms = std::min(best_ms, gpu::elapsed_ms(start, stop));
    }
    return 2.0 * static_cast<double>(n) * sizeof(float) / (static_cast<double>(best_ms) * 1e-3);
}

void say(const char* fact, std::string value) {
    for (char& character : value)
        if (character == '\n' || character == '\r') character = ' ';
    std::printf("probe %s %s\n", fact, value.c_str());
}

void say_bandwidth() {
    try {
        say("copy_bytes_per_second", std::to_string(copy_bandwidth()));
    } catch (const std::exception& error) {
        say("copy_error", error.what());
    }
}

void describe(std::string_view measure) {
    say("why_no_gpu", gpu::why_no_gpu());
    const gpu::Device device = gpu::Device::current();
    const gpu::DeviceProperties properties = device.properties();
    say("backend", device.kind() == gpu::BackendKind::cuda ? "cuda" : "host");
    say("device", device.to_string());
    say("name", properties.name);
    say("multiprocessors", std::to_string(properties.multiprocessors));
    say("total_memory", std::to_string(properties.total_memory));
    say("compute_capability", std::to_string(properties.compute_capability));
    if (measure == "--bandwidth" && device.kind() == gpu::BackendKind::cuda) say_bandwidth();
    if (measure != "--measure") return;
    const gpu::KernelCache cache = gpu::kernel_cache();
    const gpu::CacheStatistics cached = cache.statistics();
    say("cache_folder", cache.folder());
    say("cache_limit", std::to_string(cache.limit()));
    say("cache_files", std::to_string(cached.files));
    say("cache_bytes", std::to_string(cached.bytes));
    try {
        say("canary", canary());
    } catch (const std::exception& error) {
        say("canary", error.what());
    }
    say_bandwidth();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        describe(argc > 1 ? argv[1] : "");
        return 0;
    } catch (const std::exception& error) {
        say("error", error.what());
        return 1;
    }
}
