// SPDX-License-Identifier: MIT
// One function for Eigen's arrays and libgpu's: it asks neither where its arguments lie, nor what they are.
#include <cstdio>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>
#include <gpu/xp.hpp>

// [distance]
/// How far each point is from the circle of this radius.
template <class A>
auto distance(const A& x, const A& y, float radius) {
    using namespace gpu::xp;  // Eigen's functions for Eigen's arrays, libgpu's for libgpu's
    return abs(sqrt(x * x + y * y) - radius);
}
// [/distance]

int main() {
    const Eigen::ArrayXf x = Eigen::ArrayXf::LinSpaced(5, -2, 2), y = Eigen::ArrayXf::LinSpaced(5, 0, 4);
    // [calls]
    const Eigen::ArrayXf on_host = distance(x, y, 1.f);

    const gpu::Array<float> dx = gpu::to_device(x), dy = gpu::to_device(y);
    const gpu::Ledger ledger;
    const gpu::Array<float> on_device = distance(dx, dy, 1.f);
    // [/calls]
    const gpu::Counts work = ledger.totals();
    for (int k = 0; k < 5; ++k) std::printf("%.4f ", on_host[k]);
    std::printf("by Eigen\n");
    for (const float value : gpu::to_host(on_device)) std::printf("%.4f ", value);
    std::printf("by libgpu: %d launch, %d copies\n", int(work.launches),
                int(work.copies_to_device + work.copies_to_host));
}
