// SPDX-License-Identifier: MIT

// What exercise 18 is checked for: shapes that aren't square, with edges that fill no tile. Reads and barriers follow
// from all three lengths, and so do their bounds.

#include <cmath>

#include <course/check.hpp>

using namespace course;

struct Lengths {
    int m, n, k;
};

// The last one is too large for check mode; of the one before, b and c have equally many elements, so that what is
// counted per element is per element of c, too.
static constexpr Lengths cases[] = {{24, 56, 33}, {1, 1, 1},    {16, 16, 16},  {17, 25, 4},
                                    {5, 8, 0},    {3, 40, 92}, {33, 30, 52},  {96, 128, 96}, {257, 300, 130}};

static double tiles(int length, int tile) { return (length + tile - 1) / tile; }

// Each row of tiles of c reads all of b once, each column of tiles all of a; nothing is read beyond the edges.
static double reads(Lengths of, int tile_columns, int tile_rows) {
    return tiles(of.n, tile_columns) * of.m * of.k + tiles(of.m, tile_rows) * of.k * of.n;
}

// Rows begin at a sector: what is moved beside the elements, an answer moves without need.
static bool aligned(Lengths of) { return of.k % 8 == 0 && of.n % 8 == 0; }

static Matrix<double> product(const Matrix<float>& a, const Matrix<float>& b) {
    return (a.cast<double>().matrix() * b.cast<double>().matrix()).array();
}

// 2 k roundings of numbers whose size is that of a few terms, and a term is at most 1.
static Tolerance sum_of_terms(int k) { return within(2.4e-7 * k); }

static std::string text(Lengths of) {
    return sizes::text(of.m, of.k) + " times " + sizes::text(of.k, of.n);
}

// What is timed is a square product, the same for all parts: their speeds can be compared. Of whole numbers: their sums
// stay below 2^24, so that a product in float is exact, and takes half the time of one in double.
struct Square {
    Matrix<float> a, b;
    Square(Draw& draw, std::int64_t elements) {
        const auto n = std::lround(std::sqrt(static_cast<double>(elements)));
        a = draw.integers<float>(n, n, -8, 8);
        b = draw.integers<float>(n, n, -8, 8);
    }
    [[nodiscard]] Matrix<float> product() const { return (a.matrix() * b.matrix()).array(); }
    // Two matrices are read and one is written, at the least.
    [[nodiscard]] double min_bytes() const { return 3.0 * sizeof(float) * static_cast<double>(a.size()); }
};

GRADER_TASK(matmul, "naive") {
    for (const Lengths of : cases) {
        auto a = draw.uniform(of.m, of.k), b = draw.uniform(of.k, of.n);
        next_case(text(of));
        Call made = call("product_naive", a, b).returns(product(a, b), sum_of_terms(of.k));
        if (of.k < 16) continue;   // too little to count
        made.counts("global_reads", at_most(2.0 * of.m * of.n * of.k))
            .kernel_counts("naive", "threads", at_least(1.0 * of.m * of.n))
            .kernel_counts("naive", "global_requests", at_most(2 * tiles(of.n, 32) * of.m * (2 * of.k + 1)),
                           "let each thread compute one element: a warp's 32 products take two requests");
        if (aligned(of))
            made.kernel_counts("naive", "bytes_used_percent", at_least(60),
                               "a warp should share one row of a (1 sector) and read 32 neighbours of b (4): x is the "
                               "column", 6);
    }
    speed([&] {
        const Square square(draw, speed_elements());
        timed(square.min_bytes(), [&] { return square.product(); }, "product_naive", square.a, square.b)
            .returns(square.product());
    });
}

GRADER_TASK(matmul, "tiled") {
    for (const Lengths of : cases) {
        auto a = draw.uniform(of.m, of.k), b = draw.uniform(of.k, of.n);
        next_case(text(of));
        Call made = call("product_tiled", a, b).returns(product(a, b), sum_of_terms(of.k));
        if (of.k < 16) continue;
        made.counts("global_reads", at_most(1.05 * reads(of, 16, 16)),
                    "load both tiles once, and read each of their elements 16 times: 2 m n k / 16 reads in all")
            .kernel_counts("tiled", "barriers_per_block", at_most(2 * tiles(of.k, 16) + 1),
                           "two barriers per step: before the tiles are read, and before they are overwritten");
        if (aligned(of))   // 42 with one tile loaded crosswise
            made.kernel_counts("tiled", "bytes_used_percent", at_least(60),
                               "load both tiles with x as the column, as they lie in memory", 6);
    }
    speed([&] {
        const Square square(draw, speed_elements());
        timed(square.min_bytes(), [&] { return square.product(); }, "product_tiled", square.a, square.b)
            .returns(square.product());
    });
}

GRADER_TASK(matmul, "library") {
    for (const Lengths of : cases) {
        auto a = draw.uniform(of.m, of.k), bt = draw.uniform(of.n, of.k);
        next_case(text(of));
        call("product_by_library", a, bt).returns(product(a, bt.transpose()), sum_of_terms(of.k));
    }
    speed([&] {
        const Square square(draw, speed_elements());
        const Matrix<float> bt = square.b.transpose();
        timed(square.min_bytes(), [&] { return square.product(); }, "product_by_library", square.a, bt)
            .returns(square.product());
    });
}

GRADER_TASK(matmul, "registers") {
    for (const Lengths of : cases) {
        auto a = draw.uniform(of.m, of.k), b = draw.uniform(of.k, of.n);
        next_case(text(of));
        Call made = call("product_in_registers", a, b).returns(product(a, b), sum_of_terms(of.k));
        if (of.k < 16) continue;
        const double steps = tiles(of.k, 16), products = 64 * tiles(of.m, 64) * 32 * tiles(of.n, 32) * 16 * steps;
        made.counts("global_reads", at_most(1.05 * reads(of, 32, 64)))
            .kernel_counts("registers", "shared_reads", at_most(1.2 * products),
                           "1.2 reads of shared memory per product: read an element of b_tile once for 8 products")
            .kernel_counts("registers", "barriers_per_block", at_most(2 * steps));
    }
    speed([&] {
        const Square square(draw, speed_elements());
        timed(square.min_bytes(), [&] { return square.product(); }, "product_in_registers", square.a, square.b)
            .returns(square.product());
    });
}
