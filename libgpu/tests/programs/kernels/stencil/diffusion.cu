// SPDX-License-Identifier: MIT
// Diffusion that keeps edges, as in speckle reduction: one kernel computes each cell's conductivity from its gradient,
// another moves along the gradients. The image's edge is repeated beyond it.

__device__ float at(const float* image, int x, int y, int width, int height) {
    return image[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
}

__global__ void conductivities(const float* image, float* c, int width, int height, float scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float own = at(image, x, y, width, height);
    float north = at(image, x, y - 1, width, height) - own, south = at(image, x, y + 1, width, height) - own;
    float west = at(image, x - 1, y, width, height) - own, east = at(image, x + 1, y, width, height) - own;
    float gradient = north * north + south * south + west * west + east * east;
    c[y * width + x] = 1.0f / (1.0f + scale * gradient);
}

__global__ void diffuse(const float* image, const float* c, float* result, int width, int height, float step) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float own = at(image, x, y, width, height), here = at(c, x, y, width, height);
    float flow = here * (at(image, x, y - 1, width, height) - own) + here * (at(image, x - 1, y, width, height) - own) +
                 at(c, x, y + 1, width, height) * (at(image, x, y + 1, width, height) - own) +
                 at(c, x + 1, y, width, height) * (at(image, x + 1, y, width, height) - own);
    result[y * width + x] = own + step * flow;
}
