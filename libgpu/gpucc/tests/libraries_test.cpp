// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "driver_run.hpp"

// What programs learn that use CUDA's libraries, textures and graphs wrongly.
namespace gpucc_test {

namespace {

bool holds(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

std::string output_of(const std::string& text, const std::string& options = "") {
    const Built built(text, options);
    if (!built.is_there()) return "not compiled: " + built.result.output;
    return run(built.program + " 2>&1").output;
}
std::string refusal(const std::string& text) {
    const Built built(text);
    return built.is_there() ? "compiled" : built.result.output;
}

}  // namespace

TEST_CASE("copies to arrays and textures of memory say what doesn't fit") {
    const std::string output = output_of(
        "#include <cstdio>\n#include <cstring>\n"
        "int main() {\n"
        "    float host[12], *memory;  int r[3];\n"
        "    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();\n"
        "    cudaArray_t array;\n"
        "    cudaMallocArray(&array, &format, 4, 3);\n"
        "    r[0] = cudaMemcpy2DToArray(array, 4, 0, host, 16, 16, 3, cudaMemcpyHostToDevice);\n"
        "    cudaMalloc(&memory, 64);\n"
        "    cudaResourceDesc resource;\n"
        "    cudaTextureDesc options;\n"
        "    memset(&resource, 0, sizeof resource);\n"
        "    memset(&options, 0, sizeof options);\n"
        "    resource.resType = cudaResourceTypeLinear;\n"
        "    resource.res.linear.desc = format;\n"
        "    resource.res.linear.devPtr = memory;\n"
        "    resource.res.linear.sizeInBytes = 128;\n"
        "    cudaTextureObject_t texture;\n"
        "    r[1] = cudaCreateTextureObject(&texture, &resource, &options, nullptr);\n"
        "    resource.res.linear.devPtr = host;\n"
        "    r[2] = cudaCreateTextureObject(&texture, &resource, &options, nullptr);\n"
        "    printf(\"%d %d %d\\n\", r[0], r[1], r[2]);\n}\n");
    CHECK(holds(output, "1 1 1\n"));
    CHECK(holds(output,
                "prog.cu:8: cudaMemcpy2DToArray: it copies 3 rows of 16 bytes from byte 4 of row 0 on, and the "
                "array has 3 rows of 16 bytes"));
    CHECK(holds(output,
                "prog.cu:19: cudaCreateTextureObject: it takes 128 bytes, and the memory of prog.cu:9: "
                "cudaMalloc has 64"));
    CHECK(holds(output, "prog.cu:21: cudaCreateTextureObject: its memory is none of the device's"));
}

TEST_CASE("a texture that doesn't exist is a kernel's fault with its line") {
    const std::string output = output_of(
        "#include <cstdio>\n"
        "__global__ void k(cudaTextureObject_t t, float* x) {\n    x[0] = tex1Dfetch<float>(t, 0);\n}\n"
        "int main() {\n    float* x;\n    cudaMalloc(&x, 4);\n    k<<<1, 1>>>(7, x);\n"
        "    printf(\"%d\\n\", cudaDeviceSynchronize() != cudaSuccess);\n}\n");
    CHECK(holds(output, "1\n"));
    CHECK(holds(output, "prog.cu:3"));
    CHECK(holds(output, "no living texture has this handle"));
}

TEST_CASE("cuBLAS and cuRAND name the operand that isn't the device's") {
    const std::string output = output_of(
        "#include <cstdio>\n#include <cublas_v2.h>\n#include <curand.h>\n"
        "int main() {\n"
        "    float host[4] = {1, 2, 3, 4}, one = 1, *x;  int r[4];\n"
        "    cudaMalloc(&x, 3 * sizeof(float));\n"
        "    cublasHandle_t handle;\n"
        "    cublasCreate(&handle);\n"
        "    r[0] = cublasSaxpy(handle, 3, &one, host, 1, x, 1);\n"
        "    r[1] = cublasSscal(handle, 4, &one, x, 1);\n"
        "    curandGenerator_t generator;\n"
        "    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);\n"
        "    r[2] = curandGenerateUniform(generator, host, 4);\n"
        "    r[3] = curandGenerateNormal(generator, x, 3, 0, 1);\n"
        "    printf(\"%d %d %d %d\\n\", r[0], r[1], r[2], r[3]);\n}\n",
        "-lcublas -lcurand");
    CHECK(holds(output, "13 13 201 105\n"));
    CHECK(holds(output, "prog.cu:9: cublasSaxpy: x is host memory"));
    CHECK(holds(output, "prog.cu:10: cublasSscal: x takes 16 bytes, and the memory of prog.cu:6: cudaMalloc has 12"));
    CHECK(holds(output, "prog.cu:13: curandGenerateUniform: the array is host memory"));
    CHECK(holds(output, "prog.cu:14: curandGenerateNormal: 3 normal numbers"));
}

TEST_CASE("what libraries haven't is refused when a program is compiled") {
    CHECK(holds(refusal("int main() {\n    cudaSurfaceObject_t s;\n    cudaCreateSurfaceObject(&s, 0);\n}\n"),
                "surfaces aren't in gpucc"));
    CHECK(holds(refusal("int main() { cudaArray_t a; cudaMalloc3DArray(&a, 0); }\n"), "those with one and two axes"));
    CHECK(holds(refusal("#include <cub/block/block_reduce.cuh>\nint main() {}\n"), "reduce and scan in shared memory"));
    CHECK(holds(refusal("#include <cublas_v2.h>\nint main() { cublasStrsm(0); }\n"), "cublasStrsm isn't in gpucc"));
    CHECK(holds(refusal("#include <thrust/complex.h>\nint main() {}\n"), "thrust::complex isn't in gpucc"));
    const std::string in_kernel = refusal(
        "#include <cub/cub.cuh>\n__global__ void k(int* x) {\n    typedef cub::BlockReduce<int, 32> Reduce;\n"
        "    *x = 1;\n}\nint main() { k<<<1, 32>>>(nullptr); }\n");
    CHECK(holds(in_kernel, "prog.cu:3"));
    CHECK(holds(in_kernel, "help: gpucc has cub's algorithms for host code alone"));
}

TEST_CASE("graphs, textures and libraries are clean in check mode") {
    for (const char* const name : {"textures", "blas"}) {
        CAPTURE(name);
        const ProcessResult result =
            run("cd " GPUCC_PROGRAMS " && " GPUCC_DRIVER " --check --check-exit-code 9 libraries/" + std::string(name) +
                ".cu -- > /dev/null");
        CHECK(holds(result.output, "gpucc: check mode found no mistakes\n"));
        CHECK(result.code == 0);
    }
    const ProcessResult captured = run("cd " GPUCC_PROGRAMS " && " GPUCC_DRIVER " --check libraries/graphs.cu");
    CHECK(holds(captured.output, "gpucc: check mode found 3 mistakes, reported above\n"));  // made on purpose
    CHECK(holds(captured.output, "round 1: 1013 1013\n"));
}

}  // namespace gpucc_test
