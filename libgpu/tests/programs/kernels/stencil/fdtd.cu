// SPDX-License-Identifier: MIT
// Electromagnetic waves in two dimensions: the fields' grids are shifted by half a cell and take turns.

__global__ void magnetic_step(const float* ez, float* hx, float* hy, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int k = y * width + x;
    if (y + 1 < height) hx[k] -= 0.5f * (ez[k + width] - ez[k]);
    if (x + 1 < width) hy[k] += 0.5f * (ez[k + 1] - ez[k]);
}

__global__ void electric_step(float* ez, const float* hx, const float* hy, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int k = y * width + x;
    ez[k] += 0.5f * (hy[k] - hy[k - 1] - hx[k] + hx[k - width]);
}
