// SPDX-License-Identifier: MIT
// Sobel's edges of a grey image: a strip of rows goes through three lines in shared memory, one new line at a time.

constexpr int block_size = 32;  // columns, of which the outer two are halo
constexpr int kept = block_size - 2;
constexpr int strip = 6;

__global__ void edges(const unsigned char* image, int* result, int width, int height) {
    __shared__ int line[3][block_size];
    int t = threadIdx.x, x = blockIdx.x * kept + t - 1, first = blockIdx.y * strip;
    int column = min(max(x, 0), width - 1);
    for (int k = 0; k < 2; ++k) line[k][t] = image[max(first + k - 1, 0) * width + column];
    for (int row = 0; row < strip && first + row < height; ++row) {
        line[(row + 2) % 3][t] = image[min(first + row + 1, height - 1) * width + column];
        __syncthreads();
        const int *above = line[row % 3], *here = line[(row + 1) % 3], *below = line[(row + 2) % 3];
        if (t > 0 && t < block_size - 1 && x < width) {
            int dx = above[t + 1] + 2 * here[t + 1] + below[t + 1] - above[t - 1] - 2 * here[t - 1] - below[t - 1];
            int dy = below[t - 1] + 2 * below[t] + below[t + 1] - above[t - 1] - 2 * above[t] - above[t + 1];
            result[(first + row) * width + x] = abs(dx) + abs(dy);
        }
        __syncthreads();
    }
}
