// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <Eigen/Core>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

namespace {

std::vector<float> numbers(int n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    std::iota(v.begin(), v.end(), 0.5f);
    return v;
}

}  // namespace

TEST_CASE("to_device and to_host carry elements there and back") {
    //! [to_device]
    const std::vector<float> host{1, 2, 3};
    gpu::Array<float> x = gpu::to_device(host);
    const std::vector<float> back = gpu::to_host(x);
    //! [to_device]
    CHECK(back == host);
    CHECK(x.shape() == gpu::Shape{3});
    CHECK(gpu::to_host(gpu::to_device({1.0, 2.0})) == std::vector<double>{1, 2});
    CHECK(gpu::to_host(gpu::to_device(std::vector<int>{})).empty());
}

TEST_CASE("copying an array copies its elements, moving does not") {
    //! [copy]
    gpu::Array<float> a = gpu::to_device({1.f, 2.f});
    gpu::Array<float> b = a;     // copies, as Eigen does
    b = b * 10.f;                // a keeps its values
    //! [copy]
    CHECK(gpu::to_host(a) == std::vector<float>{1, 2});
    CHECK(gpu::to_host(b) == std::vector<float>{10, 20});
    const void* const where = b.data();
    gpu::Array<float> c = std::move(b);
    CHECK(std::as_const(c).data() == where);
    b = c;  // a moved-from array can be assigned again
    CHECK(gpu::to_host(b) == std::vector<float>{10, 20});
}

TEST_CASE("a number that is assigned to an array fills it") {
    //! [fill]
    auto a = gpu::empty<float>({2, 3});
    a = 1.f;  // all six elements, as for Eigen's arrays
    //! [fill]
    CHECK(gpu::to_host(a) == std::vector<float>(6, 1.f));
    const void* const where = std::as_const(a).data();
    auto columns = gpu::zeros<double>({2, 3}, gpu::Layout::column_major);
    columns = 2;
    CHECK(columns.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(columns) == std::vector<double>(6, 2));
    a = 0.5;
    CHECK(std::as_const(a).data() == where);
    CHECK(gpu::to_host(a) == std::vector<float>(6, 0.5f));
    gpu::Array<bool> mask = a > 1.f;
    mask = true;
    CHECK(gpu::all(mask).item());
    gpu::Array<float> nothing;
    nothing = 3.f;
    CHECK(nothing.shape() == gpu::Shape{0});
    a = {};  // an empty array, not a number
    CHECK(a.size() == 0);
    gpu::Array<float> moved = std::move(columns).astype<float>();
    gpu::Array<float> taken = std::move(moved);
    CHECK_THROWS_AS(moved = 1.f, gpu::Error);  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("copy_from and copy_to check the number of elements") {
    auto x = gpu::zeros<float>({2, 3});
    const auto six = numbers(6);
    x.copy_from(six);
    std::vector<float> back(6);
    x.copy_to(back);
    CHECK(back == six);
    const auto five = numbers(5);
    CHECK_THROWS_WITH_AS(x.copy_from(five),
                         "copy_from: the array has shape (2,3), that is 6 elements; the host memory has 5",
                         gpu::ShapeError);
}

TEST_CASE("creation: zeros, ones, full, arange, linspace") {
    //! [create]
    auto zeros = gpu::zeros<float>({2, 5});
    auto threes = gpu::full<int>({4}, 3);
    auto ramp = gpu::arange<float>(10).reshape({2, 5});
    auto grid = gpu::linspace<double>(0, 1, 5);
    //! [create]
    CHECK(gpu::to_host(zeros) == std::vector<float>(10, 0.f));
    CHECK(gpu::to_host(gpu::ones<double>({3})) == std::vector<double>(3, 1));
    CHECK(gpu::to_host(threes) == std::vector<int>(4, 3));
    CHECK(gpu::to_host(ramp) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(ramp.shape() == gpu::Shape{2, 5});
    CHECK(gpu::to_host(grid) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
    CHECK(gpu::to_host(gpu::arange<int>(5, 0, -2)) == std::vector<int>{5, 3, 1});
    CHECK(gpu::arange<int>(3, 3).size() == 0);
    CHECK(gpu::to_host(gpu::linspace<float>(2, 7, 1)) == std::vector<float>{2});
    CHECK(gpu::linspace<float>(2, 7, 0).size() == 0);
    const auto tenth = gpu::to_host(gpu::linspace<double>(0, 0.7, 8));
    CHECK(tenth.back() == 0.7);
    CHECK_THROWS_AS((void)gpu::arange<int>(0, 5, 0), gpu::ShapeError);
}

TEST_CASE("views are windows: slices, transposes, assignment through them") {
    //! [view]
    auto a = gpu::arange<float>(6).reshape({2, 3});
    gpu::Array<float> row = a(1, gpu::all);                     // 3 4 5
    gpu::Array<float> ends = a(gpu::all, gpu::slice(0, 3, 2));  // 0 2 / 3 5
    gpu::Array<float> turned = a.transpose();                   // 0 3 / 1 4 / 2 5
    a(0, gpu::all) = 9.f;
    //! [view]
    CHECK(gpu::to_host(row) == std::vector<float>{3, 4, 5});
    CHECK(gpu::to_host(ends) == std::vector<float>{0, 2, 3, 5});
    CHECK(gpu::to_host(turned) == std::vector<float>{0, 3, 1, 4, 2, 5});
    CHECK(gpu::to_host(a) == std::vector<float>{9, 9, 9, 3, 4, 5});
    a(gpu::all, gpu::slice(2, -4, -1)) = row;
    CHECK(gpu::to_host(a) == std::vector<float>{5, 4, 3, 5, 4, 3});
    CHECK(gpu::to_host(a(gpu::slice(0, 0), gpu::all)).empty());
    CHECK_THROWS_AS((void)(a(gpu::all, gpu::slice(0, 2)) = row), gpu::ShapeError);
    CHECK_THROWS_AS((void)a(2), gpu::IndexError);
}

TEST_CASE("a view keeps the buffer alive") {
    auto window = [] {
        auto a = gpu::arange<float>(4);
        return a(gpu::slice(1, 3));
    }();
    CHECK(gpu::to_host(window) == std::vector<float>{1, 2});
}

TEST_CASE("item reads the only element and refuses others") {
    CHECK(gpu::full<float>({}, 2.5f).item() == 2.5f);
    CHECK(gpu::arange<int>(5)(3).item() == 3);
    CHECK_THROWS_WITH_AS((void)gpu::zeros<float>({2}).item(),
                         "item() needs an array of one element; this one has shape (2,)", gpu::ShapeError);
}

TEST_CASE("Eigen matrices come in and go out in their own order") {
    //! [eigen]
    Eigen::MatrixXf m(2, 3);
    m << 1, 2, 3,
         4, 5, 6;
    gpu::Array<float> d = gpu::to_device(m);   // (2,3), column-major as in Eigen: nothing is transposed
    Eigen::MatrixXf back = gpu::to_eigen(d);
    //! [eigen]
    CHECK(back == m);
    CHECK(d.shape() == gpu::Shape{2, 3});
    CHECK(d.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(d) == std::vector<float>{1, 2, 3, 4, 5, 6});

    const gpu::Array<float> doubled = d * 2.f;
    CHECK(gpu::to_eigen(doubled) == m * 2.f);
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = m.cast<double>();
    CHECK(gpu::to_device(rows).strides() == gpu::Strides{3, 1});
    CHECK(gpu::to_eigen(gpu::to_device(rows)) == rows);
    CHECK(gpu::to_device(m.array() + 1.f).shape() == gpu::Shape{2, 3});
    const Eigen::VectorXf v = m.col(1);
    CHECK(gpu::to_device(v).shape() == gpu::Shape{2});
    CHECK(gpu::to_eigen<Eigen::VectorXf>(gpu::to_device(v)) == v);
    CHECK_THROWS_AS((void)gpu::to_eigen<Eigen::VectorXf>(d), gpu::ShapeError);
    CHECK(gpu::to_eigen(gpu::to_device(Eigen::MatrixXf(0, 4))).cols() == 4);
}

TEST_CASE("astype converts as C++ does") {
    CHECK(gpu::to_host(gpu::to_device({1.9f, -1.9f}).astype<int>()) == std::vector<int>{1, -1});
    CHECK(gpu::to_host(gpu::to_device({0.f, 2.f}).astype<bool>()) == std::vector<std::uint8_t>{0, 1});
    CHECK(gpu::to_host(gpu::to_device({3, 4}).astype<double>()) == std::vector<double>{3, 4});
}

TEST_CASE("an allocation that can't be made is an OutOfMemory with its numbers") {
    const std::int64_t huge = std::int64_t{1} << 50;
    try {
        (void)gpu::empty<double>({huge});
        FAIL("2^53 bytes were allocated");
    } catch (const gpu::OutOfMemory& error) {
        CHECK(error.requested() >= static_cast<std::size_t>(huge) * 8);  // guard words, if asked for, come on top
        CHECK(error.free() < error.requested());
    }
}
