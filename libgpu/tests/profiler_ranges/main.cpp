// SPDX-License-Identifier: MIT
// profiler_ranges LISTENER: work on a GPU names itself for a profiler's timeline.
#include <cstdio>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <gpu/gpu.hpp>
#include <gpu/raw_kernel.hpp>

int main(int argc, char** argv) try {
    if (argc != 2) return 4;
    const gpu::DeviceGuard guard(gpu::Device::cuda(0));
    const gpu::Array<float> x = gpu::to_device(std::vector<float>(1000, 2.f));
    const gpu::RawKernel<void(float*)> doubled("__global__ void doubled(float* x) { x[threadIdx.x] *= 2; }", "doubled");
    gpu::Array<float> y = x.copy();
    doubled({.grid = 1, .block = 100}, y);
    const std::vector<float> values = gpu::to_host(y);
    if (values[0] != 4.f) return 1;
    void* const listener = ::dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
    if (listener == nullptr) {
        std::puts("no range was ever begun: the listener isn't loaded");
        return 1;
    }
    const auto ranges_so_far = reinterpret_cast<const char* (*)()>(::dlsym(listener, "ranges_so_far"));
    const std::string all = "\n" + std::string(ranges_so_far());
    for (const char* name : {"libgpu: copy to device", "libgpu: compile doubled", "doubled", "libgpu: copy to host"})
        if (all.find("\n" + std::string(name) + "\n") == std::string::npos) {
            std::printf("there is no range \"%s\" among:%s", name, all.c_str());
            return 1;
        }
    return 0;
} catch (const gpu::DeviceError& error) {
    std::printf("SKIP: there is no GPU: %s\n", error.what());
    return 77;
}
