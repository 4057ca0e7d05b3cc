// SPDX-License-Identifier: MIT
// Memory of others in libgpu's arrays, and libgpu's arrays for others: Eigen, addresses, DLPack.
#include <cstdio>

#if __has_include(<dlpack/dlpack.h>)
#include <gpu/dlpack.hpp>
#endif
#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

int main() {
    // [eigen]
    float memory[] = {1, 2, 3, 4, 5, 6};                                // of a file, a camera, another library
    Eigen::Map<Eigen::Matrix<float, 2, 3, Eigen::RowMajor>> m(memory);  // Eigen's view of it: no copy
    gpu::Array<float> x = gpu::to_device(m);                            // a copy, to the device
    x = 10.f * x;
    x.copy_to(m);  // and one back, into that memory
    // [/eigen]
    std::printf("memory[5] is %g\n", memory[5]);

    // [pointer]
    float* const address = x.data();                  // device memory: for kernels and libraries, not for host code
    gpu::View<float> flat = gpu::wrap(address, {6});  // the same memory again, in another shape
    flat(gpu::slice(3, 6)) = 0.f;
    // [/pointer]
    std::printf("after a write through the address: x(0, 2) is %g, x(1, 0) is %g\n", x(0, 2).item(), x(1, 0).item());
#if __has_include(<dlpack/dlpack.h>)
    // [dlpack]
    DLManagedTensor* const tensor = gpu::to_dlpack(x);        // what PyTorch, CuPy or JAX would take
    gpu::View<float> back = gpu::from_dlpack<float>(tensor);  // and what they would give: no copy either way
    back(0, 0) = 7.f;
    // [/dlpack]
#else
    x(0, 0) = 7.f;  // without DLPack's header there is nothing to show
#endif
    std::printf("after a write through DLPack: x(0, 0) is %g\n", x(0, 0).item());
}
