// SPDX-License-Identifier: MIT
// Shows what it does to a scalar product if its inputs are rounded to TF32, half or bfloat16.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

/// Rounded to 10 bits behind the point, as tensor cores do for TF32.
static float to_tf32(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu);
}

int main() {
    const int n = 1 << 16;
    gpu::random::Generator random(17);
    const std::vector<float> a = gpu::to_host(random.uniform<float>({n})), b = gpu::to_host(random.uniform<float>({n}));
    double exact = 0;
    for (std::size_t i = 0; i < a.size(); ++i) exact += double(a[i]) * double(b[i]);
    const auto print = [&](const char* type, const char* bits, const auto& rounded) {
        double sum = 0, worst = 0;  // in double: what is off comes from the inputs alone
        for (std::size_t i = 0; i < a.size(); ++i) {
            sum += double(rounded(a[i])) * double(rounded(b[i]));
            worst = std::fmax(worst, std::fabs(rounded(a[i]) - a[i]) / a[i]);
        }
        std::printf("%-9s %-20s input off by up to %.0e, sum by %.0e\n", type, bits, worst,
                    std::fabs(sum - exact) / exact);
    };
    print("float", "8 exponent, 23 more", [](float x) { return x; });
    print("TF32", "8 exponent, 10 more", to_tf32);
    print("half", "5 exponent, 10 more", [](float x) { return float(gpu::half(x)); });
    print("bfloat16", "8 exponent,  7 more", [](float x) { return float(gpu::bfloat16(x)); });
    std::printf("300 * 300 in half: %g, in bfloat16: %g\n", double(float(gpu::half(300.f * 300.f))),
                double(float(gpu::bfloat16(300.f * 300.f))));
}
