// SPDX-License-Identifier: MIT
// The exercises: arrays made on the device, a sum with a sine, its norm, transfers, reductions.
#include "support.hpp"

#include <numeric>

#include <Eigen/Core>

#include <gpu/eigen.hpp>

TEST_CASE("exercises: c = a + b + sin(a) and its norm") {
    // a = np.random.rand(N);  b = np.random.rand(N);  c = a + b + np.sin(a);  print(np.linalg.norm(c))
    const int n = 10007;
    gpu::random::Generator rng(1);
    const gpu::Array<float> a_gpu = rng.uniform<float>({n}), b_gpu = rng.uniform<float>({n});
    const Eigen::ArrayXd a = gpu::to_eigen<Eigen::VectorXf>(a_gpu).cast<double>();
    const Eigen::ArrayXd b = gpu::to_eigen<Eigen::VectorXf>(b_gpu).cast<double>();
    const Eigen::VectorXd c = a + b + a.sin();
    // c = a + b + cp.sin(a);  print(cp.linalg.norm(c))
    const gpu::Array<float> c_gpu = a_gpu + b_gpu + gpu::sin(a_gpu);
    CHECK(gpu::linalg::norm(c_gpu).item() == doctest::Approx(c.norm()).epsilon(1e-6));
    const Eigen::VectorXf back = gpu::to_eigen<Eigen::VectorXf>(c_gpu);
    CHECK((back.cast<double>() - c).cwiseAbs().maxCoeff() < 4 * 0x1p-23 * 3);
}

TEST_CASE("exercises: transfers that are needed, and those that aren't") {
    // a_cpu = np.random.rand(N);  a = cp.asarray(a_cpu);  b = cp.asnumpy(a)
    std::vector<float> a_cpu(1000);
    std::iota(a_cpu.begin(), a_cpu.end(), 0.5f);
    gpu::Counts before = gpu::counts();
    const gpu::Array<float> a = gpu::to_device(a_cpu);
    const std::vector<float> b = gpu::to_host(a);
    gpu::Counts work = gpu::counts() - before;
    CHECK(b == a_cpu);
    CHECK(work.copies_to_device == 1);
    CHECK(work.copies_to_host == 1);
    CHECK(work.bytes_to_device == 4000);
    // a = cp.random.rand(N): made where it is used
    before = gpu::counts();
    gpu::random::Generator rng(3);
    const gpu::Array<double> made = rng.uniform<double>({1000});
    const gpu::Array<double> doubled = 2 * made;
    work = gpu::counts() - before;
    CHECK(work.copies_to_device == 0);
    CHECK(work.copies_to_host == 0);
    CHECK(work.synchronizations == 0);
    CHECK(gpu::max(doubled).item() < 2);
}

TEST_CASE("exercises: a loop of copies, and one copy") {
    // for row in x_cpu: total += cp.asarray(row).sum()       against       cp.asarray(x_cpu).sum(axis=1)
    const int rows = 20, columns = 30;
    std::vector<float> x_cpu(rows * columns);
    std::iota(x_cpu.begin(), x_cpu.end(), 0.f);
    gpu::Counts before = gpu::counts();
    std::vector<float> by_rows;
    for (int r = 0; r < rows; ++r) {
        const std::vector<float> row(x_cpu.begin() + r * columns, x_cpu.begin() + (r + 1) * columns);
        by_rows.push_back(gpu::sum(gpu::to_device(row)).item());
    }
    CHECK((gpu::counts() - before).copies_to_device == rows);
    before = gpu::counts();
    const gpu::Array<float> x = gpu::to_device(x_cpu).reshape({rows, columns});
    const std::vector<float> at_once = values(gpu::sum(x, {.axis = 1}));
    CHECK((gpu::counts() - before).copies_to_device == 1);
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(at_once == by_rows);
}

TEST_CASE("exercises: the sum of many numbers") {
    // x = cp.ones(N, dtype=cp.float32);  x.sum(): right, where a loop of float additions stops at 2**24
    const gpu::Array<float> x = gpu::ones<float>({(1 << 24) + 3});
    CHECK(gpu::sum<double>(x).item() == (1 << 24) + 3);
    CHECK(gpu::sum(x).item() == doctest::Approx((1 << 24) + 3).epsilon(1e-6));
}
