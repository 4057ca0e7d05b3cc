// SPDX-License-Identifier: MIT
// A struct by value, with padding inside, and one in shared memory.
//
// array: float x[100] = random 26
// array: float y[100] = uninitialized
// launch: transform<<<1, 128>>>(x, y, {100, 2.5, 0.5f})
// check: y = affine(x, 2.5, 0.5) within 2 eps

struct Transform {
    int count;
    double factor;
    float offset;
    __device__ float operator()(float value) const { return static_cast<float>(factor) * value + offset; }
};

__global__ void transform(const float* x, float* y, Transform by) {
    __shared__ Transform shared;
    if (threadIdx.x == 0) shared = by;
    __syncthreads();
    if (threadIdx.x < shared.count) y[threadIdx.x] = shared(x[threadIdx.x]);
}
