// SPDX-License-Identifier: MIT
// The only file that contains paths of the build machine, so that a change recompiles nothing else.
#include "cuda/base/toolkit_paths.hpp"

#ifndef GPU_CUDA_LIBRARY_DIR
#define GPU_CUDA_LIBRARY_DIR ""
#endif
#ifndef GPU_CUDA_INCLUDE_DIR
#define GPU_CUDA_INCLUDE_DIR ""
#endif

namespace gpu::detail::cuda {

const char* configured_library_directory() noexcept { return GPU_CUDA_LIBRARY_DIR; }
const char* configured_include_directory() noexcept { return GPU_CUDA_INCLUDE_DIR; }

}  // namespace gpu::detail::cuda
