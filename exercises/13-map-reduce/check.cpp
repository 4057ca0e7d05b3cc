// SPDX-License-Identifier: MIT

// What exercise 13 is checked for: tables with few and many rows, whole ones and empty ones, negative elements alone,
// NaNs, and masks that choose all, some or nothing of a row. Each element must be read once, in one pass: see
// exercise.toml.

#include <course/check.hpp>

using namespace course;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr sizes::Shape2 tables[] = {{19, 67}, {2, 1}, {2, 1009}, {33, 1}, {64, 64}, {3, 0}, {0, 5}, {300, 257}};
// For these the library compiles another kernel, which takes a student's time: one part asks for them.
constexpr sizes::Shape2 single_rows[] = {{1, 1}, {1, 30'011}};

std::string shape(sizes::Shape2 of) { return sizes::text(of.rows, of.columns); }

// In double; NaN where the mask chooses nothing.
Vector<double> means_of(const Matrix<float>& a, const Matrix<bool>& mask) {
    Vector<double> means = Vector<double>::Zero(a.rows());
    for (std::int64_t row = 0; row < a.rows(); ++row) {
        double count = 0;
        for (std::int64_t column = 0; column < a.cols(); ++column)
            if (mask(row, column)) means[row] += a(row, column), ++count;
        means[row] = count > 0 ? means[row] / count : nan;
    }
    return means;
}

}  // namespace

GRADER_TASK(map_reduce, "norms") {
    const auto ask = [&](sizes::Shape2 table) {
        const auto rows = table.rows, columns = table.columns;
        auto a = draw.uniform(rows, columns);
        // A sum of squares is off by 4 eps log2(n) of itself, and a root by half of that; one more for the root itself.
        const auto along = [&](int axis, const Vector<double>& squares, double n) {
            next_case(shape({rows, columns}) + ", axis = " + std::to_string(axis));
            call("norms", a, axis).returns(squares.sqrt(), ulps(2 * std::log2(std::max(n, 2.0)) + 1));
        };
        const Matrix<double> squares = a.cast<double>().square();
        along(1, squares.rowwise().sum(), static_cast<double>(columns));
        along(0, squares.colwise().sum().transpose(), static_cast<double>(rows));
    };
    for (const sizes::Shape2 table : tables) ask(table);
    for (const sizes::Shape2 table : single_rows) ask(table);
    speed([&] {
        const std::int64_t columns = 8192, rows = speed_elements() / columns;
        auto a = draw.uniform(rows, columns);
        timed(4.0 * a.size(), [&] { return Vector<float>(a.square().rowwise().sum().sqrt()); }, "norms", a, 1)
            .returns(a.cast<double>().square().rowwise().sum().sqrt(), ulps(2 * 13 + 1));
    });
}

GRADER_TASK(map_reduce, "row_maxima") {
    const auto ask = [&](const std::string& name, const Matrix<float>& a) {
        Vector<double> want = Vector<double>::Constant(a.rows(), -infinity);
        for (std::int64_t row = 0; row < a.rows(); ++row)
            for (std::int64_t column = 0; column < a.cols(); ++column) {
                const double x = a(row, column);
                if (std::isnan(x) || x > want[row]) want[row] = x;
                if (std::isnan(want[row])) break;
            }
        next_case(name);
        call("row_maxima", a).returns(want);
    };
    for (auto of : tables) {
        ask(shape(of), draw.uniform(of.rows, of.columns));
        if (of.rows * of.columns > 0) ask(shape(of) + ", all negative", draw.uniform(of.rows, of.columns, -9, -1));
    }
    // A NaN first, last, and anywhere between; the last row has none.
    for (int columns : {67, 1009}) {
        Matrix<float> a = draw.uniform(9, columns);
        a(0, 0) = a(1, columns - 1) = static_cast<float>(nan);
        for (int row = 2; row < 8; ++row) a(row, draw.between(1, columns - 2)) = static_cast<float>(nan);
        ask("NaNs, " + shape({9, columns}), a);
    }
    Matrix<float> a = draw.uniform(3, 33, -9, -1);
    a.row(1) = static_cast<float>(-infinity);
    ask("a row of minus infinities, 3 x 33", a);
    // Both infinities together make a NaN of a sum, and none of a maximum.
    Matrix<float> b = draw.uniform(5, 67, -9, 9);
    b(0, 3) = b(1, 66) = b(2, 0) = b(3, 40) = static_cast<float>(infinity);
    b(1, 2) = b(4, 9) = static_cast<float>(-infinity);
    b(3, 41) = static_cast<float>(nan);
    ask("infinities of both signs, 5 x 67", b);
}

GRADER_TASK(map_reduce, "masked_means") {
    const auto ask = [&](const std::string& name, const Matrix<float>& a, const Matrix<bool>& mask) {
        next_case(name);
        call("masked_means", a, mask).returns(means_of(a, mask), ulps(40));  // a float sum would do: 4 log2(n)
    };
    for (auto of : tables) {
        const Matrix<bool> mask = draw.integers<int>(of.rows, of.columns, 0, 2) > 0;
        ask(shape(of), draw.uniform(of.rows, of.columns, 1, 9), mask);
    }
    {   // No element, all elements, NaNs and an infinity where the mask is false, and one where it is true.
        Matrix<float> a = draw.uniform(5, 67, 1, 9);
        Matrix<bool> mask = draw.integers<int>(5, 67, 0, 1) > 0;
        mask.row(0) = false;
        mask.row(1) = true;
        a(2, 5) = static_cast<float>(nan), mask(2, 5) = false;
        a(3, 66) = static_cast<float>(infinity), mask(3, 66) = false;
        a(4, 0) = static_cast<float>(nan), mask(4, 0) = true;
        ask("rows without any, and NaNs, 5 x 67", a, mask);
    }
    {
        Matrix<float> a = draw.uniform(4, 67, 1, 9);
        const Matrix<bool> mask = Matrix<bool>::Constant(4, 67, true);
        a(0, 1) = a(2, 9) = static_cast<float>(infinity);
        a(1, 66) = a(2, 60) = static_cast<float>(-infinity);
        ask("infinities that count, 4 x 67", a, mask);
    }
    for (int columns : {1009, 30'011}) {   // 2^24, and ones after it: a float sum would lose them
        Matrix<float> a = Matrix<float>::Ones(2, columns);
        a(0, 0) = a(1, columns / 2) = 16'777'216;
        const Matrix<bool> mask = draw.integers<int>(2, columns, 0, 9) > 0 || a > 1;
        const auto error = [want = means_of(a, mask)](const Vector<float>& means) {
            return ((means.cast<double>() - want).abs() / want).maxCoeff();
        };
        next_case("2^24 and ones, " + shape({2, columns}));
        call("masked_means", a, mask)   // 1: the rounding of a double to float
            .satisfies("relative error beyond 2^24, where a float accumulator loses ones", error, ulps(1).relative);
    }
}
