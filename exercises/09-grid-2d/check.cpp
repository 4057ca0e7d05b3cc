// SPDX-License-Identifier: MIT

// What exercise 9 is checked for: tables of many shapes, few of them square, with rows and columns that fill no block;
// numbers whose sums are exact, so that a wrong element says which one it is.

#include <course/check.hpp>

GRADER_TASK(grid_2d, "fill") {
    for (auto [rows, columns] : {sizes::Shape2{19, 67}, {1, 1}, {1, 33}, {33, 1}, {64, 64}, {8, 32}, {150, 133},
                                 {257, 100}}) {
        Matrix<int> want(rows, columns);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) want(row, column) = 1000 * row + column;
        next_case(sizes::text(rows, columns));
        call("fill", rows, columns).returns(want);
    }
}

GRADER_TASK(grid_2d, "column_sums") {
    // Full blocks alone; many blocks, and few enough elements for check mode; many rows.
    for (auto [rows, columns] : {sizes::Shape2{19, 67}, {1, 1}, {1, 33}, {33, 1}, {64, 64}, {3, 512}, {8, 1000},
                                 {5, 4099}, {300, 257}, {256, 128}}) {
        const Matrix<float> a = draw.integers<float>(rows, columns, -99, 99) / 4;   // exact, and no whole numbers
        call("column_sums", a)
            .returns(a.cast<double>().colwise().sum().transpose())
            .kernel_counts("column_sums", "threads", course::at_least((columns + 3) / 4), "a thread for each column");
    }
    speed([&] {
        const std::int64_t columns = 65'536, rows = speed_elements() / columns;
        auto a = draw.integers<float>(rows, columns, -99, 99);
        timed(4.0 * a.size(), [&] { return Vector<float>(a.colwise().sum().transpose()); }, "column_sums", a)
            .returns(a.cast<double>().colwise().sum().transpose());
    });
}

GRADER_TASK(grid_2d, "predict") {
    // Drawn for each attempt, and compared with what the kernel does: bind.cpp runs it.
    const auto ask = [&](const char* what, int columns, int bytes) {
        const auto [sectors] = given<double>("sectors", columns, bytes);
        next_case("columns = " + std::to_string(columns) + ", bytes = " + std::to_string(bytes));
        call("predict_sectors", columns, bytes).predicts({{what, sectors}});
    };
    const int columns = draw.between(1, 3);
    ask("short rows of float", columns, 4);
    ask("short rows of float", columns + draw.between(1, 4), 4);
    ask("short rows of float", draw.between(5, 7), 4);
    ask("long rows of float", draw.between(9, 20), 4);
    ask("long rows of float", draw.between(21, 60), 4);
    ask("rows of double", draw.between(1, 3), 8);
    ask("rows of double", draw.between(5, 30), 8);
}
