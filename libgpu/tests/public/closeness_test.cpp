// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Bits = std::vector<std::uint8_t>;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Bits bits(const gpu::Expr<bool>& value) { return gpu::to_host(value.eval()); }

}  // namespace

TEST_CASE("isclose: relative to the second number, with an absolute part; infinities and NaN") {
    //! [isclose]
    auto a = gpu::to_device({1.0, 1.0, 1e-9, 100.0});
    auto b = gpu::to_device({1.000001, 1.1, 0.0, 100.01});
    gpu::Array<bool> close = gpu::isclose(a, b);                     // true false true false
    gpu::Array<bool> roughly = gpu::isclose(a, b, {.rtol = 0.2});    // all true
    //! [isclose]
    CHECK(gpu::to_host(close) == Bits{1, 0, 1, 0});
    CHECK(gpu::to_host(roughly) == Bits{1, 1, 1, 1});
    CHECK(bits(gpu::isclose(a, b, {.rtol = 0, .atol = 0})) == Bits{0, 0, 0, 0});
    const auto x = gpu::to_device({inf, inf, -inf, 1.0, inf, not_a_number, not_a_number, 0.0});
    const auto y = gpu::to_device({inf, -inf, -inf, inf, 1.0, not_a_number, 1.0, -0.0});
    CHECK(bits(gpu::isclose(x, y)) == Bits{1, 0, 1, 0, 0, 0, 0, 1});
    CHECK(bits(gpu::isclose(x, y, {.equal_nan = true})) == Bits{1, 0, 1, 0, 0, 1, 0, 1});
    // The limit is relative to the second operand.
    CHECK(bits(gpu::isclose(gpu::to_device({10.0}), 9.0, {.rtol = 0.105, .atol = 0})) == Bits{0});
    CHECK(bits(gpu::isclose(gpu::to_device({9.0}), 10.0, {.rtol = 0.105, .atol = 0})) == Bits{1});
}

TEST_CASE("isclose of other types: whole numbers as doubles, halves as floats, complex numbers by their distance") {
    CHECK(bits(gpu::isclose(gpu::to_device({1000000, 5}), gpu::to_device({1000001, 6}))) == Bits{1, 0});
    CHECK(bits(gpu::isclose(gpu::to_device<bool>({true, false}), gpu::to_device<bool>({true, true}))) == Bits{1, 0});
    const auto half = gpu::to_device({1.f, 0.f}).astype<gpu::half>();
    CHECK(bits(gpu::isclose(half, gpu::to_device({1.0009766f, 1e-7f}).astype<gpu::half>(), {.rtol = 1e-3})) ==
          Bits{1, 0});
    using Z = gpu::complex<float>;
    CHECK(bits(gpu::isclose(gpu::to_device({Z(3, 4), Z(3, 4)}), gpu::to_device({Z(3, 4.04f), Z(3, -4)}),
                            {.rtol = 0.01})) == Bits{1, 0});
    CHECK(bits(gpu::isclose(gpu::to_device({Z(NAN, 1)}), Z(NAN, 2), {.equal_nan = true})) == Bits{1});
    CHECK_THROWS_AS((void)gpu::isclose(gpu::zeros<float>({2}), gpu::zeros<float>({3})), gpu::ShapeError);
}

TEST_CASE("allclose is one truth value on the device, and waits for nothing") {
    //! [allclose]
    auto x = gpu::linspace<float>(0, 1, 1000);
    const bool same = gpu::allclose(gpu::sqrt(x * x), x).item();  // true
    //! [allclose]
    CHECK(same);
    CHECK_FALSE(gpu::allclose(x, x + 1e-3f).item());
    CHECK(gpu::allclose(x, x + 1e-3f, {.atol = 1e-2}).item());
    CHECK(gpu::allclose(gpu::zeros<float>({0, 3}), 1.f).item());  // nothing differs
    CHECK(gpu::allclose(gpu::ones<float>({2, 3}), gpu::ones<float>({3})).item());
    const auto before = gpu::counts();
    (void)gpu::allclose(x, x);
    CHECK((gpu::counts() - before).synchronizations == 0);
    CHECK((gpu::counts() - before).launches == 1);
}

TEST_CASE("array_equal: same shape and equal elements") {
    //! [array_equal]
    auto a = gpu::arange<int>(6).reshape({2, 3});
    const bool equal = gpu::array_equal(a, a + 0).item();           // true
    const bool flat = gpu::array_equal(a, gpu::arange<int>(6)).item();  // false: another shape
    //! [array_equal]
    CHECK(equal);
    CHECK_FALSE(flat);
    CHECK_FALSE(gpu::array_equal(a, a(0)).item());  // nothing broadcasts
    CHECK(gpu::array_equal(a, a.astype<double>()).item());
    CHECK_FALSE(gpu::array_equal(a, a + 1).item());
    const auto x = gpu::to_device({1.f, NAN});
    CHECK_FALSE(gpu::array_equal(x, x).item());
    CHECK(gpu::array_equal(x, x, {.equal_nan = true}).item());
    CHECK_FALSE(gpu::array_equal(x, gpu::to_device({NAN, 1.f}), {.equal_nan = true}).item());
    CHECK(gpu::array_equal(gpu::zeros<float>({0}), gpu::zeros<float>({0})).item());
}
