// SPDX-License-Identifier: MIT
// Kernels of one's own: raw arguments of elementwise and reduction kernels, several outputs.
#include "support.hpp"

TEST_CASE("kernels: a raw argument, indexed by hand") {
    // add_reverse = cp.ElementwiseKernel('T x, raw T y', 'T z', 'z = x + y[_ind.size() - i - 1]', 'add_reverse')
    const gpu::ElementwiseKernel add_reverse("T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]", "add_reverse");
    // x = cp.arange(5);  y = 10 * cp.arange(5);  add_reverse(x, y)
    const gpu::Array<int> x = gpu::arange<int>(5), y = 10 * gpu::arange<int>(5);
    const gpu::Array<int> z = add_reverse(x, y);
    CHECK(values(z) == std::vector<int>{40, 31, 22, 13, 4});
    // a raw argument isn't broadcast, and may have any layout
    const gpu::Array<int> of_window = add_reverse(x, gpu::arange<int>(10)(gpu::slice(gpu::none, gpu::none, 2)));
    CHECK(values(of_window) == std::vector<int>{8, 7, 6, 5, 4});
    // all arguments raw: add_reverse_raw(x, y, size=3)
    const gpu::ElementwiseKernel pairs("raw T x", "T z", "z = x[2 * i] + x[2 * i + 1]", "pairs");
    const gpu::Array<int> sums = pairs(gpu::arange<int>(6), {.size = 3});
    CHECK(values(sums) == std::vector<int>{1, 5, 9});
}

TEST_CASE("kernels: a reduction over a raw argument, and several outputs") {
    // weighted = cp.ReductionKernel('T x, raw T w', 'T y', 'x * w[_J]', 'a + b', 'y = a', '0', 'weighted'): any axes
    // here
    const gpu::ReductionKernel weighted("T x, raw T w", "T y", "x * w[_J]", "a + b", "y = a", "0", "weighted");
    const gpu::Array<double> x = gpu::arange<double>(6).reshape({2, 3}), w = gpu::to_device({1.0, 10.0, 100.0});
    const gpu::Array<double> sums = weighted(x, w, {.axis = 1});
    CHECK(values(sums) == std::vector<double>{210, 543});
    // divmod = cp.ElementwiseKernel('T x, T y', 'T q, T r', 'q = x / y; r = x % y', 'divmod')
    const gpu::ElementwiseKernel divmod("T x, T y", "T q, T r", "q = x / y; r = x % y", "divmod");
    const auto [q, r] = divmod.all<int, int>({gpu::arange<int>(6), 4});
    CHECK(values(q) == std::vector<int>{0, 0, 0, 0, 1, 1});
    CHECK(values(r) == std::vector<int>{0, 1, 2, 3, 0, 1});
}
