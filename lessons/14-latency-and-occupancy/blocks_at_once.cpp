// SPDX-License-Identifier: MIT
// Asks libgpu how many blocks of a kernel a multiprocessor works on at once, and makes its occupancy of that.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    // A kernel that needs hardly any registers, and no shared memory, fills a multiprocessor.
    const gpu::RawKernel<void(float*)> small("__global__ void small(float* x) { x[threadIdx.x] = 0; }", "small");
    const int max_warps = 8 * small.active_blocks(256);
    std::printf("%d warps at most, blocks of 256 threads\n", max_warps);
    std::printf("elements  registers  shared  blocks  warps  occupancy\n");
    for (const int kib : {0, 50}) {
        for (const int parts : {1, 4, 16, 32, 64}) {
            // [occupancy]
            const gpu::RawKernel<void(const float*, float*, int)> blur(
                gpu::file("blocks_at_once.cu"), "blur", {.options = {"-DPARTS=" + std::to_string(parts)}});
            const int registers = blur.attributes().registers;  // of each thread
            // with so many bytes of shared memory for each block
            const int blocks = blur.active_blocks(256, static_cast<std::size_t>(kib) << 10);
            const int warps = blocks * 256 / 32;
            // [/occupancy]
            std::printf("%8d  %9d  %2d KiB  %6d  %5d  %7.1f %%\n", parts, registers, kib, blocks, warps,
                        100. * warps / max_warps);
        }
    }
}
