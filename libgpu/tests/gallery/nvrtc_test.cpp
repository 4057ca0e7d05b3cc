// SPDX-License-Identifier: MIT
// One text for both: NVRTC takes each kernel of the gallery too, for every architecture of the course. No GPU needed.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "cuda/compile/skeletons.hpp"
#include "cuda/with_nvrtc.hpp"
#include "judgement.hpp"
#include "kernel_file.hpp"

using namespace gpu::detail;

TEST_CASE("NVRTC compiles every kernel of the gallery") {
    if (!with_nvrtc("NVRTC compiles the gallery")) return;
    CHECK(!tested_archs().empty());
    for (const auto& path : gallery::kernel_files(GALLERY_DIR)) {
        const gallery::KernelFile file = gallery::read_kernel_file(path);
        const RawText text{
            .name = file.launches[0].kernel, .source = {file.text, file.name, 1}, .signature = {}, .options = {}};
        for (const std::string& arch : tested_archs()) {
            try {
                CHECK(cuda::compile_for(arch, cuda::raw_skeleton(text)).bytes.size() > 500);
            } catch (const CompileFailure& failure) {
                FAIL_CHECK(file.name << " for " << arch << ":\n" << failure.log);
            }
        }
    }
}
#endif
