// SPDX-License-Identifier: MIT
// A stencil in three dimensions, with two buffers that change places after every step.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Box {
    int nx, ny, nz;
    __host__ __device__ int at(int x, int y, int z) const { return (z * ny + y) * nx + x; }
    __host__ __device__ int count() const { return nx * ny * nz; }
    __host__ __device__ bool is_inside(int x, int y, int z) const {
        return x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1;
    }
};

__host__ __device__ inline unsigned step(const unsigned* u, Box box, int x, int y, int z) {
    if (!box.is_inside(x, y, z)) return u[box.at(x, y, z)];
    return (2 * u[box.at(x, y, z)] + u[box.at(x - 1, y, z)] + u[box.at(x + 1, y, z)] + u[box.at(x, y - 1, z)] +
            u[box.at(x, y + 1, z)] + u[box.at(x, y, z - 1)] + u[box.at(x, y, z + 1)]) >>
           3;
}

__global__ void relax(const unsigned* from, unsigned* to, Box box) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < box.nx && y < box.ny && z < box.nz) to[box.at(x, y, z)] = step(from, box, x, y, z);
}

int main() {
    const Box box{20, 12, 9};
    const int steps = 5;
    std::vector<unsigned> u(box.count()), v(u);
    for (int i = 0; i < box.count(); ++i) u[i] = unsigned(i) * 2654435761u >> 12;
    const size_t bytes = u.size() * sizeof u[0];
    unsigned *from = nullptr, *to = nullptr;
    cudaMalloc(&from, bytes);
    cudaMalloc(&to, bytes);
    cudaMemcpy(from, u.data(), bytes, cudaMemcpyHostToDevice);
    const dim3 block(8, 4, 2);
    const dim3 grid((box.nx + block.x - 1) / block.x, (box.ny + block.y - 1) / block.y,
                    (box.nz + block.z - 1) / block.z);
    printf("grid %u x %u x %u\n", grid.x, grid.y, grid.z);
    for (int k = 0; k < steps; ++k) {
        relax<<<grid, block>>>(from, to, box);
        std::swap(from, to);
        for (int z = 0; z < box.nz; ++z)
            for (int y = 0; y < box.ny; ++y)
                for (int x = 0; x < box.nx; ++x) v[box.at(x, y, z)] = step(u.data(), box, x, y, z);
        u.swap(v);
    }
    cudaMemcpy(v.data(), from, bytes, cudaMemcpyDeviceToHost);
    printf("%s, middle %u\n", u == v ? "same as on the host" : "DIFFERENT", v[box.at(10, 6, 4)]);
    cudaFree(from);
    cudaFree(to);
    return u != v;
}
