// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

/// A matrix of the tests' own, of complex numbers in double: what results are compared with.
struct HostMatrix {
    using Number = std::complex<double>;

    HostMatrix(std::int64_t rows_, std::int64_t columns_)
        : rows(rows_), columns(columns_), values(static_cast<std::size_t>(rows_ * columns_)) {}

    Number& operator()(std::int64_t row, std::int64_t column) {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
    const Number& operator()(std::int64_t row, std::int64_t column) const {
        return values[static_cast<std::size_t>(row * columns + column)];
    }

    std::int64_t rows, columns;
    std::vector<Number> values;
};

HostMatrix operator*(const HostMatrix& a, const HostMatrix& b);
HostMatrix operator-(const HostMatrix& a, const HostMatrix& b);
HostMatrix adjoint(const HostMatrix& a);
HostMatrix identity(std::int64_t n);
HostMatrix diagonal(const std::vector<double>& values);
/// Frobenius' norm; NaN if an element is.
double size_of(const HostMatrix& a);
/// |A^H A - 1|: how far columns are from orthonormal.
double skewness(const HostMatrix& a);

/// A matrix for a test, and what is special about it.
struct Sample {
    std::string name;
    HostMatrix matrix;
};
/// Random, rank-deficient, graded over 10^12, of repeated values, tall, wide, of ones, of zeros, one row or column.
std::vector<Sample> samples(bool complex);
/// A few of these with more than a hundred columns.
std::vector<Sample> large_samples(bool complex);
/// The same idea for square Hermitian matrices.
std::vector<Sample> hermitian_samples(bool complex);
HostMatrix random_matrix(std::int64_t rows, std::int64_t columns, bool complex, unsigned seed);

template <class T>
inline constexpr bool is_complex_type = gpu::is_complex(gpu::dtype_of<T>);
template <class T>
constexpr double eps_of() {
    using Real = gpu::linalg::RealOf<T>;
    return static_cast<double>(std::numeric_limits<Real>::epsilon());
}

template <class T>
T number_of(const HostMatrix::Number& value) {
    if constexpr (is_complex_type<T>)
        return T(value);
    else
        return static_cast<T>(value.real());
}
template <class T>
HostMatrix::Number wide(const T& value) {
    if constexpr (is_complex_type<T>)
        return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
    else
        return static_cast<double>(value);
}

/// The matrix on the device, and rounded to what is there.
template <class T>
gpu::Array<T> on_device(HostMatrix& matrix) {
    std::vector<T> values;
    for (HostMatrix::Number& value : matrix.values) {
        values.push_back(number_of<T>(value));
        value = wide(values.back());
    }
    gpu::Array<T> array = gpu::empty<T>({matrix.rows, matrix.columns});
    array.copy_from(values);
    return array;
}
/// All matrices of an array with two axes or more.
template <class T>
std::vector<HostMatrix> matrices_of(const gpu::Array<T>& array) {
    const std::vector<T> values = gpu::to_host(array);
    const std::int64_t rows = array.shape()[array.rank() - 2], columns = array.shape()[array.rank() - 1];
    std::vector<HostMatrix> matrices;
    for (std::size_t at = 0; at < values.size();) {
        matrices.emplace_back(rows, columns);
        for (HostMatrix::Number& value : matrices.back().values) value = wide(values[at++]);
    }
    if (values.empty()) matrices.emplace_back(rows, columns);
    return matrices;
}
template <class T>
HostMatrix matrix_of(const gpu::Array<T>& array) {
    return matrices_of(array).front();
}
template <class T>
std::vector<double> numbers_of(const gpu::Array<T>& array) {
    std::vector<double> numbers;
    for (const T& value : gpu::to_host(array)) numbers.push_back(static_cast<double>(value));
    return numbers;
}

/// Calls f(T()) for the four types of linear algebra.
template <class F>
void for_each_type(const F& f) {
    f(float());
    f(double());
    f(gpu::complex<float>(0));
    f(gpu::complex<double>(0));
}
