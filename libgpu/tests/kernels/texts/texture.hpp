// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Kernels that read textures at places that they are given.
inline constexpr const char* texture = R"(
__device__ int own() { return blockIdx.x * blockDim.x + threadIdx.x; }

// It waits for others, too. The first kernel is one without template arguments: NVRTC's test compiles it.
__global__ void turned(cudaTextureObject_t values, float* out, int n) {
    __shared__ float row[64];
    row[threadIdx.x] = tex2D<float>(values, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
    __syncthreads();
    out[blockIdx.x * n + threadIdx.x] = row[n - 1 - threadIdx.x];
}
template <class T> __global__ void fetch(cudaTextureObject_t values, const int* at, T* out, int n) {
    if (own() < n) out[own()] = tex1Dfetch<T>(values, at[own()]);
}
template <class T> __global__ void line(cudaTextureObject_t values, const float* x, T* out, int n) {
    if (own() < n) out[own()] = tex1D<T>(values, x[own()]);
}
template <class T>
__global__ void plane(cudaTextureObject_t values, const float* x, const float* y, T* out, int n) {
    if (own() < n) out[own()] = tex2D<T>(values, x[own()], y[own()]);
}
template <class V> __global__ void pairs(cudaTextureObject_t values, decltype(V::x)* out, int n) {
    V v;
    if (own() >= n) return;
    tex1Dfetch(&v, values, own());
    out[2 * own()] = v.x;
    out[2 * own() + 1] = v.y;
}
template <class V> __global__ void fours(cudaTextureObject_t values, const float* x, float* out, int n) {
    V v;
    if (own() >= n) return;
    tex1D(&v, values, x[own()]);
    float* const own_out = out + 4 * own();
    own_out[0] = v.x, own_out[1] = v.y, own_out[2] = v.z, own_out[3] = v.w;
}
template <class V>
__global__ void fours_of_plane(cudaTextureObject_t values, const float* x, const float* y, float* out, int n) {
    V v;
    if (own() >= n) return;
    tex2D(&v, values, x[own()], y[own()]);
    float* const own_out = out + 4 * own();
    own_out[0] = v.x, own_out[1] = v.y, own_out[2] = v.z, own_out[3] = v.w;
}
)";

}  // namespace texts
