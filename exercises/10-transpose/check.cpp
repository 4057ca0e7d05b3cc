// SPDX-License-Identifier: MIT

// What exercise 10 is checked for: shapes that aren't square and fill no tile. The rows of most of them begin at a sector,
// so that a warp's request takes 4 sectors and not 5; those of the last one don't, and it is too large for check mode.

#include <course/check.hpp>

using namespace course;

static constexpr sizes::Shape2 tables[] = {{19, 67},  {1, 1},   {1, 33},    {33, 1},   {32, 32},
                                           {40, 96},  {64, 64}, {136, 200}, {257, 301}};

GRADER_TASK(transpose, "naive") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        call("transpose_naive", a).returns(a.transpose());
    }
}

GRADER_TASK(transpose, "tiled") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        call("transpose_tiled", a).returns(a.transpose());
    }
}

GRADER_TASK(transpose, "padded") {
    for (auto [rows, columns] : tables) {
        auto a = draw.uniform(rows, columns);
        call("transpose_padded", a).returns(a.transpose());
    }
    speed([&] {
        const std::int64_t columns = 8192, rows = speed_elements() / columns;
        auto a = draw.uniform(rows, columns);
        timed(8.0 * a.size(), [&] { return Matrix<float>(a.transpose()); }, "transpose_padded", a)
            .returns(a.transpose());
    });
}
