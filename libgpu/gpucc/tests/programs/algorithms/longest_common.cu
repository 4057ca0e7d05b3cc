// SPDX-License-Identifier: MIT
// The longest common subsequence by dynamic programming: a launch for every diagonal.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

__constant__ char first_text[256], second_text[256];

__global__ void diagonal(int* table, int width, int rows, int columns, int sum) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x + 1, column = sum - row;
    if (row > rows || column < 1 || column > columns) return;
    int* const here = table + row * width + column;
    *here = first_text[row - 1] == second_text[column - 1] ? here[-width - 1] + 1 : max(here[-width], here[-1]);
}

int main(int count, char** arguments) {
    const std::string a = count > 1 ? arguments[1] : "the quick brown fox jumps over the lazy dog";
    const std::string b = count > 2 ? arguments[2] : "pack my box with five dozen liquor jugs";
    const int rows = int(a.size()), columns = int(b.size()), width = columns + 1;
    std::vector<int> host((rows + 1) * width, 0);
    for (int i = 1; i <= rows; ++i)
        for (int j = 1; j <= columns; ++j)
            host[i * width + j] = a[i - 1] == b[j - 1] ? host[(i - 1) * width + j - 1] + 1
                                                       : std::max(host[(i - 1) * width + j], host[i * width + j - 1]);
    cudaMemcpyToSymbol(first_text, a.c_str(), a.size());
    cudaMemcpyToSymbol(second_text, b.c_str(), b.size());
    int* table = nullptr;
    const size_t bytes = host.size() * sizeof(int);
    cudaMalloc(&table, bytes);
    cudaMemset(table, 0, bytes);
    for (int sum = 2; sum <= rows + columns; ++sum)
        diagonal<<<(rows + 31) / 32, 32>>>(table, width, rows, columns, sum);
    std::vector<int> device(host.size());
    cudaMemcpy(device.data(), table, bytes, cudaMemcpyDeviceToHost);
    cudaFree(table);
    printf("%d of %d and %d letters, %s\n", device.back(), rows, columns, device == host ? "as on the host" : "WRONG");
    return device == host ? 0 : 1;
}
