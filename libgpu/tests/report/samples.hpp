// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <gpu/check.hpp>

// Reports as check mode makes them, with round numbers.
namespace samples {

inline gpu::WorkCounts global(std::uint64_t reads, std::uint64_t writes, std::uint64_t requests,
                              std::uint64_t sectors) {
    gpu::WorkCounts work;
    work.global_reads = reads;
    work.global_writes = writes;
    work.global_bytes_read = 4 * reads;
    work.global_bytes_written = 4 * writes;
    work.global_bytes_used = std::min(4 * (reads + writes), 32 * sectors);
    work.global_requests = requests;
    work.global_sectors = sectors;
    work.global_segments = sectors / 4;
    return work;
}

inline gpu::WorkCounts shared(std::uint64_t reads, std::uint64_t writes, std::uint64_t requests,
                              std::uint64_t wavefronts) {
    gpu::WorkCounts work;
    work.shared_reads = reads;
    work.shared_writes = writes;
    work.shared_bytes_read = 4 * reads;
    work.shared_bytes_written = 4 * writes;
    work.shared_requests = requests;
    work.shared_wavefronts = wavefronts;
    return work;
}

/// A transposition through a tile whose columns lie in one bank each.
inline gpu::KernelCounts transpose() {
    gpu::KernelCounts kernel;
    kernel.name = "transpose";
    kernel.file = "transpose.cu";
    kernel.first_line = 3;
    kernel.source =
        "__global__ void transpose(const float* in, float* out) {\n"
        "\t__shared__ float tile[32][32];\n"
        "    int x = 32 * blockIdx.x + threadIdx.x, y = ...;\n"
        "    tile[threadIdx.y][threadIdx.x] = in[y * width + x];\n"
        "    __syncthreads();\n"
        "\n"
        "    out[transposed(x, y)] = tile[threadIdx.x][threadIdx.y];\n"
        "}\n";
    kernel.launches = 1;
    kernel.blocks = 1024;
    kernel.threads = 1'048'576;
    kernel.shapes = {{{32, 32}, {32, 32}, 1}};
    gpu::LineCounts load{"transpose.cu", 6, global(1'048'576, 0, 32'768, 131'072)};
    load.work += shared(0, 1'048'576, 32'768, 32'768);
    gpu::LineCounts barrier{"transpose.cu", 7, {}};
    barrier.work.barriers = 1024;
    gpu::LineCounts store{"transpose.cu", 9, global(0, 1'048'576, 32'768, 131'072)};
    store.work += shared(1'048'576, 0, 32'768, 1'048'576);
    kernel.lines = {load, barrier, store};
    for (const gpu::LineCounts& line : kernel.lines) kernel.work += line.work;
    return kernel;
}

/// A kernel that libgpu wrote around an expression.
inline gpu::KernelCounts squared_diff() {
    gpu::KernelCounts kernel;
    kernel.name = "squared_diff";
    kernel.file = "squared_diff";
    kernel.made_in = "work/elementwise.cpp";
    kernel.launches = 2;
    kernel.blocks = 2;
    kernel.threads = 200;
    kernel.work = global(400, 200, 24, 80);
    kernel.work.divergent_requests = 6;
    kernel.lines = {{"squared_diff", 1, kernel.work}};
    return kernel;
}

inline gpu::CheckReport report() {
    gpu::CheckReport report;
    report.kernels = {transpose(), squared_diff()};
    gpu::Finding first;
    first.kind = gpu::FindingKind::out_of_bounds;
    first.kernel = "add";
    first.file = "add.cu";
    first.line = 3;
    first.variable = "z";
    first.what = "add.cu:3: out of bounds: z[1000] is written; z has 1000 elements";
    first.who = "thread (232,0,0) of block (3,0,0)";
    first.advice = "More threads run than there are elements: begin with `if (i < n)`.";
    gpu::Finding second = first;
    second.kind = gpu::FindingKind::uninitialized_read;
    second.what = "add.cu:4: \"x\" is read before anybody wrote it\tat all";
    second.times = 2048;
    report.findings = {first, second};
    report.host.launches = 3;
    report.host.copies_to_device = 2;
    report.host.bytes_to_device = 8 << 20;
    report.host.copies_to_host = 1;
    report.host.bytes_to_host = 800;
    report.host.allocations = 2;
    report.host.bytes_allocated = 8 << 20;
    report.host.synchronizations = 1;
    return report;
}

}  // namespace samples
