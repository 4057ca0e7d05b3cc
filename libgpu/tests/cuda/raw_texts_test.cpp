// SPDX-License-Identifier: MIT
// Raw kernels and modules as NVRTC gets them: signatures, structures, several entries, options, PTX.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include <gpu/raw_module.hpp>

#include "codegen/kernel_headers.hpp"
#include "cuda/compile/skeletons.hpp"
#include "launch/raw/raw_kernel.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;

namespace {

const char* const source = R"(
struct Params { float factor; int first; };
__constant__ float coef[3];
__device__ int calls;
namespace filter { __constant__ int order = 2; }
template <class T> __global__ void mul(const T* x, T* y, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i] + coef[0] * filter::order;
}
__global__ void wide(const long long* a, long* b, size_t n, int64_t step, Params p) { b[0] = a[0] + n + step + p.first; }
__global__ void turned(StridedView<const float, 2> x, StridedView<float, 2> y) {
    y(threadIdx.x, threadIdx.y) = x(threadIdx.y, threadIdx.x);
    atomicAdd(&calls, 1);
}
extern "C" __global__ void last(float* x) { x[0] = N; }
__global__ void pointers(float** rows, const float* const* __restrict__ more, void* any, const void* const* all,
                         int n) {
    rows[0][n] = more[1][n] + *(float*)any + *(const float*)all[0];
}
__global__ void pairs(float2* x, const double2* y, float2* const* z) { x[0].x = y[0].y + z[0]->x; }
)";

struct Params {
    float factor;
    int first;
};

template <class Signature>
RawText text(const std::string& name) {
    const RawSignature signature = make_signature(source, name, gpu::RawKernel<Signature>::parameters());
    return {.name = name,
            .source = {source, "raw.cu", 1},
            .signature = signature.text,
            .options = {"-DN=16"},
            .structs = signature.structs};
}

bool has_symbol(const Image& image, const std::string& name) {
    const auto* const first = reinterpret_cast<const char*>(image.bytes.data());
    return std::search(first, first + image.bytes.size(), name.begin(), name.end()) != first + image.bytes.size();
}

}  // namespace

TEST_CASE("NVRTC compares signatures and structures of raw kernels") {
    if (!with_nvrtc("signatures")) return;
    using Wide = void(const std::int64_t*, std::int64_t*, std::size_t, long long, Params);
    const RawText wide = text<Wide>("wide");
    CHECK(wide.signature == "(const long long*, long*, size_t, int64_t, Params)");
    for (const std::string& arch : tested_archs()) {
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(wide)));
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(
            arch,
            cuda::raw_skeleton(text<void(gpu::StridedView<const float, 2>, gpu::StridedView<float, 2>)>("turned"))));
    }
    using Pointers = void(float**, const float* const*, void*, const void* const*, int);
    CHECK(text<Pointers>("pointers").signature ==
          "(float**, const float* const*, void*, const void* const*, int)");
    using Pairs = void(gpu::complex<float>*, const gpu::complex<double>*, gpu::complex<float>* const*);
    CHECK(text<Pairs>("pairs").signature == "(float2*, const double2*, float2* const*)");
    for (const std::string& arch : tested_archs()) {
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(text<Pointers>("pointers"))));
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(text<Pairs>("pairs"))));
    }
    using Other = void(const std::int64_t*, std::int64_t*, std::size_t, long long, int);
    CHECK(refused_name(cuda::raw_skeleton(text<Other>("wide"))) == Unresolved::Kind::signature);
    CHECK(refused_name(cuda::raw_skeleton(text<void(const double*, float*, double, int)>("mul<double>"))) ==
          Unresolved::Kind::signature);
}

TEST_CASE("NVRTC takes our text of <cuComplex.h>, which it gets where the toolkit's isn't installed") {
    if (!with_nvrtc("<cuComplex.h>")) return;
    const std::string kernel =
        "__global__ void k(cuFloatComplex* x, cuDoubleComplex* y) {\n"
        "    x[0] = cuCfmaf(cuCdivf(x[0], x[1]), cuConjf(x[2]), make_cuComplex(cuCabsf(x[3]), 0));\n"
        "    y[0] = cuCfma(cuCdiv(y[0], y[1]), cuComplexFloatToDouble(x[0]), cuConj(y[2]));\n"
        "    y[1] = make_cuDoubleComplex(cuCabs(y[3]), cuCimag(cuCadd(y[4], cuCsub(y[5], cuCmul(y[6], y[7])))));\n}\n";
    const RawText raw{.name = "k",
                      .source = {std::string(cu_complex_header) + kernel, "own.cu", 1},
                      .signature = "(float2*, double2*)",
                      .options = {}};
    for (const std::string& arch : tested_archs())
        CHECK_NOTHROW((void)gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(raw)));
}

TEST_CASE("a module is one image with all its kernels and variables") {
    if (!with_nvrtc("modules")) return;
    RawText module = text<void(const float*, float*, float, int)>("mul<float>");
    module.more = {{"mul<double>", ""}, {"turned", ""}, {"last", "(float*)"}};
    for (const std::string& arch : tested_archs()) {
        const Image image = gpu::detail::cuda::compile_for(arch, cuda::raw_skeleton(module));
        const std::vector<std::string>& entries = image.entries;
        REQUIRE(entries.size() == 4);
        CHECK(entries[0].find("mul") != std::string::npos);
        CHECK(entries[0] != entries[1]);
        CHECK(entries[3] == "last");
        for (const std::string& entry : entries) CHECK(has_symbol(image, entry));
        CHECK(has_symbol(image, "coef"));
        CHECK(has_symbol(image, "calls"));
        CHECK(has_symbol(image, "_ZN6filter5orderE"));
    }
}

TEST_CASE("PTX is made for any capability that NVRTC knows, without a GPU") {
    if (!with_nvrtc("PTX")) return;
    const std::string ptx = ptx_of(cuda::raw_skeleton(text<void(float*)>("last")), 90);
    CHECK(ptx.find(".target sm_90") != std::string::npos);
    CHECK(ptx.find(".visible .entry last(") != std::string::npos);
    CHECK_THROWS_AS((void)ptx_of(cuda::raw_skeleton(text<void(float*)>("last")), 30), gpu::DeviceError);
}
#endif
