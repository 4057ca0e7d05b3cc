// SPDX-License-Identifier: MIT
// Host memory in and out: lists, vectors, spans, arrays, bits.
#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <span>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("lists, nested up to three axes") {
    //! [lists]
    auto v = gpu::to_device({1.f, 2.f, 3.f});           // (3,)
    auto m = gpu::to_device({{1, 2, 3}, {4, 5, 6}});    // (2,3)
    auto c = gpu::to_device({{{1., 2.}}, {{3., 4.}}});  // (2,1,2)
    m(0).copy_from({7, 8, 9});
    //! [lists]
    CHECK(v.shape() == gpu::Shape{3});
    CHECK(m.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(m) == Ints{7, 8, 9, 4, 5, 6});
    CHECK(c.shape() == gpu::Shape{2, 1, 2});
    CHECK(gpu::to_host(c) == std::vector<double>{1, 2, 3, 4});
    CHECK(gpu::to_device<float>({}).shape() == gpu::Shape{0});
    CHECK(gpu::to_host(gpu::to_device({{true, false}, {false, true}})) == std::vector<std::uint8_t>{1, 0, 0, 1});
    CHECK_THROWS_WITH_AS((void)gpu::to_device({{1, 2}, {3}}),
                         "to_device: a list's rows have 2 and 1 elements; they must be of one length", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_device({{{1}, {2}}, {{3}}}), gpu::ShapeError);
}

TEST_CASE("vectors, spans, std::array and C arrays") {
    std::vector<int> vector{1, 2, 3, 4};
    const std::array<int, 4> fixed{1, 2, 3, 4};
    const int plain[] = {1, 2, 3, 4};
    CHECK(gpu::to_host(gpu::to_device(vector)) == vector);
    CHECK(gpu::to_host(gpu::to_device(fixed)) == vector);
    CHECK(gpu::to_host(gpu::to_device(plain)) == vector);
    CHECK(gpu::to_host(gpu::to_device(std::span(vector).subspan(1, 2))) == Ints{2, 3});
    CHECK(gpu::to_host(gpu::to_device(std::span<const int>(fixed))) == vector);
    const std::vector<long long> longs{1, -2};
    static_assert(std::is_same_v<decltype(gpu::to_device(longs)), gpu::Array<std::int64_t>>);
    CHECK(gpu::to_host(gpu::to_device(longs)) == std::vector<std::int64_t>{1, -2});

    auto x = gpu::zeros<int>({2, 2});
    x.copy_from(vector);
    std::array<int, 4> out{};
    x.copy_to(out);
    CHECK(out == fixed);
    int out_plain[4] = {};
    x.transpose().copy_to(out_plain);
    CHECK(out_plain[1] == 3);
    x.copy_from({4, 3, 2, 1});
    x.copy_to(std::span(vector));
    CHECK(vector == Ints{4, 3, 2, 1});
    x(gpu::all, 0).copy_from(std::array{9, 8});
    CHECK(gpu::to_host(x) == Ints{9, 3, 8, 1});
    CHECK(gpu::to_host(x + 1) == Ints{10, 4, 9, 2});  // an expression
    CHECK_THROWS_WITH_AS(x.copy_from({1, 2}),
                         "copy_from: the array has shape (2,2), that is 4 elements; the host memory has 2",
                         gpu::ShapeError);
    CHECK_THROWS_AS(x.copy_to(std::span(out).subspan(1)), gpu::ShapeError);
}

TEST_CASE("data with a shape") {
    //! [shape]
    const std::vector<int> numbers{1, 2, 3, 4, 5, 6};
    auto rows = gpu::to_device({2, 3}, numbers);                                // 1 2 3 / 4 5 6
    auto columns = gpu::to_device({2, 3}, numbers, gpu::Layout::column_major);  // 1 3 5 / 2 4 6
    //! [shape]
    CHECK(gpu::to_host(rows) == numbers);
    CHECK(gpu::to_host(columns) == Ints{1, 3, 5, 2, 4, 6});
    CHECK(columns.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(gpu::to_device({2, 1}, {7.f, 8.f})) == std::vector<float>{7, 8});
    CHECK(gpu::to_device(gpu::Shape{}, {7.f}).item() == 7);
    CHECK_THROWS_WITH_AS((void)gpu::to_device({2, 2}, numbers),
                         "to_device: the array has shape (2,2), that is 4 elements; the host memory has 6",
                         gpu::ShapeError);
}

TEST_CASE("std::vector<bool> is packed, arrays of bool aren't") {
    //! [bits]
    std::vector<bool> bits{true, false, true};
    gpu::Array<bool> x = gpu::to_device(bits);
    x = !x;
    x.copy_to(bits);  // false true false
    //! [bits]
    CHECK(bits == std::vector<bool>{false, true, false});
    x.copy_from(std::vector<bool>{true, true, false});
    CHECK(gpu::to_host(x) == std::vector<std::uint8_t>{1, 1, 0});
    std::array<bool, 3> plain{};
    x(gpu::slice(gpu::none, gpu::none, -1)).copy_to(plain);
    CHECK(plain == std::array{false, true, true});
    std::vector<bool> four(4);
    CHECK_THROWS_AS(x.copy_to(four), gpu::ShapeError);
}

TEST_CASE("std::complex comes and goes") {
    const std::vector<std::complex<float>> numbers{{1, 2}, {3, -4}};
    auto x = gpu::to_device(numbers);
    static_assert(std::is_same_v<decltype(x), gpu::Array<gpu::complex<float>>>);
    std::vector<std::complex<float>> back(2);
    x.copy_to(back);
    CHECK(back == numbers);
    back[0] = {5, 6};
    x.copy_from(back);
    CHECK(gpu::to_host(x)[0] == gpu::complex<float>(5, 6));
}
