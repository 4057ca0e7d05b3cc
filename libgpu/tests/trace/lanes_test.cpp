// SPDX-License-Identifier: MIT
// The picture of a block's barriers.
#include <doctest/doctest.h>

#include <string>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

TEST_CASE("what is wrong with a block's barriers is red, and nothing else is") {
    const auto is_red = [](const gpu::Trace& trace) {
        const std::string svg = trace.svg(gpu::Picture::lanes);
        const std::string drawn = svg.substr(svg.find("</style>"));
        const auto has = [&drawn](const char* kind) { return drawn.find(kind) != std::string::npos; };
        return has("class=\"f\"") || has("class=\"b\"") || has("class=\"gone\"");
    };
    const auto reversed = [](const std::string& barrier) {
        const gpu::RawKernel<void(const float*, float*)> kernel(
            gpu::Source("__global__ void reverse(const float* x, float* y) {\n"
                        "    __shared__ float tile[64];\n"
                        "    const int t = threadIdx.x;\n"
                        "    tile[t] = x[t];\n" +
                            barrier + "\n    y[t] = tile[63 - t];\n}\n",
                        "reverse.cu", 1),
            "reverse");
        const auto x = gpu::ones<float>(64);
        auto y = gpu::zeros<float>(64);
        return gpu::trace([&] { kernel({.grid = 1, .block = 64}, x, y); });
    };
    CHECK_FALSE(is_red(reversed("__syncthreads();")));
    const gpu::Trace race = reversed("");
    CHECK(is_red(race));
    CHECK(race.to_text(gpu::Picture::lanes).find("!") != std::string::npos);
    // An early read gets what no program expects: shared memory doesn't begin with zeros, or the last block's values.
    CHECK(race.to_text(gpu::Picture::races).find("the read gets -102288") != std::string::npos);
    const gpu::Trace skipped = reversed("    if (t >= 32) return;\n    __syncthreads();");
    CHECK(is_red(skipped));
    CHECK(skipped.to_text(gpu::Picture::lanes).find(std::string(32, '=') + std::string(32, '!')) != std::string::npos);
    const gpu::Trace stuck = reversed("    if (t < 32)\n        __syncthreads();\n    else\n        __syncthreads();");
    CHECK(is_red(stuck));
}
