// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("an expression is one kernel") {
    auto x = gpu::to_device({1.f, 2.f, 3.f}), y = gpu::to_device({10.f, 20.f, 30.f});
    const auto before = gpu::counts();
    //! [expression]
    gpu::Array<float> z = gpu::pow(x, 2) + 2.f * y;
    //! [expression]
    const auto work = gpu::counts() - before;
    CHECK(work.launches == 1);
    CHECK(work.allocations == 1);
    CHECK(work.copies_to_device == 0);
    CHECK(gpu::to_host(z) == std::vector<float>{21, 44, 69});

    const auto again = gpu::counts();
    z = x - y;
    CHECK((gpu::counts() - again).allocations == 0);
    CHECK(gpu::to_host(z) == std::vector<float>{-9, -18, -27});
}

TEST_CASE("operands broadcast as in NumPy") {
    auto a = gpu::arange<float>(6).reshape({2, 3});
    auto row = gpu::to_device({10.f, 20.f, 30.f});
    gpu::Array<float> sum = a + row;
    CHECK(gpu::to_host(sum) == std::vector<float>{10, 21, 32, 13, 24, 35});
    gpu::Array<float> outer = row.reshape({3, 1}) * gpu::arange<float>(2);
    CHECK(outer.shape() == gpu::Shape{3, 2});
    CHECK(gpu::to_host(outer) == std::vector<float>{0, 10, 0, 20, 0, 30});
    CHECK_THROWS_AS((void)(a + gpu::arange<float>(2)), gpu::ShapeError);
}

TEST_CASE("products aren't fused with sums: a * b - c * d is 0 where both products are equal") {
    const auto a = gpu::random::Generator(1).uniform<float>({1000});
    const auto b = gpu::random::Generator(2).uniform<float>({1000});
    const auto c = b.copy(), d = a.copy();
    CHECK_FALSE(gpu::any(a * b - c * d).item());
    const gpu::Array<float> roots = gpu::sqrt(a * b - c * d);  // NaN where the difference were below 0
    CHECK(gpu::to_host(roots) == std::vector<float>(1000, 0.f));
    CHECK(gpu::sum(gpu::abs(a * b - c * d)).item() == 0.f);
    auto masked = gpu::ones<float>({1000});
    masked[a < 2.f] = a * b - c * d;
    CHECK(gpu::max(gpu::abs(masked)).item() == 0.f);
    using Z = gpu::complex<float>;
    const gpu::Array<Z> z = gpu::real(a * Z(1, 0)) + b * Z(0, 1);
    CHECK_FALSE(gpu::any(gpu::imag(z * gpu::conj(z))).item());
    // fma() is fused, whatever else is.
    const auto exact = gpu::to_host(gpu::fma(a, b, -(a * b)).eval());
    const auto x = gpu::to_host(a), y = gpu::to_host(b);
    for (std::size_t k = 0; k < exact.size(); ++k) {
        const double product = static_cast<double>(x[k]) * static_cast<double>(y[k]);
        REQUIRE(static_cast<double>(exact[k]) == product - static_cast<double>(static_cast<float>(product)));
    }
}

TEST_CASE("strided, transposed and reversed windows are read where they are") {
    auto a = gpu::arange<float>(12).reshape({3, 4});
    gpu::Array<float> mixed = a.transpose() * 1.f + a(gpu::slice(2, -4, -1), gpu::slice(0, 3)).transpose()(0, gpu::all);
    CHECK(mixed.shape() == gpu::Shape{4, 3});
    // row 0 of the transposed window: a(2,0) a(1,0) a(0,0) = 8 4 0
    CHECK(gpu::to_host(mixed) == std::vector<float>{8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11});
}

TEST_CASE("an expression may be kept: it keeps its arrays alive") {
    auto e = [] {
        auto x = gpu::to_device({1.f, 2.f});
        return x + 1.f;
    }();
    CHECK(gpu::to_host(e.eval()) == std::vector<float>{2, 3});
}

TEST_CASE("an expression whose input was written since says so") {
    auto x = gpu::zeros<float>({2, 3});
    auto e = x + 1.f;
    x = x * 2.f;
    CHECK_THROWS_WITH_AS((void)e.eval(),
                         "an expression is evaluated after its input, a float32 array of shape (2,3), was written: the "
                         "value that it was built from is gone. Write gpu::Array<T> y = ... instead of auto y = ... to "
                         "keep a value",
                         gpu::ExpressionError);
    auto f = x + 1.f;
    (void)x.data();  // an address to write through counts as a write
    CHECK_THROWS_AS((void)f.eval(), gpu::ExpressionError);
    auto g = x + 1.f;
    (void)std::as_const(x).data();
    CHECK_NOTHROW((void)g.eval());
}

TEST_CASE("output and input may be the same array, or overlap") {
    auto x = gpu::arange<float>(4);
    x = x + x;
    CHECK(gpu::to_host(x) == std::vector<float>{0, 2, 4, 6});
    auto a = gpu::arange<float>(9).reshape({3, 3});
    a = a + a.transpose();
    CHECK(gpu::to_host(a) == std::vector<float>{0, 4, 8, 4, 8, 12, 8, 12, 16});
    auto shift = gpu::arange<float>(5);
    shift(gpu::slice(1, 5)) = shift(gpu::slice(0, 4));
    CHECK(gpu::to_host(shift) == std::vector<float>{0, 0, 1, 2, 3});
}

TEST_CASE("types: arrays promote, numbers are weak, comparisons are bool") {
    auto i = gpu::to_device({1, 2, 3});
    auto x = gpu::to_device({0.5f, 2.f, 3.5f});
    gpu::Array<double> both = i + x;
    CHECK(gpu::to_host(both) == std::vector<double>{1.5, 4, 6.5});
    gpu::Array<float> scaled = x * 2.0;
    CHECK(gpu::to_host(scaled) == std::vector<float>{1, 4, 7});
    gpu::Array<int> halves = i / 2;
    CHECK(gpu::to_host(halves) == std::vector<int>{0, 1, 1});
    gpu::Array<bool> more = x > i;
    CHECK(gpu::to_host(more) == std::vector<std::uint8_t>{0, 0, 1});
    gpu::Array<float> picked = gpu::where(x > 1.f && x < 3.f, x, -1.f);
    CHECK(gpu::to_host(picked) == std::vector<float>{-1, 2, -1});
    auto small = gpu::to_device<std::int8_t>({std::int8_t{100}});
    gpu::Array<std::int8_t> wrapped = small + small;
    CHECK(gpu::to_host(wrapped) == std::vector<std::int8_t>{-56});
}

TEST_CASE("math functions agree with the host's within a few units in the last place") {
    std::vector<float> host{0.1f, 0.5f, 0.9f};
    auto x = gpu::to_device(host);
    const auto check = [&](const gpu::Array<float>& got, float (*want)(float)) {
        const auto values = gpu::to_host(got);
        for (std::size_t k = 0; k < host.size(); ++k) {
            CHECK(values[k] == doctest::Approx(want(host[k])).epsilon(1e-6));
        }
    };
    check(gpu::sqrt(x), std::sqrt);
    check(gpu::exp(x), std::exp);
    check(gpu::log(x), std::log);
    check(gpu::sin(x), std::sin);
    check(gpu::cos(x), std::cos);
    check(gpu::tan(x), std::tan);
    check(gpu::asin(x), std::asin);
    check(gpu::tanh(x), std::tanh);
    check(gpu::log1p(x), std::log1p);
    check(gpu::floor(x), std::floor);
    gpu::Array<float> combined = gpu::abs(-x) + gpu::maximum(x, 0.4f) + gpu::minimum(x, 0.4f) + gpu::atan2(x, x);
    CHECK(gpu::to_host(combined)[0] == doctest::Approx(0.1 + 0.4 + 0.1 + std::atan(1.0)));
    CHECK(gpu::to_host(gpu::round(gpu::to_device({0.5f, 1.5f, 2.5f})).eval()) == std::vector<float>{0, 2, 2});
    CHECK(std::isnan(gpu::to_host(gpu::maximum(gpu::to_device({NAN}), 1.f).eval())[0]));
}

TEST_CASE("arrays without elements are no work") {
    auto none = gpu::zeros<float>({0, 3});
    const auto before = gpu::counts();
    gpu::Array<float> still = none + 1.f;
    CHECK(still.shape() == gpu::Shape{0, 3});
    CHECK((gpu::counts() - before).launches == 0);
}

TEST_CASE("every size around warps and blocks is computed whole") {
    for (int n : {1, 31, 32, 33, 255, 256, 257, 1009, 100'003}) {
        CAPTURE(n);
        auto x = gpu::arange<float>(n);
        const auto host = gpu::to_host((x * 2.f + 1.f).eval());
        REQUIRE(host.size() == static_cast<std::size_t>(n));
        int wrong = 0;
        for (int k = 0; k < n; ++k) wrong += host[static_cast<std::size_t>(k)] != 2.f * static_cast<float>(k) + 1.f;
        CHECK(wrong == 0);
    }
}
