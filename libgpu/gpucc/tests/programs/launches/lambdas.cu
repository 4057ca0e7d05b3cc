// SPDX-License-Identifier: MIT
// __device__ lambdas as kernels' arguments: in a variable, in a launch, in a template, with each way to capture
// by value.
#include <cstdio>

template <class F>
__global__ void for_each(int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template <class F>
__global__ void fill(float* y, int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(i);
}

struct Line {
    float slope, offset;
    __host__ __device__ float at(float x) const { return slope * x + offset; }
};

__constant__ float unit = 0.5f;
const int block = 64;

__device__ float twice(float x) { return 2 * x; }

namespace shapes {

template <class T, int step>
void shift_all(T* values, int n, const T& by) {
    for_each<<<(n + block - 1) / block, block>>>(n, [=] __device__(int i) { values[i] += by + T(step * i); });
}

}  // namespace shapes

static void show(const char* name, const float* device) {
    float host[4];
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s: %g %g %g %g\n", name, host[0], host[1], host[2], host[3]);
}

int main() {
    const int n = 100;
    float *x = nullptr, *y = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    const Line line{2, 1};

    auto on_line = [=] __device__(int i) { return line.at(static_cast<float>(i)); };
    fill<<<2, block>>>(x, n, on_line);
    show("a variable", x);

    fill<<<2, block>>>(y, n, [x, scale = 3.0f] __device__(int i) -> float { return scale * x[i] + unit; });
    show("a launch", y);

    for_each<<<2, block>>>(n, [=] __device__(int i) mutable {
        float* at = y + i;
        for (int k = 0; k < 2; ++k) *at += twice(x[i]);
    });
    show("several lines", y);

    shapes::shift_all<float, 2>(y, n, 0.25f);
    show("a template", y);

    auto square = [] __host__ __device__(float v) { return v * v; };
    fill<<<2, block>>>(x, n, [=] __device__(int i) { return square(y[i]); });
    show("another lambda", x);
    printf("on the host: %g\n", square(3));

    cudaFree(x);
    cudaFree(y);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
