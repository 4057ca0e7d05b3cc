// SPDX-License-Identifier: MIT
// A call like an earlier one is made from what that came to. What is different each time must be looked at each time:
// all calls here are made twice or more, with something changed in between.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

template <class T>
std::vector<T> values_of(const gpu::Array<T>& array) {
    std::vector<T> values(static_cast<std::size_t>(array.size()));
    array.copy_to(values);
    return values;
}

using Floats = std::vector<float>;

const gpu::ElementwiseKernel& shifted() {
    static const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = 10 * x + y", "repeated_shifted");
    return kernel;
}

}  // namespace

TEST_CASE("repeated calls take new values, other numbers and other arrays") {
    for (int k = 1; k <= 4; ++k) {
        const auto value = static_cast<float>(k);
        const auto x = gpu::full<float>({3}, value);
        gpu::Array<float> z = gpu::empty<float>({3});
        shifted()(x, k, gpu::out(z));
        CHECK(values_of(z) == Floats(3, 11 * value));
        CHECK(values_of(gpu::Array<float>(shifted()(x, x))) == Floats(3, 11 * value));
        const gpu::Array<float> sum = x * 2.F + value;
        CHECK(values_of(sum) == Floats(3, 3 * value));
        CHECK(gpu::sum(x * value).item() == 3 * value * value);
        CHECK(gpu::linalg::norm(x, {.ord = static_cast<double>(k)}).item() > 0);
    }
}

TEST_CASE("repeated calls of other types, shapes, orders and alignments") {
    const std::vector<std::int64_t> sizes{0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4097};
    for (int round = 0; round < 2; ++round) {
        for (const std::int64_t n : sizes) {
            CAPTURE(n);
            const auto x = gpu::arange<float>(n + 5);
            for (const std::int64_t first : {0, 1, 2, 3, 4}) {  // misaligned by 4 bytes, 8, ...
                const auto window = x(gpu::slice(first, first + n));
                const gpu::Array<float> z = shifted()(window, 1.F);
                CHECK(gpu::sum(z - window * 10.F).item() == static_cast<float>(n));
                CHECK(gpu::sum(window.astype<double>()).item() ==
                      static_cast<double>(n) * (static_cast<double>(n - 1) / 2 + static_cast<double>(first)));
            }
            const auto whole = gpu::arange<int>(n);
            CHECK(gpu::sum(gpu::Array<int>(shifted()(whole, 1)) - whole * 10).item() == n);
        }
        const auto matrix = gpu::arange<float>(12).reshape({3, 4});
        CHECK(values_of(gpu::Array<float>(gpu::sum(matrix, {.axis = 0}))) == Floats{12, 15, 18, 21});
        CHECK(values_of(gpu::Array<float>(gpu::sum(matrix, {.axis = 1}))) == Floats{6, 22, 38});
        CHECK(values_of(gpu::Array<float>(gpu::sum(matrix.transpose(), {.axis = 0}))) == Floats{6, 22, 38});
        CHECK(gpu::sum(matrix, {.axis = 1, .keepdims = true}).shape() == gpu::Shape{3, 1});
        CHECK(gpu::sum(matrix, {.axis = 1}).shape() == gpu::Shape{3});
        const gpu::Array<float> flipped = matrix.transpose() + 0.F;
        CHECK(flipped.shape() == gpu::Shape{4, 3});
        CHECK(flipped(3, 1).item() == 7);
    }
}

TEST_CASE("a repeated call that overlaps its output is computed as if it didn't") {
    for (int round = 0; round < 2; ++round) {
        gpu::Array<float> apart = gpu::arange<float>(6), x = gpu::arange<float>(6), z = gpu::zeros<float>({6});
        shifted()(apart(gpu::slice(0, 5)), 0.F, gpu::out(z(gpu::slice(1, 6))));
        CHECK(values_of(z) == Floats{0, 0, 10, 20, 30, 40});
        shifted()(x(gpu::slice(0, 5)), 0.F, gpu::out(x(gpu::slice(1, 6))));  // like the call before, but for this
        CHECK(values_of(x) == Floats{0, 0, 10, 20, 30, 40});
        shifted()(x, 1.F, gpu::out(x));  // in place
        CHECK(values_of(x) == Floats{1, 1, 101, 201, 301, 401});
    }
}

TEST_CASE("a repeated call refuses a number that doesn't fit, as the first one does") {
    const gpu::ElementwiseKernel add("T x, T y", "T z", "z = x + y", "repeated_add");
    const auto bytes = gpu::ones<std::int8_t>({4});
    for (int round = 0; round < 2; ++round) {
        CHECK(values_of(gpu::Array<std::int8_t>(add(bytes, 100))) == std::vector<std::int8_t>(4, 101));
        CHECK_THROWS_AS((void)add(bytes, 1000), gpu::DTypeError);
    }
}

TEST_CASE("repeated reductions see NaN, infinities, denormals and signed zeros") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const float least = std::numeric_limits<float>::denorm_min();
    const gpu::ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "repeated_total");
    const auto of = [&](const Floats& values) { return gpu::Array<float>(total(gpu::to_device(values))).item(); };
    for (int round = 0; round < 2; ++round) {
        CHECK(of({1, 2, 3}) == 6);
        CHECK(std::isnan(of({1, nan, 3})));
        CHECK(of({1, infinity, 3}) == infinity);
        CHECK(std::isnan(of({-infinity, infinity, 3})));
        CHECK(of({least, least, 0}) == 2 * least);
        CHECK(gpu::max(gpu::to_device<float>({-0.F, least, 0})).item() == least);
    }
}

TEST_CASE("kernels that were made one after the other, of one name, aren't taken for each other") {
    const auto x = gpu::ones<float>({8});
    for (int k = 0; k < 6; ++k) {  // each may lie where the one before lay
        const auto kernel = std::make_unique<gpu::ElementwiseKernel>("T x", "T y", "y = x + " + std::to_string(k % 3),
                                                                     "repeated_same");
        const auto reduction = std::make_unique<gpu::ReductionKernel>(
            "T x", "T y", "x * " + std::to_string(k % 3), "a + b", "y = a", "0", "repeated_same");
        for (int round = 0; round < 2; ++round) {
            CHECK(values_of(gpu::Array<float>((*kernel)(x))) == Floats(8, static_cast<float>(1 + k % 3)));
            CHECK(gpu::Array<float>((*reduction)(x)).item() == static_cast<float>(8 * (k % 3)));
        }
    }
}

TEST_CASE("a repeated expression of an array that was written is out of date") {
    gpu::Array<float> x = gpu::ones<float>({4});
    for (int round = 0; round < 3; ++round) {
        const auto sum = x + x;
        CHECK(sum.eval()(0).item() == 2);
        shifted()(x, -9.F, gpu::out(x));  // 1 again
        CHECK_THROWS_AS((void)sum.eval(), gpu::ExpressionError);
        CHECK_THROWS_AS((void)gpu::sum(sum), gpu::ExpressionError);
    }
}

TEST_CASE("repeated calls with a mask, raw arrays and the index along an axis") {
    const gpu::ElementwiseKernel turned("raw T x", "T y", "y = x[_ind.size() - 1 - i]", "repeated_turned");
    const gpu::ElementwiseKernel columns("", "T y", "y = _ind.get()[1]", "repeated_columns");
    for (const std::int64_t n : {1, 5, 5, 7}) {
        const auto x = gpu::arange<float>(n);
        gpu::Array<float> y = gpu::empty<float>({n}), matrix = gpu::empty<float>({2, n});
        for (int round = 0; round < 2; ++round) {
            turned(x, gpu::out(y));
            CHECK(y(0).item() == static_cast<float>(n - 1));
            CHECK(gpu::sum(y).item() == static_cast<float>(n * (n - 1) / 2));
            columns(gpu::out(matrix));
            CHECK(gpu::sum(matrix).item() == static_cast<float>(n * (n - 1)));
            y[y > 1.F] = 0.F;
            CHECK(gpu::max(y).item() <= 1);
        }
        turned(y, gpu::out(y));  // what it reads is what it writes
        CHECK(gpu::max(y).item() <= 1);
    }
}

TEST_CASE("repeated calls are counted each time") {
    const auto x = gpu::ones<float>({4});
    gpu::Array<float> z = gpu::zeros<float>({4});
    shifted()(x, x, gpu::out(z));
    const gpu::Counts before = gpu::counts();
    for (int round = 0; round < 3; ++round) {
        shifted()(x, x, gpu::out(z));
        z = x + 1.F;
        (void)gpu::sum(x);
    }
    const gpu::Counts seen = gpu::counts() - before;
    CHECK(seen.launches == 9);
    CHECK(seen.allocations == 3);
    CHECK(seen.bytes_to_host == 0);
}
