// SPDX-License-Identifier: MIT
// What a GPU has and the host backend can't do is refused by name, at the learner's line, with what to do instead.
#include "host/support.hpp"

using namespace support;

namespace {

std::string log(const std::string& body, const std::string& before = "") {
    return compile_log(
        raw_text("k", before + "__global__ void k(float* x, int n) {\n    " + body + "\n}\n", "", "k.cu"));
}

struct Refused {
    const char* body;
    const char* message;
};

}  // namespace

TEST_CASE("what can't run here is refused by name") {
    const Refused all[] = {
        {"asm(\"mov.u32 %0, %laneid;\" : \"=r\"(n));", "k.cu:2:5: error: asm: inline PTX can't run"},
        {"int v = __shfl(n, 0);",
         "k.cu:2:13: error: __shfl: CUDA has no warp operations without a mask any more; name "
         "the lanes that take part: __shfl_sync(0xffffffff, value, lane)"},
        {"n = __shfl_down(n, 1);", "__shfl_down_sync(0xffffffff, value, delta)"},
        {"n = __shfl_up(n, 1);", "__shfl_up_sync(0xffffffff, value, delta)"},
        {"n = __shfl_xor(n, 1);", "__shfl_xor_sync(0xffffffff, value, lanes)"},
        {"if (__any(n)) x[0] = 1;", "__any_sync(0xffffffff, condition)"},
        {"if (__all(n)) x[0] = 1;", "__all_sync(0xffffffff, condition)"},
        {"n = __ballot(n);", "__ballot_sync(0xffffffff, condition)"},
        {"x[0] = tex3D<float>(0, 1, 2, 3);",
         "k.cu:2:12: error: tex3D: of textures the host backend has tex1Dfetch, tex1D and tex2D; use one of these, or "
         "read the array itself"},
        {"x[0] = tex2DLod<float>(0, 1, 2, 0);", "tex2DLod: of textures the host backend has tex1Dfetch"},
        {"x[0] = tex1DLayered<float>(0, 1, 2);", "tex1DLayered: of textures the host backend has tex1Dfetch"},
        {"float4 v = tex2Dgather<float4>(0, 1, 2);", "tex2Dgather: of textures the host backend has tex1Dfetch"},
        {"x[0] = texCubemap<float>(0, 1, 2, 3);", "texCubemap: of textures the host backend has tex1Dfetch"},
        {"surf2Dwrite(1.0f, 0, 1, 2);", "surf2Dwrite: surfaces aren't supported by the host backend; write to"},
        {"k<<<1, 1>>>(x, n);", "k.cu:2:6: error: <<<...>>>: a kernel can't launch kernels"},
        {"cudaLaunchDevice(0);", "cudaLaunchDevice: a kernel can't launch kernels"},
        {"cudaDeviceSynchronize();", "cudaDeviceSynchronize: a kernel can't launch kernels"},
        {"using namespace nvcuda::wmma;", "nvcuda: tensor cores aren't supported"},
        {"cudaMalloc((void**)&x, 4 * n);", "k.cu:2:5: error: cudaMalloc: kernels don't call CUDA's runtime"},
        {"__brkpt();", "__brkpt: there is no debugger to stop in"},
        {"printf(\"%d%n\", n, &n);", "k.cu:2:15: error: %n: a kernel's printf can't tell how much it has written"},
        {"printf(\"%-5ln\", &n);", "%n: a kernel's printf"},
        {"if (__isShared(x)) x[0] = 1;", "__isShared: the host backend has one address space"},
    };
    for (const auto& [body, message] : all) {
        CAPTURE(std::string(body));
        const std::string said = log(body);
        CHECK_MESSAGE(contains(said, message), said);
    }
    CHECK(contains(log("", "__global__ int f(int* x) { return x[0]; }\n"),
                   "k.cu:1:12: error: int: a __global__ function returns nothing: write void"));
    CHECK(log("P p; x[0] = p.a;",
              "struct P { __device__ P() : a(1) {} P(const P&) = delete; int a; };\n") == "it compiled");
    CHECK(contains(log("x[0] = y;", "__managed__ float y;\n"), "k.cu:1:1: error: __managed__: managed variables"));
    CHECK(log("printf(\"100%% no\\n\"); int free = n; x[0] = free; struct { int clock; } s = {1}; x[1] = s.clock;") ==
          "it compiled");
}

TEST_CASE("headers: the ones that are there, and the ones that aren't") {
    for (const char* const header : {"cuda_fp16.h", "cooperative_groups.h", "cooperative_groups/reduce.h",
                                     "math_constants.h", "cuda_runtime.h", "device_launch_parameters.h", "cuda_bf16.h",
                                     "cooperative_groups/scan.h", "cuComplex.h", "cstdio", "math.h", "cuda.h",
                                     "cuda/std/limits", "cuda/std/tuple", "cuda/atomic",
                                     "cuda/std/atomic", "curand_kernel.h", "cuda_pipeline.h",
                                     "cuda_pipeline_primitives.h",
                                     "cooperative_groups/memcpy_async.h", "cuda/barrier", "cuda/pipeline",
                                     "cupy/complex.cuh"})
        CHECK(log("x[0] = 1;", std::string("#include <") + header + ">\n") == "it compiled");
    for (const char* const header :
         {"vector", "mma.h", "cuda_fp8.h", "curand_mtgp32_kernel.h", "cuda/std/complex", "cub/cub.cuh"})
        CHECK(contains(log("x[0] = 1;", std::string("#include <") + header + ">\n"),
                       std::string("k.cu:1:10: error: #include <") + header + ">: kernels have no headers but"));
}

TEST_CASE("what a group can't do is refused at the learner's line") {
    const std::string groups = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n";
    const auto refused = [&](const std::string& body, const std::string& why) {
        const std::string said = log(body, groups);
        CHECK_MESSAGE((contains(said, "k.cu:4:") && contains(said, why)), said);
    };
    refused("cg::this_multi_grid().sync();", "grids over several GPUs can't run on the host backend");
    refused("cg::this_cluster().sync();", "clusters of blocks can't run on the host backend");
    for (const std::string threads : {"48", "24", "1024"})
        CHECK(contains(log("cg::tiled_partition<" + threads + ">(cg::this_thread_block()).sync();", groups),
                       "a tile has "));
}

TEST_CASE("of barriers and pipelines, what is for more than a block or needs a GPU's copying engine is refused") {
    const auto refused = [&](const std::string& body, const std::string& why) {
        const std::string said = log(body, "#include <cuda/pipeline>\n#include <cuda/barrier>\n");
        CHECK_MESSAGE(contains(said, why), said);
    };
    const std::string block = "__shared__ cuda::barrier<cuda::thread_scope_block> b;\n";
    refused("__shared__ cuda::barrier<cuda::thread_scope_device> b; b.arrive_and_wait();",
            "the host backend has barriers of a block; a grid waits by cooperative_groups::this_grid().sync()");
    refused("__shared__ cuda::pipeline_shared_state<cuda::thread_scope_device, 2> b; x[0] = sizeof b;",
            "the host backend has pipelines of a block or of a thread");
    refused("struct F { __device__ void operator()() {} }; __shared__ cuda::barrier<cuda::thread_scope_block, F> b; "
            "b.arrive_and_wait();",
            "a barrier can't call a function on the host backend");
    refused(block + "cuda::device::memcpy_async_tx(x, x + 1, cuda::aligned_size_t<16>(16), b);",
            "bulk copies (TMA) can't run on the host backend; use cuda::memcpy_async(..., barrier)");
    refused(block + "cuda::device::barrier_expect_tx(b, 16);", "bulk copies (TMA) can't run");
    refused(block + "auto p = cuda::make_pipeline(); cuda::pipeline_producer_commit(p, b);",
            "a thread's pipeline can't end on a barrier on the host backend");
    refused("struct P { __device__ P() {} __device__ P(const P&) {} int a; }; P* p = (P*)x; " + block +
                "cuda::memcpy_async(p, p + 1, sizeof(P), b);",
            "memcpy_async() copies types that are copied as bytes");
}

TEST_CASE("shuffles of structures and pointers are refused, and say what to move instead") {
    for (const char* const body : {"struct P { int a, b; } p = {n, n}; p = __shfl_sync(0xffffffff, p, 0);",
                                   "x = __shfl_sync(0xffffffff, x, 0);"}) {
        const std::string said = log(body);
        CHECK_MESSAGE((contains(said, "k.cu:2:") && contains(said, "it moves int, unsigned, long long, float, double")),
                      said);
    }
}

TEST_CASE("atomics that CUDA doesn't have aren't there") {
    for (const char* const body :
         {"atomicMin(x, 1.0f);", "atomicMax(x, 1.0f);", "atomicSub(x, 1.0f);", "atomicAnd(x, 1.0f);",
          "atomicCAS(x, 1.0f, 2.0f);", "long l = n; atomicAdd(&l, 1l);", "long long l = n; atomicAdd(&l, 1ll);",
          "double d = n; atomicExch(&d, 1.0);", "unsigned long long l = n; atomicSub(&l, 1ull);", "atomicInc(&n, 3);",
          "short s = 1; atomicAdd(&s, s);"}) {
        CAPTURE(std::string(body));
        const std::string said = log(body);
        CHECK_MESSAGE((contains(said, "k.cu:2:") && (contains(said, "no matching function for call to") ||
                                                     contains(said, "invalid conversion from"))),
                      said);
    }
}
