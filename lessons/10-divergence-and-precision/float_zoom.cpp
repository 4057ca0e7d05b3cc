// SPDX-License-Identifier: MIT
// Shows how many different points 256 neighbouring pixels are in float and in double, zoom by zoom.
#include <cstdio>

#include <gpu/gpu.hpp>

/// The different values among left + column * step, column = 0 to 255, computed on the device.
template <class T>
static int different(double left, double width) {
    const gpu::Array<T> x = T(left) + gpu::arange<T>(256) * T(width / 256);
    return 1 + int(gpu::sum((gpu::diff(x) != T(0)).template astype<int>()).item());
}

int main() {
    std::printf("%10s %8s %8s\n", "width", "float", "double");
    for (const double width : {3.0, 1e-3, 1e-5, 1e-6, 1e-7})
        std::printf("%10g %8d %8d\n", width, different<float>(-0.75, width), different<double>(-0.75, width));
    std::printf("Answer: %d\n", different<float>(-0.75, 1e-6));
}
