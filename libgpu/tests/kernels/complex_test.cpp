// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>

#include "support.hpp"
#include "texts/complex.hpp"

namespace {

template <class T>
void check_all(const char* name, double tolerance) {
    using Complex = std::complex<double>;
    std::vector<T> in;
    for (const double x : {-2.0, -0.5, 0.25, 1.5})
        for (const double y : {-1.25, 0.5, 3.0})
            for (const double v : {x, y, 0.75 - y, x + 0.125}) in.push_back(static_cast<T>(v));
    const auto n = static_cast<int>(in.size() / 4);
    auto out = filled<T>(std::int64_t{n} * 80);
    kernel<void(const T*, T*, int)>(texts::complex, name)({.grid = 1, .block = 32}, gpu::to_device(in), out, n);
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < in.size() / 4; ++i) {
        const auto at = [&](std::size_t k) { return static_cast<double>(in[i * 4 + k]); };
        const Complex a(at(0), at(1)), b(at(2), at(3));
        Complex c = (a + b) * 2.0 - 1.0;
        c = c / b * (c / b) + 1.0;
        const Complex right[] = {a + b,
                                 a - b,
                                 a * b,
                                 a / b,
                                 a + 2.0,
                                 a - 2.0,
                                 a * 2.0,
                                 a / 2.0,
                                 2.0 + a,
                                 2.0 - a,
                                 2.0 * a,
                                 2.0 / a,
                                 -a,
                                 a,
                                 std::conj(a),
                                 a,
                                 {std::abs(a), std::arg(a)},
                                 {std::norm(a), a.real() + b.imag()},
                                 std::exp(a),
                                 std::log(a),
                                 std::sqrt(a),
                                 std::pow(a, b),
                                 std::pow(a, 1.5),
                                 std::pow(2.0, a),
                                 a * a * a,
                                 1.0 / (a * a),
                                 std::sin(a),
                                 std::cos(a),
                                 std::tan(a),
                                 std::sinh(a),
                                 std::cosh(a),
                                 std::tanh(a),
                                 std::log10(a),
                                 c,
                                 {3, 6},
                                 {5, 2},
                                 a * Complex(1, 1),
                                 a.real() * b.imag()};
        for (std::size_t k = 0; k < std::size(right); ++k) {
            const Complex value(static_cast<double>(got[(i * 40 + k) * 2]),
                                static_cast<double>(got[(i * 40 + k) * 2 + 1]));
            CAPTURE(a.real());
            CAPTURE(a.imag());
            CAPTURE(k);
            REQUIRE(!(std::abs(value - right[k]) > tolerance * std::max(std::abs(right[k]), 1.0)));
        }
    }
}

}  // namespace

TEST_CASE("complex numbers of float and double") {
    check_all<float>("of_float", 1e-5);
    check_all<double>("of_double", 1e-13);
}

TEST_CASE("complex numbers in a loop, in shared memory, and mixed") {
    const int width = 30, height = 20;
    auto out = filled<int>(width * height);
    kernel<void(int*, int, int)>(texts::complex, "mandelbrot")({.grid = {4, 3}, .block = {8, 8}}, out, width, height);
    const auto got = gpu::to_host(out);
    int different = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const std::complex<double> c(-2.0 + 3.0 * x / width, -1.5 + 3.0 * y / height);
            std::complex<double> z;
            int k = 0;
            for (; k < 50 && std::norm(z) < 4.0; ++k) z = z * z + c;
            different += got[static_cast<std::size_t>(y * width + x)] != k ? 1 : 0;
        }
    CHECK(different <= 6);  // chaos at the edge: the last digit decides
    auto sums = filled<float>(32);
    kernel<void(float*)>(texts::complex, "in_shared")({.grid = 1, .block = 32}, sums);
    for (int t = 0; t < 32; ++t)
        REQUIRE(gpu::to_host(sums)[static_cast<std::size_t>(t)] == (31 - t) * 0.5F + 1.5F + 8 + 16);
}

TEST_CASE("complex numbers in elementwise and reduction kernels") {
    gpu::ElementwiseKernel turn("T x, T y", "T z", "complex<T> c(x, y); z = abs(c * c)", "turn");
    auto x = gpu::to_device({3.F, 0.5F}), y = gpu::to_device({4.F, 0.F});
    gpu::Array<float> z = turn(x, y);
    CHECK(gpu::to_host(z)[0] == doctest::Approx(25.0));
    CHECK(gpu::to_host(z)[1] == doctest::Approx(0.25));
    gpu::ReductionKernel length("T x", "T y", "x", "real(complex<float>(a) + complex<float>(b))", "y = a", "0",
                                "length");
    gpu::Array<float> sum = length(z);
    CHECK(sum.item() == doctest::Approx(25.25));
}
