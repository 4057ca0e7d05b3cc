// SPDX-License-Identifier: MIT
// The texts that libgpu/tests/kernels runs on the host backend: NVRTC takes every one of them too.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "codegen/kernel_declarations.hpp"
#include "cuda/skeletons.hpp"
#include "kernels/texts/all.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;

TEST_CASE("elementwise and reduction kernels may name complex numbers") {
    if (!with_nvrtc("complex elementwise kernel")) return;
    const ElementwiseText turn{
        .name = "turn",
        .parameters = {{Parameter::Role::input, "float", "x", false}, {Parameter::Role::output, "float", "z", false}},
        .rank = 1,
        .typedefs = "typedef float T;\n",
        .preamble = {},
        .body = {"complex<T> c(x, 1); z = abs(c * c)", "turn", 1}};
    CHECK(complaint(cuda::elementwise_skeleton(turn)).empty());
}

TEST_CASE("NVRTC compiles every kernel text of the host backend's tests") {
    if (!with_nvrtc("kernel texts")) return;
    for (const auto& [name, text] : texts::all) {
        const auto kernels = find_kernels(text);
        REQUIRE(!kernels.empty());
        const RawText raw{.name = kernels.front().name, .source = {text, name, 1}, .signature = "", .options = {}};
        for (const std::string& arch : tested_archs()) {
            std::string log;
            try {
                (void)cuda::compile_for(arch, cuda::raw_skeleton(raw));
            } catch (const CompileFailure& failure) {
                log = failure.log;
            }
            CHECK_MESSAGE(log.empty(), name << " for " << arch << ":\n" << log);
        }
    }
}
#endif
