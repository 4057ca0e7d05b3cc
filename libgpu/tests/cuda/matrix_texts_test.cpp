// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "cuda/linear_algebra/matrix_texts.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "emulated.hpp"
#include "with_nvrtc.hpp"

using namespace gpu;
using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

/// An integer matrix in memory with gaps.
template <class T>
struct Matrix {
    std::vector<T> memory;
    MatrixSteps steps;

    Matrix(std::int64_t rows, std::int64_t columns, bool column_major, std::int64_t batch, unsigned seed) {
        const std::int64_t leading = (column_major ? rows : columns) + 1;
        const std::int64_t one = leading * (column_major ? columns : rows);
        steps = {column_major ? 1 : leading, column_major ? leading : 1, one};
        for (std::int64_t k = 0; k < one * batch; ++k) {
            memory.push_back(static_cast<T>((static_cast<std::uint64_t>(k) + seed) * 0x9e3779b97f4a7c15u >> 7));
        }
    }
    [[nodiscard]] T at(std::int64_t item, std::int64_t row, std::int64_t column) const {
        return memory[static_cast<std::size_t>(item * steps.batch + row * steps.row + column * steps.column)];
    }
};

template <class T>
void check_products(const char* type) {
    Emulator kernel(raw_skeleton(integer_product_text(sizeof(T))));
    struct Case {
        std::int64_t rows, columns, inner, batch;
        unsigned blocks;
    };
    for (const auto [rows, columns, inner, batch, blocks] :
         {Case{1, 1, 1, 1, 1}, {3, 4, 5, 2, 2}, {64, 64, 16, 1, 1}, {65, 130, 17, 1, 2}, {1, 70, 33, 3, 6}}) {
        for (int layout = 0; layout < 8; ++layout) {
            const Matrix<T> left(rows, inner, layout & 1, batch, 1), right(inner, columns, layout & 2, batch, 99);
            Matrix<T> result(rows, columns, layout & 4, batch, 5);
            const Matrix<T> before = result;
            MatrixSteps l = left.steps, r = right.steps, o = result.steps;
            ProductShape shape{rows, columns, inner, batch};
            const void *a = left.memory.data(), *b = right.memory.data();
            void* c = result.memory.data();
            void* arguments[] = {&a, &l, &b, &r, &c, &o, &shape};
            kernel.raw(blocks, arguments);
            std::size_t wrong = 0, written = 0;
            for (std::int64_t item = 0; item < batch; ++item)
                for (std::int64_t i = 0; i < rows; ++i)
                    for (std::int64_t j = 0; j < columns; ++j) {
                        std::uint64_t expected = 0;
                        for (std::int64_t k = 0; k < inner; ++k) {
                            expected += static_cast<std::uint64_t>(left.at(item, i, k)) *
                                        static_cast<std::uint64_t>(right.at(item, k, j));
                        }
                        wrong += result.at(item, i, j) != static_cast<T>(expected);
                    }
            for (std::size_t k = 0; k < before.memory.size(); ++k) written += before.memory[k] != result.memory[k];
            CHECK_MESSAGE(wrong == 0,
                          type << ": " << rows << " x " << inner << " x " << columns << ", layout " << layout);
            CHECK(written <= static_cast<std::size_t>(rows * columns * batch));
        }
    }
}

void check_compiles(const RawText& text) {
    for (const std::string& arch : tested_archs()) {
        std::string log;
        try {
            (void)compile_for(arch, raw_skeleton(text));
        } catch (const CompileFailure& failure) {
            log = failure.log;
        }
        CHECK_MESSAGE(log.empty(), text.name << " for " << arch << ":\n" << log << "\n" << text.source.text);
    }
}

}  // namespace

TEST_CASE("products of integers wrap around as C++'s unsigned ones do, in every layout") {
    if (!with_compiler("integer products")) return;
    check_products<std::int8_t>("int8");
    check_products<std::uint16_t>("uint16");
    check_products<std::int32_t>("int32");
    check_products<std::uint64_t>("uint64");
}

TEST_CASE("conjugate transposes, first columns, addresses and pivots are moved where they belong") {
    if (!with_compiler("moved matrices")) return;
    struct Complex {
        float re, im;
    };
    Emulator adjoint(raw_skeleton(adjoint_text(DType::complex64)));
    std::vector<Complex> from(2 * 9), to(2 * 9);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = {static_cast<float>(k), static_cast<float>(k) + 0.5f};
    const void* source = from.data();
    void* target = to.data();
    long long n = 3, count = 18;
    void* arguments[] = {&source, &target, &n, &count};
    adjoint.raw(1, arguments);
    for (std::size_t item = 0; item < 2; ++item)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                CHECK(to[item * 9 + i + 3 * j].re == from[item * 9 + j + 3 * i].re);
                CHECK(to[item * 9 + i + 3 * j].im == -from[item * 9 + j + 3 * i].im);
            }

    Emulator first(raw_skeleton(first_columns_text(8)));
    std::vector<std::int64_t> whole(24), kept(12, -1);
    for (std::size_t k = 0; k < whole.size(); ++k) whole[k] = static_cast<std::int64_t>(k);
    source = whole.data();
    target = kept.data();
    long long keep = 6, all = 12, total = 12;
    void* columns[] = {&source, &target, &keep, &all, &total};
    first.raw(1, columns);
    CHECK(kept == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17});

    Emulator table(raw_skeleton(addresses_text()));
    std::vector<char*> addresses(300);
    char base[4] = {};
    char* start = base;
    void* entries = addresses.data();
    long long step = 4096, items = 300;
    void* places[] = {&start, &entries, &step, &items};
    table.raw(1, places);
    for (std::size_t k = 0; k < 300; ++k) CHECK(addresses[k] == base + 4096 * static_cast<std::ptrdiff_t>(k));

    Emulator narrow(raw_skeleton(pivots_text(false)));
    const std::vector<std::int64_t> wide{1, 3, 2};
    std::vector<std::int32_t> pivots(3);
    source = wide.data();
    target = pivots.data();
    long long three = 3;
    void* ends[] = {&source, &target, &three};
    narrow.raw(1, ends);
    CHECK(pivots == std::vector<std::int32_t>{1, 3, 2});
}

TEST_CASE("NVRTC compiles the kernels beside cuBLAS and cuSOLVER") {
    if (!with_nvrtc("matrix texts")) return;
    for (const std::size_t bytes : {1u, 2u, 4u, 8u}) check_compiles(integer_product_text(bytes));
    for (DType dtype : {DType::float32, DType::float64, DType::complex64, DType::complex128}) {
        check_compiles(adjoint_text(dtype));
    }
    for (const std::size_t bytes : {4u, 8u, 16u}) check_compiles(first_columns_text(bytes));
    check_compiles(addresses_text());
    for (const bool widen : {false, true}) check_compiles(pivots_text(widen));
}
#endif
