// SPDX-License-Identifier: MIT
// Times sixteen chunks that go up, through a kernel and down: with one stream and four, and what spoils the four.
#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include <gpu/gpu.hpp>

constexpr int chunks = 16;

template <class Host, class PartOf>
static void time(const char* what, Host host, int streams, PartOf part_of) {
    std::fill(host.begin(), host.end(), 4.f);
    const std::size_t size = host.size() / chunks;
    const std::vector<gpu::Stream> opened(streams);
    const auto measured = gpu::benchmark(
        [&] {
            for (int k = 0; k < chunks; ++k) {
                const gpu::StreamGuard guard(opened[k % opened.size()]);
                const auto mine = std::span<float>(host).subspan(k * size, size);
                auto part = part_of(k);
                part.copy_from_async(mine);
                part = gpu::sqrt(part) * 2.f;
                part.copy_to_async(mine);
            }
            gpu::synchronize();
        },
        {.warmup = 2, .repeat = 9});
    std::printf("%-36s %8.0f us\n", what, measured.host.median_us);
}

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 26 : 1 << 21, size = n / chunks;
    std::printf("%d chunks of %d floats, up, a kernel, down\n", chunks, size);
    auto device = gpu::zeros<float>(n);
    const auto view = [&](int k) { return device(gpu::slice(k * size, (k + 1) * size)); };
    const auto array = [&](int) { return gpu::empty<float>(size); };
    time("1 stream, page-locked", gpu::Pinned<float>(n), 1, view);
    time("4 streams, page-locked", gpu::Pinned<float>(n), 4, view);
    time("4 streams, a std::vector", std::vector<float>(n), 4, view);
    time("4 streams, an array for each chunk", gpu::Pinned<float>(n), 4, array);
}
