// SPDX-License-Identifier: MIT
// A convolution with a mask in constant memory and a halo in shared memory.
#include <cstdio>
#include <iostream>

#define RADIUS 3
#define MASK_WIDTH (2 * RADIUS + 1)
#define BLOCK 64

__constant__ int mask[MASK_WIDTH];

__global__ void convolve(const int *in, int *out, int n)
{
    __shared__ int window[BLOCK + 2 * RADIUS];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int here = threadIdx.x + RADIUS;
    window[here] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        window[here - RADIUS] = i - RADIUS >= 0 ? in[i - RADIUS] : 0;
        window[here + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
    }
    __syncthreads();
    int sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += window[here + k] * mask[k + RADIUS];
    if (i < n)
        out[i] = sum;
}

int main()
{
    const int n = 1000;
    const int host_mask[MASK_WIDTH] = {1, -2, 3, 4, 3, -2, 1};
    int *in = new int[n], *out = new int[n];
    for (int i = 0; i < n; i++)
        in[i] = i * i % 17;
    int *device_in, *device_out;
    cudaMalloc(&device_in, n * sizeof(int));
    cudaMalloc(&device_out, n * sizeof(int));
    cudaMemcpy(device_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, host_mask, MASK_WIDTH * sizeof(int));
    convolve<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(device_in, device_out, n);
    cudaMemcpy(out, device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n)
                sum += in[i + k] * host_mask[k + RADIUS];
        wrong += sum != out[i];
    }
    std::cout << "wrong: " << wrong << ", ends " << out[0] << " " << out[n - 1] << std::endl;
    delete[] in;
    delete[] out;
    cudaFree(device_in);
    cudaFree(device_out);
    return wrong;
}
