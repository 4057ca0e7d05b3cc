// SPDX-License-Identifier: MIT
// Convolution along rows, then along columns, with weights in constant memory and the stretch that a block needs in
// shared memory. Beyond the edges lies 0.

constexpr int radius = 3;
constexpr int block_size = 32;

__constant__ float weights[2 * radius + 1];

// Along an axis: `step` is the distance of neighbours, `line_step` that of lines.
__global__ void convolve(const float* from, float* to, int length, int step, int line_step) {
    __shared__ float stretch[block_size + 2 * radius];
    int first = blockIdx.x * block_size - radius, line = blockIdx.y * line_step, t = threadIdx.x;
    for (int k = t; k < block_size + 2 * radius; k += block_size) {
        int i = first + k;
        stretch[k] = i >= 0 && i < length ? from[line + i * step] : 0.0f;
    }
    __syncthreads();
    int i = blockIdx.x * block_size + t;
    if (i >= length) return;
    float sum = 0.0f;
    for (int k = 0; k <= 2 * radius; ++k) sum += weights[k] * stretch[t + 2 * radius - k];
    to[line + i * step] = sum;
}
