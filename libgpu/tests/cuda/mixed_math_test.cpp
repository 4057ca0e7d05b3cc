// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "cuda/compile/mixed_math.hpp"

#include <doctest/doctest.h>

#include "cuda/compile/skeletons.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;

TEST_CASE("a text gets functions of whole and mixed numbers where it calls them, and has none of its own") {
    using cuda::mixed_math;
    CHECK(mixed_math(tokens_of("z = x + y; int log = 3; z += sqrtf(x) + my_exp(x)")).empty());
    CHECK(mixed_math(tokens_of("z = sqrt(x)")).find(" sqrt(_T _x)") != std::string::npos);
    CHECK(mixed_math(tokens_of("z = sqrt(x)")).find(" pow(") == std::string::npos);
    CHECK(mixed_math(tokens_of("return pow (x, 2);")).find(" pow(_T _x, _U _y)") != std::string::npos);
    CHECK(mixed_math(tokens_of("template <class T> __device__ T round(T x) { return x; }\nz = round(x)")).empty());
    CHECK(!mixed_math(tokens_of("#include <cuda/std/cmath>\nz = sqrt(x)")).empty());  // those are in cuda::std alone
}

TEST_CASE("a kernel may have math functions of its own, with and without the library's names") {
    if (!with_nvrtc("math functions of one's own")) return;
    auto own = texts::elementwise("own", {texts::input("int", "x"), texts::output("int", "y")},
                                  "y = floor(x) + (int)sqrt(x) + (int)pow(x, 2)");
    own.preamble = {"template <class T> __device__ T floor(T x) { return x; }\n", "own (preamble)", 1};
    CHECK(complaint(cuda::elementwise_skeleton(own)).empty());
    own.preamble = {};
    CHECK(complaint(cuda::elementwise_skeleton(own)).empty());
    for (const char* type : {"half", "complex<float>", "double"}) {
        auto text =
            texts::elementwise("roots", {texts::input(type, "x"), texts::output(type, "y")}, "y = sqrt(x) * exp(x)");
        CHECK_MESSAGE(complaint(cuda::elementwise_skeleton(text)).empty(), type);
    }
}
#endif
