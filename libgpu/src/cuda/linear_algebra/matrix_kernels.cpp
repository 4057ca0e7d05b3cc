// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/matrix_kernels.hpp"

#include <algorithm>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

void MatrixKernels::start(const Place& place, const std::string& key, const std::function<RawText()>& text,
                          std::int64_t blocks, void* const* arguments, int count) {
    if (blocks == 0) return;
    std::shared_ptr<LoadedKernel> kernel;
    {
        const std::lock_guard lock(mutex_);  // others wait for a compile: it happens once
        std::shared_ptr<LoadedKernel>& slot = loaded_[{place.device, key}];
        if (!slot) {
            const KernelSource source = backend_.generate(text());
            try {
                slot = backend_.load(place.device, backend_.compile(place.device, source), source);
            } catch (const CompileFailure& failure) {
                throw CompileError("a kernel of libgpu's own doesn't compile: " + failure.log, source.name, failure.log,
                                   source.text, failure.options_text());
            }
        }
        kernel = slot;
    }
    constexpr std::int64_t most_blocks = 0x7fffffff;
    const LaunchShape shape{.grid = {.x = static_cast<std::uint32_t>(std::min(blocks, most_blocks))},
                            .block = {.x = static_cast<std::uint32_t>(matrix_block)}};
    backend_.launch(place.device, *kernel, shape, arguments, count, place.stream);
}

}  // namespace gpu::detail::cuda
