// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// What a C++ programmer writes without libgpu: loops for -O3 -march=native, on one thread or on several, and Eigen.
namespace plain {

void add(const float* x, const float* y, float* z, std::size_t n, int threads);
void squared_difference(const float* x, const float* y, float* z, std::size_t n, int threads);
void shrink(const float* x, float by, float* z, std::size_t n, int threads);

float eigen_sum(const float* x, std::size_t n);
float eigen_norm(const float* x, std::size_t n);
void eigen_sum_axis_0(const float* x, std::size_t rows, std::size_t columns, float* sums);
void eigen_sum_axis_1(const float* x, std::size_t rows, std::size_t columns, float* sums);

void eigen_sin(const float* x, float* y, std::size_t n);
void eigen_cos(const float* x, float* y, std::size_t n);
void eigen_exp(const float* x, float* y, std::size_t n);
void eigen_log(const float* x, float* y, std::size_t n);
void eigen_tanh(const float* x, float* y, std::size_t n);
void eigen_pow(const float* x, float* y, std::size_t n);  // to the power of 1.5
std::size_t eigen_argmax(const float* x, std::size_t n);

double sum(const float* x, std::size_t n);
double norm(const float* x, std::size_t n);

}  // namespace plain
