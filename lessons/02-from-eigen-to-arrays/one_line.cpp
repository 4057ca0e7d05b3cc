// SPDX-License-Identifier: MIT
// Two lines of arithmetic, and what they ask of the device: the ledger counts kernels and bytes.
#include <cstdio>

#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>

int main() {
    const gpu::Array<float> x = gpu::linspace<float>(0, 1, 1000);
    const gpu::Array<float> y = gpu::ones<float>({1000});

    const gpu::Ledger ledger;
    // [lines]
    gpu::Array<float> z = gpu::pow(x, 2) + 2 * y;
    float s = gpu::sum(z).item();
    // [/lines]
    const gpu::Counts totals = ledger.totals();
    std::printf("%s\nsum %.2f\n", ledger.text().c_str(), s);
    std::printf("Answer: %d kernels, %d bytes down\n", static_cast<int>(totals.launches),
                static_cast<int>(totals.bytes_to_host));
}
