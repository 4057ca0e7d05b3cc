// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "cuda/linear_algebra/gemm_plan.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <gpu/error.hpp>

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

struct Layout {
    const char* name;
    bool column_major;
    std::int64_t padding;
    bool repeated = false;  ///< one matrix for the whole batch
};

constexpr Layout layouts[] = {{"row-major", false, 0},           {"column-major", true, 0},
                              {"rows with gaps", false, 3},      {"columns with gaps", true, 2},
                              {"repeated rows", false, 0, true}, {"repeated columns", true, 1, true}};

/// A batch in memory of its own: values that differ everywhere.
struct Values {
    std::vector<double> memory;
    MatrixBatch matrix;

    Values(std::int64_t rows, std::int64_t columns, const Layout& layout, std::int64_t batch, double seed) {
        const std::int64_t leading = (layout.column_major ? rows : columns) + layout.padding;
        const std::int64_t one = leading * (layout.column_major ? columns : rows);
        memory.resize(static_cast<std::size_t>(one * batch));
        for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = seed + static_cast<double>(k * 7 % 31);
        matrix = {.data = memory.data(),
                  .rows = rows,
                  .columns = columns,
                  .row_stride = layout.column_major ? 1 : leading,
                  .column_stride = layout.column_major ? leading : 1,
                  .batch_stride = layout.repeated ? 0 : one};
    }
    [[nodiscard]] double& at(std::int64_t item, std::int64_t row, std::int64_t column) const {
        return static_cast<double*>(
            matrix.data)[item * matrix.batch_stride + row * matrix.row_stride + column * matrix.column_stride];
    }
};

/// What cuBLAS does with these arguments, and what it checks before.
void run(const GemmPlan& plan, std::int64_t batch) {
    REQUIRE(plan.a.leading >= std::max<std::int64_t>(1, plan.a.transposed ? plan.k : plan.m));
    REQUIRE(plan.b.leading >= std::max<std::int64_t>(1, plan.b.transposed ? plan.n : plan.k));
    REQUIRE(plan.c_leading >= std::max<std::int64_t>(1, plan.m));
    const auto element = [](const GemmFactor& f, std::int64_t item, std::int64_t row, std::int64_t column) {
        const auto* data = static_cast<const double*>(f.data) + item * f.batch_stride;
        return f.transposed ? data[column + row * f.leading] : data[row + column * f.leading];
    };
    for (std::int64_t item = 0; item < batch; ++item)
        for (std::int64_t i = 0; i < plan.m; ++i)
            for (std::int64_t j = 0; j < plan.n; ++j) {
                double sum = 0;
                for (std::int64_t k = 0; k < plan.k; ++k) {
                    sum += element(plan.a, item, i, k) * element(plan.b, item, k, j);
                }
                static_cast<double*>(plan.c)[item * plan.c_batch_stride + i + j * plan.c_leading] = sum;
            }
}

}  // namespace

TEST_CASE("a product of matrices in any layout is one call of cuBLAS without a copy") {
    struct Extents {
        std::int64_t m, n, k;
    };
    for (const auto [m, n, k] : {Extents{3, 4, 5}, {1, 4, 5}, {3, 1, 5}, {3, 4, 1}, {1, 1, 5}, {1, 4, 1}, {1, 1, 1}})
        for (const Layout& left_layout : layouts)
            for (const Layout& right_layout : layouts)
                for (const Layout& result_layout : layouts) {
                    if (result_layout.repeated) continue;
                    const std::int64_t batch = 2;
                    const Values left(m, k, left_layout, batch, 1), right(k, n, right_layout, batch, 2);
                    const Values result(m, n, result_layout, batch, -1), before = result;
                    run(plan_gemm(left.matrix, right.matrix, result.matrix), batch);
                    std::size_t wrong = 0, written = 0;
                    for (std::int64_t item = 0; item < batch; ++item)
                        for (std::int64_t i = 0; i < m; ++i)
                            for (std::int64_t j = 0; j < n; ++j) {
                                double expected = 0;
                                for (std::int64_t l = 0; l < k; ++l) {
                                    expected += left.at(item, i, l) * right.at(item, l, j);
                                }
                                wrong += result.at(item, i, j) != expected;
                            }
                    for (std::size_t e = 0; e < result.memory.size(); ++e) {
                        written += result.memory[e] != before.memory[e];
                    }
                    CHECK_MESSAGE(wrong == 0, m << " x " << k << " x " << n << ": " << left_layout.name << " times "
                                                << right_layout.name << " into " << result_layout.name);
                    CHECK(written <= static_cast<std::size_t>(batch * m * n));
                }
}

TEST_CASE("a column-major result keeps the operands' order, a row-major one exchanges them") {
    const Values left(3, 5, {"", false, 0}, 1, 1), right(5, 4, {"", true, 2}, 1, 2);
    const Values columns(3, 4, {"", true, 0}, 1, 0), rows(3, 4, {"", false, 1}, 1, 0);
    const GemmPlan kept = plan_gemm(left.matrix, right.matrix, columns.matrix);
    CHECK(kept.a.data == left.matrix.data);
    CHECK(kept.a.transposed);
    CHECK(kept.a.leading == 5);
    CHECK(!kept.b.transposed);
    CHECK(kept.b.leading == 7);
    CHECK(kept.c_leading == 3);
    CHECK(kept.m == 3);
    CHECK(kept.n == 4);
    const GemmPlan exchanged = plan_gemm(left.matrix, right.matrix, rows.matrix);
    CHECK(exchanged.a.data == right.matrix.data);
    CHECK(exchanged.a.transposed);
    CHECK(exchanged.b.data == left.matrix.data);
    CHECK(!exchanged.b.transposed);
    CHECK(exchanged.c_leading == 5);
    CHECK(exchanged.m == 4);
    CHECK(exchanged.n == 3);
}

TEST_CASE("every second element along both axes is refused: cuBLAS has no such layout") {
    const Values right(5, 4, {"", true, 0}, 1, 2), result(3, 4, {"", true, 0}, 1, 0);
    std::vector<double> memory(60);
    const MatrixBatch left{.data = memory.data(), .rows = 3, .columns = 5, .row_stride = 20, .column_stride = 2};
    CHECK_THROWS_WITH_AS((void)plan_gemm(left, right.matrix, result.matrix),
                         "matmul: the left matrix, 3 x 5 with strides 20 and 2, is neither row- nor column-major",
                         gpu::Error);
}
#endif
