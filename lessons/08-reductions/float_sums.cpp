// SPDX-License-Identifier: MIT
// Shows how a float accumulator and a tree round: a sum of ones that stops, and the errors of a million numbers.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

// [one_by_one]
GPU_KERNEL(one_by_one, (const float* x, float* total, int n), R"(
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i];
    *total = sum;
)");
// [/one_by_one]

static float accumulated(const gpu::Array<float>& x) {
    auto total = gpu::zeros<float>({});
    one_by_one({.grid = 1, .block = 1}, x, total, static_cast<int>(x.size()));
    return total.item();
}

/// Its size is a power of two.
static float in_pairs(gpu::Array<float> x) {
    for (std::int64_t half = x.size() / 2; half > 0; half /= 2) {
        gpu::Array<float> sums = x(gpu::slice(0, half)) + x(gpu::slice(half, 2 * half));
        x = std::move(sums);
    }
    return x(0).item();
}

int main() {
    std::vector<float> values(32, 1);
    values[0] = 16'777'210;  // and 31 ones
    const gpu::Array<float> ones = gpu::to_device(values);
    std::printf("16777210 and 31 ones: one by one %.0f, as a tree %.0f\n", accumulated(ones), in_pairs(ones));
    std::printf("Answer: %.0f\n", accumulated(ones));

    const int n = 1 << 20;
    const auto x = gpu::random::Generator(8).uniform<float>({n});
    const double exact = gpu::sum(x.astype<double>()).item(), u = std::ldexp(1, -24);
    const auto print = [&](const char* what, double sum, int additions) {
        std::printf("%-10s  %7d additions in a row: off by %.5f of %.0f, the bound is %.2f\n", what, additions,
                    std::abs(sum - exact), exact, additions * u * exact);
    };
    print("one by one", accumulated(x), n);
    print("as a tree", in_pairs(x), 20);
}
