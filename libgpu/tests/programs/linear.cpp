// SPDX-License-Identifier: MIT
// Matrices, dense and sparse.
#include <algorithm>
#include <array>
#include <cmath>

#include "program.hpp"

namespace programs {

namespace {

using Matrix = std::vector<double>;

Matrix as_doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }

void transpose(Run& run) {
    const auto kernel = run.kernel<void(const float*, float*, int, int)>("transpose");
    for (const auto& [rows, columns] : {std::pair{1, 1}, {31, 33}, {70, 45}}) {
        const std::vector<float> x = random_floats(at(rows, columns, 0), 1);
        std::vector<float> want(x.size());
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) want[at(c, rows, r)] = x[at(r, columns, c)];
        auto y = gpu::empty<float>({rows * columns});
        kernel({.grid = {blocks(columns, 32), blocks(rows, 32)}, .block = {32, 8}}, gpu::to_device(x), y, rows,
               columns);
        run.equal("y", y, want);
    }
}

template <int tile, int threads>
void matmul(Run& run) {
    const auto kernel = run.kernel<void(const float*, const float*, float*, int, int, int)>("matmul");
    for (const auto& [rows, inner, columns] : {std::array{1, 1, 1}, {9, 7, 17}, {33, 29, 35}}) {
        const std::vector<float> a = random_floats(at(rows, inner, 0), 2), b = random_floats(at(inner, columns, 0), 3);
        Matrix want(at(rows, columns, 0));
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c)
                for (int k = 0; k < inner; ++k)
                    want[at(r, columns, c)] += static_cast<double>(a[at(r, inner, k)]) * b[at(k, columns, c)];
        auto c = gpu::empty<float>({rows * columns});
        kernel({.grid = {blocks(columns, tile), blocks(rows, tile)}, .block = {threads, threads}}, gpu::to_device(a),
               gpu::to_device(b), c, rows, inner, columns);
        run.close("c", c, want, inner, inner);
    }
}

// Its diagonal outweighs each row, so no pivots are needed.
std::vector<float> dominant(int n, unsigned seed) {
    std::vector<float> a = random_floats(at(n, n, 0), seed);
    for (int k = 0; k < n; ++k) a[at(k, n, k)] = static_cast<float>(n) + 2;
    return a;
}

void lu_in_place(Run& run) {
    const auto decompose = run.kernel<void(float*, int)>("decompose");
    for (const int n : {1, 2, 19, 30}) {
        const std::vector<float> a = dominant(n, 4);
        Matrix want = as_doubles(a);
        for (int k = 0; k < n; ++k) {
            for (int row = k + 1; row < n; ++row) {
                want[at(row, n, k)] /= want[at(k, n, k)];
                for (int c = k + 1; c < n; ++c) want[at(row, n, c)] -= want[at(row, n, k)] * want[at(k, n, c)];
            }
        }
        auto lu = gpu::to_device(a);
        decompose({.grid = 1, .block = 64}, lu, n);
        run.close("lu", lu, want, n);
    }
}

void gaussian_elimination(Run& run) {
    const auto factors = run.kernel<void(const float*, float*, int, int)>("factors");
    const auto eliminate = run.kernel<void(float*, float*, const float*, int, int)>("eliminate");
    const auto substitute = run.kernel<void(const float*, const float*, float*, int)>("substitute");
    for (const int n : {1, 5, 37}) {
        const std::vector<float> host_a = dominant(n, 5), want = random_floats(length(n), 6);
        Matrix right_side(length(n));
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < n; ++c)
                right_side[length(r)] += static_cast<double>(host_a[at(r, n, c)]) * want[length(c)];
        auto a = gpu::to_device(host_a), x = gpu::empty<float>({n}), factor = gpu::empty<float>({n});
        auto b = gpu::to_device(std::vector<float>(right_side.begin(), right_side.end()));
        for (int k = 0; k < n - 1; ++k) {
            factors({.grid = blocks(n - k - 1, 32), .block = 32}, a, factor, n, k);
            eliminate({.grid = {blocks(n - k, 16), blocks(n - k - 1, 4)}, .block = {16, 4}}, a, b, factor, n, k);
        }
        substitute({.grid = 1, .block = 32}, a, b, x, n);
        run.close("x", x, as_doubles(want), 4 * n, 1);
    }
}

void cholesky_block(Run& run) {
    const auto decompose = run.kernel<void(float*, int)>("decompose");
    const int count = 3;
    for (const int n : {1, 7, 24}) {
        std::vector<float> a;
        Matrix want;
        for (unsigned m = 0; m < count; ++m) {
            std::vector<float> one = dominant(n, 7 + m);
            for (int r = 0; r < n; ++r)
                for (int c = 0; c < r; ++c) one[at(r, n, c)] = one[at(c, n, r)];
            Matrix l = as_doubles(one);
            for (int r = 0; r < n; ++r) {
                for (int c = 0; c <= r; ++c) {
                    for (int k = 0; k < c; ++k) l[at(r, n, c)] -= l[at(r, n, k)] * l[at(c, n, k)];
                    l[at(r, n, c)] = r == c ? std::sqrt(l[at(r, n, c)]) : l[at(r, n, c)] / l[at(c, n, c)];
                }
            }
            a.insert(a.end(), one.begin(), one.end());
            want.insert(want.end(), l.begin(), l.end());
        }
        auto l = gpu::to_device(a);
        decompose({.grid = count, .block = 32}, l, n);
        run.close("l", l, want, n);
    }
}

void sparse_product(Run& run) {
    const auto multiply = run.kernel<void(const int*, const int*, const float*, const float*, float*, int)>("multiply");
    for (const int n : {1, 45, 130}) {
        std::vector<int> rows = {0}, columns;
        for (int r = 0; r < n; ++r) {  // every fifth row is empty, some are long
            for (int c = r % 7; c < n && r % 5 != 4; c += 1 + r % 4 * 9) columns.push_back(c);
            rows.push_back(static_cast<int>(columns.size()));
        }
        const std::vector<float> values = random_floats(columns.size(), 10), x = random_floats(length(n), 11);
        Matrix want(length(n));
        for (int r = 0; r < n; ++r)
            for (std::size_t k = length(rows[length(r)]); k < length(rows[length(r + 1)]); ++k)
                want[length(r)] += static_cast<double>(values[k]) * x[length(columns[k])];
        auto y = gpu::empty<float>({n});
        multiply({.grid = n, .block = 32}, gpu::to_device(rows), gpu::to_device(columns), gpu::to_device(values),
                 gpu::to_device(x), y, n);
        run.close("y", y, want, n, 8);
    }
}

void conjugate_gradient(Run& run) {
    const auto solve = run.kernel<void(const float*, const float*, float*, int, int)>("solve");
    for (const int n : {2, 33, 61}) {
        std::vector<float> a = dominant(n, 12);
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < r; ++c) a[at(r, n, c)] = a[at(c, n, r)];
        const std::vector<float> want = random_floats(length(n), 13);
        std::vector<float> b(length(n));
        for (int r = 0; r < n; ++r) {
            double sum = 0;
            for (int c = 0; c < n; ++c) sum += static_cast<double>(a[at(r, n, c)]) * want[length(c)];
            b[length(r)] = static_cast<float>(sum);
        }
        auto x = gpu::empty<float>({n});
        solve({.grid = 1, .block = 64}, gpu::to_device(a), gpu::to_device(b), x, n, n == 2 ? 2 : 8);
        run.close("x", x, as_doubles(want), 4 * n, 1);
    }
}

}  // namespace

std::vector<Program> linear_programs() {
    return {{"linear/transpose.cu", transpose},
            {"linear/matmul_tiled.cu", matmul<8, 8>},
            {"linear/matmul_registers.cu", matmul<32, 8>},
            {"linear/lu_in_place.cu", lu_in_place},
            {"linear/gaussian_elimination.cu", gaussian_elimination},
            {"linear/cholesky_block.cu", cholesky_block},
            {"linear/spmv_scalar.cu", sparse_product},
            {"linear/spmv_vector.cu", sparse_product},
            {"linear/conjugate_gradient.cu", conjugate_gradient}};
}

}  // namespace programs
