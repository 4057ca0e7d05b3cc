// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

TEST_CASE("a kernel file includes others that stand beside it, and what is in them counts") {
    const support::TemporaryFolder files;
    files.write("scale.cuh", "#pragma once\n__device__ float scaled(float v) { return 3 * v; }\n");
    files.write("sum.cuh",
                "#include \"scale.cuh\"\n"
                "__device__ float block_sum(float v) {\n"
                "    __shared__ float part[32];\n"
                "    part[threadIdx.x] = v;\n"
                "    __syncthreads();\n"
                "    float sum = 0;\n"
                "    for (int k = 0; k < 32; ++k) sum += part[k];\n"
                "    return sum;\n}\n");
    files.write("sum.cu",
                "#include \"scale.cuh\"\n#include \"sum.cuh\"\n"
                "__global__ void scaled_sum(const float* x, float* y) {\n"
                "    const float sum = block_sum(scaled(x[threadIdx.x]));\n"
                "    if (threadIdx.x == 0) y[0] = sum;\n}\n");
    auto x = gpu::ones<float>({32}), y = gpu::zeros<float>({1});
    const std::string kernel_file = files / "sum.cu";
    //! [include]
    gpu::Source source = gpu::file(kernel_file);  // includes "sum.cuh", from source.folder()
    gpu::RawKernel<void(const float*, float*)> sum(source, "scaled_sum");
    sum({.grid = 1, .block = 32}, x, y);
    //! [include]
    CHECK(y.item() == 96.f);
    CHECK(source.folder() == files.path());

    files.write("scale.cuh", "#pragma once\n__device__ float scaled(float v) { return 5 * v; }\n");
    gpu::RawKernel<void(const float*, float*)> changed(gpu::file(kernel_file), "scaled_sum");
    changed({.grid = 1, .block = 32}, x, y);
    CHECK(y.item() == 160.f);
}

TEST_CASE("an error in an included file names its line, and a file that isn't there is named") {
    const support::TemporaryFolder files;
    files.write("wrong.cuh", "__device__ float wrong(float v) {\n    return v * factr;\n}\n");
    files.write("wrong.cu", "#include \"wrong.cuh\"\n__global__ void k(float* x) { x[0] = wrong(x[0]); }\n");
    files.write("none.cu", "#include \"nowhere.cuh\"\n__global__ void k(float* x) { x[0] = 1; }\n");
    auto x = gpu::ones<float>({1});
    const auto told = [&](const char* name) {
        gpu::RawKernel<void(float*)> kernel(gpu::file(files / name), "k");
        return support::error_of<gpu::CompileError>([&] { kernel({.grid = 1, .block = 1}, x); });
    };
    const std::string wrong = told("wrong.cu"), none = told("none.cu");
    CAPTURE(wrong);
    CHECK(wrong.find("kernel k does not compile\nwrong.cuh:2:16: error: factr is not declared\n") == 0);
    CAPTURE(none);
    CHECK(none.find("none.cu:1:10: error: there is no file nowhere.cuh\n") != std::string::npos);
}
