// SPDX-License-Identifier: MIT
// Shows what becomes of a softmax in float if the row's largest element isn't subtracted first.
#include <cmath>
#include <cstdio>

#include <gpu/gpu.hpp>

static void print(const char* name, const gpu::Array<float>& x) {
    std::printf("%-22s", name);
    for (const float value : gpu::to_host(x)) std::printf(" %6.3g", std::abs(value));  // a NaN may have a sign
    std::printf("\n");
}

int main() {
    const auto x = gpu::to_device({100.f, 101.f, 102.f});
    // [naive]
    const gpu::Array<float> e = gpu::exp(x);
    const gpu::Array<float> naive = e / gpu::sum(e);
    // [/naive]
    // [safe]
    const gpu::Array<float> s = gpu::exp(x - gpu::max(x));  // at most exp(0) = 1
    const gpu::Array<float> safe = s / gpu::sum(s);
    // [/safe]
    print("exp(x)", e);
    print("exp(x) / sum", naive);
    print("exp(x - m)", s);
    print("exp(x - m) / sum", safe);
    std::printf("Answer: %g\n", std::abs(naive(0).item()));
}
