// SPDX-License-Identifier: MIT
// A structure by value from just past the end: the call reads it, not the function.
//
// array: float bodies[400] = random 7
// array: float forces[100] = uninitialized
// launch: attract<<<1, 128>>>(bodies, forces, 100)
// finding: out of bounds, line 26, variable bodies

struct Body {
    float x, y, z, mass;
};

__device__ float pull(Body at, Body other) {
    const float dx = other.x - at.x, dy = other.y - at.y, dz = other.z - at.z;
    const float squared = dx * dx + dy * dy + dz * dz + 1e-3f;
    float force = at.mass * other.mass / squared;
    for (int step = 0; step < 3; ++step) force = 0.5f * (force + at.mass * other.mass / (squared + force));
    return force / sqrtf(squared);
}

__global__ void attract(const float* bodies, float* forces, int n) {
    const Body* const all = reinterpret_cast<const Body*>(bodies);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int j = 1; j <= n; ++j) sum += pull(all[i], all[j]);
    forces[i] = sum;
}
