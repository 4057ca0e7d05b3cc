// SPDX-License-Identifier: MIT
// Median of 3 x 3: the nine values are sorted in a local array. The edge is repeated.

__global__ void median(const unsigned char* image, unsigned char* result, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned char values[9];
    for (int k = 0; k < 9; ++k) {
        int u = min(max(x + k % 3 - 1, 0), width - 1), v = min(max(y + k / 3 - 1, 0), height - 1);
        unsigned char value = image[v * width + u];
        int place = k;
        for (; place > 0 && values[place - 1] > value; --place) values[place] = values[place - 1];
        values[place] = value;
    }
    result[y * width + x] = values[4];
}
