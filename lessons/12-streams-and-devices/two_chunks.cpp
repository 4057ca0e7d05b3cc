// SPDX-License-Identifier: MIT
// Shows two chunks in two streams, by hand: one of them may be copied while the other one is computed.
#include <algorithm>
#include <cstdio>
#include <span>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int n = 200'000;
    gpu::Pinned<float> host(n);
    std::fill(host.begin(), host.end(), 4.f);
    auto x = gpu::zeros<float>(n / 2), y = gpu::zeros<float>(n / 2);
    const gpu::CheckReport report = gpu::check([&] {
        // [two_chunks]
        const auto left = std::span<float>(host).first(n / 2), right = std::span<float>(host).last(n / 2);
        const gpu::Stream a, b;
        {
            const gpu::StreamGuard in_a(a);
            x.copy_from_async(left);
            x = gpu::sqrt(x);
            x.copy_to_async(left);
        }
        {
            const gpu::StreamGuard in_b(b);
            y.copy_from_async(right);
            y = gpu::sqrt(y);
            y.copy_to_async(right);
        }
        gpu::synchronize();  // for both streams: now the roots are there
        // [/two_chunks]
    });
    std::printf("%d streams at once, %d wait of the host, %zu findings\n", int(report.host.streams_at_once),
                int(report.host.synchronizations), report.findings.size());
    std::printf("host[0] is %g, host[%d] is %g\n", host[0], n - 1, host[n - 1]);
}
