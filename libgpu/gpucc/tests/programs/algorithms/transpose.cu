// SPDX-License-Identifier: MIT
// Three transposes in a table of function pointers, each checked and timed by events.
#include <cstdio>
#include <cstring>

constexpr int tile = 16, rows_of_block = 4;

__global__ void copy_naive(float* out, const float* in, int width, int height) {
    const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows_of_block)
        if (x < width && y + j < height) out[x * height + y + j] = in[(y + j) * width + x];
}
__global__ void copy_shared(float* out, const float* in, int width, int height) {
    __shared__ float block[tile][tile];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows_of_block)
        if (x < width && y + j < height) block[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows_of_block)
        if (x < height && y + j < width) out[(y + j) * height + x] = block[threadIdx.x][threadIdx.y + j];
}
__global__ void copy_padded(float* out, const float* in, int width, int height) {
    __shared__ float block[tile][tile + 1];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows_of_block)
        if (x < width && y + j < height) block[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile + threadIdx.y;
    for (int j = 0; j < tile; j += rows_of_block)
        if (x < height && y + j < width) out[(y + j) * height + x] = block[threadIdx.x][threadIdx.y + j];
}

typedef void (*Transpose)(float*, const float*, int, int);
struct Way {
    const char* name;
    Transpose kernel;
};
static const Way ways[] = {{"naive", copy_naive}, {"shared", copy_shared}, {"padded", &copy_padded}};

int main(void) {
    const int width = 100, height = 60, bytes = width * height * sizeof(float);
    static float in[height * width], out[width * height];
    for (int i = 0; i < width * height; i++) in[i] = (float)i;
    float *d_in, *d_out;
    cudaMalloc((void**)&d_in, bytes);
    cudaMalloc((void**)&d_out, bytes);
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    int failed = 0;
    for (const Way& way : ways) {
        memset(out, 0, bytes);
        cudaMemset(d_out, 0, bytes);
        dim3 threads(tile, rows_of_block), blocks((width + tile - 1) / tile, (height + tile - 1) / tile, 1);
        cudaEventRecord(start);
        for (int repeat = 0; repeat < 3; repeat++) way.kernel<<<blocks, threads>>>(d_out, d_in, width, height);
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        float milliseconds = -1;
        cudaEventElapsedTime(&milliseconds, start, stop);
        cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
        int wrong = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) wrong += out[x * height + y] != in[y * width + x];
        printf("%-8s%s, %s\n", way.name, wrong == 0 ? "right" : "WRONG", milliseconds > 0 ? "timed" : "not timed");
        failed += wrong;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d_in);
    cudaFree(d_out);
    return failed != 0;
}
