// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <gpu/device.hpp>
#include <gpu/facts.hpp>
#include <gpu/raw_module.hpp>

#include "backend/backend.hpp"

// What plain CUDA programs need of libgpu beyond its public interface: arrays by their address, kernels by theirs.
// Exported by libgpu.so for libgpucc.so, which comes with it.
namespace gpu::detail::program {

/// The host backend. Its functions are virtual: calls need no further symbols.
GPU_API Backend& host_backend();

/// A module, to which kernel_of() adds kernels.
GPU_API std::shared_ptr<RawModuleCore> module_of(const Source& source, const RawModuleOptions& options);
/// The memory of a `__constant__` or `__device__` variable; null if there is none of this name.
GPU_API ModuleSymbol variable_of(RawModuleCore& module, const std::string& name);

/// The kernel, compiled and loaded. @throws CompileError, LibraryNotFound
GPU_API LoadedKernel& loaded(RawKernelCore& kernel);
/// The number of its parameters.
GPU_API int parameter_count(RawKernelCore& kernel);

/// Counts work that the backend was given, as libgpu counts its own.
GPU_API void count(Device device, const LedgerWork& work) noexcept;

/// Kernels that run longer say how far they are, if stderr is a terminal.
GPU_API void show_progress(std::chrono::duration<double> after);

}  // namespace gpu::detail::program
