// SPDX-License-Identifier: MIT
// One template for Eigen's arrays and libgpu's: Eigen makes one loop of it, libgpu one kernel.
#include <cstdio>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>
#include <gpu/xp.hpp>

// [softplus]
template <class A>
auto softplus(const A& x) {
    using namespace gpu::xp;
    return max(x, 0) + log1p(exp(-abs(x)));
}
// [/softplus]

int main() {
    const Eigen::ArrayXf h = Eigen::ArrayXf::LinSpaced(5, -2, 2);
    const gpu::Array<float> d = gpu::to_device(h);
    const Eigen::ArrayXf on_host = softplus(h);

    const gpu::Ledger ledger;
    // [kernels]
    gpu::Array<float> y = softplus(d);
    gpu::Array<float> total = gpu::sum(softplus(d));
    auto lazy = softplus(d);
    gpu::Array<float> once = lazy + 1;
    gpu::Array<float> twice = lazy + 2;
    // [/kernels]
    const auto launches = ledger.totals().launches;
    std::printf("%s\n", ledger.text().c_str());
    std::printf("host  ");
    for (const float value : on_host) std::printf(" %.4f", value);
    std::printf("\ndevice");
    for (const float value : gpu::to_host(y)) std::printf(" %.4f", value);
    std::printf("\nAnswer: %d\n", static_cast<int>(launches));
}
