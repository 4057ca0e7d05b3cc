// SPDX-License-Identifier: MIT
// Reductions of float16 and of complex numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

#include <gpu/gpu.hpp>

using gpu::half;
using C = gpu::complex<float>;
using Z = gpu::complex<double>;

TEST_CASE("float16 adds up in float32 and is rounded once") {
    const auto x = gpu::full<half>({4096}, half(1.f));
    static_assert(std::is_same_v<decltype(gpu::sum(x)), gpu::Array<half>>);
    CHECK(static_cast<float>(gpu::sum(x).item()) == 4096.f);  // a sum in float16 stops at 2048
    CHECK(static_cast<float>(gpu::sum(gpu::full<half>({70000}, half(1.f))).item()) == INFINITY);  // what a half holds
    CHECK(gpu::sum<float>(gpu::full<half>({70000}, half(1.f))).item() == 70000.f);
    CHECK(static_cast<float>(gpu::mean(gpu::full<half>({70000}, half(3.f))).item()) == 3.f);
    CHECK(gpu::mean<double>(x).item() == 1.0);
    CHECK(static_cast<float>(gpu::prod(gpu::full<half>({20}, half(0.5f)), {.keepdims = true}).item()) == 0x1p-20f);

    std::vector<half> values;
    for (const float v : {3.f, -2.f, 0.f, 5.f, 5.f, -2.f}) values.push_back(half(v));
    const auto a = gpu::to_device(values).reshape({2, 3});
    const auto rows = gpu::to_host(gpu::max(a, {.axis = 1}));
    CHECK(static_cast<float>(rows[0]) == 3.f);
    CHECK(static_cast<float>(rows[1]) == 5.f);
    CHECK(static_cast<float>(gpu::min(a).item()) == -2.f);
    CHECK(gpu::argmax(a).item() == 3);
    CHECK(gpu::argmin(a).item() == 1);
    CHECK(gpu::count_nonzero(a).item() == 5);
    CHECK(gpu::any(a).item());
    CHECK(!gpu::all(a).item());
    CHECK(static_cast<float>(gpu::to_host(gpu::linalg::norm(a, {.axis = 1}))[0]) ==
          doctest::Approx(std::sqrt(13.)).epsilon(1e-3));
    CHECK(static_cast<float>(gpu::var(x).item()) == 0.f);
    CHECK(static_cast<float>(gpu::stddev(a).item()) == doctest::Approx(2.9861).epsilon(1e-3));
    CHECK(static_cast<float>(gpu::sum(a * a).item()) == 67.f);

    const gpu::ReductionKernel squares("T x", "T y", "x * x", "a + b", "y = a", "0", "half_squares");
    CHECK(static_cast<float>(gpu::Array<half>(squares(x)).item()) == 4096.f);
}

TEST_CASE("complex numbers: sum, product, mean, norm, variance, truth") {
    const std::vector<C> values{{1, 2}, {3, -4}, {0, 0}, {0, 1}};
    const auto a = gpu::to_device(values);
    const auto m = a.reshape({2, 2});
    CHECK(gpu::sum(a).item() == C(4, -1));
    CHECK(gpu::to_host(gpu::sum(m, {.axis = 0})) == std::vector<C>{{1, 2}, {3, -3}});
    CHECK(gpu::sum<Z>(a).item() == Z(4, -1));
    CHECK(gpu::sum(a * a).item() == C(-11, -20));
    CHECK(gpu::to_host(gpu::prod(m, {.axis = 1})) == std::vector<C>{{11, 2}, {0, 0}});
    CHECK(gpu::mean(a).item() == C(1, -0.25f));
    CHECK(gpu::to_host(gpu::count_nonzero(m, {.axis = 1})) == std::vector<std::int64_t>{2, 1});
    CHECK(gpu::any(a).item());
    CHECK(gpu::to_host(gpu::all(m, {.axis = 1})) == std::vector<std::uint8_t>{1, 0});

    static_assert(std::is_same_v<decltype(gpu::linalg::norm(a)), gpu::Array<float>>);
    CHECK(gpu::linalg::norm(a).item() == doctest::Approx(std::sqrt(31.)));
    CHECK(gpu::linalg::norm(a, {.ord = 1}).item() == doctest::Approx(std::sqrt(5.) + 6));
    CHECK(gpu::linalg::norm(a, {.ord = INFINITY}).item() == 5.f);
    CHECK(gpu::linalg::norm(a, {.ord = 0}).item() == 3.f);

    static_assert(std::is_same_v<decltype(gpu::var(a)), gpu::Array<float>>);
    CHECK(gpu::var(a).item() == doctest::Approx(31. / 4 - 17. / 16));  // mean of |z|² less |mean|²
    std::vector<Z> far;
    for (const C& z : values) far.emplace_back(1e8 + z.real(), -1e8 + z.imag());
    CHECK(gpu::stddev(gpu::to_device(far), {.ddof = 1}).item() ==
          doctest::Approx(std::sqrt((31. - 17. / 4) / 3)).epsilon(1e-9));
    CHECK(std::isnan(gpu::mean(gpu::zeros<C>({0})).item().real()));
    CHECK(gpu::sum(gpu::zeros<Z>({0})).item() == Z(0, 0));
}
