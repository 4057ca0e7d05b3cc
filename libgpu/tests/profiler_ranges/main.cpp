// SPDX-License-Identifier: MIT
// profiler_ranges LISTENER: work on a GPU names itself for a profiler's timeline.
#include <cstdio>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <gpu/gpu.hpp>
#include <gpu/raw_kernel.hpp>

int main(int argc, char** argv) {
    if (argc != 2 || gpu::Device::current().kind() != gpu::BackendKind::cuda) {
        std::puts("skipped: there is no GPU");
        return 77;
    }
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
}
