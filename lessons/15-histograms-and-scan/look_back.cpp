// SPDX-License-Identifier: MIT
// Counts what memory moves for a scan in one launch, and for one in pieces, which come back once more.
#include <cstdint>
#include <cstdio>

#include <gpu/gpu.hpp>

GPU_KERNEL(add_before, (const long long* before, int* y, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += int(before[blockIdx.x]);
)");

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts come from the host backend's check mode
    const gpu::RawKernel<void(const int*, int*, int*, int)> scan_pieces(gpu::file("look_back.cu"), "scan_pieces");
    const gpu::RawKernel<void(const int*, int*, std::uint64_t*, int*, int)> scan(gpu::file("look_back.cu"), "scan");
    const int n = 100'000, blocks = (n + 255) / 256;
    const auto x = gpu::random::Generator(15).integers<int>({n}, -9, 10);
    const gpu::Array<int> want = gpu::cumsum(x).astype<int>();
    auto y = gpu::empty<int>({n}), totals = gpu::empty<int>({blocks}), tickets = gpu::zeros<int>({1});
    auto words = gpu::zeros<std::uint64_t>({blocks});

    const auto print = [&](const char* name, const gpu::CheckReport& report) {
        gpu::WorkCounts all;
        for (const gpu::KernelCounts& kernel : report.kernels) all += kernel.work;
        const double moved = 8 * double(all.global_sectors) / n;  // a sector has 8 words
        std::printf("%-10s launches %d  words per element %.1f  %s, %s\n", name, int(report.host.launches), moved,
                    gpu::array_equal(y, want).item() ? "right" : "wrong",
                    report.clean() ? "no mistake found" : "found");
        return moved;
    };
    print("in pieces", gpu::check([&] {
              scan_pieces({.grid = blocks, .block = 256}, x, y, totals, n);
              const gpu::Array<std::int64_t> before = gpu::exclusive_scan(totals, "a + b", 0);
              add_before({.grid = blocks, .block = 256}, before, y, n);
          }));
    const double moved =
        print("look back", gpu::check([&] { scan({.grid = blocks, .block = 256}, x, y, words, tickets, n); }));
    std::printf("Answer: %.1f\n", moved);
}
