// SPDX-License-Identifier: MIT
// Shows how a scan gives each element that is kept its place, and each bin its beginning.
#include <cstdint>
#include <iostream>

#include <gpu/gpu.hpp>

// [scatter]
GPU_KERNEL(scatter, (const float* x, const int* place, float* kept, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) kept[place[i] - 1] = x[i];  // place: how many are kept up to and including i
)");
// [/scatter]

int main() {
    const auto x = gpu::to_device({3.f, -1.f, 4.f, -1.f, -5.f, 9.f, 2.f, -6.f});
    // [places]
    const gpu::Array<int> place = gpu::cumsum((x > 0).astype<int>()).astype<int>();
    auto kept = gpu::empty<float>({place(-1).item()});  // the last sum is how many there are
    scatter({.grid = 1, .block = 256}, x, place, kept, int(x.size()));
    // [/places]
    std::cout << "x          " << x << "\nplace      " << place << "\nkept       " << kept << "\ncompress   "
              << gpu::compress(x > 0, x) << "\n";

    // [starts]
    const auto day = gpu::to_device({2, 0, 1, 2, 2, 0, 3});
    const gpu::Array<std::int64_t> counts = gpu::bincount(day);
    const gpu::Array<std::int64_t> starts = gpu::exclusive_scan(counts, "a + b", 0);  // without its own element
    // [/starts]
    std::cout << "days       " << day << "\ncounts     " << counts << "\nstarts     " << starts << "\n";
}
