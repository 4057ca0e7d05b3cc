// SPDX-License-Identifier: MIT
// Uses two events as a stopwatch on the device, and shows when the host waits for them.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::ElementwiseKernel loss("T x", "T z", "z = sqrt(1 + x * x) - 1", "loss");
    const auto x = gpu::random::uniform<float>({1 << 20});
    auto z = gpu::empty<float>(x.shape());
    loss(x, gpu::out(z));  // the warm-up

    const auto waits = [waited = gpu::counts().synchronizations] {
        return static_cast<int>(gpu::counts().synchronizations - waited);
    };
    // [events]
    gpu::Event begin, end;
    begin.record();  // a mark in the queue: the host goes on
    for (int k = 0; k < 10; ++k) loss(x, gpu::out(z));
    end.record();
    const int before = waits();
    const float ms = gpu::elapsed_ms(begin, end) / 10;  // waits until the later mark is reached
    // [/events]
    std::printf("10 launches queued between 2 marks: the host has waited %d times\n", before);
    std::printf("asked for the time between the marks: %s, and the time is %s\n",
                waits() > before ? "it waits" : "no wait", ms > 0 ? "that of a launch" : "0");
}
