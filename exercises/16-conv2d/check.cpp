// SPDX-License-Identifier: MIT

// What exercise 16 is checked for: images of many shapes, few of which fill the blocks, with filters that look
// different from each side; and a picture, whose result the verdict draws.

#include <course/check.hpp>
#include <course/check_test_image.hpp>

using namespace course;

static constexpr sizes::Shape2 shapes[] = {{1, 1},   {1, 33},  {33, 1},  {16, 16}, {17, 15},
                                           {19, 67}, {40, 96}, {32, 45}, {64, 64}, {101, 50}, {150, 133}};

// In a smaller image a warp has few neighbours to read, whatever it does.
static bool fills_warps(std::int64_t rows, std::int64_t columns) { return rows >= 15 && columns >= 15; }

/// The convolution; or what students get: the correlation (the filter the other way round), or 0 beyond the edge.
enum class Kind { right, correlation, zero_edge };
template <class T>
static Matrix<T> convolved(const Matrix<float>& image, const Vector<float>& weights, Kind kind = Kind::right) {
    const Eigen::Index rows = image.rows(), columns = image.cols();
    const int sign = kind == Kind::correlation ? -1 : 1;
    Matrix<T> wide = Matrix<T>::Zero(rows + 2, columns + 2);   // with one more pixel all around
    wide.block(1, 1, rows, columns) = image.cast<T>();
    if (kind != Kind::zero_edge) {
        wide.col(0) = wide.col(1);
        wide.col(columns + 1) = wide.col(columns);
        wide.row(0) = wide.row(1);
        wide.row(rows + 1) = wide.row(rows);
    }
    const auto term = [&](int i, int j) {
        return static_cast<T>(weights[3 * (i + 1) + j + 1]) * wide.block(1 - sign * i, 1 - sign * j, rows, columns);
    };
    return term(-1, -1) + term(-1, 0) + term(-1, 1) + term(0, -1) + term(0, 0) + term(0, 1) + term(1, -1) +
           term(1, 0) + term(1, 1);   // one pass over the image
}

/// 9 products and their sum, of values up to 1.
static Tolerance rounding(const Vector<float>& weights) {
    return within(9 * std::numeric_limits<float>::epsilon() * weights.abs().sum());
}

/// False if the result is that of another kind, and nothing else is wrong with it.
static auto is_not(Kind kind, const Matrix<float>& image, const Vector<float>& weights) {
    return [&image, &weights, kind](const Matrix<float>& got) {
        if (got.rows() != image.rows() || got.cols() != image.cols()) return true;
        const Matrix<double> other = convolved<double>(image, weights, kind);
        const bool shows = (other - convolved<double>(image, weights)).abs().maxCoeff() > 0.01;
        return !shows || !((got.cast<double>() - other).abs().maxCoeff() <= 1e-4);
    };
}

static const char* const no_correlation =
    "weight (i, j) goes with pixel (row + 1 - i, column + 1 - j), not with (row - 1 + i, column - 1 + j)";

static const char* const no_zeros = "beyond the edge lies the nearest pixel, not 0";

/// The picture's edges from left to right, as a relief.
static Vector<float> relief() { return Vector<float>{{-1, 0, 1, -2, 0, 2, -1, 0, 1}}; }

GRADER_TASK(conv2d, "naive") {
    for (auto [rows, columns] : shapes) {
        auto image = draw.uniform(rows, columns);
        auto weights = draw.uniform(9);
        next_case(sizes::text(rows, columns));
        Call made = call("convolve_naive", image, weights);
        made.returns(convolved<double>(image, weights), rounding(weights))
            .satisfies(no_correlation, is_not(Kind::correlation, image, weights))
            .satisfies(no_zeros, is_not(Kind::zero_edge, image, weights));
        if (fills_warps(rows, columns))   // 12 with x as the row
            made.kernel_counts("naive", "bytes_used_percent", at_least(50),
                               "let x be the column: the 32 threads of a warp then read 32 neighbours of a row", 6);
    }
    const Matrix<float> picture = test_image(256, 384);
    const Matrix<double> want = convolved<double>(picture, relief());
    image("input", picture);
    next_case("the picture, 256 x 384");
    call("convolve_naive", picture, relief()).returns(want, rounding(relief())).then([&](const Matrix<float>& got) {
        image("naive-output", 0.5 + 0.4 * got.cast<double>());
        image("naive-difference", (got.cast<double>() - want).abs());
    });
}

GRADER_TASK(conv2d, "tiled") {
    for (auto [rows, columns] : shapes) {
        auto image = draw.uniform(rows, columns);
        auto weights = draw.uniform(9);
        next_case(sizes::text(rows, columns));
        const double tiles = static_cast<double>((rows + 15) / 16 * ((columns + 15) / 16));
        Call made = call("convolve_tiled", image, weights);
        made.returns(convolved<double>(image, weights), rounding(weights))
            .satisfies(no_correlation, is_not(Kind::correlation, image, weights))
            .kernel_counts("tiled", "global_reads", at_most(1.30 * 16 * 16 * tiles),
                           "a tile of 16 x 16 pixels needs 18 x 18 reads, 1.27 per pixel: each cell once, by one "
                           "thread");
        if (fills_warps(rows, columns))   // 60 to 70 by row, also if the halo comes extra; 30 by column
            made.kernel_counts("tiled", "bytes_used_percent", at_least(45),
                               "number the cells row by row, so that neighbouring threads load neighbouring cells of "
                               "a row", 6);
    }
    const Matrix<float> picture = test_image(256, 384);
    const Matrix<double> want = convolved<double>(picture, relief());
    next_case("the picture, 256 x 384");
    call("convolve_tiled", picture, relief()).returns(want, rounding(relief())).then([&](const Matrix<float>& got) {
        image("tiled-output", 0.5 + 0.4 * got.cast<double>());
        image("tiled-difference", (got.cast<double>() - want).abs());
    });
    speed([&] {
        const std::int64_t columns = 8192, rows = speed_elements() / columns;
        auto image = draw.uniform(rows, columns);
        auto weights = draw.uniform(9);
        timed(8.0 * image.size(), [&] { return convolved<float>(image, weights); }, "convolve_tiled", image, weights)
            .returns(convolved<double>(image, weights), rounding(weights));
    });
}
