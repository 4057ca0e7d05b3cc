// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backend.hpp"

namespace gpu::detail {

/// Finds a loaded kernel by device and key; on a miss makes its source, then compiles (or takes it from disk) and
/// loads. Keys start with the kind of kernel, so that kinds never meet. Thread-safe.
/// @throws CompileError, LibraryNotFound
std::shared_ptr<LoadedKernel> find_kernel(Device device, Backend& backend, const std::string& key,
                                          const std::function<KernelSource()>& make_source);

}  // namespace gpu::detail
