// SPDX-License-Identifier: MIT
// A dot product with a lock across blocks: a class whose constructor is the host's, whose members are the device's.
#include <cstdio>
#include <cstdlib>

#define imin(a, b) (a < b ? a : b)
const int N = 33 * 256;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

struct Lock {
    int *mutex;
    Lock(void)
    {
        int state = 0;
        HANDLE_ERROR(cudaMalloc((void **)&mutex, sizeof(int)));
        HANDLE_ERROR(cudaMemcpy(mutex, &state, sizeof(int), cudaMemcpyHostToDevice));
    }
    __device__ void lock(void)
    {
        while (atomicCAS(mutex, 0, 1) != 0) {}
        __threadfence();
    }
    __device__ void unlock(void)
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
};

__global__ void dot(Lock lock, const double *a, const double *b, double *c)
{
    __shared__ double cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    double temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0) {
        lock.lock();
        *(volatile double *)c += cache[0];
        lock.unlock();
    }
}

int main(void)
{
    double *a = (double *)malloc(N * sizeof(double)), *b = (double *)malloc(N * sizeof(double)), c = 0;
    double *dev_a, *dev_b, *dev_c;
    HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(double)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * sizeof(double)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_c, sizeof(double)));
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = i * 2;
    }
    HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(double), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b, N * sizeof(double), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_c, &c, sizeof(double), cudaMemcpyHostToDevice));
    Lock lock;
    dot<<<blocksPerGrid, threadsPerBlock>>>(lock, dev_a, dev_b, dev_c);
    HANDLE_ERROR(cudaMemcpy(&c, dev_c, sizeof(double), cudaMemcpyDeviceToHost));
    const double n = N - 1;
    printf("does %.0f = %.0f?\n", c, 2 * n * (n + 1) * (2 * n + 1) / 6);
    HANDLE_ERROR(cudaFree(dev_a));
    HANDLE_ERROR(cudaFree(dev_b));
    HANDLE_ERROR(cudaFree(dev_c));
    HANDLE_ERROR(cudaFree(lock.mutex));
    free(a);
    free(b);
    return 0;
}
