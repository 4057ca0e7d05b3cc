// SPDX-License-Identifier: MIT

// What exercise 10 is checked for: shapes that aren't square and fill no tile, and some that do; rows that begin at a
// sector and rows that don't; all numbers, infinities and NaN among them. The last shape is too large for check mode.

#include <course/check.hpp>

using namespace course;

static constexpr sizes::Shape2 tables[] = {{19, 67}, {1, 1},   {1, 33},    {33, 1},    {32, 32},
                                           {40, 96}, {64, 64}, {136, 200}, {150, 133}, {257, 301}};

// What isn't finite is moved like any other number.
static Matrix<float> with_infinities(Matrix<float> a) {
    const float infinity = std::numeric_limits<float>::infinity();
    a(0, 0) = a(4, 2) = infinity;
    a(2, 5) = a(5, 1) = -infinity;
    a(3, 3) = std::numeric_limits<float>::quiet_NaN();
    return a;
}

GRADER_TASK(transpose, "naive") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        call("transpose_naive", a).returns(a.transpose());
    }
    auto special = with_infinities(draw.uniform(6, 7));
    next_case("infinities and a NaN, 6 x 7");
    call("transpose_naive", special).returns(special.transpose());
}

GRADER_TASK(transpose, "tiled") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        call("transpose_tiled", a).returns(a.transpose());
    }
    auto special = with_infinities(draw.uniform(6, 7));
    next_case("infinities and a NaN, 6 x 7");
    call("transpose_tiled", special).returns(special.transpose());
}

GRADER_TASK(transpose, "padded") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        call("transpose_padded", a).returns(a.transpose());
    }
    auto special = with_infinities(draw.uniform(6, 7));
    next_case("infinities and a NaN, 6 x 7");
    call("transpose_padded", special).returns(special.transpose());
    speed([&] {
        const std::int64_t columns = 8192, rows = speed_elements() / columns;
        auto a = draw.uniform(rows, columns);
        timed(8.0 * a.size(), [&] { return Matrix<float>(a.transpose()); }, "transpose_padded", a)
            .returns(a.transpose());
    });
}
