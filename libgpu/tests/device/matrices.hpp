// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>

#include "backend/linalg.hpp"
#include "on_gpu.hpp"

// What the tests of linear algebra on a real GPU share: batches of column-major matrices, there and here.

/// A matrix as the reference computes with it.
using Dense = Eigen::MatrixXcd;

template <class T>
inline constexpr double epsilon_of = static_cast<double>(std::numeric_limits<T>::epsilon());
template <class T>
inline constexpr double epsilon_of<std::complex<T>> = epsilon_of<T>;

template <class T>
T number_of(std::complex<double> value) {
    if constexpr (gpu::is_complex(gpu::dtype_of<T>))
        return T(value);
    else
        return static_cast<T>(value.real());
}

/// Numbers in [-1, 1): real ones for a real T, the same in each run.
template <class T>
Dense random_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
    Dense result(rows, columns);
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    const auto next = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(static_cast<float>(state >> 41) / static_cast<float>(1 << 22) - 1);
    };
    for (std::int64_t k = 0; k < rows * columns; ++k) {
        const double re = next(), im = gpu::is_complex(gpu::dtype_of<T>) ? next() : 0;
        result(k % rows, k / rows) = {re, im};
    }
    return result;
}

/// Matrices of one shape, one after the other, on the GPU.
template <class T>
class Stack {
public:
    Stack(std::int64_t rows, std::int64_t columns, std::int64_t batch)
        : rows_(rows), columns_(columns), memory_(static_cast<std::size_t>(rows * columns * batch)) {}
    explicit Stack(const std::vector<Dense>& matrices)
        : rows_(matrices[0].rows()), columns_(matrices[0].cols()), memory_(numbers(matrices)) {}

    [[nodiscard]] T* data() const { return memory_.data(); }
    [[nodiscard]] std::vector<Dense> values() const {
        const std::vector<T> flat = memory_.values();
        std::vector<Dense> result;
        for (std::size_t at = 0; at < flat.size();) {
            Dense matrix(rows_, columns_);
            for (std::int64_t k = 0; k < rows_ * columns_; ++k) {
                matrix(k % rows_, k / rows_) = std::complex<double>(flat[at++]);
            }
            result.push_back(matrix);
        }
        return result;
    }

private:
    static std::vector<T> numbers(const std::vector<Dense>& matrices) {
        std::vector<T> flat;
        for (const Dense& matrix : matrices)
            for (Eigen::Index k = 0; k < matrix.size(); ++k) flat.push_back(number_of<T>(matrix.data()[k]));
        return flat;
    }
    std::int64_t rows_, columns_;
    OnGpu<T> memory_;
};

/// A batch of random matrices, each another one.
template <class T>
std::vector<Dense> random_batch(std::int64_t rows, std::int64_t columns, std::int64_t batch) {
    std::vector<Dense> result;
    for (std::int64_t k = 0; k < batch; ++k) {
        result.push_back(random_matrix<T>(rows, columns, static_cast<std::uint64_t>(100 * rows + 10 * columns + k)));
    }
    return result;
}

template <class T>
gpu::detail::MatrixProblem problem(std::int64_t batch = 1) {
    return {.dtype = gpu::dtype_of<T>, .batch = batch};
}

/// |difference| beside |whole|.
inline double relative(const Dense& difference, const Dense& whole) {
    const double size = whole.norm();
    return size == 0 ? difference.norm() : difference.norm() / size;
}

/// How far the columns are from orthonormal: Frobenius' norm of all of it, not beside the identity's.
inline double from_orthonormal(const Dense& columns) {
    return (columns.adjoint() * columns - Dense::Identity(columns.cols(), columns.cols())).norm();
}

/// What residuals, |A - ...| / |A|, and from_orthonormal() may be for matrices of this size: 10 n eps, in Frobenius'
/// norm.
inline double allowed(double epsilon, std::int64_t n) { return 10 * static_cast<double>(n) * epsilon; }

struct Named {
    std::string name;
    std::vector<Dense> matrices;
};

/// m x n matrices, m >= n, of rank 2, with values from 1 to 1e-12, with equal values, and of zeros.
template <class T>
std::vector<Named> difficult(std::int64_t m, std::int64_t n) {
    const Dense left = random_matrix<T>(m, n, 3), right = random_matrix<T>(n, n, 4);
    Dense graded = random_matrix<T>(m, n, 5);
    for (std::int64_t j = 0; j < n; ++j) {
        graded.col(j) *= std::pow(10., -12. * static_cast<double>(j) / static_cast<double>(n - 1));
    }
    Dense equal = Dense::Zero(m, n);
    for (std::int64_t j = 0; j < n; ++j) equal(m - 1 - j, j) = 3;
    return {{"rank 2", {left.leftCols(2) * right.topRows(2)}},
            {"graded", {graded}},
            {"equal values", {equal}},
            {"zeros", {Dense::Zero(m, n)}}};
}

inline gpu::detail::LinearAlgebra& linear_algebra() { return backend().linear_algebra(0); }
