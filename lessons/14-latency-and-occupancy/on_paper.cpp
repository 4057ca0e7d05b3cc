// SPDX-License-Identifier: MIT
// Computes how many blocks a multiprocessor of compute capability 9.0 works on at once, from what they need.
#include <algorithm>
#include <cstdio>

// [limits]
// What a multiprocessor has. A GPU of another compute capability has other numbers.
const int max_warps = 64, max_blocks = 32, all_registers = 65536, all_shared = 228 << 10;

int blocks_at_once(int threads, int registers, int shared) {
    const int warps = threads / 32;
    const int of_warp = 32 * ((registers + 7) / 8 * 8);         // of each thread, registers by eights
    const int of_block = (shared + 1024 + 127) / 128 * 128;     // 1 KiB is the system's; the sum by 128 bytes
    const int in_quarter = all_registers / 4 / of_warp;         // a warp has its registers in one quarter
    const int by_warps = max_warps / warps, by_registers = 4 * in_quarter / warps;
    return std::min({by_warps, by_registers, all_shared / of_block, max_blocks});
}
// [/limits]

int row(int threads, int registers, int kib) {
    const int blocks = blocks_at_once(threads, registers, kib << 10), warps = blocks * threads / 32;
    std::printf("%7d  %9d  %3d KiB  %6d  %5d  %7.1f %%\n", threads, registers, kib, blocks, warps,
                100. * warps / max_warps);
    return blocks;
}

int main() {
    std::printf("threads  registers   shared  blocks  warps  occupancy\n");
    row(256, 32, 0);
    const int answer = row(256, 40, 0);
    row(256, 64, 0);
    row(256, 255, 0);
    row(32, 32, 0);
    row(1024, 40, 0);
    row(192, 48, 0);
    row(256, 32, 50);
    row(256, 32, 227);
    std::printf("Answer: %d\n", answer);
    std::printf("Answer: %.0f\n", 100. * blocks_at_once(256, 32, 50 << 10) * 8 / max_warps);
}
