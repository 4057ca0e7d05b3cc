// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gpu::detail::cuda {

/// The toolkit's major version, which names its shared libraries: 13.
[[nodiscard]] int toolkit_major() noexcept;

/// Where a shared library of the toolkit may lie, best place first.
///
/// A path in the environment variable (`LIBGPU_NVRTC`, say) is the only place if it is set.
[[nodiscard]] std::vector<std::string> library_candidates(const std::string& name, const char* variable);
/// The same for a library that counts its versions otherwise: the best first, each in all places.
[[nodiscard]] std::vector<std::string> library_candidates(const std::string& name, const char* variable,
                                                          const std::vector<int>& majors);

/// The first candidate that is a path of a file; empty if only the dynamic linker can tell.
[[nodiscard]] std::string existing_library(const std::string& name, const char* variable);

/// The directory with the toolkit's headers for kernels that include some; empty if there is none.
/// `library` is the path of the loaded NVRTC.
[[nodiscard]] std::string include_directory(const std::string& library);

}  // namespace gpu::detail::cuda
