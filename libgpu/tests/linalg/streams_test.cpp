// SPDX-License-Identifier: MIT
// Linear algebra among other work: streams, threads, devices, check mode.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "linalg/host_matrix.hpp"

TEST_CASE("products and factorisations come in their turn in a stream") {
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    gpu::Array<double> a = gpu::eye<double>(40);
    for (int k = 0; k < 20; ++k) {
        a = gpu::matmul(a, gpu::eye<double>(40) * 2.);
        a = a * 0.5 + gpu::eye<double>(40) * 0.5;  // 1.5 on the diagonal, then 2, 2.5, ...
    }
    CHECK(gpu::linalg::svdvals(a)(0).item() == 11);
    a *= 2.;
    CHECK(gpu::linalg::eigvalsh(a)(39).item() == 22);
    const gpu::Array<double> x = gpu::linalg::solve(a, gpu::ones<double>({40}));
    CHECK(gpu::max(x * 22.).item() == doctest::Approx(1));
}

TEST_CASE("threads of the program share nothing but the device") {
    const HostMatrix all = random_matrix(60, 20, false, 81);
    HostMatrix copy = all;
    const gpu::Array<double> a = on_device<double>(copy);
    const gpu::Array<double> product = gpu::matmul(a.transpose(), a), values = gpu::linalg::svdvals(a);
    gpu::synchronize();
    const std::vector<double> expected = gpu::to_host(product), singular = gpu::to_host(values);
    std::vector<int> same(4, 0);
    std::vector<std::thread> threads;
    for (int& good : same) {
        threads.emplace_back([&] {
            const gpu::Stream stream;
            const gpu::StreamGuard guard(stream);
            bool equal = true;
            for (int repeat = 0; repeat < 5; ++repeat) {
                equal = equal && gpu::to_host(gpu::matmul(a.transpose(), a)) == expected;
                equal = equal && gpu::to_host(gpu::linalg::svdvals(a)) == singular;
            }
            good = equal ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(same == std::vector<int>(4, 1));
}

TEST_CASE("the same call gives the same bits, of matrices that several threads share too") {
    HostMatrix all = random_matrix(300, 300, false, 82);
    const gpu::Array<float> a = on_device<float>(all);
    const auto results = [&] {
        std::vector<float> bits = gpu::to_host(gpu::matmul(a, a));
        if (gpu::Device::current().kind() != gpu::BackendKind::host) return bits;  // cuSOLVER doesn't promise it
        for (const gpu::Array<float>& one :
             {gpu::linalg::solve(a, a(gpu::all, gpu::slice(0, 9))), gpu::linalg::svd(a).U, gpu::linalg::qr(a).Q,
              gpu::linalg::eigh(a).vectors}) {
            const std::vector<float> more = gpu::to_host(one);
            bits.insert(bits.end(), more.begin(), more.end());
        }
        return bits;
    };
    const std::vector<float> first = results();
    for (int repeat = 0; repeat < 3; ++repeat) CHECK(results() == first);
}

TEST_CASE("linear algebra happens where the arrays are") {
    if (gpu::Device::count() < 2) return;
    const auto here = gpu::ones<float>({2, 2});
    const auto there = here.to(gpu::Device(1));
    CHECK(gpu::matmul(there, there).device() == gpu::Device(1));
    CHECK(gpu::linalg::svd(there).U.device() == gpu::Device(1));
    CHECK(gpu::linalg::det(there + gpu::eye<float>(2).to(gpu::Device(1))).item() == 3);
    CHECK(gpu::linalg::qr(there).R.device() == gpu::Device(1));
    CHECK(gpu::linalg::lstsq(there, there).solution.device() == gpu::Device(1));
    CHECK_THROWS_AS((void)gpu::matmul(here, there), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::linalg::solve(here, there), gpu::DeviceError);
    CHECK_THROWS_AS((void)gpu::linalg::lstsq(here, there), gpu::DeviceError);
}

TEST_CASE("check mode finds nothing wrong with results of linear algebra") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;  // a GPU has no check mode
    const gpu::CheckReport report = gpu::check([] {
        const auto a = gpu::arange<double>(12).reshape({4, 3}).copy();
        gpu::Array<double> twice = gpu::matmul(a, a.transpose()) * 2.;
        const auto [u, s, vt] = gpu::linalg::svd(a);
        gpu::Array<double> same = gpu::matmul(u * s, vt) + gpu::linalg::qr(a).Q;
        gpu::Array<double> values = gpu::linalg::eigvalsh(twice) + 1.;
        gpu::synchronize();
    });
    CHECK(report.findings.empty());
}
