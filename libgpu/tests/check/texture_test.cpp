// SPDX-License-Identifier: MIT
// Check mode and textures: right kernels are clean, and what of the program is wrong around them is found.
#include "check/support.hpp"

using namespace support;

namespace {

const char* const source = R"(
__global__ void blur(cudaTextureObject_t image, float* out, int width, int height) {
    __shared__ float sums[64];
    const int x = threadIdx.x, y = blockIdx.x;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(image, x + dx + 0.25f, y + dy + 0.75f);
    sums[x] = sum / 9;
    __syncthreads();
    out[y * width + x] = sums[width - 1 - x];
}
__global__ void fetch(cudaTextureObject_t table, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 four;
    tex1Dfetch(&four, table, i - 2);
    if (i < n) out[i] = four.x + four.w;
}
__global__ void bytes(cudaTextureObject_t table, float* out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex1D<float>(table, (i + 0.3f) / n);
}
__global__ void same_place(cudaTextureObject_t table, float* out) { out[0] = tex1D<float>(table, 0) + threadIdx.x; }
)";

}  // namespace

TEST_CASE("kernels that read textures are clean in check mode, beyond the edges too") {
    const gpu::CheckReport report = gpu::check([] {
        for (const auto addressing : {gpu::TextureAddressing::clamp, gpu::TextureAddressing::border}) {
            auto out = gpu::empty<float>({20, 30});
            const gpu::Texture image(gpu::ones<float>({20, 30}),
                                     {.addressing = addressing, .filter = gpu::TextureFilter::linear});
            gpu::RawKernel<>(source, "blur")({.grid = 20, .block = 30}, image, out, 30, 20);
            const std::vector<float> got = gpu::to_host(out);
            CHECK(got[31 + 3] == doctest::Approx(1));
        }
        auto out = gpu::empty<float>({100});
        const gpu::Texture table(gpu::ones<float>({50, 4}), {.linear_memory = true, .channels = 4});
        gpu::RawKernel<>(source, "fetch")({.grid = 2, .block = 64}, table, out, 100);
        const std::vector<float> got = gpu::to_host(out);
        CHECK(got[1] == 0);
        CHECK(got[2] == 2);
        CHECK(got[51] == 2);
        CHECK(got[52] == 0);
        const gpu::Texture mirrored(gpu::full<std::uint8_t>({40}, 51),
                                    {.addressing = gpu::TextureAddressing::mirror,
                                     .filter = gpu::TextureFilter::linear,
                                     .normalized_coordinates = true,
                                     .normalized_values = true});
        gpu::RawKernel<>(source, "bytes")({.grid = 1, .block = 32}, mirrored, out, 100);
        CHECK(gpu::to_host(out)[99] == doctest::Approx(0.2));
    });
    CHECK_MESSAGE(report.clean(), report.to_text());
}

TEST_CASE("mistakes beside a texture are found as ever") {
    const gpu::CheckReport race = gpu::check([] {
        auto out = gpu::zeros<float>({1});
        gpu::RawKernel<>(source, "same_place")({.grid = 1, .block = 32}, gpu::Texture(gpu::ones<float>({8})), out);
        gpu::synchronize();
    });
    REQUIRE(race.findings.size() == 1);
    CHECK(race.findings[0].kind == gpu::FindingKind::missing_syncwarp);
}

TEST_CASE("a texture has no values where its array has none") {
    for (const bool all : {false, true}) {
        const gpu::CheckReport report = gpu::check([all] {
            auto values = gpu::empty<float>({50, 4}), out = gpu::zeros<float>({100});
            if (all) values = gpu::ones<float>({50, 4});
            values(gpu::slice(0, 40)) = 1.F;
            const gpu::Texture table(values, {.linear_memory = true, .channels = 4});
            gpu::RawKernel<>(source, "fetch")({.grid = 2, .block = 64}, table, out, 100);
            gpu::synchronize();
        });
        CHECK_MESSAGE(report.clean() == all, report.to_text());
        if (all || report.findings.empty()) continue;
        CHECK(report.findings[0].kind == gpu::FindingKind::uninitialized_read);
        CHECK(contains(report.findings[0].what, "[160]"));
    }
}

TEST_CASE("a wrong call is told in check mode as well") {
    const gpu::CheckReport report = gpu::check([] {
        auto out = gpu::zeros<float>({100});
        gpu::RawKernel<>(source, "fetch")({.grid = 1, .block = 32}, gpu::Texture(gpu::ones<float>({8})), out, 10);
    });
    REQUIRE(report.findings.size() == 1);
    CHECK(contains(told(report), "tex1Dfetch reads textures in linear memory"));
}
