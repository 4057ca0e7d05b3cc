// SPDX-License-Identifier: MIT
// Shows how many copies a loop asks for, before and after what need not be in it was moved out.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

// [before]
static float before(const std::vector<float>& weights, int n) {
    gpu::Array<float> x = gpu::ones<float>({n});
    float largest = 0;
    for (int step = 0; step < 50; ++step) {
        const gpu::Array<float> w = gpu::to_device(weights);
        x = 0.5f * x + w * x;
        largest = gpu::max(x).item();
    }
    return largest;
}
// [/before]

// [after]
static float after(const std::vector<float>& weights, int n) {
    const gpu::Array<float> w = gpu::to_device(weights);
    gpu::Array<float> x = gpu::ones<float>({n});
    for (int step = 0; step < 50; ++step) x = 0.5f * x + w * x;
    return gpu::max(x).item();
}
// [/after]

template <class Loop>
static int copies(const char* name, Loop loop, float& result) {
    const std::vector<float> weights(1000, 0.5f);
    const gpu::Counts start = gpu::counts();
    result = loop(weights, 1000);
    const gpu::Counts counts = gpu::counts() - start;
    std::printf("%-7s %2d up, %2d down\n", name, int(counts.copies_to_device), int(counts.copies_to_host));
    return int(counts.copies_to_device + counts.copies_to_host);
}

int main() {
    float one = 0, other = 0;
    copies("before:", before, one);
    const int left = copies("after:", after, other);
    std::printf("the results are %s\nAnswer: %d\n", one == other ? "equal" : "not equal", left);
}
