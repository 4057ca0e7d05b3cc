// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <gpu/dtype.hpp>

#include "matrices.hpp"

using namespace gpu;
using namespace gpu::detail;

namespace {

/// Where a matrix's elements lie.
struct Layout {
    bool column_major = false;
    std::int64_t padding = 0;
};

template <class T>
struct Windowed {
    std::vector<T> host;
    MatrixBatch matrix;

    Windowed(std::int64_t rows, std::int64_t columns, const Layout& layout, std::int64_t batch, std::size_t seed) {
        const std::int64_t leading = (layout.column_major ? rows : columns) + layout.padding;
        const std::int64_t one = leading * (layout.column_major ? columns : rows);
        for (std::size_t k = 0; k < static_cast<std::size_t>(one * batch); ++k) {
            host.push_back(static_cast<T>(static_cast<float>((k * 7 + seed) % 13 % 4)));
        }
        matrix = {.data = nullptr,
                  .rows = rows,
                  .columns = columns,
                  .row_stride = layout.column_major ? 1 : leading,
                  .column_stride = layout.column_major ? leading : 1,
                  .batch_stride = one};
    }
    [[nodiscard]] const T& at(const std::vector<T>& memory, std::int64_t k, std::int64_t i, std::int64_t j) const {
        return memory[static_cast<std::size_t>(k * matrix.batch_stride + i * matrix.row_stride +
                                               j * matrix.column_stride)];
    }
};

// Whole numbers up to 3: sums are exact in every type, or wrap around.
template <class T, class Sum>
void check_products(const char* type) {
    struct Extents {
        std::int64_t m, n, k;
    };
    const Layout layouts[] = {{false, 0}, {true, 0}, {false, 3}, {true, 5}};
    int cases = 0;
    for (const auto [m, n, k] : {Extents{1, 1, 1}, {3, 4, 5}, {33, 65, 17}, {1, 70, 33}, {130, 1, 64}, {64, 64, 64}}) {
        for (int layout = 0; layout<64; layout += k> 30 ? 7 : 1) {
            const std::int64_t batch = layout % 3 == 0 ? 3 : 1;
            Windowed<T> left(m, k, layouts[layout % 4], batch, 1), right(k, n, layouts[layout / 4 % 4], batch, 5);
            Windowed<T> result(m, n, layouts[layout / 16], batch, 9);
            if (layout % 5 == 0) right.matrix.batch_stride = 0;
            const OnGpu<T> left_gpu(left.host), right_gpu(right.host), result_gpu(result.host);
            left.matrix.data = left_gpu.data();
            right.matrix.data = right_gpu.data();
            result.matrix.data = result_gpu.data();
            linear_algebra().matmul(problem<T>(batch), left.matrix, right.matrix, result.matrix);
            const std::vector<T> after = result_gpu.values();
            std::size_t wrong = 0, changed = 0;
            for (std::int64_t item = 0; item < batch; ++item)
                for (std::int64_t i = 0; i < m; ++i)
                    for (std::int64_t j = 0; j < n; ++j) {
                        Sum sum{};
                        for (std::int64_t l = 0; l < k; ++l) {
                            sum += static_cast<Sum>(left.at(left.host, item, i, l)) *
                                   static_cast<Sum>(right.at(right.host, item, l, j));
                        }
                        wrong += !(result.at(after, item, i, j) == static_cast<T>(sum));
                    }
            for (std::size_t e = 0; e < after.size(); ++e) changed += !(after[e] == result.host[e]);
            CHECK_MESSAGE(wrong == 0,
                          type << " " << m << " x " << k << " x " << n << ", batch " << batch << ", layout " << layout);
            CHECK(changed <= static_cast<std::size_t>(m * n * batch));
            ++cases;
        }
    }
    CHECK(cases > 200);
}

}  // namespace

TEST_CASE("products of matrices in every layout and type, in batches too, are exact where numbers are whole") {
    check_products<half, float>("float16");
    check_products<float, float>("float32");
    check_products<double, double>("float64");
    check_products<gpu::complex<float>, gpu::complex<float>>("complex64");
    check_products<gpu::complex<double>, gpu::complex<double>>("complex128");
    check_products<std::int8_t, std::uint64_t>("int8");
    check_products<std::uint8_t, std::uint64_t>("uint8");
    check_products<std::int16_t, std::uint64_t>("int16");
    check_products<std::uint32_t, std::uint64_t>("uint32");
    check_products<std::int64_t, std::uint64_t>("int64");
}

TEST_CASE("float32 keeps its 24 bits, and halves add up as floats") {
    const std::int64_t n = 64;
    std::vector<float> fine(static_cast<std::size_t>(n * n), 1 + 0x1p-13f), one(fine.size(), 0);
    for (std::size_t k = 0; k < 64; ++k) one[k * 65] = 1;
    const OnGpu<float> left(fine), right(one), result(fine.size());
    const auto square = [&](void* data) { return MatrixBatch{data, n, n, n, 1, 0}; };
    linear_algebra().matmul(problem<float>(), square(left.data()), square(right.data()), square(result.data()));
    CHECK(result.values() == fine);  // as TF32 it would be 1

    const std::int64_t length = 3000;
    const std::vector<half> ones(static_cast<std::size_t>(length), half(1.f));
    const OnGpu<half> row(ones), column(ones), sum(1);
    linear_algebra().matmul(problem<half>(), {row.data(), 1, length, length, 1, 0}, {column.data(), length, 1, 1, 1, 0},
                            {sum.data(), 1, 1, 1, 1, 0});
    CHECK(static_cast<float>(sum.values()[0]) == 3000.f);  // in half, 2048 + 1 is 2048
}
