// SPDX-License-Identifier: MIT
// The other programs' kernels are recorded when the host backend is asked for them, and compiled by gpu.recorded.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "cuda/compile/skeletons.hpp"
#include "cuda/with_nvrtc.hpp"
#include "program.hpp"

using namespace gpu::detail;

namespace {

// The name of the first kernel in a text.
std::string kernel_in(const std::string& text) {
    const std::string before = "__global__ void ";
    const std::size_t begin = text.find(before) + before.size();
    return text.substr(begin, text.find('(', begin) - begin);
}

}  // namespace

TEST_CASE("NVRTC compiles the programs that the host backend doesn't run") {
    const std::vector<programs::Row> rows = programs::table("not_on_host.txt");
    if (rows.empty() || !with_nvrtc("NVRTC compiles programs")) return;
    for (const programs::Row& row : rows) {
        const std::string text = programs::kernel_text(row.at(0));
        for (const std::string& arch : tested_archs()) {
            CAPTURE(row[0]);
            CAPTURE(arch);
            try {
                const RawText raw{.name = kernel_in(text), .source = {text, row[0], 1}, .signature = {}, .options = {}};
                CHECK(cuda::compile_for(arch, cuda::raw_skeleton(raw)).bytes.size() > 500);
            } catch (const CompileFailure& failure) {
                FAIL_CHECK(failure.log);
            }
        }
    }
}
#endif
