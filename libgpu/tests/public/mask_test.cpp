// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Floats = std::vector<float>;
using Positions = std::vector<std::int64_t>;

gpu::Array<bool> every(int step, const gpu::Shape& shape) {
    return gpu::Array<bool>(gpu::arange<int>(static_cast<double>(shape.size())) % step == 0).reshape(shape);
}

}  // namespace

TEST_CASE("elements under a mask are assigned by one kernel, without waiting") {
    auto z = gpu::to_device({1.f, 2.f, 3.f, 4.f});
    auto c = gpu::to_device({10.f, 20.f, 30.f, 40.f});
    gpu::Array<bool> mask = c > 15.f;
    const auto before = gpu::counts();
    //! [masked_assignment]
    z[mask] = z[mask] * z[mask] + c[mask];   // one kernel; elements elsewhere keep their values
    //! [masked_assignment]
    const auto did = gpu::counts() - before;
    CHECK(did.launches == 1);
    CHECK(did.synchronizations == 0);
    CHECK(did.allocations == 0);
    CHECK(gpu::to_host(z) == Floats{1, 24, 39, 56});
    z[mask] = 0.5f;
    CHECK(gpu::to_host(z) == Floats{1, 0.5f, 0.5f, 0.5f});
    z[mask] += 1;
    z[!mask] -= 3.f;
    CHECK(gpu::to_host(z) == Floats{-2, 1.5f, 1.5f, 1.5f});
    z[mask] *= c[mask];
    z[mask] /= 3.f;
    CHECK(gpu::to_host(z) == Floats{-2, 10, 15, 20});
    z[mask] = c[mask];
    CHECK(gpu::to_host(z) == Floats{-2, 20, 30, 40});
}

TEST_CASE("functions and 0-d arrays work under a mask") {
    auto z = gpu::to_device({1.f, 4.f, 9.f});
    gpu::Array<bool> mask = z > 2.f;
    z[mask] = gpu::sqrt(z[mask]) + gpu::maximum(z[mask], 5.f) * -gpu::abs(z[mask]) + gpu::sum(z);
    CHECK(gpu::to_host(z) == Floats{1, 2 - 5 * 4 + 14, 3 - 81 + 14});
    auto w = gpu::to_device({3, 4, 5});
    z[mask] = (w[mask] % 2).astype<float>();
    CHECK(gpu::to_host(z) == Floats{1, 0, 1});
}

TEST_CASE("functions of several operands, bits and complex numbers under a mask") {
    auto z = gpu::to_device({-3.f, 1.f, 4.f, 9.f});
    gpu::Array<bool> mask = z > 0.f;
    z[mask] = gpu::clip(gpu::where(z[mask] > 2.f, z[mask], -z[mask]), 0.f, 5.f);
    CHECK(gpu::to_host(z) == Floats{-3, 0, 4, 5});
    z[mask] = gpu::fma(z[mask], 2.f, gpu::hypot(z[mask], 0.f));
    CHECK(gpu::to_host(z) == Floats{-3, 0, 12, 15});
    auto i = gpu::arange<int>(4);
    i[mask] = (i[mask] << 2) | (~i[mask] & 1);
    CHECK(gpu::to_host(i) == std::vector<int>{0, 4, 9, 12});
    auto c = gpu::full<gpu::complex<float>>({4}, gpu::complex<float>(3.f, 4.f));
    c[mask] = c[mask] * gpu::complex<float>(0.f, 1.f) + c[mask];
    CHECK(gpu::to_host(c)[0] == gpu::complex<float>(3.f, 4.f));
    CHECK(gpu::to_host(c)[3] == gpu::complex<float>(-1.f, 7.f));
    z[mask] = gpu::abs(c[mask]);
    CHECK(gpu::to_host(z)[3] == doctest::Approx(std::sqrt(50.f)));
    CHECK(gpu::to_host(gpu::isfinite(z[mask]).compress()) == std::vector<std::uint8_t>{1, 1, 1});
}

TEST_CASE("a mask may be an array, a view or an expression") {
    auto z = gpu::arange<float>(6).reshape({2, 3});
    auto mask = every(2, {2, 3});
    auto row = z(1, gpu::all);
    row[mask(1, gpu::all)] = 9.f;   // a view under a view
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 9, 5});
    z[z > 4.f] = z[z > 4.f] * 2.f;   // the same expression, written twice
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 18, 10});
    auto large = z > 4.f;
    z[large] = z[large] + 1.f;
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 19, 11});
    CHECK_THROWS_AS((void)(z[large] = 0.f), gpu::ExpressionError);   // z was written since
    z.transpose()[mask.transpose()] = 7.f;
    CHECK(gpu::to_host(z) == Floats{7, 1, 7, 3, 7, 11});
    const auto& fixed = z;
    CHECK(gpu::to_host(fixed[mask].compress()) == Floats{7, 7, 7});
}

TEST_CASE("a mask of fewer axes chooses rows") {
    auto z = gpu::arange<float>(12).reshape({3, 4});
    auto rows = gpu::Array<bool>(gpu::to_device({1, 0, 1}) == 1);
    CHECK(gpu::to_host(z[rows].compress()) == Floats{0, 1, 2, 3, 8, 9, 10, 11});
    CHECK(z[rows].compress().shape() == gpu::Shape{2, 4});
    z[rows] = z[rows] + 0.5f;
    CHECK(gpu::to_host(z) == Floats{0.5f, 1.5f, 2.5f, 3.5f, 4, 5, 6, 7, 8.5f, 9.5f, 10.5f, 11.5f});
    z[rows] = gpu::to_device({1.f, 2.f, 3.f, 4.f});                            // each row
    CHECK(gpu::to_host(z) == Floats{1, 2, 3, 4, 4, 5, 6, 7, 1, 2, 3, 4});
    z[rows] = gpu::arange<float>(8).reshape({2, 4});                            // row by row
    CHECK(gpu::to_host(z) == Floats{0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7});
}

TEST_CASE("values that overlap the target in another order are read first") {
    auto z = gpu::arange<float>(9).reshape({3, 3});
    auto mask = every(2, {3, 3});
    z[mask] = z.transpose()[mask] * 1.f;
    CHECK(gpu::to_host(z) == Floats{0, 1, 6, 3, 4, 5, 2, 7, 8});
    auto flags = every(3, {6});
    flags(gpu::slice(0, 5))[flags(gpu::slice(1, 6))] = true;   // a mask that is written
    CHECK(gpu::to_host(flags) == std::vector<std::uint8_t>{1, 0, 1, 1, 0, 0});
}

TEST_CASE("compress gives the elements under a mask in row-major order, and waits once") {
    auto z = gpu::arange<float>(6).reshape({2, 3});
    auto mask = every(2, {2, 3});
    const auto before = gpu::counts();
    //! [compress]
    auto kept = z[mask].compress();             // 0 2 4: waits for their number
    //! [compress]
    CHECK((gpu::counts() - before).synchronizations == 1);
    CHECK(gpu::to_host(kept) == Floats{0, 2, 4});
    CHECK(kept.shape() == gpu::Shape{3});
    CHECK(gpu::to_host((z[mask] * z[mask]).compress()) == Floats{0, 4, 16});
    CHECK(gpu::to_host(gpu::compress(z.transpose() > 1.f, z.transpose() * 2.f)) == Floats{6, 8, 4, 10});
    CHECK(gpu::to_host(gpu::compress(gpu::to_device({0, 1, 1}), z, 1)) == Floats{1, 2, 4, 5});
    CHECK(z[z < 0.f].compress().shape() == gpu::Shape{0});
    CHECK(gpu::zeros<float>({0, 3})[gpu::zeros<bool>({0, 3})].compress().size() == 0);
}

TEST_CASE("compress goes through masks longer than a chunk of its scan") {
    constexpr int n = 300'007;
    auto x = gpu::arange<int>(n);
    auto kept = x[x % 3 == 1].compress();
    REQUIRE(kept.size() == 100'002);
    CHECK(gpu::sum(kept != 3 * gpu::arange<int>(100'002) + 1).item() == 0);
    x[x % 3 == 1] = gpu::Array<int>(-kept);
    CHECK(gpu::sum(x != gpu::where(gpu::arange<int>(n) % 3 == 1, -gpu::arange<int>(n), gpu::arange<int>(n))).item() ==
          0);
}

TEST_CASE("values as many as the mask has true elements") {
    auto z = gpu::zeros<float>({2, 3});
    auto mask = every(2, {2, 3});
    const auto before = gpu::counts();
    z[mask] = gpu::to_device({1.f, 2.f, 3.f}) * 2.f;
    CHECK((gpu::counts() - before).copies_to_host == 0);
    CHECK(gpu::to_host(z) == Floats{2, 0, 4, 0, 6, 0});
    z[mask] = gpu::to_device({5.f});
    CHECK(gpu::to_host(z) == Floats{5, 0, 5, 0, 5, 0});
    z[mask] = z(gpu::all, 0)[gpu::to_device({1, 0, 0})].eval();   // values from the array itself
    CHECK(gpu::to_host(z) == Floats{0, 0, 5, 0, 5, 0});
}

TEST_CASE("too many or too few values are a ShapeError at the next call that waits, and change nothing") {
    auto z = gpu::zeros<float>({4});
    gpu::Array<bool> mask = gpu::arange<int>(4) < 2;
    z[mask] = gpu::to_device({1.f, 2.f, 3.f});
    CHECK_THROWS_WITH_AS(gpu::synchronize(),
                         "cannot assign 3 input values to the 2 output values where the mask is true", gpu::ShapeError);
    gpu::synchronize();   // it was told
    CHECK(gpu::to_host(z) == Floats{0, 0, 0, 0});
    z[mask] = gpu::zeros<float>({0});
    CHECK_THROWS_WITH_AS((void)gpu::to_host(z),
                         "cannot assign 0 input values to the 2 output values where the mask is true", gpu::ShapeError);
    CHECK_THROWS_AS((void)(gpu::zeros<float>({0})[gpu::zeros<bool>({0})] = gpu::ones<float>({2})), gpu::ShapeError);
}

TEST_CASE("masks that don't fit say why") {
    auto z = gpu::zeros<float>({5, 2});
    CHECK_THROWS_WITH_AS((void)z[gpu::zeros<bool>({4})],
                         "boolean index did not match indexed array along axis 0; size is 5 but the boolean axis is 4",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)z[gpu::zeros<bool>({5, 2, 1})], gpu::IndexError);
    CHECK_THROWS_WITH_AS((void)gpu::compress(gpu::zeros<bool>({4}), z, 1),
                         "boolean index did not match indexed array along axis 1; size is 2 but the boolean axis is 4",
                         gpu::ShapeError);
    auto all = gpu::ones<bool>({5, 2}), none = gpu::zeros<bool>({5, 2});
    CHECK_THROWS_WITH_AS((void)(z[all] = z[none] + 1.f),
                         doctest::Contains("different masks in one statement"), gpu::Error);
    CHECK_THROWS_WITH_AS((void)(z[all] += gpu::ones<float>({10})), doctest::Contains("z[mask].compress()"),
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)(z[all] = gpu::ones<float>({10, 1, 1})), doctest::Contains("have 3 axes"),
                         gpu::ShapeError);
}

TEST_CASE("nonzero, argwhere and flatnonzero name positions") {
    auto a = gpu::to_device({0, 3, 0, 0, 4, 5}).reshape({2, 3});
    //! [nonzero]
    auto indices = gpu::nonzero(a);      // {0 1 1}, {1 1 2}: one array for each axis
    auto table = gpu::argwhere(a > 3);   // (2,2): 1 1 / 1 2
    auto flat = gpu::flatnonzero(a);     // 1 4 5
    //! [nonzero]
    REQUIRE(indices.size() == 2);
    CHECK(gpu::to_host(indices[0]) == Positions{0, 1, 1});
    CHECK(gpu::to_host(indices[1]) == Positions{1, 1, 2});
    CHECK(table.shape() == gpu::Shape{2, 2});
    CHECK(gpu::to_host(table) == Positions{1, 1, 1, 2});
    CHECK(gpu::to_host(flat) == Positions{1, 4, 5});
    CHECK(gpu::to_host(gpu::flatnonzero(a.transpose())) == Positions{2, 3, 5});
    CHECK(gpu::argwhere(gpu::zeros<bool>({3})).shape() == gpu::Shape{0, 1});
}
