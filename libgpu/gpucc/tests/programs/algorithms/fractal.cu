// SPDX-License-Identifier: MIT
// A Julia set in fixed point: a structure with operators in device code, two dimensions, a picture in letters.
#include <stdio.h>
#include <stdlib.h>

#define DIM 40
#define ONE (1 << 12)

struct Complex {
    int r, i;
    __device__ Complex(int a, int b) : r(a), i(b) {}
    __device__ long long magnitude2(void) { return ((long long)r * r + (long long)i * i) / ONE; }
    __device__ Complex operator*(const Complex& a) {
        return Complex(((long long)r * a.r - (long long)i * a.i) / ONE,
                       ((long long)i * a.r + (long long)r * a.i) / ONE);
    }
    __device__ Complex operator+(const Complex& a) { return Complex(r + a.r, i + a.i); }
};

__device__ int julia(int x, int y) {
    Complex c(-8 * ONE / 10, ONE * 156 / 1000);
    Complex a(3 * ONE * (DIM / 2 - x) / DIM, 3 * ONE * (DIM / 2 - y) / DIM);
    for (int i = 0; i < 60; i++) {
        a = a * a + c;
        if (a.magnitude2() > 4 * ONE) return i;
    }
    return 60;
}

__global__ void kernel(unsigned char* ptr) {
    // a block is a pixel
    int x = blockIdx.x, y = blockIdx.y;
    int offset = x + y * gridDim.x;
    ptr[offset] = julia(x, y);
}

int main(void) {
    unsigned char picture[DIM * DIM], *dev_bitmap;
    if (cudaMalloc((void**)&dev_bitmap, sizeof(picture)) != cudaSuccess) return 1;
    dim3 grid(DIM, DIM);
    kernel<<<grid, 1>>>(dev_bitmap);
    cudaMemcpy(picture, dev_bitmap, sizeof(picture), cudaMemcpyDeviceToHost);
    cudaFree(dev_bitmap);
    for (int y = 0; y < DIM; y += 2) {
        for (int x = 0; x < DIM; x++) putchar(" .:-=+*#%@"[picture[y * DIM + x] * 9 / 60]);
        putchar('\n');
    }
    return 0;
}
