// SPDX-License-Identifier: MIT
// One round of k-means in the plane: each point finds its nearest centre, blocks add up points and coordinates by
// atomics in shared memory, then in global memory. Coordinates are whole numbers, so sums are exact.

constexpr int largest_k = 8;

__global__ void assign(const int* coordinates, const float* centre_values, int* nearest, int* sums, int n,
                       int k) {
    __shared__ int own[largest_k][3];
    const int2* points = reinterpret_cast<const int2*>(coordinates);
    const float2* centres = reinterpret_cast<const float2*>(centre_values);
    for (int c = threadIdx.x; c < k; c += blockDim.x) own[c][0] = own[c][1] = own[c][2] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best = 0;
        float smallest = 3.0e38f;
        for (int c = 0; c < k; ++c) {
            float dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y, distance = dx * dx + dy * dy;
            if (distance < smallest) {
                smallest = distance;
                best = c;
            }
        }
        nearest[i] = best;
        atomicAdd(&own[best][0], 1);
        atomicAdd(&own[best][1], points[i].x);
        atomicAdd(&own[best][2], points[i].y);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < 3 * k; j += blockDim.x) atomicAdd(&sums[j], own[j / 3][j % 3]);
}

__global__ void move(const int* sums, float* centre_values, int k) {
    int c = threadIdx.x;
    if (c >= k || sums[3 * c] == 0) return;
    float count = sums[3 * c];
    reinterpret_cast<float2*>(centre_values)[c] = float2{sums[3 * c + 1] / count, sums[3 * c + 2] / count};
}
