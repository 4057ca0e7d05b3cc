// SPDX-License-Identifier: MIT
// cuRAND in kernels: each thread has a state, which later launches go on with.
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

__global__ void begin(curandState* states, unsigned long long seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}
__global__ void draw(curandState* states, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState own = states[i];
    out[i] = curand_uniform(&own);
    states[i] = own;
}

int main() {
    const int n = 256;
    curandState* states;
    float* out;
    std::vector<float> first(n), second(n);
    cudaMalloc(&states, n * sizeof(curandState));
    cudaMalloc(&out, n * sizeof(float));
    begin<<<2, 128>>>(states, 42);
    draw<<<2, 128>>>(states, out);
    cudaMemcpy(first.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    draw<<<2, 128>>>(states, out);
    cudaMemcpy(second.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    int same = 0;
    for (int i = 0; i < n; ++i) {
        sum += first[i] + second[i];
        same += first[i] == second[i];
    }
    printf("%.6f %.6f, mean between: %d, same %d\n", first[0], second[255], int(sum / (2 * n) > 0.4 && sum / (2 * n) < 0.6), same);
    return 0;
}
