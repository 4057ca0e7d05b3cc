// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

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
    gpu::Source source = gpu::file(kernel_file);  // includes "sum.cuh"
    std::string from_there = source.folder();     // where that is looked for first
    gpu::RawKernel<void(const float*, float*)> sum(source, "scaled_sum");
    sum({.grid = 1, .block = 32}, x, y);
    //! [include]
    CHECK(y.item() == 96.f);
    CHECK(from_there == files.path());

    files.write("scale.cuh", "#pragma once\n__device__ float scaled(float v) { return 5 * v; }\n");
    gpu::RawKernel<void(const float*, float*)> changed(gpu::file(kernel_file), "scaled_sum");
    changed({.grid = 1, .block = 32}, x, y);
    CHECK(y.item() == 160.f);
}

TEST_CASE("a kernel file of an editor on Windows is read, and one that is no text is refused") {
    const support::TemporaryFolder files;
    files.write("mark.cu", "\xEF\xBB\xBF__global__ void fill(float* x) {\r\n    x[0] = 5;\r\n}\r\n");
    auto x = gpu::zeros<float>({});
    gpu::RawKernel<void(float*)>(gpu::file(files / "mark.cu"), "fill")({}, x);
    CHECK(x.item() == 5.f);
    files.write("code.cubin", std::string("\x7f"
                                          "ELF\0\1",
                                          6));
    CHECK_THROWS_AS((void)gpu::file(files / "code.cubin"), gpu::FileError);
    CHECK_THROWS_AS((void)gpu::file(files / "nowhere.cu"), gpu::FileError);
    files.write("empty.cu", "");
    const gpu::Source empty = gpu::file(files / "empty.cu");
    CHECK_THROWS_AS(gpu::RawKernel(empty, "fill"), gpu::Error);
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

TEST_CASE("a preamble includes files too, and what is in them counts") {
    const support::TemporaryFolder files;
    files.write("gain.cuh", "#pragma once\n#define GAIN 3\n");
    files.write("scale.cuh",
                "#include \"gain.cuh\"\n#include \"gain.cuh\"\n"
                "__device__ float scaled(float v) { return GAIN * v; }\n");
    const std::string folder = files.path().string();
    const auto elements = [&] {
        //! [preamble]
        gpu::ElementwiseKernel kernel("T x", "T y", "y = scaled(x)", "scale_all",
                                      {.preamble = "#include \"scale.cuh\"\n", .options = {"-I" + folder}});
        //! [preamble]
        return gpu::sum(gpu::Array<float>(kernel(gpu::full<float>({4}, 2)))).item();
    };
    const auto sum = [&] {
        const gpu::ReductionKernel kernel(
            "T x", "T y", "scaled(x)", "a + b", "y = a", "0", "scaled_sum",
            {.preamble = "#include <scale.cuh>\n", .options = {"--include-path=" + folder}});
        return gpu::Array<float>(kernel(gpu::ones<float>({5}))).item();
    };
    CHECK(elements() == 24.f);
    CHECK(sum() == 15.f);
    files.write("gain.cuh", "#pragma once\n#define GAIN 5\n");
    CHECK(elements() == 40.f);
    CHECK(sum() == 25.f);

    // Beside the file that makes the kernel, and in the working folder.
    const gpu::ElementwiseKernel beside("T x", "T y", "y = scaled(x)", "beside", {.preamble = "#include \"scale.cuh\""},
                                        (files / "main.cpp").c_str());
    CHECK(gpu::Array<float>(beside(gpu::ones<float>({1}))).item() == 5.f);
    const fs::path before = fs::current_path();
    fs::current_path(files.path());
    const gpu::ReductionKernel here("T x", "T y", "scaled(x)", "a + b", "y = a", "0", "here",
                                    {.preamble = "#include \"scale.cuh\""});
    fs::current_path(before);
    CHECK(gpu::Array<float>(here(gpu::ones<float>({2}))).item() == 10.f);
}

TEST_CASE("an error in a file that a preamble includes names its line, and one behind it the preamble's") {
    const support::TemporaryFolder files;
    files.write("wrong.cuh", "__device__ float wrong(float v) {\n    return v * factr;\n}\n");
    files.write("right.cuh", "__device__ float right(float v) {\n    return v;\n}\n");
    const std::string beside = files / "main.cpp";
    const auto told = [&](const std::string& preamble, bool reduction) {
        try {
            if (reduction)
                (void)gpu::ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "k", {.preamble = preamble},
                                           beside.c_str())(gpu::ones<float>({1}));
            else
                (void)gpu::ElementwiseKernel("T x", "T y", "y = x", "k", {.preamble = preamble},
                                             beside.c_str())(gpu::ones<float>({1}));
        } catch (const gpu::CompileError& error) {
            return std::string(error.what());
        }
        return std::string("it compiled");
    };
    for (const bool reduction : {false, true}) {
        const std::string wrong = told("#include \"wrong.cuh\"\n", reduction);
        CAPTURE(wrong);
        CHECK(wrong.find("kernel k does not compile\nwrong.cuh:2:16: error: factr is not declared\n"
                         " 1 | __device__ float wrong(float v) {\n"
                         " 2 |     return v * factr;\n"
                         "   |                ^\n"
                         " 3 | }\n") == 0);
        const std::string behind = told("#include \"right.cuh\"\n\n__device__ float g() { return factr; }", reduction);
        CAPTURE(behind);
        CHECK(behind.find("kernel k does not compile\nk (preamble):3:31: error: factr is not declared\n"
                          " 3 | __device__ float g() { return factr; }\n") == 0);
        const std::string none = told("#include \"nowhere.cuh\"\n", reduction);
        CAPTURE(none);
        CHECK(none.find("k (preamble):1:10: error: there is no file nowhere.cuh\n") != std::string::npos);
    }
}
