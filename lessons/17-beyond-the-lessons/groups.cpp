// SPDX-License-Identifier: MIT
// Shows cooperative groups: a sum of a warp in one call, and a barrier of the whole grid.
#include <cstdio>

#include <gpu/gpu.hpp>

// [groups]
const gpu::RawModule groups(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void smooth_twice(const float* x, float* y, float* z, float* total, int n) {
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = grid.thread_rank();
    if (i < n) y[i] = 0.5f * (x[i] + x[i > 0 ? i - 1 : 0]);
    grid.sync();  // all blocks: in a cooperative launch alone
    if (i < n) z[i] = 0.5f * (y[i] + y[i > 0 ? i - 1 : 0]);
    const float sum = cg::reduce(warp, i < n ? z[i] : 0.f, cg::plus<float>());  // every lane gets it
    if (warp.thread_rank() == 0) atomicAdd(total, sum);
}
)");
// [/groups]

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const auto kernel = groups.kernel<void(const float*, float*, float*, float*, int)>("smooth_twice");
    const int n = 1000;
    const auto x = gpu::ones<float>({n});
    auto y = gpu::empty<float>({n}), z = gpu::empty<float>({n}), total = gpu::zeros<float>({});
    const gpu::CheckReport report =
        gpu::check([&] { kernel({.grid = 4, .block = 256, .cooperative = true}, x, y, z, total, n); });
    std::printf("one launch, two steps that need each other: sum %g, %s\n", total.item(),
                report.clean() ? "nothing found" : report.to_text().c_str());
}
