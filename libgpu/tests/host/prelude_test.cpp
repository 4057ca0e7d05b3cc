// SPDX-License-Identifier: MIT
// The prelude: what a kernel gets without asking, and what only where its text names it.
#include <bit>
#include <cmath>

#include "host/prelude/prelude.hpp"
#include "host/support.hpp"

using namespace support;

namespace {

std::string offered(std::string_view text) {
    return gpu::detail::host::optional_preludes(gpu::detail::tokens_of(text));
}

}  // namespace

TEST_CASE("rare functions are read only where they are named") {
    CHECK(offered("__global__ void k(float* x) { x[threadIdx.x] = sqrtf(expf(x[0])) + value + mode; }").empty());
    CHECK(offered("// __byte_perm, erfinv\nint n = 3;").empty());
    CHECK(offered("x = __byte_perm(1, 2, 3);") == "#include \"libgpu/intrinsics.hpp\"\n");
    CHECK(offered("x = __fadd_ru(1, 2) + __float2int_rn(3);") == "#include \"libgpu/intrinsics.hpp\"\n");
    CHECK(offered("x = normcdfinv(y) + __vadd4(a, b);") ==
          "#include \"libgpu/special.hpp\"\n#include \"libgpu/simd.hpp\"\n");
    for (const char* const name : {"erfinvf", "jn", "norm3df", "cyl_bessel_i1f", "remquo", "fdividef", "sincospi"})
        CHECK_MESSAGE(offered(name) == "#include \"libgpu/special.hpp\"\n", std::string(name));
    for (const char* const name : {"__ldcs", "__dp4a", "__double2ull_rz", "__ddiv_rd", "__funnelshift_r", "__fns"})
        CHECK_MESSAGE(offered(name) == "#include \"libgpu/intrinsics.hpp\"\n", std::string(name));
    for (const char* const name : {"__vcmpgtu4", "__vsads2", "__viaddmax_s32"})
        CHECK_MESSAGE(offered(name) == "#include \"libgpu/simd.hpp\"\n", std::string(name));
    CHECK(offered("complex<float> z;") == "#include \"libgpu/complex.hpp\"\n");
    CHECK(offered("struct complex { float x, y; }; complex z;").empty());
    CHECK(offered("template <class T> struct complex { T x, y; }; complex<float> z;").empty());
    CHECK(offered("int complex_parts = 2;").empty());
}

TEST_CASE("an elementwise kernel may use rare functions too") {
    const auto kernel = build(
        gpu::detail::ElementwiseText{.name = "inverse",
                                     .parameters = {input("double", "x"), output("double", "z")},
                                     .rank = 1,
                                     .typedefs = "",
                                     .preamble = {},
                                     .body = {"complex<double> c(0, x); z = erfinv(erf(x)) + norm(c)", "inverse", 1}});
    const Buffer<double> x(std::vector<double>{0.25, -1.5}), z(2);
    gpu::detail::ElementwiseSpace space;
    space.size = 2;
    backend().launch(0, *kernel,
                     {.over = space, .arguments = {array_argument(x.data()), array_argument(z.data())}}, nullptr);
    backend().synchronize_device(0);
    CHECK(z[0] == doctest::Approx(0.25 + 0.0625));
    CHECK(z[1] == doctest::Approx(-1.5 + 2.25));
}

TEST_CASE("halves without the compiler's help are the same, bit by bit") {
    const char* const source = R"(
#include <cuda_fp16.h>
__global__ void both(const float* x, unsigned short* narrow, float* wide, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) narrow[i] = gpu_half_from_float(x[i]);
    if (i < 65536) wide[i] = gpu_half_to_float((unsigned short)i);
}
)";
    std::vector<float> values;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 24571)
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    for (std::uint32_t half = 0; half < 0x7c00; ++half)  // each half, the ties, and what lies beside them
        for (const std::uint32_t part : {0x0fffU, 0x1000U, 0x1001U})
            values.push_back(std::bit_cast<float>(0x38000000U + (half << 13) + part));
    for (int k = 0; k < 4100; ++k) values.push_back(std::ldexp(static_cast<float>(k) * 0.25F, -24));
    const auto n = static_cast<int>(values.size());
    const Buffer<float> x(values);
    std::vector<std::vector<unsigned short>> narrow;
    std::vector<std::vector<unsigned>> wide;
    for (const char* const option : {"-DHARD", "-DGPU_SOFT_HALF"}) {
        auto text = raw_text("both", source);
        text.options = {option};
        const Buffer<unsigned short> to(values.size());
        const Buffer<float> from(65536);
        launch(*build(text), shape(static_cast<unsigned>(n + 255) / 256, 256), static_cast<const float*>(x.data()),
               to.data(), from.data(), n);
        backend().synchronize_device(0);
        narrow.push_back(to.values());
        wide.emplace_back();
        for (const float f : from.values()) wide.back().push_back(std::bit_cast<unsigned>(f));
    }
    int different = 0;
    for (std::size_t i = 0; i < values.size(); ++i) different += narrow[0][i] != narrow[1][i] ? 1 : 0;
    CHECK(different == 0);
    CHECK(wide[0] == wide[1]);
}
