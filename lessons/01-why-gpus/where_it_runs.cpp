// SPDX-License-Identifier: MIT
// Twelve lines, and what each of them asked of the device: copies and kernels are counted after each line.
#include <cmath>
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

int launching = 0;

/// Says what happened since the last call.
void did(char line) {
    static gpu::Counts before;
    const gpu::Counts now = gpu::counts();
    const auto up = now.bytes_to_device - before.bytes_to_device;
    const auto down = now.bytes_to_host - before.bytes_to_host;
    const auto launches = now.launches - before.launches;
    std::printf("%c:", line);
    if (up > 0) std::printf(" copies %d bytes to the device", static_cast<int>(up));
    if (launches > 0) std::printf(" launches %d kernel", static_cast<int>(launches));
    if (down > 0) std::printf(" copies %d bytes to the host", static_cast<int>(down));
    std::puts(up + down + launches == 0 ? " the host alone" : "");
    launching += launches > 0;
    before = gpu::counts();
}

}  // namespace

int main() {
    // clang-format off
    // [lines]
    const int n = 1000;                               did('a');
    std::vector<float> h(n, 2.0f);                    did('b');
    h[3] = 5.0f;                                      did('c');
    gpu::Array<float> x = gpu::to_device(h);          did('d');
    h[3] = 7.0f;                                      did('e');
    gpu::Array<float> y = gpu::arange<float>(n);      did('f');
    gpu::Array<float> z = x * y + 1.0f;               did('g');
    gpu::Array<float> total = gpu::sum(z);            did('h');
    const float sum = total.item();                   did('i');
    const float root = std::sqrt(sum);                did('j');
    std::vector<float> back = gpu::to_host(z);        did('k');
    std::printf("%.0f %.1f\n", back[3], root);        did('l');
    // [/lines]
    // clang-format on
    std::printf("Answer: %d\nAnswer: %.0f\n", launching, back[3]);
}
