// SPDX-License-Identifier: MIT
// The study guide: masks.
#include "support.hpp"

TEST_CASE("study: a mask") {
    // x = cp.arange(6);  mask = x % 2 == 0;  x[mask];  x[mask] = -1;  mask.any();  mask.sum()
    gpu::Array<int> x = gpu::arange<int>(6);
    const gpu::Array<bool> mask = x % 2 == 0;
    CHECK(values(x[mask].compress()) == std::vector<int>{0, 2, 4});
    x[mask] = -1;
    CHECK(values(x) == std::vector<int>{-1, 1, -1, 3, -1, 5});
    CHECK(gpu::any(mask).item());
    CHECK(gpu::sum(mask).item() == 3);
    // cp.where(x > 0, x, 0)
    const gpu::Array<int> w = gpu::where(x > 0, x, 0);
    CHECK(values(w) == std::vector<int>{0, 1, 0, 3, 0, 5});
}
