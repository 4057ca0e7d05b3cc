// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail {

/// Finds a loaded kernel by device and key; on a miss makes its source, then compiles (or takes it from disk) and
/// loads. Keys start with the kind of kernel, so that kinds never meet. Thread-safe.
/// @throws CompileError, LibraryNotFound
std::shared_ptr<LoadedKernel> find_kernel(Device device, Backend& backend, const std::string& key,
                                          const std::function<KernelSource()>& make_source);

/// A kernel, and a second one without which a call can't use it.
struct KernelPair {
    std::shared_ptr<LoadedKernel> first, second;
};

/// The same for both: what has to be compiled is compiled at the same time. Second ones whose sources are equal are one
/// kernel, whatever their keys. @throws CompileError, LibraryNotFound
KernelPair find_kernels(Device device, Backend& backend, const std::string& key,
                        const std::function<KernelSource()>& make_first,
                        const std::function<KernelSource()>& make_second);

/// A module, and the names of its kernels there, in the order of the source's entries.
struct LoadedImage {
    std::shared_ptr<LoadedModule> module;
    std::vector<std::string> entries;
};

/// Compiles a source of several kernels (or takes it from disk) and loads it anew: what it declares has values of its
/// own each time. @throws CompileError, LibraryNotFound
LoadedImage load_image(Device device, Backend& backend, const KernelSource& source);

/// Compiles a source, or takes it from disk, and loads nothing: gives the first entry's lowered name.
/// @throws CompileError, LibraryNotFound
std::string compiled_entry(Device device, Backend& backend, const KernelSource& source);

}  // namespace gpu::detail
