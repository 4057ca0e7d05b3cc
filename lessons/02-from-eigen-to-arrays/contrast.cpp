// SPDX-License-Identifier: MIT
// One function three times: with Eigen, ported line by line, and ported so that no number comes back before the last.
#include <cmath>
#include <cstdio>
#include <utility>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>

// [eigen]
float contrast(const Eigen::ArrayXXf& image, float least) {
    const Eigen::ArrayXXf bright = image.max(least);
    const Eigen::ArrayXXf stops = bright.log() / std::log(2.0f);
    const float mean = stops.mean();
    const Eigen::ArrayXXf distance = (stops - mean).square();
    return std::sqrt(distance.mean());
}
// [/eigen]

// [by_line]
float contrast_by_line(const Eigen::ArrayXXf& image, float least) {
    const gpu::Array<float> pixels = gpu::to_device(image);
    const gpu::Array<float> bright = gpu::maximum(pixels, least);
    const gpu::Array<float> stops = gpu::log(bright) / std::log(2.0f);
    const float mean = gpu::mean(stops).item();
    const gpu::Array<float> distance = gpu::square(stops - mean);
    return std::sqrt(gpu::mean(distance).item());
}
// [/by_line]

// [ported]
float contrast_ported(const Eigen::ArrayXXf& image, float least) {
    const gpu::Array<float> pixels = gpu::to_device(image);
    const gpu::Array<float> stops = gpu::log2(gpu::maximum(pixels, least));
    const gpu::Array<float> mean = gpu::mean(stops);
    const float variance = gpu::mean(gpu::square(stops - mean)).item();
    return std::sqrt(variance);
}
// [/ported]

int main() {
    const Eigen::ArrayXXf image = (Eigen::ArrayXXf::Random(480, 640) + 1) / 2;
    const float expected = contrast(image, 0.01f);
    int waited = 0, in_the_middle = 0;  // lines of a copy to the host; of one with a launch after it
    for (const auto& [name, port] : {std::pair("by line", &contrast_by_line), std::pair("ported", &contrast_ported)}) {
        const gpu::Ledger ledger;
        std::printf("%s: %s\n", name, std::abs(port(image, 0.01f) - expected) < 1e-4f ? "as Eigen's" : "WRONG");
        waited = 0;
        for (const gpu::LedgerEntry& entry : ledger.entries()) {
            if (entry.kind != gpu::LedgerEntry::Kind::free) std::puts(entry.to_string().c_str());
            if (entry.kind == gpu::LedgerEntry::Kind::copy_to_host && entry.waits) waited = entry.line;
            if (entry.kind == gpu::LedgerEntry::Kind::launch && waited != 0) in_the_middle = waited;
        }
        const gpu::Counts totals = ledger.totals();
        std::printf("totals: %d allocations, %d launches, %d waits\n\n", static_cast<int>(totals.allocations),
                    static_cast<int>(totals.launches), static_cast<int>(totals.synchronizations));
    }
    std::printf("Answer: line %d\n", in_the_middle);
}
