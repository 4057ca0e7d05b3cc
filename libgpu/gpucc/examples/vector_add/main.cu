// SPDX-License-Identifier: MIT
// The course's part: inputs, copies, and whether the result is right.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "add.h"
#include "check.h"
#include "inputs.h"

int main(int count, char** arguments) {
    const int n = count > 1 ? std::atoi(arguments[1]) : 1000;
    const std::vector<float> x = drawn(n, 1), y = drawn(n, 2);
    std::vector<float> z(n, NAN);
    const size_t bytes = n * sizeof(float);
    float *dx, *dy, *dz;
    CHECK(cudaMalloc(&dx, bytes));
    CHECK(cudaMalloc(&dy, bytes));
    CHECK(cudaMalloc(&dz, bytes));
    CHECK(cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice));
    add(dx, dy, dz, n);
    CHECK(cudaMemcpy(z.data(), dz, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaFree(dz));
    for (int i = 0; i < n; ++i) {
        if (z[i] == x[i] + y[i]) continue;
        std::printf("z[%d] is %g, and should be %g\n", i, z[i], x[i] + y[i]);
        return 1;
    }
    std::printf("%d sums are right\n", n);
}
