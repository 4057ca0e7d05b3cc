// SPDX-License-Identifier: MIT
// Fourier transform of 128 points in shared memory, one block for each signal: inputs in bit-reversed order, then seven
// rounds of butterflies in place.

constexpr int points = 128;
constexpr int bits = 7;

__global__ void transform(const float* x, float* y) {
    __shared__ float2 part[points];
    int t = threadIdx.x;
    const float2* signal = reinterpret_cast<const float2*>(x) + blockIdx.x * points;
    float2* spectrum = reinterpret_cast<float2*>(y) + blockIdx.x * points;
    for (int k = t; k < points; k += points / 2) part[__brev(k) >> (32 - bits)] = signal[k];
    for (int half = 1; half < points; half *= 2) {
        __syncthreads();
        int upper = t / half * 2 * half + t % half, lower = upper + half;
        float s, c;
        sincospif(-static_cast<float>(t % half) / half, &s, &c);
        float2 a = part[upper], b = part[lower];
        float2 turned{b.x * c - b.y * s, b.x * s + b.y * c};
        part[upper] = float2{a.x + turned.x, a.y + turned.y};
        part[lower] = float2{a.x - turned.x, a.y - turned.y};
    }
    __syncthreads();
    for (int k = t; k < points; k += points / 2) spectrum[k] = part[k];
}
