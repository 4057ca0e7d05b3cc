// SPDX-License-Identifier: MIT
// Halves, complex numbers and expressions with statements of their own are checked and counted as other elements are.
#include <doctest/doctest.h>

#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("kernels over halves and complex numbers are right in check mode") {
    using Z = gpu::complex<double>;
    auto h = gpu::to_device({gpu::half(1), gpu::half(2), gpu::half(3)});
    auto z = gpu::to_device({Z(1, 2), Z(3, -1), Z(0, 1)});
    gpu::Array<gpu::half> twice;
    gpu::Array<Z> squares;
    gpu::Array<float> shared;
    const gpu::CheckReport report = gpu::check([&] {
        twice = h + h * 0.5;
        squares = z * z;
        auto root = gpu::sqrt(h.astype<float>() + 1.f);
        shared = root * root;
    });
    CHECK(report.clean());
    CHECK(gpu::to_host(twice) == std::vector<gpu::half>{gpu::half(1.5), gpu::half(3), gpu::half(4.5)});
    CHECK(gpu::to_host(squares) == std::vector<Z>{{-3, 4}, {8, -6}, {-1, 0}});
    CHECK(gpu::to_host(shared)[2] == doctest::Approx(4));
}
