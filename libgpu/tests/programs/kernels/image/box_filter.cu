// SPDX-License-Identifier: MIT
// Sums of boxes from a table of prefix sums: rows are scanned by a warp each, columns by a thread each, and a box takes
// four reads, whatever its size.

__global__ void scan_rows(const int* image, int* sums, int width, int height) {
    int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, before = 0;
    if (row >= height) return;
    for (int first = 0; first < width; first += 32) {
        int x = first + lane, sum = x < width ? image[row * width + x] : 0;
        for (int distance = 1; distance < 32; distance *= 2) {
            int left = __shfl_up_sync(0xffffffffu, sum, distance);
            if (lane >= distance) sum += left;
        }
        if (x < width) sums[row * width + x] = before + sum;
        before += __shfl_sync(0xffffffffu, sum, 31);
    }
}

__global__ void scan_columns(int* sums, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (x >= width) return;
    for (int y = 0; y < height; ++y) sums[y * width + x] = sum += sums[y * width + x];
}

__device__ int sum_before(const int* sums, int width, int x, int y) {
    return x < 0 || y < 0 ? 0 : sums[y * width + x];
}

__global__ void sum_boxes(const int* sums, int* result, int width, int height, int radius) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int right = min(x + radius, width - 1), bottom = min(y + radius, height - 1);
    int left = x - radius - 1, top = y - radius - 1;
    result[y * width + x] = sum_before(sums, width, right, bottom) - sum_before(sums, width, left, bottom) -
                            sum_before(sums, width, right, top) + sum_before(sums, width, left, top);
}
