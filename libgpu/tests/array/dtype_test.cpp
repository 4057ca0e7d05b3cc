// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>

#include <gpu/dtype.hpp>

using gpu::DType;

TEST_CASE("types have NumPy's names, C++'s spelling in kernels, and their sizes") {
    CHECK(gpu::name(DType::float32) == "float32");
    CHECK(gpu::kernel_name(DType::int64) == "long long");
    CHECK(gpu::size_of(DType::uint16) == 2);
    CHECK(gpu::size_of(DType::boolean) == 1);
    CHECK(gpu::dtype_of<long> == DType::int64);
    CHECK(gpu::dtype_of<long long> == DType::int64);
    CHECK(gpu::kernel_name(DType::float16) == "half");
    CHECK(gpu::size_of(DType::float16) == sizeof(gpu::half));
    CHECK(gpu::name(DType::complex64) == "complex64");
    CHECK(gpu::size_of(DType::complex128) == sizeof(gpu::complex<double>));
    CHECK(gpu::dtype_of<std::complex<float>> == DType::complex64);
    static_assert(!gpu::Element<std::complex<float>> && gpu::Element<gpu::complex<float>> && gpu::Element<gpu::half>);
    static_assert(!gpu::Element<long long> && !gpu::Arithmetic<long double> && !gpu::Arithmetic<int*>);
    static_assert(sizeof(gpu::complex<float>) == sizeof(std::complex<float>));
}

TEST_CASE("a half is the nearest to a number, ties to even, and converts exactly") {
    using gpu::half;
    static_assert(half(1.f).bits() == 0x3c00 && half(-2).bits() == 0xc000 && half(0.1).bits() == 0x2e66);
    static_assert(half(65504.f).bits() == 0x7bff && half(65519.99f).bits() == 0x7bff && half(65520.f).bits() == 0x7c00);
    static_assert(half(2049.f).bits() == half(2048.f).bits() && half(2051.f).bits() == half(2052.f).bits());
    static_assert(half(0x1p-24f).bits() == 1 && half(0x1p-25f).bits() == 0 && half(0x1.8p-24f).bits() == 2);
    static_assert(half(1.00048828125000001).bits() == 0x3c00 && half(1.0004882812500003).bits() == 0x3c01);
    static_assert(half(-0.f).bits() == 0x8000 && (-half(1)).bits() == 0xbc00 && half(1e300).bits() == 0x7c00);
    CHECK((half(std::nan("")).bits() & 0x7fff) > 0x7c00);
    int wrong = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const half h = half::from_bits(static_cast<std::uint16_t>(bits));
        const float f = h;
        if (f != f) wrong += (half(f).bits() & 0x7fffu) <= 0x7c00u;
        else wrong += half(f).bits() != bits || half(static_cast<double>(f)).bits() != bits;
    }
    CHECK(wrong == 0);
    CHECK(half(1.5) < half(2));
    CHECK(half(1.5) + half(2) == 3.5f);
}

TEST_CASE("a bfloat16 is the nearest to a number, ties to even, and converts exactly") {
    using gpu::bfloat16;
    static_assert(bfloat16(1.f).bits() == 0x3f80 && bfloat16(-2).bits() == 0xc000 && bfloat16(0.1).bits() == 0x3dcd);
    static_assert(bfloat16(257.f).bits() == bfloat16(256.f).bits() && bfloat16(259.f).bits() == bfloat16(260.f).bits());
    static_assert(bfloat16(3.39e38f).bits() == 0x7f7f && bfloat16(0x1.fffffep127f).bits() == 0x7f80);
    static_assert(bfloat16(1e300).bits() == 0x7f80 && bfloat16(-1e300).bits() == 0xff80);
    static_assert(bfloat16(0x1p-133f).bits() == 1 && bfloat16(0x1p-134f).bits() == 0 && bfloat16(1e-300).bits() == 0);
    // Of two roundings, by way of a float, the first would make a tie.
    static_assert(bfloat16(1.00390625).bits() == 0x3f80 && bfloat16(1.0039062500001).bits() == 0x3f81);
    static_assert(bfloat16((1 << 24) + (1 << 16)).bits() == bfloat16(1 << 24).bits());
    static_assert(bfloat16((1 << 24) + (1 << 16) + 1).bits() == bfloat16(1 << 24).bits() + 1);
    static_assert(bfloat16((1LL << 62) + (1LL << 54)).bits() == bfloat16(1LL << 62).bits());
    static_assert(bfloat16((1LL << 62) + (1LL << 54) + 1).bits() == bfloat16(1LL << 62).bits() + 1);
    static_assert(bfloat16(-(1LL << 62) - (1LL << 54) - 1).bits() == bfloat16(-(1LL << 62)).bits() + 1);
    static_assert(bfloat16(~0ULL).bits() == bfloat16(0x1p64).bits());
    static_assert(bfloat16(-0.f).bits() == 0x8000 && (-bfloat16(1)).bits() == 0xbf80);
    CHECK((bfloat16(std::nan("")).bits() & 0x7fff) > 0x7f80);
    int wrong = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const float f = bfloat16::from_bits(static_cast<std::uint16_t>(bits));
        if (f != f) wrong += (bfloat16(f).bits() & 0x7fffu) <= 0x7f80u;
        else wrong += bfloat16(f).bits() != bits || bfloat16(static_cast<double>(f)).bits() != bits;
    }
    CHECK(wrong == 0);
    CHECK(bfloat16(1.5) < bfloat16(2));
    CHECK(bfloat16(1.5) + bfloat16(2) == 3.5f);
}

TEST_CASE("bfloat16 promotes as float16 does with integers, and is float32 with float16") {
    for (int k = 0; k < gpu::detail::dtype_count; ++k) {
        const auto other = static_cast<DType>(k);
        const DType like_half = gpu::promote(DType::float16, other);
        INFO(gpu::name(other));
        const DType want = other == DType::float16 || other == DType::bfloat16 ? DType::float32
                           : like_half == DType::float16                       ? DType::bfloat16
                                                                               : like_half;
        CHECK(gpu::promote(DType::bfloat16, other) == (other == DType::bfloat16 ? other : want));
        CHECK(gpu::promote(other, DType::bfloat16) == gpu::promote(DType::bfloat16, other));
    }
    CHECK(gpu::complex_dtype(DType::bfloat16) == DType::complex64);
    CHECK(gpu::is_floating(DType::bfloat16));
    CHECK(gpu::kernel_name(DType::bfloat16) == "__nv_bfloat16");
}

TEST_CASE("complex numbers compute as std::complex does") {
    using Z = gpu::complex<double>;
    const std::complex<double> a(1.5, -2), b(0.25, 3);
    const auto near = [](std::complex<double> got, std::complex<double> want) { return std::abs(got - want) < 1e-15; };
    CHECK(near(Z(a) + Z(b), a + b));
    CHECK(near(Z(a) - Z(b), a - b));
    CHECK(near(Z(a) * Z(b), a * b));
    CHECK(near(Z(a) / Z(b), a / b));
    CHECK(near(Z(a) * 2 + 1, a * 2. + 1.));
    CHECK(near(gpu::conj(Z(a)), std::conj(a)));
    Z sum = a;
    sum += b;
    CHECK(std::complex<double>(sum) == a + b);
    CHECK(Z(gpu::complex<float>(1, 2)) == Z(1, 2));
}

// numpy.promote_types, row by row: b i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16.
TEST_CASE("two arrays promote as in NumPy") {
    constexpr DType b = DType::boolean, i1 = DType::int8, i2 = DType::int16, i4 = DType::int32, i8 = DType::int64,
                    u1 = DType::uint8, u2 = DType::uint16, u4 = DType::uint32, u8 = DType::uint64,
                    f2 = DType::float16, f4 = DType::float32, f8 = DType::float64, c8 = DType::complex64,
                    c16 = DType::complex128;
    const DType order[14] = {b, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16};
    const DType table[14][14] = {
        {b, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16},
        {i1, i1, i2, i4, i8, i2, i4, i8, f8, f2, f4, f8, c8, c16},
        {i2, i2, i2, i4, i8, i2, i4, i8, f8, f4, f4, f8, c8, c16},
        {i4, i4, i4, i4, i8, i4, i4, i8, f8, f8, f8, f8, c16, c16},
        {i8, i8, i8, i8, i8, i8, i8, i8, f8, f8, f8, f8, c16, c16},
        {u1, i2, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16},
        {u2, i4, i4, i4, i8, u2, u2, u4, u8, f4, f4, f8, c8, c16},
        {u4, i8, i8, i8, i8, u4, u4, u4, u8, f8, f8, f8, c16, c16},
        {u8, f8, f8, f8, f8, u8, u8, u8, u8, f8, f8, f8, c16, c16},
        {f2, f2, f4, f8, f8, f2, f4, f8, f8, f2, f4, f8, c8, c16},
        {f4, f4, f4, f8, f8, f4, f4, f8, f8, f4, f4, f8, c8, c16},
        {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, c16, c16},
        {c8, c8, c8, c16, c16, c8, c8, c16, c16, c8, c8, c16, c8, c16},
        {c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16}};
    for (int row = 0; row < 14; ++row) {
        for (int column = 0; column < 14; ++column) {
            INFO(gpu::name(order[row]) << " with " << gpu::name(order[column]));
            CHECK(gpu::promote(order[row], order[column]) == table[row][column]);
        }
    }
}
