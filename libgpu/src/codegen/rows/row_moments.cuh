// SPDX-License-Identifier: MIT
// Sums of deviations from a row's first element, and of their squares; n is one over their number.
struct alignas(16) gpu_moments { double sum, squares; };
__device__ inline gpu_moments gpu_moment(double x) { return gpu_moments{x, x * x}; }
__device__ inline gpu_moments gpu_joined(gpu_moments a, gpu_moments b) {
    return gpu_moments{a.sum + b.sum, a.squares + b.squares};
}
__device__ inline double gpu_variance(gpu_moments a, double n) {
    const double squares = a.squares - a.sum * a.sum * n;
    return squares < 0 ? 0 : squares;
}
