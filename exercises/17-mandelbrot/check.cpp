// SPDX-License-Identifier: MIT

// What exercise 17 is checked for: pieces of the set of many shapes; how many of its lanes' steps a warp wastes; and a
// picture with smooth edges.
//
// Close to the set's edge a single rounding decides when a point leaves, and a GPU rounds other than a CPU. So each
// point is also followed from 1e-6 beside it, on four sides; and where that distance would grow too large, any result
// will do.

#include <complex>

#include <course/check.hpp>

using namespace course;

static constexpr sizes::Shape2 shapes[] = {{19, 67}, {1, 1},   {1, 33},  {33, 1},
                                           {40, 96}, {32, 45}, {64, 64}, {150, 133}};

/// After how many steps |z|^2 of the point (cx, cy) exceeds `limit`, or `most`, and where it is then; and by how much a
/// small distance from it has grown at the most: |dz/dc|.
struct End {
    int steps = 0;
    double square = 0, growth = 0;
};
static End follow(double cx, double cy, int most, double limit) {
    End end;
    std::complex<double> z = 0, slope = 0;
    for (const std::complex<double> c(cx, cy); end.steps < most && !(end.square > limit); ++end.steps) {
        slope = 2.0 * z * slope + 1.0;
        z = z * z + c;
        end.square = std::norm(z);
        if (end.square < 4) end.growth = std::max(end.growth, std::abs(slope));
    }
    return end;
}

/// The same as many write it at first: with the new x in the new y.
static End follow_new_x(double cx, double cy, int most) {
    End end;
    for (double x = 0, y = 0; end.steps < most && !(end.square > 4); ++end.steps) {
        x = x * x - y * y + cx;
        y = 2 * x * y + cy;
        end.square = x * x + y * y;
    }
    return end;
}

static double count(const End& end) { return end.steps; }
template <int limit>
static double smooth_count(const End& end) {
    return end.square > limit ? end.steps + 1 - std::log2(0.5 * std::log2(end.square)) : 0;
}

/// On four sides: a step along the circle that a point leaves changes nothing, whichever way that is.
static constexpr std::complex<double> sides[] = {{1e-6, 1e-6}, {1e-6, -1e-6}, {-1e-6, 1e-6}, {-1e-6, -1e-6}};

/// A piece of the plane, and what `result` says of its pixels.
struct Piece {
    float left, top, step;
    int most;
};
/// The steps of a square of pixels, as a program for the CPU counts them.
template <class Real>
static Matrix<int> escape_on_cpu(int side, const Piece& piece) {
    Matrix<int> steps(side, side);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const Real cx = piece.left + static_cast<float>(column) * piece.step;
            const Real cy = piece.top + static_cast<float>(row) * piece.step;
            Real x = 0, y = 0;
            int taken = 0;
            while (taken < piece.most && x * x + y * y <= 4) {
                const Real next = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = next;
                ++taken;
            }
            steps(row, column) = taken;
        }
    return steps;
}

struct Reference {
    Matrix<double> value, bound;
};
static Reference reference(std::int64_t rows, std::int64_t columns, const Piece& piece, double limit, double rounding,
                           double (*result)(const End&)) {
    Reference all{Matrix<double>(rows, columns), Matrix<double>(rows, columns)};
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const double cx = piece.left + static_cast<float>(column) * piece.step;
            const double cy = piece.top + static_cast<float>(row) * piece.step;
            const End end = follow(cx, cy, piece.most, limit);
            double away = 1e-6 * end.growth > 0.05 ? piece.most : 0;
            for (const std::complex<double> beside : sides) {
                if (away >= 0.5) break;
                const End other = follow(cx + beside.real(), cy + beside.imag(), piece.most, limit);
                away = std::max(away, std::abs(result(other) - result(end)));
            }
            all.value(row, column) = result(end);
            all.bound(row, column) = rounding + (away < 0.5 ? 8 * away + 1e-6 * end.growth : 1e9);
        }
    }
    return all;
}

/// False if nearly all of the result is what a usual mistake gives, and not what it should be.
template <class T>
static auto is_not(const Reference& want, const Piece& piece, double tolerance,
                   double (*mistaken)(double, double, int)) {
    return [&want, &piece, tolerance, mistaken](const Matrix<T>& got) {
        const std::int64_t rows = want.value.rows(), columns = want.value.cols();
        if (got.rows() != rows || got.cols() != columns || got.size() < 30) return true;
        Matrix<double> other(rows, columns);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                other(row, column) = mistaken(piece.left + static_cast<float>(column) * piece.step,
                                              piece.top + static_cast<float>(row) * piece.step, piece.most);
        const auto share = [&](const auto& a) {
            return static_cast<double>(((got.template cast<double>() - a).abs() <= tolerance).count()) /
                   static_cast<double>(got.size());
        };
        return !(share(other) > 0.97 && share(want.value) < 0.9);
    };
}

/// False if the pixels of points that never leave are wrong, and nearly no others.
static auto has_those_that_stay(const Reference& want, const Piece& piece) {
    return [&want, &piece](const Matrix<int>& got) {
        if (got.rows() != want.value.rows() || got.cols() != want.value.cols()) return true;
        const auto stays = want.value == static_cast<double>(piece.most);
        const auto wrong = got.cast<double>() != want.value;
        return !stays.any() || (stays && !wrong).any() || (wrong && !stays).count() > got.size() / 33;
    };
}

/// Whether the shape is one of 256 threads; others are judged by that alone.
static constexpr auto has_256_threads = [](int width, int height) {
    return width > 0 && height > 0 && width <= 256 && width * height == 256;
};

/// What the answer says of its blocks; each of its launches must have that shape.
struct Shape {
    int width = 0, height = 0;

    /// One launch, of as many blocks as cover the image at least: a wider shape has too few of them where the image has
    /// one row, a higher one where it has one column.
    void launched_once(Call& made, const char* kernel, std::int64_t rows, std::int64_t columns) const {
        made.counts("launches", exactly(1)).kernel_counts(kernel, "launches", at_least(1));
        if (!has_256_threads(width, height)) return;
        const auto blocks = [](std::int64_t n, int block) { return static_cast<double>((n + block - 1) / block); };
        made.kernel_counts(kernel, "grid", at_least(blocks(columns, width) * blocks(rows, height)),
                           "launch in blocks of the shape that block_shape() returns");
    }
};

GRADER_TASK(mandelbrot, "escape") {
    Shape shape;
    call("block_shape").then([&](int width, int height) { shape = {width, height}; });
    for (auto [rows, columns] : shapes) {
        const Piece piece{draw.between(-2.0F, -1.2F), draw.between(-1.1F, -0.3F), draw.between(0.02F, 0.04F),
                          static_cast<int>(draw.between(20, 60))};
        const Reference want = reference(rows, columns, piece, 4, 0, count);
        next_case(sizes::text(rows, columns));
        auto made = call("escape", rows, columns, piece.left, piece.top, piece.step, piece.most);
        made.returns(want.value, within(want.bound))
            .satisfies("the new y is made of the old x: keep x until y is computed",
                       is_not<int>(want, piece, 0, [](double cx, double cy, int most) {
                           return count(follow_new_x(cx, cy, most));
                       }))
            .satisfies("a pixel whose point never leaves is written, too: with `most`",
                       has_those_that_stay(want, piece));
        shape.launched_once(made, "escape", rows, columns);
        if (columns % 32 == 0)   // 50 with rows of 4; less than 100 if pixels that never leave are written apart
            made.kernel_counts("escape", "bytes_used_percent", at_least(60),
                               "let a warp's pixels be rows of 8 or more: 8 of them fill a sector");
    }
    // Of the points -2, -1.75, ... of the real axis, -2 keeps the distance 2 for ever, and 1 has it after two steps.
    const Piece axis{-2, 0, 0.25F, static_cast<int>(draw.between(20, 60))};
    Matrix<double> steps(1, 16);
    for (int column = 0; column < 16; ++column)
        steps(0, column) = follow(axis.left + 0.25 * column, 0, axis.most, 4).steps;
    next_case("points of the real axis, some at a distance of exactly 2");
    auto made = call("escape", 1, 16, axis.left, axis.top, axis.step, axis.most).returns(steps);
    shape.launched_once(made, "escape", 1, 16);
    next_case("most = 0");
    call("escape", 1, 1, 0.5F, 0.5F, 0.5F, 0).returns(Matrix<double>(Matrix<double>::Zero(1, 1)));
    speed([&] {
        const auto side = static_cast<int>(std::sqrt(static_cast<double>(speed_elements())));
        const float step = 3.0F / static_cast<float>(side);
        const Piece whole{draw.between(-2.05F, -1.95F), draw.between(-1.55F, -1.45F), step, 256};
        const Matrix<int> want = escape_on_cpu<double>(side, whole);
        timed(4.0 * side * side, [&] { return escape_on_cpu<float>(side, whole); }, "escape", side, side, whole.left,
              whole.top, whole.step, whole.most)
            .satisfies("part of the pixels that differ", [&](const Matrix<int>& got) {
                const bool fits = got.rows() == side && got.cols() == side;
                return fits ? static_cast<double>((got != want).count()) / static_cast<double>(want.size()) : 1.0;
            }, 0.01);
    });
}

static constexpr std::int64_t side = 256;

/// Of each pixel of the whole set, how many steps it takes.
static Matrix<double> steps_of_whole_set() {
    Matrix<double> steps(side, side);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            steps(row, column) = follow(-2 + 3.0 * column / side, -1.5 + 3.0 * row / side, 256, 4).steps;
    return steps;
}

/// Of each pixel, how many steps its warp is busy, in blocks of width x height.
static Matrix<double> busy(const Matrix<double>& steps, int width, int height) {
    Matrix<double> of_warp = Matrix<double>::Zero(side, side);
    const auto each = [&](std::int64_t block_row, std::int64_t block_column, int warp, const auto& use) {
        for (int t = 32 * warp; t < 32 * (warp + 1); ++t) {
            const std::int64_t row = block_row + t / width, column = block_column + t % width;
            if (row < side && column < side) use(row, column);
        }
    };
    for (std::int64_t block_row = 0; block_row < side; block_row += height)
        for (std::int64_t block_column = 0; block_column < side; block_column += width)
            for (int warp = 0; warp < width * height / 32; ++warp) {
                double longest = 0;
                each(block_row, block_column, warp,
                     [&](auto row, auto column) { longest = std::max(longest, steps(row, column)); });
                each(block_row, block_column, warp, [&](auto row, auto column) { of_warp(row, column) = longest; });
            }
    return of_warp;
}

GRADER_TASK(mandelbrot, "lanes") {
    const Matrix<double> steps = steps_of_whole_set();
    next_case("block_shape, 256 x 256 pixels of [-2, 1] x [-1.5, 1.5]");
    call("block_shape")
        .satisfies("a block has 256 threads", has_256_threads)
        .satisfies("the part of the lanes' steps that is wasted", [&](int width, int height) {
            if (!has_256_threads(width, height)) return 1.0;
            return 1 - steps.sum() / busy(steps, width, height).sum();
        }, 0.25)
        .then([&](int width, int height) {
            if (!has_256_threads(width, height)) return;
            const Matrix<double> wasted = 1 - steps / busy(steps, width, height);  // red where a lane waits
            image("lanes", wasted, 0.25 * (1 - wasted), 0.4 * (1 - wasted));
        });
}

GRADER_TASK(mandelbrot, "smooth") {
    Shape shape;
    call("block_shape").then([&](int width, int height) { shape = {width, height}; });
    for (auto [rows, columns] : shapes) {
        const Piece piece{draw.between(-2.0F, -1.2F), draw.between(-1.1F, -0.3F), draw.between(0.02F, 0.04F),
                          static_cast<int>(draw.between(20, 60))};
        const Reference want = reference(rows, columns, piece, 256, 1e-4, smooth_count<256>);
        next_case(sizes::text(rows, columns));
        auto made = call("smooth", rows, columns, piece.left, piece.top, piece.step, piece.most);
        made.returns(want.value, within(want.bound))
            .satisfies("the circle has the radius 16, not 2",
                       is_not<float>(want, piece, 0.01, [](double cx, double cy, int most) {
                           return smooth_count<4>(follow(cx, cy, most, 4));
                       }));
        shape.launched_once(made, "smooth", rows, columns);
    }
    next_case("most = 0");
    call("smooth", 1, 1, 0.5F, 0.5F, 0.5F, 0).returns(Matrix<double>(Matrix<double>::Zero(1, 1)));
    const double beyond = smooth_count<256>(follow(16, 0, 20, 256));
    next_case("a point at a distance of exactly 16");
    call("smooth", 1, 1, 16.0F, 0.0F, 0.0F, 20)
        .returns(Matrix<double>(Matrix<double>::Constant(1, 1, beyond)), within(1e-4));
    const Piece whole{-2.2F, -1.2F, 0.01F, 100};
    const Reference want = reference(240, 320, whole, 256, 1e-4, smooth_count<256>);
    next_case("the picture, 240 x 320");
    call("smooth", 240, 320, whole.left, whole.top, whole.step, whole.most)
        .returns(want.value, within(want.bound))
        .then([&](const Matrix<float>& got) {
            const auto wave = [&](double shift) {   // a colour for each count, and black for the set itself
                const Matrix<double> phase = 0.35 * got.cast<double>() + shift;
                return Matrix<double>((got > 0).cast<double>() * (0.5 - 0.5 * phase.cos()));
            };
            image("mandelbrot", wave(0.6), wave(0.2), wave(-0.6));
        });
}
