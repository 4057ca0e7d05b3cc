// SPDX-License-Identifier: MIT
// The study guide and the comparison of NumPy and CuPy: products, singular values, equations.
#include "support.hpp"

TEST_CASE("study: singular values of a random matrix") {
    // d_a = cp.random.uniform(low=-1., high=1., size=(64, 64)).astype(cp.float32);  u, s, v = cp.linalg.svd(d_a)
    gpu::random::Generator rng(11);
    const gpu::Array<float> a = rng.uniform<float>({64, 64}, -1, 1);
    const auto [u, s, vt] = gpu::linalg::svd(a);
    CHECK(u.shape() == gpu::Shape{64, 64});
    CHECK(s.shape() == gpu::Shape{64});
    CHECK(vt.shape() == gpu::Shape{64, 64});
    // judged by what it is for: u s v is a, u and v are orthonormal, s falls
    const double eps = 0x1p-23, n = 64;
    const gpu::Array<float> again = gpu::matmul(u * s, vt);
    const double norm = gpu::linalg::norm(a).item();
    CHECK(gpu::linalg::norm(again - a).item() <= 10 * n * eps * norm);
    CHECK(gpu::linalg::norm(gpu::matmul(u.transpose(), u) - gpu::eye<float>(64)).item() <= 10 * n * eps);
    CHECK(gpu::linalg::norm(gpu::matmul(vt, vt.transpose()) - gpu::eye<float>(64)).item() <= 10 * n * eps);
    const auto singular = values(s);
    for (std::size_t k = 1; k < singular.size(); ++k) CHECK(singular[k] <= singular[k - 1]);
    CHECK(singular.back() >= 0);
    CHECK(gpu::linalg::norm(s).item() == doctest::Approx(norm).epsilon(1e-5));
}

TEST_CASE("study: products") {
    // a = cp.arange(6).reshape(2, 3);  b = cp.arange(12).reshape(3, 4);  a @ b;  cp.dot(v, v)
    const gpu::Array<float> a = gpu::arange<float>(6).reshape({2, 3}), b = gpu::arange<float>(12).reshape({3, 4});
    const gpu::Array<float> c = gpu::matmul(a, b);
    CHECK(values(c) == std::vector<float>{20, 23, 26, 29, 56, 68, 80, 92});
    // windows are multiplied where they are: b.T @ a.T is c.T
    const gpu::Array<float> turned = gpu::matmul(b.transpose(), a.transpose());
    CHECK(values(turned) == values(gpu::Array<float>(c.transpose())));
    const gpu::Array<double> v = gpu::arange<double>(5);
    CHECK(gpu::dot(v, v).item() == 30);
    // cp.matmul of shapes (2,3) and (4,5) is a ValueError
    CHECK_THROWS_AS((void)gpu::matmul(a, gpu::ones<float>({4, 5})), gpu::Error);
}

TEST_CASE("study: equations and least squares") {
    // x = cp.linalg.solve(A, b);  cp.allclose(A @ x, b)
    gpu::random::Generator rng(12);
    const gpu::Array<double> noise = rng.uniform<double>({20, 20}, -1, 1), b = rng.uniform<double>({20});
    const gpu::Array<double> a = noise + 20. * gpu::eye<double>(20);
    const gpu::Array<double> x = gpu::linalg::solve(a, b);
    CHECK(gpu::linalg::norm(gpu::matmul(a, x) - b).item() <= 1e-13);
    // a line through points: cp.linalg.lstsq(cp.stack([t, cp.ones_like(t)], 1), y)
    const gpu::Array<double> t = gpu::linspace<double>(0, 1, 50);
    gpu::Array<double> columns = gpu::ones<double>({50, 2});
    auto first = columns(gpu::all, 0);
    first = t;
    const auto line = gpu::linalg::lstsq(columns, 3. * t - 1.);
    CHECK(close(values(line.solution), {3.0, -1.0}, 100));
}
