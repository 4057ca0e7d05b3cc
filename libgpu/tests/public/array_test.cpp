// SPDX-License-Identifier: MIT
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <doctest/doctest.h>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/linalg.hpp>

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

// Windows on arrays: what they show, what is written through them, and what is refused.
namespace {

using Ints = std::vector<int>;

template <class A>
std::vector<typename A::value_type> host(const A& a) {
    return gpu::to_host(a);
}

gpu::Array<int> counted(const gpu::Shape& shape) {
    gpu::Array<int> flat = gpu::arange<int>(static_cast<double>(shape.size()));
    return std::move(flat).reshape(shape);
}

}  // namespace

TEST_CASE("slices: open ends, negative steps, ellipsis and new axes") {
    //! [slice]
    auto a = gpu::arange<int>(6).reshape({2, 3});                 // 0 1 2 / 3 4 5
    auto backwards = a(1, gpu::slice(gpu::none, gpu::none, -1));  // 5 4 3
    auto last_two = a(gpu::all, gpu::slice(-2, gpu::none));       // 1 2 / 4 5
    auto first_column = a(gpu::ellipsis, 0);                      // 0 3
    auto column = a(gpu::all, gpu::newaxis, 0);                   // shape (2,1)
    a(gpu::all, gpu::slice(gpu::none, gpu::none, 2)) = 9;         // 9 1 9 / 9 4 9
    //! [slice]
    CHECK(host(backwards) == Ints{9, 4, 9});
    CHECK(host(last_two) == Ints{1, 9, 4, 9});
    CHECK(host(first_column) == Ints{9, 9});
    CHECK(column.shape() == gpu::Shape{2, 1});
    CHECK(host(a) == Ints{9, 1, 9, 9, 4, 9});
}

TEST_CASE("slices clamp as NumPy's do") {
    const auto a = gpu::arange<int>(10);
    const auto all = gpu::none;
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    CHECK(host(a(gpu::slice(-100, 3))) == Ints{0, 1, 2});
    CHECK(host(a(gpu::slice(8, 100))) == Ints{8, 9});
    CHECK(host(a(gpu::slice(100, -100, -4))) == Ints{9, 5, 1});
    CHECK(host(a(gpu::slice(all, 6, -1))) == Ints{9, 8, 7});
    CHECK(host(a(gpu::slice(2, all, -1))) == Ints{2, 1, 0});
    CHECK(host(a(gpu::slice(all, all, 4))) == Ints{0, 4, 8});
    CHECK(host(a(gpu::slice(-3, -1))) == Ints{7, 8});
    CHECK(host(a(gpu::slice(5, 5))).empty());
    CHECK(host(a(gpu::slice(3, 7, -1))).empty());
    CHECK(host(a(gpu::slice(all, all, most))) == Ints{0});
    CHECK(host(a(gpu::slice(all, all, least))) == Ints{9});
    CHECK(host(a(gpu::slice(least, most))).size() == 10);
    CHECK(gpu::zeros<int>({0})(gpu::slice(all, all, -1)).size() == 0);
    CHECK_THROWS_WITH_AS((void)a(gpu::slice(0, 5, 0)), "a slice can't have the step 0", gpu::IndexError);
}

TEST_CASE("ellipsis and newaxis stand where they should") {
    const auto a = counted({2, 3, 4});
    CHECK(a(gpu::ellipsis).shape() == gpu::Shape{2, 3, 4});
    CHECK(a(gpu::ellipsis, 1).shape() == gpu::Shape{2, 3});
    CHECK(a(1, gpu::ellipsis, 2).shape() == gpu::Shape{3});
    CHECK(host(a(1, gpu::ellipsis, 2)) == Ints{14, 18, 22});
    CHECK(a(1, 2, 3, gpu::ellipsis).item() == 23);  // an ellipsis may stand for nothing
    CHECK(a(gpu::newaxis, gpu::ellipsis, gpu::newaxis).shape() == gpu::Shape{1, 2, 3, 4, 1});
    CHECK(a().shape() == gpu::Shape{2, 3, 4});
    CHECK_THROWS_WITH_AS((void)a(gpu::ellipsis, gpu::ellipsis), "an index can have only one gpu::ellipsis",
                         gpu::IndexError);
    CHECK_THROWS_WITH_AS((void)a(0, 0, gpu::newaxis, 0, 0), "an array of shape (2,3,4) can't take 4 indices",
                         gpu::IndexError);
    const auto eight = gpu::ones<float>({1, 1, 1, 1, 1, 1, 1, 1});
    CHECK_THROWS_WITH_AS((void)eight(gpu::newaxis), "an array has at most 8 axes", gpu::ShapeError);
}

TEST_CASE("an index out of range is reported with its axis") {
    const auto a = gpu::zeros<float>({4, 5});
    CHECK_THROWS_WITH_AS((void)a(0, 7), "index 7 is out of bounds for axis 1 with size 5", gpu::IndexError);
    CHECK_THROWS_WITH_AS((void)a(-5), "index -5 is out of bounds for axis 0 with size 4", gpu::IndexError);
    CHECK_THROWS_AS((void)a(std::numeric_limits<std::uint64_t>::max()), gpu::IndexError);
    CHECK_THROWS_AS((void)gpu::zeros<float>({0})(0), gpu::IndexError);
    CHECK(a(-1, -1).rank() == 0);
}

TEST_CASE("a view that is assigned copies; a wrong shape names both") {
    auto a = counted({2, 3});
    auto row = a(0);
    row = a(1);
    CHECK(host(a) == Ints{3, 4, 5, 3, 4, 5});
    row = 7;
    CHECK(host(row) == Ints{7, 7, 7});
    const gpu::Array<int> two = gpu::to_device({1, 2});
    CHECK_THROWS_WITH_AS((void)(row = two), "assignment: a value of shape (2,) doesn't fit a window of shape (3,)",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)(row = a), "assignment: a value of shape (2,3) doesn't fit a window of shape (3,)",
                         gpu::ShapeError);
    a = row;  // an array takes the window's shape
    CHECK(a.shape() == gpu::Shape{3});
}

TEST_CASE("swap exchanges the elements of two views, however it is called") {
    gpu::Array<int> x = gpu::arange<int>(6).reshape({2, 3});
    //! [swap]
    auto row = x(0), other = x(1);
    std::swap(row, other);  // the elements
    //! [swap]
    CHECK(host(x) == Ints{3, 4, 5, 0, 1, 2});
    std::ranges::swap(row, other);
    CHECK(host(x) == Ints{0, 1, 2, 3, 4, 5});
    swap(x(gpu::all, 0), x(gpu::all, 2));
    CHECK(host(x) == Ints{2, 1, 0, 5, 4, 3});
    swap(x(0, gpu::slice(0, 2)), x(0, gpu::slice(1, 3)));  // they overlap
    CHECK(host(x) == Ints{1, 2, 1, 5, 4, 3});
    std::swap(x(0), x(1));
    std::swap(row, x(1));
    swap(x(0), other);
    CHECK(host(x) == Ints{5, 4, 3, 1, 2, 1});
    std::swap(x(1), row);
    gpu::View<int> whole = x;
    CHECK_THROWS_WITH_AS(std::swap(row, whole), "swap: views of shapes (3,) and (2,3) have no elements for each other",
                         gpu::ShapeError);
    CHECK(host(x) == Ints{1, 2, 1, 5, 4, 3});
    auto y = gpu::ones<int>({2}), z = gpu::zeros<int>({3});
    std::swap(y, z);  // arrays change owners
    CHECK(host(y) == Ints{0, 0, 0});
    CHECK(host(z) == Ints{1, 1});
}

TEST_CASE("axes of length 1 in front of what is assigned don't count, as in NumPy") {
    auto a = counted({2, 3});
    auto row = a(0);
    row = a(gpu::slice(1, 2));  // (1,3) into (3,)
    CHECK(host(a) == Ints{3, 4, 5, 3, 4, 5});
    row = a(gpu::slice(1, 2)).reshape({1, 1, 3}) * 2 + 1;
    CHECK(host(a) == Ints{7, 9, 11, 3, 4, 5});
    row = a.flip()(gpu::slice(1, 2));  // read first
    CHECK(host(a) == Ints{11, 9, 7, 3, 4, 5});
    a(1, 1) = gpu::full<int>({1, 1, 1}, 8);
    a(gpu::all, gpu::slice(0, 1)) = gpu::to_device({1, 2}).reshape({1, 2, 1});
    CHECK(host(a) == Ints{1, 9, 7, 2, 8, 5});
    a[gpu::to_device({1, 0}) == 1] = gpu::to_device({4, 5, 6}).reshape({1, 1, 1, 3});
    a.put(gpu::to_device({4, 5}), gpu::to_device({-1, -2}).reshape({1, 1, 2}), {.axis = gpu::none});
    CHECK(host(a) == Ints{4, 5, 6, 2, -1, -2});
    row[row > 4] = gpu::to_device({0, 1}).reshape({1, 2});
    CHECK(host(a) == Ints{4, 0, 1, 2, -1, -2});
    CHECK_THROWS_WITH_AS((void)(row = a.reshape({2, 1, 3})),
                         "assignment: a value of shape (2,1,3) doesn't fit a window of shape (3,)", gpu::ShapeError);
    CHECK_THROWS_AS((void)(row = gpu::zeros<int>({3, 1})), gpu::ShapeError);
    gpu::Array<int> whole = gpu::zeros<int>({3});
    whole = a(gpu::slice(1, 2));  // an array takes the shape
    CHECK(whole.shape() == gpu::Shape{1, 3});
}

TEST_CASE("overlapping windows are assigned as if the right side were read first") {
    auto a = gpu::arange<int>(6);
    a(gpu::slice(1, gpu::none)) = a(gpu::slice(gpu::none, -1));
    CHECK(host(a) == Ints{0, 0, 1, 2, 3, 4});
    a(gpu::all) = a.flip();
    CHECK(host(a) == Ints{4, 3, 2, 1, 0, 0});
    auto m = counted({3, 3});
    m(gpu::all) = m.transpose();
    CHECK(host(m) == Ints{0, 3, 6, 1, 4, 7, 2, 5, 8});
}

TEST_CASE("axes change places") {
    //! [transpose]
    auto a = gpu::zeros<float>({2, 3, 4});
    auto reversed = a.transpose();          // (4,3,2)
    auto ordered = a.transpose({1, 2, 0});  // (3,4,2)
    auto swapped = a.swapaxes(0, -1);       // (4,3,2)
    auto moved = a.moveaxis(0, -1);         // (3,4,2)
    //! [transpose]
    CHECK(reversed.shape() == gpu::Shape{4, 3, 2});
    CHECK(ordered.shape() == gpu::Shape{3, 4, 2});
    CHECK(ordered.strides() == gpu::Strides{4, 1, 12});
    CHECK(swapped.shape() == gpu::Shape{4, 3, 2});
    CHECK(moved.strides() == ordered.strides());
    CHECK(a.moveaxis({0, 1}, {2, 0}).shape() == gpu::Shape{3, 4, 2});
    CHECK(a.moveaxis({-1, 0}, {0, 1}).shape() == gpu::Shape{4, 2, 3});
    CHECK(host(counted({2, 3}).transpose({1, 0})) == Ints{0, 3, 1, 4, 2, 5});
    CHECK_THROWS_WITH_AS((void)a.transpose({0, 1}),
                         "transpose: 2 axes for an array of shape (2,3,4): each axis must be named once",
                         gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)a.transpose({0, 1, 1}), "transpose: axis 1 is named twice", gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)a.swapaxes(0, 3),
                         "swapaxes: axis 3 is out of bounds for an array of dimension 3, shape (2,3,4)",
                         gpu::AxisError);
    CHECK_THROWS_AS((void)a.moveaxis({0}, {0, 1}), gpu::AxisError);
    CHECK_THROWS_AS((void)a.moveaxis(-4, 0), gpu::AxisError);
}

TEST_CASE("reshape, ravel and flatten") {
    //! [reshape]
    auto a = gpu::arange<int>(6).reshape({2, -1});                          // 0 1 2 / 3 4 5
    auto tall = a.reshape({-1, 2});                                         // 0 1 / 2 3 / 4 5
    auto by_columns = a.copy().reshape({3, 2}, gpu::Layout::column_major);  // 0 4 / 3 2 / 1 5, as Eigen reshapes
    auto flat = a.ravel();                                                  // a window with one axis
    gpu::Array<int> columns = a.flatten(gpu::Layout::column_major);         // a copy: 0 3 1 4 2 5
    //! [reshape]
    CHECK(host(tall) == Ints{0, 1, 2, 3, 4, 5});
    CHECK(tall.shape() == gpu::Shape{3, 2});
    CHECK(host(by_columns) == Ints{0, 4, 3, 2, 1, 5});
    CHECK(host(columns) == Ints{0, 3, 1, 4, 2, 5});
    CHECK(host(flat) == Ints{0, 1, 2, 3, 4, 5});
    flat = 8;
    CHECK(host(a) == Ints(6, 8));
    CHECK(a.reshape(6).shape() == gpu::Shape{6});
    CHECK(a.reshape(3, 2).shape() == gpu::Shape{3, 2});  // without braces, as in NumPy
    CHECK(std::as_const(a).reshape(1, -1, 2).shape() == gpu::Shape{1, 3, 2});
    CHECK(a(gpu::slice(0, 1)).reshape(3, 1).shape() == gpu::Shape{3, 1});
    static_assert(std::is_same_v<decltype(gpu::arange<int>(6).reshape(2, 3)), gpu::Array<int>>);
    CHECK_THROWS_AS((void)a.reshape(4, 2), gpu::ShapeError);
    CHECK(a.reshape(gpu::Shape{1, 6}).shape() == gpu::Shape{1, 6});
    CHECK(gpu::full<int>({}, 3).reshape({1, 1}).shape() == gpu::Shape{1, 1});
    CHECK(gpu::full<int>({1}, 3).reshape({}).rank() == 0);
    CHECK(gpu::zeros<int>({0, 3}).reshape({-1, 3}).shape() == gpu::Shape{0, 3});
    CHECK_THROWS_WITH_AS((void)a.reshape({4, -1}),
                         "reshape: an array of shape (2,3) with 6 elements can't become (4,-1)", gpu::ShapeError);
    CHECK_THROWS_WITH_AS((void)a.reshape({-1, -1}), "reshape: only one length can be -1", gpu::ShapeError);
    CHECK_THROWS_AS((void)a.reshape({-2, -3}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::zeros<int>({0, 3}).reshape({-1, 0}), gpu::ShapeError);
}

TEST_CASE("a reshape in column-major order reads columns first") {
    const auto a = counted({2, 3});
    const gpu::Array<int> columns = a.copy(gpu::Layout::column_major);
    CHECK(host(columns.reshape({3, 2}, gpu::Layout::column_major)) == Ints{0, 4, 3, 2, 1, 5});
    CHECK_THROWS_AS((void)a.reshape({3, 2}, gpu::Layout::column_major), gpu::ShapeError);  // elements would move
    CHECK(host(a.copy().reshape({3, 2}, gpu::Layout::column_major)) == Ints{0, 4, 3, 2, 1, 5});
}

TEST_CASE("strided windows are reshaped in place where strides can say it") {
    auto a = counted({4, 6});
    auto rows = a(gpu::slice(gpu::none, gpu::none, 2));  // (2,6), rows 12 apart
    CHECK(rows.reshape({2, 2, 3}).strides() == gpu::Strides{12, 3, 1});
    CHECK(host(rows.reshape({2, 2, 3})) == host(rows));
    CHECK(a(gpu::all, 1).reshape({2, 2}).strides() == gpu::Strides{12, 6});
    CHECK(host(a.flip().ravel()) == host(a.flip()));  // a negative stride merges as well
    CHECK_THROWS_AS((void)rows.reshape({3, 4}), gpu::ShapeError);
    CHECK_THROWS_AS((void)a.transpose().ravel(), gpu::ShapeError);
    CHECK(host(a.transpose().flatten()) == host(a.transpose()));
    CHECK(a(gpu::newaxis, gpu::all, gpu::newaxis).reshape({4, 1, 6, 1}).shape() == gpu::Shape{4, 1, 6, 1});
    const auto column = gpu::arange<int>(3).reshape({3, 1});
    CHECK(column.broadcast_to({3, 4}).reshape({3, 2, 2}).strides() == gpu::Strides{1, 0, 0});
}

TEST_CASE("broadcast_to shows one element in many places") {
    //! [broadcast_to]
    const auto row = gpu::arange<int>(3);
    auto rows = row.broadcast_to({2, 3});  // 0 1 2 / 0 1 2, without copying
    //! [broadcast_to]
    CHECK(host(rows) == Ints{0, 1, 2, 0, 1, 2});
    CHECK(rows.strides() == gpu::Strides{0, 1});
    CHECK(host(row(gpu::all, gpu::newaxis).broadcast_to({3, 2})) == Ints{0, 0, 1, 1, 2, 2});
    CHECK(row.broadcast_to({0, 3}).size() == 0);
    CHECK_THROWS_WITH_AS((void)row.broadcast_to({3, 2}), "an array of shape (3,) can't be broadcast to (3,2)",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)counted({2, 3}).broadcast_to({3}), gpu::ShapeError);
}

TEST_CASE("diagonals can be read and written") {
    //! [diagonal]
    auto a = gpu::zeros<int>({3, 4});
    a.diagonal() = 1;
    a.diagonal(2) = 2;
    a.diagonal(-2) = 3;
    //! [diagonal]
    CHECK(host(a) == Ints{1, 0, 2, 0, 0, 1, 0, 2, 3, 0, 1, 0});
    CHECK(a.diagonal(4).size() == 0);
    CHECK(a.diagonal(-99).size() == 0);
    CHECK(a.diagonal(3).size() == 1);
    const auto c = counted({2, 3, 4});
    CHECK(c.diagonal().shape() == gpu::Shape{4, 2});  // the diagonal's axis is the last
    CHECK(host(c.diagonal(1, 1, 2)) == Ints{1, 6, 11, 13, 18, 23});
    CHECK_THROWS_AS((void)gpu::arange<int>(3).diagonal(), gpu::ShapeError);
    CHECK_THROWS_AS((void)c.diagonal(0, 1, 1), gpu::AxisError);
    CHECK_THROWS_AS((void)c.diagonal(0, 0, 3), gpu::AxisError);
}

TEST_CASE("axes of length 1 come and go") {
    //! [squeeze]
    auto a = gpu::zeros<float>({1, 3, 1});
    auto plain = a.squeeze();             // (3,)
    auto without_last = a.squeeze({-1});  // (1,3)
    auto column = plain.expand_dims(1);   // (3,1)
    //! [squeeze]
    CHECK(plain.shape() == gpu::Shape{3});
    CHECK(without_last.shape() == gpu::Shape{1, 3});
    CHECK(column.shape() == gpu::Shape{3, 1});
    CHECK(plain.expand_dims(-1).shape() == gpu::Shape{3, 1});
    CHECK(gpu::ones<float>({1, 1}).squeeze().rank() == 0);
    CHECK_THROWS_WITH_AS((void)a.squeeze({1}),
                         "squeeze: axis 1 of an array of shape (1,3,1) has length 3; only axes of length 1 can go",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)a.squeeze({3}), gpu::AxisError);
    CHECK_THROWS_AS((void)plain.expand_dims(2), gpu::AxisError);
}

TEST_CASE("flip walks backwards") {
    //! [flip]
    auto a = gpu::arange<int>(6).reshape({2, 3});
    auto both = a.flip();          // 5 4 3 / 2 1 0
    auto rows = a.flip({0});       // 3 4 5 / 0 1 2
    auto mirrored = a.flip({-1});  // 2 1 0 / 5 4 3
    //! [flip]
    CHECK(host(both) == Ints{5, 4, 3, 2, 1, 0});
    CHECK(host(rows) == Ints{3, 4, 5, 0, 1, 2});
    CHECK(host(mirrored) == Ints{2, 1, 0, 5, 4, 3});
    CHECK(gpu::zeros<int>({0, 3}).flip().size() == 0);
    CHECK_THROWS_AS((void)a.flip({0, -2}), gpu::AxisError);
}

TEST_CASE("copy keeps the layout or changes it") {
    //! [copy in a layout]
    auto a = gpu::arange<int>(6).reshape({2, 3});
    gpu::Array<int> columns = a.copy(gpu::Layout::column_major);  // the same elements, other strides
    //! [copy in a layout]
    CHECK(columns.strides() == gpu::Strides{1, 2});
    CHECK(host(columns) == host(a));
    CHECK(columns.copy().strides() == gpu::Strides{1, 2});
    CHECK(columns.copy(gpu::Layout::row_major).strides() == gpu::Strides{3, 1});
    CHECK(a.is_contiguous());
    CHECK(!columns.is_contiguous());
    CHECK(columns.is_contiguous(gpu::Layout::column_major));
    CHECK(!a(gpu::all, gpu::slice(0, 2)).is_contiguous());
    CHECK(a(1).is_contiguous());
    columns = 1 + columns;  // no alias of a
    CHECK(host(a) == Ints{0, 1, 2, 3, 4, 5});
    CHECK(gpu::zeros<int>({0, 3})(gpu::all, gpu::slice(0, 2)).copy().shape() == gpu::Shape{0, 2});
}

TEST_CASE("an array keeps its layout when it is copied; what is made of a view is row-major") {
    const auto a = gpu::arange<int>(6).reshape({2, 3});
    const gpu::Array<int> turned = a.transpose();
    CHECK(turned.strides() == gpu::Strides{2, 1});
    CHECK(host(turned) == Ints{0, 3, 1, 4, 2, 5});
    CHECK(a.transpose().copy().strides() == gpu::Strides{2, 1});
    CHECK(a.transpose().to(a.device()).strides() == gpu::Strides{2, 1});
    CHECK(a.transpose().copy(gpu::Layout::column_major).strides() == gpu::Strides{1, 3});
    gpu::Array<int> assigned;
    assigned = a.transpose();
    CHECK(assigned.strides() == gpu::Strides{2, 1});
    const gpu::Array<int> columns = a.copy(gpu::Layout::column_major);
    const gpu::Array<int> again = columns;
    CHECK(again.strides() == gpu::Strides{1, 2});
    CHECK(columns.to(a.device()).strides() == gpu::Strides{1, 2});
    const gpu::View<const int> window = columns;
    const gpu::Array<int> of_window = window;
    CHECK(of_window.strides() == gpu::Strides{3, 1});
    CHECK(host(of_window) == host(a));
}

TEST_CASE("a const array gives windows that only read") {
    const auto a = counted({2, 3});
    static_assert(std::is_same_v<decltype(a(0)), gpu::View<const int>>);
    static_assert(std::is_same_v<decltype(a.flip()), gpu::View<const int>>);
    static_assert(std::is_same_v<decltype(a.diagonal()), gpu::View<const int>>);
    auto b = counted({2, 3});
    static_assert(std::is_same_v<decltype(b(0)), gpu::View<int>>);
    static_assert(std::is_same_v<decltype(b(0).transpose()), gpu::View<int>>);
    static_assert(std::is_same_v<decltype(b.broadcast_to({2, 3})), gpu::View<const int>>);
    const gpu::View<const int> reads = b;
    b(0, 0) = 5;
    CHECK(reads(0, 0).item() == 5);
}

TEST_CASE("eight axes, and windows of windows") {
    const auto a = counted({2, 1, 3, 1, 2, 1, 1, 2});
    CHECK(host(a.transpose().transpose()) == host(a));
    CHECK(a(gpu::ellipsis, gpu::slice(gpu::none, gpu::none, -1)).transpose()(1, gpu::ellipsis, 0).size() == 6);
    CHECK(host(a(1, 0, gpu::slice(gpu::none, gpu::none, -2), 0, gpu::all, 0, 0, 1)) == Ints{21, 23, 13, 15});
}

TEST_CASE("more than 2^31 elements: positions, strides and kernels count in 64 bits") {
    const std::int64_t n = (std::int64_t{1} << 31) + 16;
    const auto one = gpu::full<std::int8_t>({1}, std::int8_t{7});
    const auto wide = one.broadcast_to({n, n / 4});
    CHECK(wide.size() == n * (n / 4));
    CHECK(wide(n - 1, n / 4 - 1).item() == 7);
    CHECK_THROWS_AS((void)wide.broadcast_to({n, n, n / 4}).size(), gpu::ShapeError);
    CHECK(one.broadcast_to({n, 3})(gpu::slice(5, gpu::none, 1 << 30)).shape() == gpu::Shape{3, 3});

    auto x = gpu::empty<std::int8_t>({n});  // 2 GiB, of which little is touched
    x(gpu::slice(gpu::none, gpu::none, 1 << 28)) = gpu::arange<std::int8_t>(9);
    x(gpu::slice(-4, gpu::none)) = std::int8_t{3};
    CHECK(gpu::to_host(x(gpu::slice(gpu::none, gpu::none, -(1 << 28)))(gpu::slice(0, 1))) ==
          std::vector<std::int8_t>{3});
    CHECK(x(std::int64_t{1} << 31).item() == 8);
    CHECK(x(std::int64_t{7} << 28).item() == 7);
    const auto square = x.reshape({16, -1});
    CHECK(square(-1, -1).item() == 3);
    CHECK(gpu::to_host(x(gpu::slice(std::int64_t{1} << 31, (std::int64_t{1} << 31) + 1))) ==
          std::vector<std::int8_t>{8});
}

TEST_CASE("operators in place are one kernel and allocate nothing") {
    auto x = gpu::to_device({1.f, 2.f, 3.f});
    const float* const address = std::as_const(x).data();
    const auto before = gpu::counts();
    x += 1.f;
    x *= gpu::to_device({2.f, 3.f, 4.f}) - 1.f;
    const auto work = gpu::counts() - before;
    CHECK(work.launches == 2);
    CHECK(work.allocations == 1);   // the temporary array's
    CHECK(std::as_const(x).data() == address);
    CHECK(gpu::to_host(x) == std::vector<float>{2, 6, 12});
    x -= x;
    CHECK(gpu::to_host(x) == std::vector<float>{0, 0, 0});
}

TEST_CASE("each operator in place, on arrays and windows") {
    auto i = gpu::to_device({13, 14, 15, 16});
    i -= 1;
    i /= 2;
    i %= 4;
    i <<= 3;
    i |= 1;
    i ^= 3;
    i >>= 1;
    i &= 13;
    std::vector<int> want;
    for (int v : {13, 14, 15, 16}) want.push_back((((((((v - 1) / 2) % 4) << 3) | 1) ^ 3) >> 1) & 13);
    CHECK(gpu::to_host(i) == want);
    auto a = gpu::arange<float>(6).reshape({2, 3});
    a(1, gpu::all) += 10;
    a(gpu::all, gpu::slice(0, 3, 2)) *= -1.f;
    auto column = a(gpu::all, 1);
    column -= 1.f;
    CHECK(gpu::to_host(a) == std::vector<float>{-0.f, 0, -2, -13, 13, -15});
    auto mask = gpu::to_device({1, 0}) > 0;
    gpu::Array<bool> m = mask;
    m |= gpu::to_device({0, 0}) == 0;
    CHECK(gpu::to_host(m) == std::vector<std::uint8_t>{1, 1});
    a += gpu::to_device({1.f, 2.f, 3.f});   // broadcasts to the left side's shape
    CHECK(gpu::to_host(a) == std::vector<float>{1, 2, 1, -12, 15, -12});
    auto row = gpu::to_device({1.f, 2.f, 3.f});
    CHECK_THROWS_AS((void)(row += a), gpu::ShapeError);
}

TEST_CASE("what a target shares with its inputs is read before it is written") {
    auto a = gpu::arange<float>(9).reshape({3, 3});
    gpu::Array<float> b = a;
    b += b.transpose();
    CHECK(gpu::to_host(b) == std::vector<float>{0, 4, 8, 4, 8, 12, 8, 12, 16});
    auto line = gpu::arange<float>(6);
    line(gpu::slice(1, 6)) += line(gpu::slice(0, 5));
    CHECK(gpu::to_host(line) == std::vector<float>{0, 1, 3, 5, 7, 9});
    auto reversed = gpu::arange<float>(5);
    reversed += reversed(gpu::slice(4, -6, -1));
    CHECK(gpu::to_host(reversed) == std::vector<float>{4, 4, 4, 4, 4});
    auto c = gpu::arange<float>(9).reshape({3, 3});
    gpu::Array<float> d = c;
    d = d - d(0, gpu::all);   // a row of itself, broadcast
    CHECK(gpu::to_host(d) == std::vector<float>{0, 0, 0, 3, 3, 3, 6, 6, 6});
    gpu::Array<float> e = c;
    e(gpu::slice(0, 2), gpu::all) = e(gpu::slice(1, 3), gpu::all) * 2.f + e(gpu::slice(0, 2), gpu::all);
    CHECK(gpu::to_host(e) == std::vector<float>{6, 9, 12, 15, 18, 21, 6, 7, 8});
}

TEST_CASE("half and complex arrays change in place") {
    auto h = gpu::to_device({gpu::half(1), gpu::half(2)});
    h *= 1.5;
    CHECK(gpu::to_host(h) == std::vector<gpu::half>{gpu::half(1.5), gpu::half(3)});
    using Z = gpu::complex<float>;
    auto z = gpu::to_device({Z(1, 1), Z(2, 0)});
    z *= Z(0, 1);
    z += 1;
    CHECK(gpu::to_host(z) == std::vector<Z>{{0, 1}, {1, 2}});
}

// An array that was moved from: all public functions of arrays and views say so.
#ifdef GPU_TEST_WITH_DLPACK
#include <gpu/dlpack.hpp>
#endif

namespace {

using Array = gpu::Array<float>;

/// A use of an array, and what it is called in the message: "transpose".
struct Use {
    std::string named;
    std::function<void(Array&)> use;
};

Array moved_from() {
    auto x = gpu::ones<float>({2, 3});
    const Array y = std::move(x);
    return x;  // NOLINT(bugprone-use-after-move): moved once more
}

void check_all(const std::vector<Use>& uses) {
    for (const Use& use : uses) {
        Array x = moved_from();
        std::string said = "nothing";
        try {
            use.use(x);
        } catch (const gpu::Error& error) {
            said = error.what();
        }
        CHECK(said == use.named + ": this array was moved from; assign to it first");
    }
}

std::vector<float> on_host(6);

const gpu::RawKernel<void(const float*, int)> reads(R"(
__global__ void reads(const float* x, int n) { }
)",
                                                    "reads");
const gpu::RawKernel<void(gpu::StridedView<const float, 2>)> reads_strided(R"(
__global__ void reads_strided(StridedView<const float, 2> x) { }
)",
                                                                           "reads_strided");

}  // namespace

TEST_CASE("an array that was moved from: windows throw") {
    using gpu::all;
    check_all({
        {"device", [](Array& x) { (void)x.device(); }},
        {"x(...)", [](Array& x) { (void)x(1, all); }},
        {"x(...)", [](Array& x) { (void)std::as_const(x)(gpu::slice(0, 1)); }},
        {"x(...)", [](Array& x) { x(1, 2) = 3.f; }},
        {"transpose", [](Array& x) { (void)x.transpose(); }},
        {"transpose",
         [](Array& x) {
             (void)std::as_const(x).transpose({1, 0});
         }},
        {"swapaxes", [](Array& x) { (void)x.swapaxes(0, 1); }},
        {"moveaxis", [](Array& x) { (void)x.moveaxis(0, 1); }},
        {"moveaxis", [](Array& x) { (void)std::as_const(x).moveaxis({0}, {1}); }},
        {"ravel", [](Array& x) { (void)x.ravel(); }},
        {"broadcast_to",
         [](Array& x) {
             (void)x.broadcast_to({4, 2, 3});
         }},
        {"diagonal", [](Array& x) { (void)x.diagonal(); }},
        {"squeeze", [](Array& x) { (void)x.squeeze(); }},
        {"squeeze", [](Array& x) { (void)std::as_const(x).squeeze({0}); }},
        {"expand_dims", [](Array& x) { (void)x.expand_dims(0); }},
        {"flip", [](Array& x) { (void)x.flip(); }},
        {"flip", [](Array& x) { (void)std::as_const(x).flip({0}); }},
        {"reshape",
         [](Array& x) {
             (void)x.reshape({3, 2});
         }},
        {"reshape",
         [](Array& x) {
             (void)std::as_const(x).reshape({3, 2});
         }},
        {"reshape",
         [](Array& x) {
             (void)std::move(x).reshape({3, 2});
         }},
        {"gpu::View", [](Array& x) { (void)gpu::View<float>(x); }},
        {"gpu::View", [](Array& x) { (void)gpu::View<const float>(x); }},
        {"split", [](Array& x) { (void)gpu::split(x, 2); }},
        {"split", [](Array& x) { (void)gpu::split(x, {1}); }},
        {"split", [](Array& x) { (void)gpu::array_split(x, 2); }},
    });
}

TEST_CASE("an array that was moved from: copies and addresses throw") {
    check_all({
        {"copy", [](Array& x) { const Array y = x; }},
        {"copy", [](Array& x) { (void)x.copy(); }},
        {"copy", [](Array& x) { (void)x.copy(gpu::Layout::column_major); }},
        {"copy", [](Array& x) { (void)x.flatten(); }},
        {"assignment",
         [](Array& x) {
             Array y;
             y = x;
         }},
        {"astype", [](Array& x) { (void)x.astype<double>(); }},
        {"to", [](Array& x) { (void)x.to(gpu::Device::current()); }},
        {"data", [](Array& x) { (void)x.data(); }},
        {"data", [](Array& x) { (void)std::as_const(x).data(); }},
        {"item", [](Array& x) { (void)x.item(); }},
        {"copy_from", [](Array& x) { x.copy_from(on_host); }},
        {"copy_from",
         [](Array& x) {
             x.copy_from({1.f, 2.f, 3.f, 4.f, 5.f, 6.f});
         }},
        {"copy_from", [](Array& x) { x.copy_from(Eigen::MatrixXf(2, 3)); }},
        {"copy_to", [](Array& x) { x.copy_to(on_host); }},
        {"copy_to", [](Array& x) { x.copy_to(std::span<float>(on_host)); }},
        {"copy_from_async", [](Array& x) { (void)x.copy_from_async(on_host); }},
        {"copy_to_async", [](Array& x) { (void)x.copy_to_async(on_host); }},
        {"to_host", [](Array& x) { (void)gpu::to_host(x); }},
        {"copy_to_async", [](Array& x) { (void)gpu::to_host_async(x); }},
        {"to_eigen", [](Array& x) { (void)gpu::to_eigen(x); }},
        {"print", [](Array& x) { (void)gpu::to_string(x); }},
        {"save_npy", [](Array& x) { gpu::save_npy("/dev/null", x); }},
        {"empty_like", [](Array& x) { (void)gpu::empty_like(x); }},
        {"full_like", [](Array& x) { (void)gpu::zeros_like(x); }},
#ifdef GPU_TEST_WITH_DLPACK
        {"to_dlpack", [](Array& x) { (void)gpu::to_dlpack(x); }},
        {"to_dlpack", [](Array& x) { (void)gpu::to_dlpack(std::as_const(x)); }},
#endif
    });
}

TEST_CASE("an array that was moved from: operators, kernels and algorithms throw") {
    const auto mask = gpu::ones<bool>({2, 3});
    const auto index = gpu::zeros<int>({1});
    const auto one = gpu::ones<float>({2, 3});
    gpu::random::Generator rng(1);
    const gpu::ElementwiseKernel copies("T x", "T z", "z = x", "copies");
    const gpu::ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "total");
    const std::string an_expression = "an expression";
    check_all({
        {an_expression, [](Array& x) { (void)(x + 1.f); }},
        {an_expression, [&](Array& x) { (void)(one * x); }},
        {an_expression, [](Array& x) { (void)gpu::exp(x); }},
        {an_expression, [&](Array& x) { (void)gpu::where(mask, x, 0.f); }},
        {an_expression, [](Array& x) { x += 1.f; }},
        {"gpu::View",
         [](Array& x) {
             gpu::View<float> view = x;
             view *= 2.f;
         }},
        {an_expression, [](Array& x) { (void)gpu::sum(x); }},
        {an_expression, [](Array& x) { (void)gpu::mean(x, {.axis = 0}); }},
        {an_expression, [](Array& x) { (void)gpu::cumsum(x, {.axis = 0}); }},
        {an_expression, [](Array& x) { (void)gpu::matmul(x, x.size() > 0 ? 1.f * x : 2.f * x); }},
        {an_expression, [](Array& x) { (void)gpu::linalg::norm(x); }},
        {an_expression, [](Array& x) { (void)gpu::linalg::svd(x); }},
        {an_expression,
         [](Array& x) {
             (void)gpu::signal::convolve2d(x, gpu::ones<float>({1, 1}));
         }},
        {an_expression,
         [&](Array& x) {
             (void)gpu::concatenate({one, x});
         }},
        {"repeat", [](Array& x) { (void)gpu::repeat(x, 2, {.axis = 0}); }},
        {"tile", [](Array& x) { (void)gpu::tile(x, {2}); }},
        {"meshgrid", [](Array& x) { (void)gpu::meshgrid(x, x); }},
        {"permutation", [&](Array& x) { (void)rng.permutation(x); }},
        {"permutation", [&](Array& x) { rng.shuffle(x); }},
        {an_expression, [&](Array& x) { (void)copies(x); }},
        {"gpu::out", [&](Array& x) { (void)copies(one, gpu::out(x)); }},
        {an_expression, [&](Array& x) { (void)total(x); }},
        {"argument 1 of a raw kernel", [](Array& x) { reads({.grid = 1, .block = 1}, x, 6); }},
        {"a strided argument of a raw kernel",
         [](Array& x) { reads_strided({.grid = 1, .block = 1}, gpu::strided<2>(std::as_const(x))); }},
        {"x[...]", [&](Array& x) { (void)x[mask]; }},
        {"x[...]", [&](Array& x) { x[mask] = 1.f; }},
        {"x[...]", [&](Array& x) { x[index] = 1.f; }},
        {"x[...]", [](Array& x) { x[{0}] = 1.f; }},
        {"take", [&](Array& x) { (void)x.take(index); }},
        {"put", [&](Array& x) { x.put(index, 1.f); }},
        {"add_at", [&](Array& x) { x.add_at(index, 1.f); }},
    });
    const auto square_sum = gpu::fuse([](const auto& a) { return gpu::sum(a * a); });
    check_all({{"gpu::View", [&](Array& x) { (void)square_sum(x); }}});
}

TEST_CASE("an array that was moved from says what it was, and can be assigned to and destroyed") {
    // NOLINTBEGIN(bugprone-use-after-move)
    auto x = gpu::ones<float>({2, 3});
    auto y = std::move(x);
    CHECK(x.shape() == gpu::Shape{2, 3});
    CHECK(x.strides() == gpu::Strides{3, 1});
    CHECK(x.size() == 6);
    CHECK(x.rank() == 2);
    CHECK(x.is_contiguous());
    static_assert(noexcept(x.shape())&& noexcept(x.rank()));
    x = y + 1.f;
    CHECK(gpu::to_host(x) == std::vector<float>(6, 2.f));
    auto z = std::move(x);
    x = y;
    CHECK(gpu::to_host(x) == std::vector<float>(6, 1.f));
    z = std::move(x);
    x = y(0, gpu::all);
    CHECK(x.shape() == gpu::Shape{3});
    z = std::move(x);
    x = std::move(y);
    CHECK(gpu::to_host(x) == std::vector<float>(6, 1.f));
    y = gpu::Array<float>();
    CHECK(y.size() == 0);
    std::swap(x, y);
    CHECK(x.size() == 0);
    const gpu::ElementwiseKernel copies("T x", "T z", "z = x", "copies");
    gpu::AnyArray any = copies(y);
    const Array taken = std::move(any);
    CHECK_THROWS_WITH_AS((void)any.device(), "device: this array was moved from; assign to it first", gpu::Error);
    CHECK_THROWS_WITH_AS((void)gpu::to_string(any), "print: this array was moved from; assign to it first", gpu::Error);
    CHECK_THROWS_WITH_AS(Array(std::move(any)),
                         "Array from an AnyArray: this array was moved from; assign to it first", gpu::Error);
    // NOLINTEND(bugprone-use-after-move)
}
