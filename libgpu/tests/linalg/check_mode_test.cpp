// SPDX-License-Identifier: MIT
// Linear algebra works on arrays in place, which check mode allows libgpu alone.
#include <doctest/doctest.h>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>
#include <gpu/linalg.hpp>

TEST_CASE("in check mode linear algebra is no mistake of host code") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;  // kernels are checked on the host alone
    gpu::random::Generator rng(3);
    const auto a = rng.normal<double>({6, 6});
    const gpu::CheckReport report = gpu::check([&] {
        (void)gpu::to_host(gpu::matmul(a, a));
        (void)gpu::linalg::svd(a);
        (void)gpu::linalg::inv(a);
        (void)gpu::linalg::solve(a, gpu::ones<double>({6}));
        (void)gpu::linalg::qr(a);
    });
    CHECK(report.to_text() == "");
}
