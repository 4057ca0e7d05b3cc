// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

// The variance in long double, by two passes.
template <class T>
double variance_of(const std::vector<T>& x, int ddof = 0) {
    const auto n = static_cast<long double>(x.size());
    long double mean = 0, squares = 0;
    for (const T value : x) mean += static_cast<long double>(value) / n;
    for (const T value : x)
        squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
    return static_cast<double>(squares / (n - ddof));
}

// A fixed row of numbers in [-1, 1).
template <class T>
std::vector<T> noise(std::size_t n, T scale, T offset) {
    std::vector<T> x(n);
    std::uint32_t state = 12345;
    for (T& value : x) {
        state = state * 1664525u + 1013904223u;
        value = offset + scale * (static_cast<T>(state >> 8) / static_cast<T>(1 << 23) - T(1));
    }
    return x;
}

}  // namespace

TEST_CASE("the mean, over axes, of expressions and integers") {
    //! [mean]
    auto a = gpu::arange<float>(6).reshape({2, 3});
    float middle = gpu::mean(a).item();                     // 2.5
    gpu::Array<float> columns = gpu::mean(a, {.axis = 0});  // 1.5 2.5 3.5
    double of_integers = gpu::mean(gpu::to_device({1, 2})).item();
    //! [mean]
    CHECK(middle == 2.5f);
    CHECK(gpu::to_host(columns) == std::vector<float>{1.5f, 2.5f, 3.5f});
    CHECK(of_integers == 1.5);
    static_assert(std::is_same_v<decltype(gpu::mean(gpu::ones<std::int8_t>({1}))), gpu::Array<double>>);
    static_assert(std::is_same_v<decltype(gpu::mean<double>(a)), gpu::Array<double>>);
    CHECK(gpu::to_host(gpu::mean(a * a, {.axis = 1, .keepdims = true})) == std::vector<float>{5.f / 3.f, 50.f / 3.f});
    CHECK(gpu::mean(a > 2.f).item() == 0.5);
    CHECK(gpu::mean(gpu::full<std::uint8_t>({1000}, 255)).item() == 255.0);
    CHECK(std::isnan(gpu::mean(gpu::zeros<float>({0})).item()));
    CHECK(std::isnan(gpu::to_host(gpu::mean(gpu::zeros<float>({2, 0}), {.axis = 1}))[1]));
    CHECK(std::isnan(gpu::mean(gpu::to_device({1.f, NAN})).item()));
    auto y = gpu::zeros<float>({3});
    gpu::mean(a, {.axis = 0, .out = gpu::out(y)});
    CHECK(gpu::to_host(y) == gpu::to_host(columns));
}

TEST_CASE("variance and standard deviation, with and without ddof") {
    //! [var]
    auto a = gpu::to_device({1.f, 2.f, 3.f, 4.f});
    float population = gpu::var(a).item();           // 1.25
    float sample = gpu::var(a, {.ddof = 1}).item();  // 1.6667
    float deviation = gpu::stddev(a).item();         // 1.1180
    //! [var]
    CHECK(population == 1.25f);
    CHECK(sample == doctest::Approx(5. / 3.));
    CHECK(deviation == doctest::Approx(std::sqrt(1.25)));
    static_assert(std::is_same_v<decltype(gpu::var(gpu::ones<int>({1}))), gpu::Array<double>>);
    const auto m = gpu::arange<double>(12).reshape({3, 4});
    CHECK(gpu::to_host(gpu::var(m, {.axis = 1})) == std::vector<double>{1.25, 1.25, 1.25});
    CHECK(gpu::var(m, {.axis = 0, .keepdims = true, .ddof = 1}).shape() == gpu::Shape{1, 4});
    CHECK(gpu::to_host(gpu::stddev(m, {.axis = 0, .ddof = 1})) == std::vector<double>{4, 4, 4, 4});
    CHECK(gpu::var(m * 2. + 1., {.axis = {0, 1}}).item() == doctest::Approx(4 * 143. / 12.));
    CHECK(gpu::var(gpu::to_device({1, 2, 3, 4})).item() == 1.25);
    CHECK(gpu::var<float>(gpu::to_device({1, 2, 3, 4})).item() == 1.25f);
    auto y = gpu::zeros<double>({3});
    gpu::var(m, {.axis = 1, .out = gpu::out(y)});
    CHECK(gpu::to_host(y) == std::vector<double>{1.25, 1.25, 1.25});
    gpu::stddev(m, {.axis = 1, .ddof = 1, .out = gpu::out(y)});
    CHECK(gpu::to_host(y)[2] == doctest::Approx(std::sqrt(5. / 3.)));
}

TEST_CASE("few elements, equal ones, NaN") {
    CHECK(gpu::var(gpu::full<float>({1}, 3.f)).item() == 0.f);
    CHECK(std::isnan(gpu::var(gpu::full<float>({1}, 3.f), {.ddof = 1}).item()));
    CHECK(std::isinf(gpu::var(gpu::to_device({1.f, 2.f}), {.ddof = 3}).item()));
    CHECK(std::isnan(gpu::var(gpu::zeros<float>({0})).item()));
    CHECK(std::isnan(gpu::stddev(gpu::to_device({1.f, NAN, 2.f})).item()));
    CHECK(gpu::stddev(gpu::full<float>({12345}, 0.1f)).item() < 1e-9f);
    CHECK(gpu::var(gpu::full<double>({12345}, 0.1)).item() >= 0);
}

TEST_CASE("a large offset does no harm") {
    for (const std::size_t n : {std::size_t{5}, std::size_t{1000}, std::size_t{100003}}) {
        CAPTURE(n);
        const auto f = noise<float>(n, 200.f, 1e8f);
        CHECK(gpu::var(gpu::to_device(f)).item() == doctest::Approx(variance_of(f)).epsilon(1e-6));
        const auto d = noise<double>(n, 1e-4, 1e8);  // some thousand units in the last place of the offset
        CHECK(gpu::var(gpu::to_device(d), {.ddof = 1}).item() == doctest::Approx(variance_of(d, 1)).epsilon(1e-12));
        auto outlier = f;
        outlier[0] = 0;  // the first element is a poor guess at the mean
        CHECK(gpu::stddev(gpu::to_device(outlier)).item() ==
              doctest::Approx(std::sqrt(variance_of(outlier))).epsilon(1e-6));
    }
    std::vector<float> columns(400 * 16), one(400);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        columns[k] = 1e6f * static_cast<float>(k % 16) + static_cast<float>(k * 7919 % 101);
    }
    const auto spread = gpu::to_host(gpu::var(gpu::to_device(columns).reshape({400, 16}), {.axis = 0}));
    for (std::size_t c = 0; c < 16; ++c) {
        for (std::size_t r = 0; r < 400; ++r) one[r] = columns[r * 16 + c];
        CHECK(spread[c] == doctest::Approx(variance_of(one)).epsilon(1e-6));
    }
}

TEST_CASE("the same bits on every run") {
    const auto x = gpu::to_device(noise<float>(100003, 3.f, 7.f));
    const float first = gpu::var(x).item();
    for (int run = 0; run < 3; ++run) CHECK(gpu::var(x).item() == first);
}
