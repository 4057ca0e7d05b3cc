// SPDX-License-Identifier: MIT
// Where a GPU's arrays differ from NumPy's: arrays of indices.
#include "support.hpp"

TEST_CASE("differences: indices out of bounds") {
    // x = cp.array([0, 1, 2]);  x[[1, 3]] = 10;  x  is  array([10, 10, 2]): CuPy wraps. libgpu wraps when told to.
    gpu::Array<int> x = gpu::to_device({0, 1, 2});
    const gpu::Array<int> index = gpu::to_device({1, 3});
    x.put(index, 10, {.mode = gpu::IndexMode::wrap});
    CHECK(values(x) == std::vector<int>{10, 10, 2});
    gpu::Array<int> y = gpu::to_device({0, 1, 2});
    y.put(index, 10, {.mode = gpu::IndexMode::clip});
    CHECK(values(y) == std::vector<int>{0, 10, 10});
}

TEST_CASE("differences: of two values for one place, one wins") {
    // a = cp.zeros((2,));  i = cp.arange(10000) % 2;  v = cp.arange(10000).astype(cp.float32);  a[i] = v
    gpu::Array<float> a = gpu::zeros<float>({2});
    const gpu::Array<int> i = gpu::arange<int>(10000) % 2;
    const gpu::Array<float> v = gpu::arange<float>(10000);
    a[i] = v;
    const auto got = values(a);  // array([ 9150., 9151.]) on one day
    for (int k = 0; k < 2; ++k) {
        CHECK(static_cast<int>(got[static_cast<std::size_t>(k)]) % 2 == k);
        CHECK(got[static_cast<std::size_t>(k)] < 10000);
    }
}
