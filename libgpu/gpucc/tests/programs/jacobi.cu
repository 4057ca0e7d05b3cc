// SPDX-License-Identifier: MIT
// Jacobi's iteration in double precision on managed memory, until the change is small: reductions, atomicMax.
#include <cmath>
#include <cstdio>

__global__ void sweep(const double* u, double* next, int n, unsigned long long* change) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    double difference = 0;
    if (i < n - 1) {
        next[i] = 0.5 * (u[i - 1] + u[i + 1]);
        difference = fabs(next[i] - u[i]);
    }
    __shared__ double largest[64];
    largest[threadIdx.x] = difference;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) largest[threadIdx.x] = max(largest[threadIdx.x], largest[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicMax(change, (unsigned long long)__double_as_longlong(largest[0]));
}

int main() {
    const int n = 34;
    double *u, *next;
    unsigned long long* change;
    cudaMallocManaged(&u, n * sizeof(double));
    cudaMallocManaged(&next, n * sizeof(double));
    cudaMallocManaged(&change, sizeof *change);
    for (int i = 0; i < n; ++i) u[i] = next[i] = i == n - 1 ? 33.0 : 0.0;
    int rounds = 0;
    double largest = 1;
    while (largest > 1e-6 && rounds < 20000) {
        *change = 0;
        sweep<<<1, 64>>>(u, next, n, change);
        cudaDeviceSynchronize();
        union {
            unsigned long long bits;
            double value;
        } both;
        both.bits = *change;
        largest = both.value;
        double* const old = u;
        u = next;
        next = old;
        ++rounds;
    }
    double error = 0;
    for (int i = 0; i < n; ++i) error = std::fmax(error, std::fabs(u[i] - i));
    printf("%s after %s 1000 rounds, error below 0.001: %d\n", largest <= 1e-6 ? "done" : "not done",
           rounds > 1000 ? "more than" : "at most", int(error < 1e-3));
    cudaFree(u);
    cudaFree(next);
    cudaFree(change);
}
