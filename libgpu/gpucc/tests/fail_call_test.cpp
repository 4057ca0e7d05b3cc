// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "driver_run.hpp"

// GPUCC_FAIL_CALL: one call after the other fails, so that error checks can be tried.
namespace gpucc_test {

TEST_CASE("a call of the runtime API, or a launch, is made to fail by its number") {
    const Built built(R"(#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = 7; }
int main() {
    int *x = nullptr, h[32] = {};
    std::printf("%d", cudaMalloc(&x, sizeof h));
    fill<<<1, 32>>>(x);
    std::printf("%d", cudaGetLastError());
    std::printf("%d", cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    std::printf(" %d\n", h[31]);
}
)");
    REQUIRE(built.is_there());
    const auto output = [&](const std::string& call) {
        return run("GPUCC_FAIL_CALL=" + call + " " + built.program + " 2>/dev/null").output;
    };
    CHECK(output("0") == "000 7\n");
    CHECK(output("1").starts_with("999"));
    CHECK(output("2").starts_with("09990"));
    CHECK(output("3") == "00999 0\n");
    CHECK(output("4") == "000 7\n");
    const std::string said = run("GPUCC_FAIL_CALL=3 " + built.program + " 2>&1 >/dev/null").output;
    CHECK(said == "gpucc: prog.cu:8: cudaMemcpy: this call was made to fail\n");
}

}  // namespace gpucc_test
