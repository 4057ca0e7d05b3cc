// SPDX-License-Identifier: MIT
// Shows what chunks need in order to overlap: streams, page-locked memory, and no array that is freed in between.
// Given a folder, it draws the timelines with one stream and with four.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

constexpr int n = 400'000, chunks = 4, size = n / chunks;

template <class Host, class PartOf>
void in_chunks(Host& host, const std::vector<gpu::Stream>& streams, PartOf part_of) {
    for (int k = 0; k < chunks; ++k) {
        const gpu::StreamGuard guard(streams[k % streams.size()]);
        const auto mine = std::span<float>(host).subspan(k * size, size);
        auto part = part_of(k);  // where the chunk lies on the device
        part.copy_from_async(mine);
        part = gpu::sqrt(part);
        part.copy_to_async(mine);
    }
    gpu::synchronize();
}

template <class Host, class PartOf>
static double report(const char* what, Host host, int streams, PartOf part_of, const std::string& file = "") {
    std::fill(host.begin(), host.end(), 4.f);
    const std::vector<gpu::Stream> opened(streams);
    const gpu::Trace trace = gpu::trace([&] { in_chunks(host, opened, part_of); });
    double end_us = 0;
    for (const gpu::TracedOperation& one : trace.operations) end_us = std::max(end_us, one.end_us);
    const gpu::Counts& counts = trace.report.host;
    std::printf("%-34s %d at once, %d pageable, modelled %3.0f us\n", what, int(counts.streams_at_once),
                int(counts.pageable_async_copies), end_us);
    if (!file.empty()) trace.write_svg(file, gpu::Picture::schedule);
    return end_us;
}

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // pictures and counts come from the host backend's check mode
    const auto file = [&](const char* name) { return argc > 1 ? std::string(argv[1]) + name : std::string(); };
    auto device = gpu::zeros<float>(n);
    const auto view = [&](int k) { return device(gpu::slice(k * size, (k + 1) * size)); };
    const auto array = [](int) { return gpu::empty<float>(size); };  // freed when its turn of the loop ends
    const double one = report("1 stream", gpu::Pinned<float>(n), 1, view, file("/one_stream.svg"));
    report("4 streams", gpu::Pinned<float>(n), 4, view, file("/four_streams.svg"));
    const double pageable = report("4 streams, a std::vector", std::vector<float>(n), 4, view);
    report("4 streams, an array for each chunk", gpu::Pinned<float>(n), 4, array);
    std::printf("Answer: %s\n", pageable < one ? "faster than with one stream" : "no faster than with one stream");
}
