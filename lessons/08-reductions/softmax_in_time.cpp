// SPDX-License-Identifier: MIT
// Times a softmax of rows: line by line, as one kernel of gpu::fuse, and yours of exercise 14 once it is right.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

using Softmax = void(const float*, float*, int);

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int rows = on_gpu ? 16384 : 256, columns = 4096;
    std::printf("softmax of %d rows of %d\n", rows, columns);
    const auto x = gpu::random::Generator(8).normal<float>({rows, columns});
    const auto time = [&](const std::string& name, const auto& launch) {
        const auto before = gpu::counts();
        launch();
        const int launches = int((gpu::counts() - before).launches);
        const double us = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
        std::printf("%-20s launches %d %10.1f us %9.1f GB/s\n", name.c_str(), launches, us,
                    8e-3 * double(x.size()) / us);
    };
    // [three]
    const auto by_lines = [](const gpu::Array<float>& a) {
        const gpu::Array<float> m = gpu::max(a, {.axis = 1, .keepdims = true});
        const gpu::Array<float> e = gpu::exp(a - m);
        return gpu::Array<float>(e / gpu::sum(e, {.axis = 1, .keepdims = true}));
    };
    // [/three]
    // [fused]
    const auto fused = gpu::fuse([](auto a) {
        auto e = exp(a - gpu::max(a, {.axis = 1, .keepdims = true}));
        return e / gpu::sum(e, {.axis = 1, .keepdims = true});
    });
    // [/fused]
    gpu::Array<float> b;
    time("line by line", [&] { b = by_lines(x); });
    time("gpu::fuse", [&] { b = fused(x); });
    for (const std::string name : {"softmax", "softmax_once"}) {
        gpu::Array<float> own = gpu::zeros<float>(x.shape());
        try {
            const gpu::RawKernel<Softmax> kernel(gpu::file("../../work/14-row-softmax/row_softmax.cu"), name);
            const auto launch = [&] {
                kernel({.grid = rows, .block = 256, .shared = sizeof(float) * columns}, x, own, columns);
            };
            launch();
            if (gpu::allclose(own, b, {.rtol = 1e-4}).item())
                time("your " + name, launch);
            else
                std::printf("your %-15s isn't right yet\n", name.c_str());
        } catch (const gpu::Error&) {
            std::printf("your %-15s not yet: make exercise-14\n", name.c_str());
        }
    }
}
