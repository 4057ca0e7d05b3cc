// SPDX-License-Identifier: MIT
// Gravity among all bodies: a block loads the bodies into shared memory tile by tile, x y z and mass in a float4.

constexpr int block_size = 32;

__global__ void accelerations(const float* body_values, float* result_values, int n, float softening) {
    const float4* bodies = reinterpret_cast<const float4*>(body_values);
    __shared__ float4 tile[block_size];
    int i = blockIdx.x * block_size + threadIdx.x;
    float4 own = i < n ? bodies[i] : float4{0.0f, 0.0f, 0.0f, 0.0f};
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int first = 0; first < n; first += block_size) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : float4{0.0f, 0.0f, 0.0f, 0.0f};  // without mass
        __syncthreads();
        for (int k = 0; k < block_size; ++k) {
            float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float factor = tile[k].w * inverse * inverse * inverse;
            ax += factor * dx;
            ay += factor * dy;
            az += factor * dz;
        }
        __syncthreads();
    }
    if (i < n) reinterpret_cast<float4*>(result_values)[i] = float4{ax, ay, az, 0.0f};
}
