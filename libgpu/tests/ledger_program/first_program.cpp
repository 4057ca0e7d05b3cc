// SPDX-License-Identifier: MIT
// A program as a learner writes it, linked with the shared library: LIBGPU_LEDGER=1 names its lines. Optimised, so that
// its functions and libgpu's headers are put into main.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

gpu::RawKernel<void(const float*, float*, int)> twice{R"(
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
})", "twice"};

float norm_of(const gpu::Array<float>& x) {
    return gpu::linalg::norm(x).item();
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<float> a(1000, 1.f);
    const gpu::Array<float> x = gpu::to_device(a);
    gpu::Array<float> y = x + gpu::sin(x);
    twice({.grid = {2, 2}, .block = 256}, x.data(), y.data(), 1000);
    float sum = 0;
    for (int k = 0; k < 2; ++k)
        sum += norm_of(y);
    std::printf("%.1f\n", static_cast<double>(sum));
    std::fflush(stdout);
    if (argc > 1 && std::string(argv[1]) == "abort") std::abort();
    const std::string text = gpu::to_string(y);
    gpu::Stream::current().synchronize();
    gpu::synchronize();
    const gpu::Array<float> copy = y;
    return static_cast<int>(gpu::to_host(gpu::cumsum(copy)).size()) - 1000;
}
