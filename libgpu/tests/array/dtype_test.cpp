// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <gpu/dtype.hpp>

using gpu::DType;

TEST_CASE("types have NumPy's names, C++'s spelling in kernels, and their sizes") {
    CHECK(gpu::name(DType::float32) == "float32");
    CHECK(gpu::kernel_name(DType::int64) == "long long");
    CHECK(gpu::size_of(DType::uint16) == 2);
    CHECK(gpu::size_of(DType::boolean) == 1);
    CHECK(gpu::dtype_of<long> == DType::int64);
    CHECK(gpu::dtype_of<long long> == DType::int64);
}

// numpy.promote_types, row by row: b i1 i2 i4 i8 u1 u2 u4 u8 f4 f8.
TEST_CASE("two arrays promote as in NumPy") {
    constexpr DType b = DType::boolean, i1 = DType::int8, i2 = DType::int16, i4 = DType::int32, i8 = DType::int64,
                    u1 = DType::uint8, u2 = DType::uint16, u4 = DType::uint32, u8 = DType::uint64,
                    f4 = DType::float32, f8 = DType::float64;
    const DType order[11] = {b, i1, i2, i4, i8, u1, u2, u4, u8, f4, f8};
    const DType table[11][11] = {{b, i1, i2, i4, i8, u1, u2, u4, u8, f4, f8},
                                 {i1, i1, i2, i4, i8, i2, i4, i8, f8, f4, f8},
                                 {i2, i2, i2, i4, i8, i2, i4, i8, f8, f4, f8},
                                 {i4, i4, i4, i4, i8, i4, i4, i8, f8, f8, f8},
                                 {i8, i8, i8, i8, i8, i8, i8, i8, f8, f8, f8},
                                 {u1, i2, i2, i4, i8, u1, u2, u4, u8, f4, f8},
                                 {u2, i4, i4, i4, i8, u2, u2, u4, u8, f4, f8},
                                 {u4, i8, i8, i8, i8, u4, u4, u4, u8, f8, f8},
                                 {u8, f8, f8, f8, f8, u8, u8, u8, u8, f8, f8},
                                 {f4, f4, f4, f8, f8, f4, f4, f8, f8, f4, f8},
                                 {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8}};
    for (int row = 0; row < 11; ++row) {
        for (int column = 0; column < 11; ++column) {
            INFO(gpu::name(order[row]) << " with " << gpu::name(order[column]));
            CHECK(gpu::promote(order[row], order[column]) == table[row][column]);
        }
    }
}
