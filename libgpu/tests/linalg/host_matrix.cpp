// SPDX-License-Identifier: MIT
#include "linalg/host_matrix.hpp"

#include <algorithm>
#include <cmath>

HostMatrix operator*(const HostMatrix& a, const HostMatrix& b) {
    HostMatrix product(a.rows, b.columns);
    for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t k = 0; k < a.columns; ++k) {
            const HostMatrix::Number factor = a(row, k);
            for (std::int64_t column = 0; column < b.columns; ++column) product(row, column) += factor * b(k, column);
        }
    }
    return product;
}

HostMatrix operator-(const HostMatrix& a, const HostMatrix& b) {
    HostMatrix difference = a;
    for (std::size_t k = 0; k < a.values.size(); ++k) difference.values[k] -= b.values[k];
    return difference;
}

HostMatrix adjoint(const HostMatrix& a) {
    HostMatrix turned(a.columns, a.rows);
    for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t column = 0; column < a.columns; ++column) turned(column, row) = std::conj(a(row, column));
    }
    return turned;
}

HostMatrix identity(std::int64_t n) { return diagonal(std::vector<double>(static_cast<std::size_t>(n), 1.)); }

HostMatrix diagonal(const std::vector<double>& values) {
    HostMatrix made(std::ssize(values), std::ssize(values));
    for (std::int64_t k = 0; k < made.rows; ++k) made(k, k) = values[static_cast<std::size_t>(k)];
    return made;
}

double size_of(const HostMatrix& a) {
    double sum = 0;
    for (const HostMatrix::Number& value : a.values) sum += std::norm(value);
    return std::sqrt(sum);
}

double skewness(const HostMatrix& a) { return size_of(adjoint(a) * a - identity(a.columns)); }

HostMatrix random_matrix(std::int64_t rows, std::int64_t columns, bool complex, unsigned seed) {
    std::mt19937 engine(seed);
    const auto draw = [&] { return static_cast<double>(engine()) / 2147483648. - 1; };
    HostMatrix made(rows, columns);
    for (HostMatrix::Number& value : made.values) {
        const double real = draw();
        value = {real, complex ? draw() : 0};
    }
    return made;
}

namespace {

// 1 - 2 v v^H: all singular values are 1.
HostMatrix reflection(std::int64_t n, bool complex, unsigned seed) {
    HostMatrix v = random_matrix(n, 1, complex, seed);
    const double length = size_of(v);
    for (HostMatrix::Number& value : v.values) value *= std::sqrt(2.) / length;
    return identity(n) - v * adjoint(v);
}

std::vector<double> falling(std::int64_t n, double decades) {
    std::vector<double> values;
    for (std::int64_t k = 0; k < n; ++k) {
        values.push_back(std::pow(10., -decades * static_cast<double>(k) / static_cast<double>(n - 1)));
    }
    return values;
}

HostMatrix filled(std::int64_t rows, std::int64_t columns, double value) {
    HostMatrix made(rows, columns);
    std::fill(made.values.begin(), made.values.end(), value);
    return made;
}

}  // namespace

std::vector<Sample> samples(bool complex) {
    const HostMatrix left = random_matrix(23, 4, complex, 5), right = random_matrix(4, 19, complex, 6);
    return {{"random", random_matrix(24, 24, complex, 1)},
            {"tall", random_matrix(70, 9, complex, 2)},
            {"wide", random_matrix(8, 37, complex, 3)},
            {"nearly square", random_matrix(21, 20, complex, 4)},
            {"of rank 4", left * right},
            {"graded rows", diagonal(falling(20, 12)) * random_matrix(20, 20, complex, 7)},
            {"graded values", reflection(20, complex, 8) * diagonal(falling(20, 12)) * reflection(20, complex, 9)},
            {"repeated values", reflection(18, complex, 10)},
            {"two values, repeated",
             reflection(6, complex, 11) * diagonal({3, 3, 3, 0.5, 0.5, 0.5}) * reflection(6, complex, 12)},
            {"identity", identity(12)},
            {"ones", filled(7, 5, 1)},
            {"zeros", filled(6, 4, 0)},
            {"one row", random_matrix(1, 6, complex, 13)},
            {"one column", random_matrix(6, 1, complex, 14)},
            {"one number", random_matrix(1, 1, complex, 15)}};
}

std::vector<Sample> large_samples(bool complex) {
    const HostMatrix turn = reflection(120, complex, 31);
    return {{"large random", random_matrix(130, 120, complex, 32)},
            {"large, of rank 5", random_matrix(120, 5, complex, 33) * random_matrix(5, 110, complex, 34)},
            {"large, of equal values", turn},
            {"large, graded", turn * diagonal(falling(120, 12)) * reflection(120, complex, 35)},
            {"large, of ones", filled(110, 100, 1)},
            {"large identity", identity(100)},
            {"tall and graded", random_matrix(300, 20, complex, 36) * diagonal(falling(20, 12))}};
}

std::vector<Sample> hermitian_samples(bool complex) {
    const auto squared = [](const HostMatrix& a) { return a * adjoint(a); };
    HostMatrix sum = random_matrix(25, 25, complex, 21);
    const HostMatrix turned = adjoint(sum);
    for (std::size_t k = 0; k < sum.values.size(); ++k) sum.values[k] += turned.values[k];
    HostMatrix single = random_matrix(1, 1, false, 22);
    return {{"random", sum},
            {"of rank 3", squared(random_matrix(15, 3, complex, 23))},
            {"graded", reflection(20, complex, 24) * diagonal(falling(20, 12)) * reflection(20, complex, 24)},
            {"repeated values", reflection(18, complex, 25)},
            {"two values, repeated",
             reflection(6, complex, 26) * diagonal({2, 2, 2, -1, -1, -1}) * reflection(6, complex, 26)},
            {"identity", identity(12)},
            {"zeros", filled(5, 5, 0)},
            {"ones", filled(6, 6, 1)},
            {"two by two", squared(random_matrix(2, 2, complex, 27))},
            {"large", squared(random_matrix(110, 110, complex, 28))},
            {"large, of rank 5", squared(random_matrix(110, 5, complex, 29))},
            {"large, graded", reflection(100, complex, 30) * diagonal(falling(100, 12)) * reflection(100, complex, 30)},
            {"one number", single}};
}
