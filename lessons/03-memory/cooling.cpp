// SPDX-License-Identifier: MIT
// Bodies cool down step by step, until little changes: each version copies and waits less than the one before.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

// [step]
constexpr float room = 20, enough = 0.01f;
using Floats = gpu::Array<float>;
Floats step(const Floats& u) { return u + 0.05f * (room - u); }
// [/step]

// [there_and_back]
int there_and_back(std::vector<float> host) {
    for (int steps = 1;; ++steps) {
        const Floats u = gpu::to_device(host), next = step(u);
        host = gpu::to_host(next);
        const std::vector<float> change = gpu::to_host(gpu::abs(next - u));
        float most = 0;
        for (const float c : change) most = std::max(most, c);
        if (most < enough) return steps;
    }
}
// [/there_and_back]

// [stays]
int stays(const std::vector<float>& host, int interval) {
    Floats u = gpu::to_device(host);
    for (int steps = 1;; ++steps) {
        Floats next = step(u);
        if (steps % interval == 0 && gpu::max(gpu::abs(next - u)).item() < enough) return steps;
        u = std::move(next);
    }
}
// [/stays]

}  // namespace

int main() {
    std::vector<float> host(1000);
    for (std::size_t k = 0; k < host.size(); ++k) host[k] = 20.0f + static_cast<float>(k % 80);
    std::puts("                      steps   up    down    bytes down   waits");
    const auto show = [&](const char* name, auto&& version) {
        const gpu::Counts before = gpu::counts();
        const int steps = version();
        const gpu::Counts c = gpu::counts() - before;
        std::printf("%-20s  %5d  %4llu  %5llu  %11llu  %6llu\n", name, steps, 0ULL + c.copies_to_device,
                    0ULL + c.copies_to_host, 0ULL + c.bytes_to_host, 0ULL + c.synchronizations);
        return c.synchronizations;
    };
    show("there and back", [&] { return there_and_back(host); });
    show("stays, looks always", [&] { return stays(host, 1); });
    const auto waits = show("looks every 10 steps", [&] { return stays(host, 10); });
    std::printf("Answer: %llu\n", 0ULL + waits);
}
