// SPDX-License-Identifier: MIT
// Shows what a raw kernel gets of an Eigen matrix: the elements in the order in which Eigen keeps them.
#include <cstdio>

#include <Eigen/Dense>
#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

GPU_KERNEL(second, (const float* a, float* z), R"(
    z[0] = a[1];
)");

int main() {
    const Eigen::MatrixXf m{{1, 2, 3}, {4, 5, 6}};
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    auto z = gpu::zeros<float>({1});

    second({.grid = 1, .block = 1}, gpu::to_device(m), z);
    const float by_column = z.item();
    second({.grid = 1, .block = 1}, gpu::to_device(RowMajor(m)), z);
    std::printf("MatrixXf: a[1] is %g\nRow-major matrix: a[1] is %g\n", by_column, z.item());
    std::printf("Answer: %g\n", by_column);
}
