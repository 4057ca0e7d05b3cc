// SPDX-License-Identifier: MIT
// A 3 x 3 convolution of an image through a tile; surplus threads load the border and then have nothing to do.
//
// array: float image[600] = random 31
// array: float result[600] = uninitialized
// launch: convolve<<<dim3(3, 2), dim3(16, 16)>>>(image, result, 30, 20)
// check: result = convolve_3x3(image, 30, 20) within 16 eps

__constant__ float weights[9] = {1.0f, 2.0f, 1.0f, 2.0f, 4.0f, 2.0f, 1.0f, 2.0f, 1.0f};

__global__ void convolve(const float* image, float* result, int width, int height) {
    __shared__ float tile[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 14 + tx - 1, y = blockIdx.y * 14 + ty - 1;
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[ty][tx] = inside ? image[y * width + x] : 0.0f;
    __syncthreads();
    if (!inside || tx == 0 || tx == 15 || ty == 0 || ty == 15) return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += weights[3 * (dy + 1) + dx + 1] * tile[ty + dy][tx + dx];
    result[y * width + x] = sum;
}
