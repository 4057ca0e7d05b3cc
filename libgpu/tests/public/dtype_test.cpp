// SPDX-License-Identifier: MIT
// Element types on a device: halves and complex numbers go in and out, and are computed with.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

using gpu::half;
using c64 = gpu::complex<float>;
using c128 = gpu::complex<double>;

TEST_CASE("a half holds what a float of 16 bits holds") {
    //! [half]
    auto x = gpu::to_device({half(0.5), half(2), half(65504)});
    gpu::Array<half> y = x * 3;              // half stays half: computed in float, then rounded
    gpu::Array<float> z = x.astype<float>() * 3.f;
    //! [half]
    CHECK(gpu::to_host(y) == std::vector<half>{half(1.5), half(6), half(INFINITY)});
    CHECK(gpu::to_host(z) == std::vector<float>{1.5f, 6, 196512});
}

TEST_CASE("every half comes back from the device as it was, and converts as on the host") {
    std::vector<half> all;
    for (unsigned bits = 0; bits < 65536; ++bits) all.push_back(half::from_bits(static_cast<std::uint16_t>(bits)));
    const auto x = gpu::to_device(all);
    const auto floats = gpu::to_host(x.astype<float>());
    const auto back = gpu::to_host(x.astype<float>().astype<half>());
    int wrong = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const float want = all[k];
        if (std::isnan(want)) wrong += !std::isnan(floats[k]) || !std::isnan(static_cast<float>(back[k]));
        else wrong += !(floats[k] == want) || back[k].bits() != all[k].bits();
    }
    CHECK(wrong == 0);
}

TEST_CASE("a copy of halves keeps every bit, also of the NaNs: transposed, of a window and into one") {
    std::vector<std::uint16_t> all(65536), turned(65536);
    for (std::size_t bits = 0; bits < all.size(); ++bits) {
        all[bits] = static_cast<std::uint16_t>(bits);
        turned[bits % 256 * 256 + bits / 256] = all[bits];
    }
    const auto bits_of = [](const gpu::Array<half>& x) {
        std::vector<std::uint16_t> bits;
        for (const half value : gpu::to_host(x)) bits.push_back(value.bits());
        return bits;
    };
    std::vector<half> halves;
    for (const std::uint16_t bits : all) halves.push_back(half::from_bits(bits));
    const auto x = gpu::to_device({256, 256}, halves);
    const gpu::Array<half> transposed = x.transpose();
    CHECK(bits_of(transposed) == turned);
    gpu::Array<half> wide = gpu::zeros<half>({256, 512});
    auto window = wide(gpu::all, gpu::slice(0, 512, 2));
    window = x;
    const gpu::Array<half> narrow = window;
    CHECK(bits_of(narrow) == all);
}

TEST_CASE("floats and doubles are rounded to the nearest half, ties to even, on the device as on the host") {
    std::vector<float> floats;
    std::vector<double> doubles;
    for (unsigned bits = 0; bits < 0x7c00; bits += 7) {
        const double low = half::from_bits(static_cast<std::uint16_t>(bits));
        const double high = half::from_bits(static_cast<std::uint16_t>(bits + 1));
        const double tie = std::isinf(high) ? 65520 : (low + high) / 2;
        for (double value : {tie, -tie}) {
            floats.push_back(static_cast<float>(value));
            floats.push_back(std::nextafter(static_cast<float>(value), 1e9f));
            floats.push_back(std::nextafter(static_cast<float>(value), -1e9f));
            doubles.push_back(value);
            doubles.push_back(std::nextafter(value, 1e9));
            doubles.push_back(std::nextafter(value, -1e9));
        }
    }
    doubles.insert(doubles.end(), {1e300, -1e300, 5e-324, 65519.99999999999, 2.9802322387695312e-08});
    const auto from_floats = gpu::to_host(gpu::to_device(floats).astype<half>());
    const auto from_doubles = gpu::to_host(gpu::to_device(doubles).astype<half>());
    int wrong = 0;
    for (std::size_t k = 0; k < floats.size(); ++k) wrong += from_floats[k].bits() != half(floats[k]).bits();
    for (std::size_t k = 0; k < doubles.size(); ++k) wrong += from_doubles[k].bits() != half(doubles[k]).bits();
    CHECK(wrong == 0);
}

TEST_CASE("complex numbers have std::complex's layout and operators") {
    //! [complex]
    std::vector<std::complex<float>> host{{1, 2}, {3, -4}};
    gpu::Array<gpu::complex<float>> z = gpu::to_device(host);
    gpu::Array<gpu::complex<float>> w = z * z + std::complex<float>(0, 1);
    //! [complex]
    CHECK(gpu::to_host(w) == std::vector<c64>{{-3, 5}, {-7, -23}});
    std::complex<float> back = gpu::to_host(z)[1];
    CHECK(back == host[1]);
    gpu::Array<c128> mixed = z * gpu::to_device({0.5, 0.25});
    CHECK(gpu::to_host(mixed) == std::vector<c128>{{0.5, 1}, {0.75, -1}});
    gpu::Array<c64> turned = gpu::to_device({1.f, 2.f}) * c128(0, 1);
    CHECK(gpu::to_host(turned) == std::vector<c64>{{0, 1}, {0, 2}});
    gpu::Array<c64> quotient = z / z + 1;
    CHECK(gpu::to_host(quotient) == std::vector<c64>{{2, 0}, {2, 0}});
    gpu::Array<bool> same = z == gpu::to_device({c64(1, 2), c64(3, 4)});
    CHECK(gpu::to_host(same) == std::vector<std::uint8_t>{1, 0});
    CHECK((gpu::to_device({c64(1, 2)})(0).item() == c64(1, 2)));
}

TEST_CASE("arrays of the new types are made on the device") {
    CHECK(gpu::to_host(gpu::zeros<half>({2})) == std::vector<half>{half(0), half(0)});
    CHECK(gpu::to_host(gpu::ones<c64>({2})) == std::vector<c64>{{1, 0}, {1, 0}});
    CHECK(gpu::to_host(gpu::full<c128>({2}, c128(1, -2))) == std::vector<c128>{{1, -2}, {1, -2}});
    CHECK(gpu::to_host(gpu::arange<half>(3)) == std::vector<half>{half(0), half(1), half(2)});
    CHECK(gpu::to_host(gpu::arange<c64>(2)) == std::vector<c64>{{0, 0}, {1, 0}});
}

TEST_CASE("Eigen's complex matrices and halves come as libgpu's") {
    Eigen::MatrixXcf m(2, 2);
    m << std::complex<float>(1, 2), 3, 4, std::complex<float>(5, -6);
    gpu::Array<c64> z = gpu::to_device(m);
    CHECK(z.shape() == gpu::Shape{2, 2});
    gpu::Array<c64> doubled = z + z;
    CHECK(gpu::to_eigen(doubled) == 2 * m);
    Eigen::Matrix<Eigen::half, Eigen::Dynamic, 1> h(3);
    h << Eigen::half(1), Eigen::half(2.5f), Eigen::half(-3);
    gpu::Array<half> x = gpu::to_device(h);
    CHECK(gpu::to_host(x) == std::vector<half>{half(1), half(2.5), half(-3)});
}

TEST_CASE("kernels of all three kinds take halves and complex numbers") {
    gpu::ElementwiseKernel scale("T x, T factor", "T y", "y = x * factor", "scale");
    auto x = gpu::to_device({half(1), half(2)});
    gpu::Array<half> y = scale(x, 1.5f);
    CHECK(gpu::to_host(y) == std::vector<half>{half(1.5), half(3)});
    auto z = gpu::to_device({c128(1, 1), c128(0, 2)});
    gpu::Array<c128> w = scale(z, c128(0, 1));
    CHECK(gpu::to_host(w) == std::vector<c128>{{-1, 1}, {-2, 0}});
    CHECK_THROWS_AS((void)scale(x, c128(0, 1)), gpu::DTypeError);
    gpu::ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "total");
    gpu::Array<c128> all = total(z);
    CHECK(all.item() == c128(1, 3));
    gpu::RawKernel<void(const gpu::complex<float>*, gpu::complex<float>, float*)> weight(
        "__global__ void weight(const complex<float>* z, complex<float> w, float* out) {\n"
        "    out[threadIdx.x] = abs(z[threadIdx.x] * w);\n}\n",
        "weight");
    auto lengths = gpu::zeros<float>({2});
    weight({.grid = 1, .block = 2}, gpu::to_device({c64(3, 4), c64(0, 1)}), c64(0, 2), lengths);
    CHECK(gpu::to_host(lengths) == std::vector<float>{10, 2});
}
