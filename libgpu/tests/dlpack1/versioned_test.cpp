// SPDX-License-Identifier: MIT
// Tensors with a version, as DLPack has had them since 1.0.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include <gpu/dlpack.hpp>
#include <gpu/gpu.hpp>

using Floats = std::vector<float>;

TEST_CASE("a tensor with a version goes out and comes back") {
    DLManagedTensorVersioned* tensor = nullptr;
    {
        gpu::Array<float> x = gpu::arange<float>(6).reshape({2, 3});
        tensor = gpu::to_dlpack_versioned(x);
        CHECK(tensor->dl_tensor.data == std::as_const(x).data());
    }
    CHECK(tensor->version.major == 1);
    CHECK(tensor->flags == 0);
    CHECK(tensor->dl_tensor.ndim == 2);
    auto back = gpu::from_dlpack<float>(tensor);
    back = back + 1.f;
    CHECK(gpu::to_host(back) == Floats{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a const array's tensor is read-only, and only a const view takes it") {
    const gpu::Array<float> x = gpu::arange<float>(3);
    DLManagedTensorVersioned* const tensor = gpu::to_dlpack_versioned(x);
    CHECK(tensor->flags == DLPACK_FLAG_BITMASK_READ_ONLY);
    CHECK_THROWS_WITH_AS((void)gpu::from_dlpack<float>(tensor),
                         "from_dlpack: the tensor is read-only: write from_dlpack<const T>", gpu::Error);
    CHECK(gpu::to_host(gpu::from_dlpack<const float>(tensor)) == Floats{0, 1, 2});
    gpu::Array<float> y = gpu::arange<float>(4);
    DLManagedTensorVersioned* const window = gpu::to_dlpack_versioned(y(gpu::slice(1, 3)));
    CHECK(window->flags == 0);
    window->deleter(window);
    DLManagedTensorVersioned* const reads = gpu::to_dlpack_versioned(gpu::View<const float>(y));
    CHECK(reads->flags == DLPACK_FLAG_BITMASK_READ_ONLY);
    reads->deleter(reads);
}

TEST_CASE("a tensor of another major version is refused and not looked at") {
    gpu::Array<float> x = gpu::arange<float>(3);
    DLManagedTensorVersioned* const tensor = gpu::to_dlpack_versioned(x);
    tensor->version.major = 2;
    CHECK_THROWS_WITH_AS((void)gpu::from_dlpack<float>(tensor),
                         "from_dlpack: a tensor of DLPack 2, where libgpu was compiled with DLPack 1", gpu::Error);
    tensor->deleter(tensor);  // still the caller's
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(static_cast<DLManagedTensorVersioned*>(nullptr)), gpu::Error);
}

TEST_CASE("tensors without a version are still there") {
    gpu::Array<bool> mask = gpu::arange<int>(4) > 1;
    DLManagedTensor* const tensor = gpu::to_dlpack(mask);
    CHECK(tensor->dl_tensor.dtype.code == kDLBool);
    CHECK(gpu::count_nonzero(gpu::from_dlpack<bool>(tensor)).item() == 2);
}
