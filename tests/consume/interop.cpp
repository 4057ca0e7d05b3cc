// SPDX-License-Identifier: MIT
// Eigen's matrices and DLPack's tensors, in and out.
#include <cstdio>
#include <cstring>

#include <gpu/dlpack.hpp>
#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

int main() {
    Eigen::MatrixXf matrix(2, 3);
    matrix << 1, 2, 3, 4, 5, 6;
    const gpu::Array<float> device = gpu::to_device(matrix);
    const Eigen::MatrixXf gram = gpu::to_eigen(gpu::matmul(device.transpose(), device));
    std::printf("%g %g %g\n", gram(0, 0), gram(0, 2), gram(2, 2));
    if (!gram.isApprox(matrix.transpose() * matrix)) return 1;

    const gpu::Array<int> numbers = gpu::arange<int>(6).reshape({2, 3});
    DLManagedTensor* tensor = gpu::to_dlpack(numbers);
    std::printf("a tensor of rank %d\n", tensor->dl_tensor.ndim);
    const gpu::View<int> same = gpu::from_dlpack<int>(tensor);   // takes the tensor over
    if (!gpu::array_equal(same, numbers).item()) return 1;

    try {
        gpu::ElementwiseKernel("T x", "T y", "y = x +", "unfinished")(device);
    } catch (const gpu::CompileError& error) {                   // thrown in libgpu.so, caught here
        return std::strstr(error.what(), "unfinished") != nullptr ? 0 : 1;
    }
    return 1;
}
