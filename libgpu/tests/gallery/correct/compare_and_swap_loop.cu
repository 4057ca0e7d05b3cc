// SPDX-License-Identifier: MIT
// A maximum of floats by atomicCAS: the first guess is a plain read, and a stale one only takes another turn.
//
// array: float x[1000] = random 11
// array: float top[1] = zeros
// launch: maximum<<<4, 256>>>(x, top, 1000)
// check: top = largest(x)

__device__ void atomic_maximum(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (old != assumed);
}

__global__ void maximum(const float* x, float* top, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_maximum(top, x[i]);
}
