// SPDX-License-Identifier: MIT
// Particles as structures of float3: operators from a header, a union of views, steps whose numbers are exact.
#include <cstdio>
#include <vector>

#include "float3_operators.cuh"

struct Particle {
    float3 position, velocity;
    int hits;
};
static_assert(sizeof(Particle) == 28, "no padding");

struct Walls {
    float size;
    __host__ __device__ int bounce(float& x, float& v) const {
        if (x >= 0 && x <= size) return 0;
        x = x < 0 ? -x : 2 * size - x;
        v = -v;
        return 1;
    }
};

__host__ __device__ inline void advance(Particle& p, float3 gravity, float dt, const Walls& walls) {
    p.velocity += gravity * dt;
    p.position += dt * p.velocity;
    p.hits += walls.bounce(p.position.x, p.velocity.x);
    p.hits += walls.bounce(p.position.y, p.velocity.y);
    p.hits += walls.bounce(p.position.z, p.velocity.z);
}

__global__ void simulate(Particle* particles, int n, float3 gravity, int steps, Walls walls) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle own = particles[i];
    for (int k = 0; k < steps; ++k) advance(own, gravity, 0.25f, walls);
    particles[i] = own;
}

__global__ void products(const Particle* particles, float4* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const float3 c = cross(particles[i].position, make_float3(1.f, 2.f, 4.f));
    float4 v = make_float4(c.x, c.y, c.z, dot(particles[i].position, -particles[i].velocity));
    out[i] = v + float4{1, 1, 1, 1};
}

int main() {
    const int n = 70, steps = 12;
    const Walls walls{64.f};
    const float3 gravity = make_float3(0.f, 0.f, -1.f);
    std::vector<Particle> host(n), device(n);
    for (int i = 0; i < n; ++i)
        host[i] = {make_float3(i % 8, i % 16, 32.f + i % 4), make_float3(i % 5 - 2.f, 3.f, 0.5f * (i % 3)), 0};
    Particle* particles;
    float4 *out, view[2];
    cudaMalloc(&particles, n * sizeof(Particle));
    cudaMalloc(&out, n * sizeof(float4));
    cudaMemcpy(particles, host.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
    simulate<<<(n + 31) / 32, 32>>>(particles, n, gravity, steps, walls);
    products<<<1, 96>>>(particles, out, n);
    cudaMemcpy(device.data(), particles, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    cudaMemcpy(view, out + 7, sizeof view, cudaMemcpyDeviceToHost);
    int wrong = 0, hits = 0;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < steps; ++k) advance(host[i], gravity, 0.25f, walls);
        wrong += !(host[i].position == device[i].position) || host[i].hits != device[i].hits;
        hits += device[i].hits;
    }
    printf("%d wrong, %d hits, particle 7 at (%g, %g, %g)\n", wrong, hits, device[7].position.x, device[7].position.y,
           device[7].position.z);
    printf("(%g, %g, %g, %g)\n", view[0].x, view[0].y, view[0].z, view[0].w);
    cudaFree(particles);
    cudaFree(out);
    return wrong;
}
