// SPDX-License-Identifier: MIT
// Layer normalisation of a matrix's rows: mean and variance in one pass, by shuffles and a word per warp.

constexpr int block_size = 96;
constexpr int warps = block_size / 32;

__global__ void normalise(const float* x, float* y, int columns, float epsilon) {
    __shared__ float sums[warps], squares[warps];
    const float* row = x + blockIdx.x * columns;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.0f, square = 0.0f;
    for (int c = threadIdx.x; c < columns; c += block_size) {
        sum += row[c];
        square += row[c] * row[c];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        square += __shfl_xor_sync(0xffffffffu, square, distance);
    }
    if (lane == 0) {
        sums[warp] = sum;
        squares[warp] = square;
    }
    __syncthreads();
    sum = square = 0.0f;
    for (int w = 0; w < warps; ++w) {
        sum += sums[w];
        square += squares[w];
    }
    float mean = sum / columns, scale = rsqrtf(square / columns - mean * mean + epsilon);
    for (int c = threadIdx.x; c < columns; c += block_size) y[blockIdx.x * columns + c] = (row[c] - mean) * scale;
}
