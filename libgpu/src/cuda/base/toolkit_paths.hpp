// SPDX-License-Identifier: MIT
#pragma once

namespace gpu::detail::cuda {

/// The toolkit's library and include directories when libgpu was configured; empty if unknown.
const char* configured_library_directory() noexcept;
const char* configured_include_directory() noexcept;

}  // namespace gpu::detail::cuda
