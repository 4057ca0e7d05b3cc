// SPDX-License-Identifier: MIT
// The same numbers as an array of structures and as a structure of arrays, nested and with pointers inside.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#define LEN 1000
#define CALL(x) if ((x) != cudaSuccess) { printf("failed: %s\n", #x); return EXIT_FAILURE; }

typedef struct innerStruct {
    int x;
    int y;
} innerStruct;

struct innerArray {
    int x[LEN];
    int y[LEN];
};

struct Batch {
    int count;
    struct {
        int *keys;
        innerStruct *pairs;
    } device;
    enum { forward, backward } order;
};

__global__ void testInnerStruct(innerStruct *data, innerStruct *result, const int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        innerStruct tmp = data[i];
        tmp.x += 10;
        tmp.y += 20;
        result[i] = tmp;
    }
}

__global__ void testInnerArray(innerArray *data, innerArray *result, const int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        result->x[i] = data->x[i] + 10;
        result->y[i] = data->y[i] + 20;
    }
}

__global__ void join(Batch batch)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= batch.count) return;
    int from = batch.order == Batch::backward ? batch.count - 1 - i : i;
    batch.device.keys[i] = batch.device.pairs[from].x * 2 + batch.device.pairs[from].y;
}

int main(int argc, char **argv)
{
    static innerStruct h_A[LEN], h_back[LEN];
    static innerArray h_B, h_Bback;
    for (int i = 0; i < LEN; i++) {
        h_A[i].x = h_B.x[i] = rand() & 0xFF;
        h_A[i].y = h_B.y[i] = rand() & 0xFF;
    }
    innerStruct *d_A, *d_C;
    innerArray *d_B, *d_D;
    CALL(cudaMalloc((innerStruct **)&d_A, sizeof(h_A)));
    CALL(cudaMalloc((innerStruct **)&d_C, sizeof(h_A)));
    CALL(cudaMalloc((innerArray **)&d_B, sizeof(innerArray)));
    CALL(cudaMalloc((innerArray **)&d_D, sizeof(innerArray)));
    CALL(cudaMemcpy(d_A, h_A, sizeof(h_A), cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(d_B, &h_B, sizeof(innerArray), cudaMemcpyHostToDevice));
    int blocksize = argc > 1 ? atoi(argv[1]) : 128;
    dim3 block(blocksize, 1);
    dim3 grid((LEN + block.x - 1) / block.x, 1);
    testInnerStruct <<<grid, block>>>(d_A, d_C, LEN);
    testInnerArray <<< grid, block >>> (d_B, d_D, LEN);
    CALL(cudaGetLastError());
    CALL(cudaMemcpy(h_back, d_C, sizeof(h_A), cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(&h_Bback, d_D, sizeof(innerArray), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < LEN; i++) {
        wrong += h_back[i].x != h_A[i].x + 10 || h_back[i].y != h_A[i].y + 20;
        wrong += h_Bback.x[i] != h_A[i].x + 10 || h_Bback.y[i] != h_A[i].y + 20;
    }
    Batch batch = {LEN, {NULL, d_C}, Batch::backward};
    CALL(cudaMalloc(&batch.device.keys, LEN * sizeof(int)));
    join<<<grid, block>>>(batch);
    int key;
    CALL(cudaMemcpy(&key, batch.device.keys + 5, sizeof(key), cudaMemcpyDeviceToHost));
    wrong += key != h_back[LEN - 6].x * 2 + h_back[LEN - 6].y;
    printf("%d wrong, offset of y %zu and %zu\n", wrong, offsetof(innerStruct, y), offsetof(innerArray, y));
    cudaFree(d_A);
    cudaFree(d_B);
    cudaFree(d_C);
    cudaFree(d_D);
    cudaFree(batch.device.keys);
    cudaDeviceReset();
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
