// SPDX-License-Identifier: MIT
// Shows operations that know where they are, and see more than one element: i, _ind.size() and raw parameters.
#include <iostream>

#include <gpu/gpu.hpp>

int main() {
    const auto x = gpu::to_device({1.f, 4.f, 9.f, 16.f, 25.f});
    // [raw]
    const gpu::ElementwiseKernel slope("raw T x", "T y", "y = x[min(i + 1, _ind.size() - 1)] - x[max(i - 1, 0ll)]",
                                       "slope");
    auto y = gpu::empty<float>({5});
    slope(x, gpu::out(y));
    // [/raw]
    // [ramp]
    const gpu::ElementwiseKernel ramp("float low, float high", "float y",
                                      "y = low + (high - low) * i / (_ind.size() - 1)", "ramp");
    const gpu::Array<float> seven = ramp(0, 3, {.size = 7});
    // [/ramp]
    std::cout << "x      " << x << "\nslope  " << y << "\nramp   " << seven << "\n";
}
