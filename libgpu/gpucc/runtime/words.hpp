// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gpucc {

/// A message of libgpu's in the words of a plain CUDA program: `cudaMemcpy`, where libgpu says `gpu::to_host`.
[[nodiscard]] __attribute__((visibility("default"))) std::string in_cuda(std::string text);

}  // namespace gpucc
