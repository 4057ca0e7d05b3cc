// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail {

/// Finds a loaded kernel by device and key; on a miss, makes its source, compiles it (or reads it from disk) and loads
/// it. Keys begin with the kind of kernel, so that kinds never collide. Thread-safe.
/// @throws CompileError, LibraryNotFound
std::shared_ptr<LoadedKernel> find_kernel(Device device, Backend& backend, const std::string& key,
                                          const std::function<KernelSource()>& make_source);

/// For tests. While it is on, a kernel that is found is generated again, and must equal the one that its key was first
/// asked for: keys and texts are written apart. Otherwise finding it throws std::logic_error, which names both.
void check_kernel_keys(bool on) noexcept;
[[nodiscard]] bool checks_kernel_keys() noexcept;

/// True while this thread notes which kernels it runs: it must ask for each of them here.
[[nodiscard]] bool notes_kernels() noexcept;

/// A kernel, and a second one that a call needs with it.
struct KernelPair {
    std::shared_ptr<LoadedKernel> first, second;
};

/// The same for both, which are compiled at the same time. Second kernels whose sources are equal are one kernel,
/// whatever their keys. @throws CompileError, LibraryNotFound
KernelPair find_kernels(Device device, Backend& backend, const std::string& key,
                        const std::function<KernelSource()>& make_first,
                        const std::function<KernelSource()>& make_second);

/// A module, and its kernels' names there, in the order of the source's entries.
struct LoadedImage {
    std::shared_ptr<LoadedModule> module;
    std::vector<std::string> entries;
};

/// Compiles a source of several kernels (or reads it from disk) and loads it: the variables that it declares get values
/// of their own each time. @throws CompileError, LibraryNotFound
LoadedImage load_image(Device device, Backend& backend, const KernelSource& source);

/// Compiles a source, or reads it from disk, without loading it; returns the first entry's lowered name.
/// @throws CompileError, LibraryNotFound
std::string compiled_entry(Device device, Backend& backend, const KernelSource& source);

}  // namespace gpu::detail
