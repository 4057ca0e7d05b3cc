// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>

#include <gpu/error.hpp>
#include <gpu/windowed.hpp>

#include "array/iteration.hpp"

using gpu::Layout;
using gpu::Shape;
using gpu::Strides;
using gpu::detail::ArrayCore;
using gpu::detail::collapsed;
using gpu::detail::Iteration;

namespace {

ArrayCore dense(const Shape& shape, Layout layout = Layout::row_major) {
    return {.storage = nullptr, .offset = 0, .shape = shape, .strides = gpu::dense_strides(shape, layout),
            .dtype = gpu::DType::float32};
}

template <class... I>
ArrayCore slice_of(const ArrayCore& source, I... indices) {
    const std::array<gpu::detail::Index, sizeof...(I)> list{gpu::detail::to_index(indices)...};
    return gpu::detail::sliced(source, list);
}

}  // namespace

TEST_CASE("slices are NumPy's: half-open, negative from the end, steps in both directions") {
    const ArrayCore a = dense({4, 5});
    const ArrayCore row = slice_of(a, 1);
    CHECK(row.shape == Shape{5});
    CHECK(row.offset == 5);
    const ArrayCore even = slice_of(a, gpu::all, gpu::slice(0, 5, 2));
    CHECK(even.shape == Shape{4, 3});
    CHECK(even.strides == Strides{5, 2});
    const ArrayCore back = slice_of(a, gpu::slice(-1, -5, -1), -1);
    CHECK(back.shape == Shape{4});
    CHECK(back.strides == Strides{-5});
    CHECK(back.offset == 19);
    CHECK(slice_of(a, gpu::slice(2, 99)).shape == Shape{2, 5});
    CHECK(slice_of(a, gpu::slice(3, 1)).shape == Shape{0, 5});
}

TEST_CASE("an index outside the array is an IndexError with axis and length") {
    CHECK_THROWS_WITH_AS((void)slice_of(dense({4, 5}), 0, 7), "index 7 is out of bounds for axis 1 with size 5",
                         gpu::IndexError);
    CHECK_THROWS_WITH_AS((void)slice_of(dense({4}), 0, 0), "an array of shape (4,) can't take 2 indices",
                         gpu::IndexError);
    CHECK_THROWS_AS((void)slice_of(dense({4}), gpu::slice(0, 4, 0)), gpu::IndexError);
}

TEST_CASE("reshape keeps elements in place or refuses") {
    CHECK(gpu::detail::reshaped(dense({2, 6}), {3, 4}).strides == Strides{4, 1});
    CHECK_THROWS_AS((void)gpu::detail::reshaped(dense({2, 6}), {5}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::detail::reshaped(gpu::detail::transposed(dense({2, 6})), {12}), gpu::ShapeError);
}

TEST_CASE("axes that every array walks through in one stride are merged") {
    Iteration both{{4, 5}, {Strides{5, 1}, Strides{5, 1}}};
    CHECK(collapsed(both, false).shape == Shape{20});
    CHECK(collapsed(both, false).is_linear(0));

    Iteration row_broadcast{{4, 5}, {Strides{5, 1}, Strides{0, 1}}};
    const Iteration kept = collapsed(row_broadcast, false);
    CHECK(kept.shape == Shape{4, 5});
    CHECK_FALSE(kept.is_linear(0));

    Iteration ones{{1, 4, 1, 5}, {Strides{20, 5, 5, 1}}};
    CHECK(collapsed(ones, false).shape == Shape{20});
    CHECK(collapsed(Iteration{Shape{}, {Strides{}}}, false).shape == Shape{1});
}

TEST_CASE("column-major arrays are visited in memory order when the order is free") {
    Iteration columns{{4, 5}, {Strides{1, 4}, Strides{1, 4}}};
    CHECK(collapsed(columns, true).shape == Shape{20});
    CHECK(collapsed(columns, true).is_linear(1));
    CHECK(collapsed(columns, false).shape == Shape{4, 5});
}

TEST_CASE("the byte range of a window covers negative strides") {
    ArrayCore back = slice_of(dense({10}), gpu::slice(8, 1, -2));  // elements 8 6 4 2
    const auto range = gpu::detail::byte_range(back);
    CHECK(range.first == 8);
    CHECK(range.last == 36);
}
