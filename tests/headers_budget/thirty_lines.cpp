// SPDX-License-Identifier: MIT
// What a student's program looks like: thirty lines of arrays. `make bench` measures what they cost a compile.
#include <gpu/gpu.hpp>

float thirty_lines(const std::vector<float>& host) {
    gpu::Array<float> x = gpu::to_device(host);
    gpu::Array<float> y = gpu::linspace<float>(0, 1, x.size());
    auto a = gpu::arange<float>(12).reshape({3, 4});
    auto ones = gpu::ones<float>({3, 4});
    auto zeros = gpu::zeros<double>({4});
    gpu::Array<float> z = gpu::pow(x, 2) + 2.f * y;
    z = gpu::sqrt(gpu::abs(z)) - gpu::exp(-x);
    gpu::Array<bool> mask = z > 0.5f && x <= y;
    gpu::Array<float> w = gpu::where(mask, z, 0.f);
    z[mask] = z[mask] * z[mask] + w[mask];
    gpu::Array<float> kept = z[mask].compress();
    auto total = gpu::sum(x * y);
    auto mean = gpu::mean(a, {.axis = 0});
    auto spread = gpu::stddev(a, {.axis = 0, .keepdims = true});
    gpu::Array<float> normal = (a - mean) / spread;
    auto largest = gpu::max(a, {.axis = 1});
    auto where = gpu::argmax(a, {.axis = 1});
    auto row = a(1, gpu::all);
    auto even = a(gpu::all, gpu::slice(0, 4, 2));
    even = 7.f;
    gpu::Array<float> t = a.transpose();
    gpu::Array<double> wide = row.shape() == zeros.shape() ? gpu::Array<float>(row).astype<double>() : zeros;
    wide = gpu::sin(wide) + gpu::cos(wide) * 2.0;
    gpu::Array<float> clipped = gpu::minimum(gpu::maximum(normal, -1.f), 1.f);
    gpu::Array<float> picked = gpu::take(x, where);
    auto sums = gpu::cumsum(clipped, {.axis = 1});
    gpu::Array<int> counts = (sums * 10.f).astype<int>() % 3;
    auto any = gpu::any(counts == 2);
    auto back = gpu::to_host(t);
    return total.item() + largest(0).item() + (any.item() ? 1.f : back[0]) +
           static_cast<float>(kept.size() + picked.size());
}
