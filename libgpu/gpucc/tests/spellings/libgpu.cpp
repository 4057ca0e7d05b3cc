// SPDX-License-Identifier: MIT
// The spellings of docs/from-libgpu-to-cuda.md by libgpu. cuda.cu has the others; both print the same.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

static void print(const char* name, const gpu::Array<float>& x) {
    const std::vector<float> h = gpu::to_host(x);
    std::printf("%s: %g ... %g\n", name, h.front(), h.back());
}

int main() {
    const int n = 1000;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i % 7);

    // Arrays and copies.
    gpu::Array<float> x = gpu::empty<float>({n});
    gpu::Array<float> z = gpu::zeros<float>({n});
    x.copy_from(h);
    gpu::Array<float> y = x;
    x.copy_to(h);
    std::printf("copied: %g ... %g\n", h.front(), h.back());

    // Launches and their errors.
    const gpu::RawKernel<void(float, const float*, const float*, float*, int)> saxpy(
        "__global__ void saxpy(float a, const float* x, const float* y, float* z, int n) {\n"
        "    const int k = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (k < n) z[k] = a * x[k] + y[k];\n"
        "}\n",
        "saxpy");
    z = 2.f * x + y;
    saxpy({.grid = (n + 255) / 256, .block = 256}, 2.f, x, y, z, n);
    print("saxpy", z);
    try {
        saxpy({.grid = 1, .block = 2048}, 2.f, x, y, z, n);
    } catch (const gpu::Error&) {
        std::printf("a block of 2048 threads is refused\n");
    }

    // Reductions and their kin.
    gpu::Array<float> total = gpu::sum(x);
    print("sum", total);
    std::printf("sum: %g\n", gpu::sum(x).item());
    gpu::Array<float> v = gpu::cumsum(x);
    print("running sum", v);
    v = gpu::sort(v);
    print("sorted", v);

    // Variables of the device.
    const gpu::RawModule module(
        "__constant__ float weights[3];\n"
        "__global__ void weigh(float* x) { x[threadIdx.x] *= weights[threadIdx.x]; }\n");
    module.symbol<float>("weights").copy_from({1, 10, 100});
    module.kernel<void(float*)>("weigh")({.grid = 1, .block = 3}, y);
    print("weighed", gpu::Array<float>(y(gpu::slice(0, 3))));

    // Streams and events.
    gpu::Pinned<float> p(n);
    gpu::Stream one, other;
    gpu::Event start, stop;
    gpu::synchronize();
    start.record(one);
    saxpy({.grid = (n + 255) / 256, .block = 256, .stream = one}, 2.f, x, x, z, n);
    stop.record(one);
    other.wait(stop);
    {
        const gpu::StreamGuard guard(other);
        z.copy_to_async(p);
    }
    other.synchronize();
    const float ms = gpu::elapsed_ms(start, stop);
    std::printf("in a stream: %g ... %g, in %s time\n", p[0], p[n - 1], ms >= 0 ? "some" : "no");

    // Random numbers.
    gpu::random::Generator rng(42);
    z = rng.uniform<float>({n});
    const double mean = gpu::mean<double>(z).item();
    std::printf("uniform numbers have a mean near 0.5: %s\n", mean > 0.45 && mean < 0.55 ? "yes" : "no");

    // Devices.
    const int count = gpu::Device::count();
    const gpu::DeviceGuard guard(gpu::Device(0));
    const gpu::DeviceProperties properties = gpu::Device(0).properties();
    const int blocks = saxpy.active_blocks(256);
    std::printf("devices, multiprocessors and blocks at once: %s\n",
                count > 0 && properties.multiprocessors > 0 && blocks > 0 ? "yes" : "no");
}
