// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gpu/device.hpp>
#include <gpu/facts.hpp>
#include <gpu/raw_module.hpp>

#include "backend/backend.hpp"
#include "backend/host_access.hpp"
#include "backend/kernel_fault.hpp"

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
/// A kernel's parameter that is a pointer.
struct PointerParameter {
    int place = 0;
    std::string name;
};
[[nodiscard]] GPU_API std::vector<PointerParameter> pointer_parameters(RawKernelCore& kernel);
/// True for what kernels' malloc() and new have given.
[[nodiscard]] GPU_API bool is_on_kernels_heap(const void* address) noexcept;
/// The number of its parameters.
GPU_API int parameter_count(RawKernelCore& kernel);

/// Counts work that the backend was given, as libgpu counts its own.
GPU_API void count(Device device, const LedgerWork& work) noexcept;

/// Kernels that run longer say how far they are, if stderr is a terminal.
GPU_API void show_progress(std::chrono::duration<double> after);

/// How a GPU would have ended the first kernel that check mode has left since the last call; nothing: there is none, or
/// a GPU would have gone on.
GPU_API std::optional<KernelEnd> take_end(Backend& host);
/// "saxpy.cu:31": the program's own place that led to an instruction, in the handler of its fault; empty if it isn't
/// known. It allocates and starts a program, so nothing must be expected of it.
GPU_API std::string place_of_fault(std::uintptr_t instruction);
/// What the instruction did, by the context of its fault's handler.
GPU_API HostAccessKind kind_of_fault(const void* context) noexcept;
/// Loads what place_of_fault() needs.
GPU_API void prepare_places();

}  // namespace gpu::detail::program
