// SPDX-License-Identifier: MIT
// Windows on arrays: what they show, what is written through them, and what is refused.
#include <doctest/doctest.h>

#include <limits>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

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
    a.put(gpu::to_device({4, 5}), gpu::to_device({-1, -2}).reshape({1, 1, 2}));
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
    //! [copy]
    auto a = gpu::arange<int>(6).reshape({2, 3});
    gpu::Array<int> columns = a.copy(gpu::Layout::column_major);  // the same elements, other strides
    //! [copy]
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
