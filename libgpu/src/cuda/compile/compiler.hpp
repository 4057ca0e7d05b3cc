// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/compile/nvrtc_api.hpp"

namespace gpu::detail::cuda {

/// What a device's kernels are compiled to.
struct Target {
    std::string arch;        ///< "sm_90", or "compute_120" where only PTX fits
    bool is_ptx = false;     ///< the driver must finish the job: the device is newer than the compiler
};

/// The target for a compute capability (90 for 9.0), out of those that a compiler supports (ascending).
/// @throws DeviceError if the device is older than all of them.
[[nodiscard]] Target choose_target(int compute_capability, const std::vector<int>& supported);

/// The options for a source: ours, then the source's own.
[[nodiscard]] std::vector<std::string> compile_options(const Target& target, const KernelSource& source,
                                                       const std::string& include_directory);

/// Compiles a source with NVRTC; no device and no driver is needed.
/// @throws CompileFailure if NVRTC refuses it; LibraryNotFound if there is no NVRTC.
[[nodiscard]] Image compile_for(const Target& target, const KernelSource& source);

/// The same for "sm_90" and the like.
[[nodiscard]] Image compile_for(const std::string& arch, const KernelSource& source);

/// NVRTC's file, its size and time, the compute capability and our options: what an image depends on besides its
/// source. NVRTC is only looked for, not loaded, where its path is known: kernels from the cache don't need it.
[[nodiscard]] std::string compiler_identity_for(int compute_capability);

}  // namespace gpu::detail::cuda
