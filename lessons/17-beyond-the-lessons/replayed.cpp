// SPDX-License-Identifier: MIT
// Shows a graph: launches that were recorded once and are queued again as one.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    gpu::Array<float> x = gpu::zeros<float>({1000});
    // [graph]
    gpu::GraphCapture capture;  // from here on launches are recorded, not done
    for (int k = 0; k < 20; ++k) x = x + 1;
    const gpu::Graph graph = capture.end();
    for (int round = 0; round < 50; ++round) graph.replay();  // 1000 steps
    // [/graph]
    std::printf("20 launches recorded, 50 replays: x is %g\n", x(0).item());
}
