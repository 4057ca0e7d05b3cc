// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>

#include "support.hpp"
#include "texts/complex.hpp"
#include "texts/complex_names.hpp"

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

namespace {

template <class T>
std::vector<gpu::complex<T>> numbers() {
    std::vector<gpu::complex<T>> in;
    for (const double x : {-2.0, -0.5, 0.25, 1.5, 0.75})
        for (const double y : {-1.25, 0.5, 3.0}) in.emplace_back(static_cast<T>(x), static_cast<T>(y));
    return in;
}

template <class T>
std::complex<double> standard(gpu::complex<T> z) {
    return {static_cast<double>(z.real()), static_cast<double>(z.imag())};
}

template <class T>
void check_results(const gpu::Array<gpu::complex<T>>& out, std::size_t at,
                   const std::vector<std::complex<double>>& right, double tolerance) {
    const auto got = gpu::to_host(out);
    for (std::size_t k = 0; k < right.size(); ++k) {
        CAPTURE(at);
        CAPTURE(k);
        CAPTURE(right[k]);
        REQUIRE(std::abs(standard(got[at * right.size() + k]) - right[k]) <= tolerance * (1 + std::abs(right[k])));
    }
}

template <class T, class Kernel>
void check_cu_complex(const Kernel& kernel, double tolerance) {
    const auto in = numbers<T>();
    auto out = filled<gpu::complex<T>>(std::ssize(in) * 10);
    const gpu::complex<T> more(T(0.5), T(-3));
    kernel({.grid = 1, .block = static_cast<int>(in.size()) - 1}, gpu::to_device(in), out, more);
    for (std::size_t i = 0; i + 1 < in.size(); ++i) {
        const std::complex<double> a = standard(in[i]), b = standard(in[i + 1]), c = standard(more);
        check_results(
            out, i, {a + b, a - b, a * b, a / b, std::conj(a), {a.real(), b.imag()}, std::abs(a), a * b + c, a, c},
            tolerance);
    }
}

template <class T, class Kernel>
void check_cupy(const Kernel& kernel, double tolerance) {
    const auto in = numbers<T>();
    auto out = filled<gpu::complex<T>>(std::ssize(in) * 30);
    kernel({.grid = 1, .block = static_cast<int>(in.size()) - 1}, gpu::to_device(in), out);
    for (std::size_t i = 0; i + 1 < in.size(); ++i) {
        const std::complex<double> a = standard(in[i]), b = standard(in[i + 1]);
        const bool less = a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
        check_results(out, i,
                      {a * b + std::conj(a) - 2.0, a / b, {a.real(), b.imag()}, {a.real(), b.imag()},
                       {std::abs(a), std::arg(a)}, std::norm(a), std::exp(a), std::log(a), std::log10(a), std::sqrt(a),
                       std::pow(a, b), std::sin(a), std::cos(a), std::tan(a), std::sinh(a), std::cosh(a), std::tanh(a),
                       std::asin(a), std::acos(a), std::atan(a), std::asinh(a), std::acosh(a), std::atanh(a),
                       std::polar(2.0, 1.0), a, less ? a : b, less ? b : a, {std::rint(a.real()), std::rint(a.imag())},
                       {6, 1}, {1, 1}},
                      tolerance);
    }
}

}  // namespace

TEST_CASE("float2, cuFloatComplex and their functions are complex numbers, whichever form a kernel has") {
    using Single = gpu::complex<float>;
    using Double = gpu::complex<double>;
    check_cu_complex<float>(kernel<void(const Single*, Single*, Single)>(texts::complex_names, "cu_single"), 1e-6);
    check_cu_complex<float>(gpu::RawKernel(gpu::Source(texts::complex_names), "cu_single"), 1e-6);
    check_cu_complex<double>(kernel<void(const Double*, Double*, Double)>(texts::complex_names, "cu_double"), 1e-15);
    check_cu_complex<double>(gpu::RawKernel(gpu::Source(texts::complex_names), "cu_double"), 1e-15);
    auto x = filled<float>(2);
    CHECK_THROWS_WITH_AS(gpu::RawKernel(gpu::Source(texts::complex_names), "cu_single")({}, x, x, Single()),
                         "kernel cu_single: argument 1 (in) is an array of float, the source declares const "
                         "cuFloatComplex*: that is what an array of complex<float> has",
                         gpu::DTypeError);
    auto z = gpu::to_device({Single(3, 4)});
    gpu::RawKernel<void(Single* const*)>("__global__ void k(float2* const* z) { z[0]->y = -z[0]->y; }", "k")(
        {.grid = 1, .block = 1}, gpu::PointerArray<Single>({z}));
    CHECK(gpu::to_host(z)[0] == Single(3, -4));
}

TEST_CASE("<cuComplex.h> divides and measures without squares that overflow") {
    const gpu::RawKernel<void(gpu::complex<double>*)> measure(R"(
#include <cuComplex.h>
__global__ void measure(cuDoubleComplex* z) {
    z[0] = make_cuDoubleComplex(cuCabs(z[0]), 0);
    z[1] = cuCdiv(z[1], z[2]);
})",
                                                              "measure");
    auto z = gpu::to_device({gpu::complex<double>(3e200, -4e200), gpu::complex<double>(1e300, 1e300),
                             gpu::complex<double>(1e300, -1e300)});
    measure({.grid = 1, .block = 1}, z);
    const auto got = gpu::to_host(z);
    CHECK(got[0].real() == doctest::Approx(5e200));
    CHECK(got[1].real() == doctest::Approx(0.0));
    CHECK(got[1].imag() == doctest::Approx(1.0));
}

TEST_CASE("<cupy/complex.cuh> and thrust::complex are the kit's complex numbers") {
    using Single = gpu::complex<float>;
    check_cupy<float>(kernel<void(const Single*, Single*)>(texts::complex_names, "cupy_single"), 1e-5);
    check_cupy<double>(gpu::RawKernel(gpu::Source(texts::complex_names), "cupy_double"), 1e-13);
    const auto in = numbers<float>();
    auto out = filled<Single>(std::ssize(in));
    gpu::RawKernel(gpu::Source(texts::complex_names), "of_thrust")({.grid = 1, .block = static_cast<int>(in.size())},
                                                                   gpu::to_device(in), out);
    for (std::size_t i = 0; i < in.size(); ++i)
        check_results(out, i, {std::exp(standard(in[i])) * std::conj(standard(in[i])) + std::polar(1.0, 2.0)}, 1e-5);
    // A header's name in quotes, and without a number's name in the text.
    auto z = gpu::to_device({Single(1, 2)});
    gpu::RawKernel<void(Single*)>("#include \"cupy/complex.cuh\"\n"
                                  "extern \"C\" __global__ void k(thrust::complex<float>* z) { z[0] *= 2.f; }",
                                  "k")({.grid = 1, .block = 1}, z);
    CHECK(gpu::to_host(z)[0] == Single(2, 4));
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
