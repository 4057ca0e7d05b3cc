// SPDX-License-Identifier: MIT
// Bilateral filter: a mean of neighbours that weighs near and similar ones more, so that edges stay.

__global__ void smooth(const float* image, float* result, int width, int height, int radius, float distance_scale,
                       float value_scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float own = image[y * width + x], sum = 0.0f, total = 0.0f;
    for (int v = max(y - radius, 0); v <= min(y + radius, height - 1); ++v) {
        for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); ++u) {
            float value = image[v * width + u], difference = value - own;
            float distance = (u - x) * (u - x) + (v - y) * (v - y);
            float weight = expf(-distance * distance_scale - difference * difference * value_scale);
            sum += weight * value;
            total += weight;
        }
    }
    result[y * width + x] = sum / total;
}
