// SPDX-License-Identifier: MIT
#include "plain_loops.hpp"

#include <cmath>
#include <thread>
#include <vector>

#include <Eigen/Core>

namespace plain {

namespace {

// Equal parts for all threads; the caller takes the first.
template <class F>
void in_parts(std::size_t n, int threads, F f) {
    const auto count = static_cast<std::size_t>(threads);
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < count; ++k) others.emplace_back([=] { f(n * k / count, n * (k + 1) / count); });
    f(0, n / count);
    for (std::thread& other : others) other.join();
}

using Matrix = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using Vector = Eigen::Map<const Eigen::VectorXf>;

Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

}  // namespace

void add(const float* __restrict x, const float* __restrict y, float* __restrict z, std::size_t n, int threads) {
    in_parts(n, threads, [=](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) z[k] = x[k] + y[k];
    });
}

void squared_difference(const float* __restrict x, const float* __restrict y, float* __restrict z, std::size_t n,
                        int threads) {
    in_parts(n, threads, [=](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) z[k] = (x[k] - y[k]) * (x[k] - y[k]);
    });
}

void shrink(const float* __restrict x, float by, float* __restrict z, std::size_t n, int threads) {
    in_parts(n, threads, [=](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) z[k] = x[k] > by ? x[k] - by : x[k] < -by ? x[k] + by : 0.0f;
    });
}

#define OF_EIGEN(name, call)                                                                           \
    void name(const float* x, float* y, std::size_t n) {                                               \
        Eigen::Map<Eigen::ArrayXf>(y, index(n)) = Eigen::Map<const Eigen::ArrayXf>(x, index(n)).call; \
    }
OF_EIGEN(eigen_sin, sin())
OF_EIGEN(eigen_cos, cos())
OF_EIGEN(eigen_exp, exp())
OF_EIGEN(eigen_log, log())
OF_EIGEN(eigen_tanh, tanh())
OF_EIGEN(eigen_pow, pow(1.5f))
#undef OF_EIGEN
std::size_t eigen_argmax(const float* x, std::size_t n) {
    Eigen::Index place = 0;
    Vector(x, index(n)).maxCoeff(&place);
    return static_cast<std::size_t>(place);
}

float eigen_sum(const float* x, std::size_t n) { return Vector(x, index(n)).sum(); }
float eigen_norm(const float* x, std::size_t n) { return Vector(x, index(n)).norm(); }

void eigen_sum_axis_0(const float* x, std::size_t rows, std::size_t columns, float* sums) {
    Eigen::Map<Eigen::RowVectorXf>(sums, index(columns)) = Matrix(x, index(rows), index(columns)).colwise().sum();
}
void eigen_sum_axis_1(const float* x, std::size_t rows, std::size_t columns, float* sums) {
    Eigen::Map<Eigen::VectorXf>(sums, index(rows)) = Matrix(x, index(rows), index(columns)).rowwise().sum();
}

double sum(const float* x, std::size_t n) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += static_cast<double>(x[k]);
    return sum;
}
double norm(const float* x, std::size_t n) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += static_cast<double>(x[k]) * static_cast<double>(x[k]);
    return std::sqrt(sum);
}

}  // namespace plain
