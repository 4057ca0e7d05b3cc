// SPDX-License-Identifier: MIT
// Floyd and Warshall's shortest paths: one launch for every vertex in between; a 2-D array as a kernel's parameter.
#include <climits>
#include <cstdio>
#include <cstring>

#define N 40
#define INFINITE (INT_MAX / 2)

typedef int Table[N][N];

__global__ void through(int (*distance)[N], int by) {
    const int to = threadIdx.x + blockIdx.x * blockDim.x, from = threadIdx.y + blockIdx.y * blockDim.y;
    if (from >= N || to >= N || from == by || to == by) return;
    const int longer = distance[from][by] + distance[by][to];
    if (longer < distance[from][to]) distance[from][to] = longer;
}

static void fill(Table t) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t[i][j] = i == j ? 0 : (i * 31 + j * 17) % 7 == 0 || j == i + 1 ? (i * j) % 23 + 1 : INFINITE;
}

int main() {
    Table host, result;
    fill(host);
    int(*device)[N];
    cudaMalloc((void**)&device, sizeof(Table));
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    dim3 block(16, 8), grid((N + 15) / 16, (N + 7) / 8);
    for (int by = 0; by < N; by++) {
        through<<<grid, block>>>(device, by);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (host[i][by] + host[by][j] < host[i][j]) host[i][j] = host[i][by] + host[by][j];
    }
    cudaMemcpy(result, device, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(device);
    const bool is_same = memcmp(host, result, sizeof host) == 0;
    printf("%s; 0 to %d: %d, 1 to 2: %d\n", is_same ? "as on the host" : "WRONG", N - 1, result[0][N - 1],
           result[1][2]);
    return is_same ? 0 : 1;
}
