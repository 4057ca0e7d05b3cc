// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/device.hpp>
#include <gpu/facts.hpp>
#include <gpu/raw_module.hpp>

#include "backend/backend.hpp"
#include "backend/host_access.hpp"
#include "backend/kernel_fault.hpp"
#include "host/base/device_limits.hpp"
#include "host/linear_algebra.hpp"

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
/// Their sizes in bytes.
GPU_API std::vector<std::size_t> parameter_sizes(RawKernelCore& kernel);

/// A texture of texels that lie in rows, `pitch` bytes apart, in memory of the device: they are read where they lie.
struct TextureRows {
    void* texels = nullptr;
    std::size_t pitch = 0;
    TextureAddressing along_y = TextureAddressing::clamp;  ///< the layout's own is along x
};
/// Its handle for kernels. @throws Error if there are too many
GPU_API std::uint64_t begin_texture(const TextureLayout& layout, const TextureRows& rows);
/// No kernel may still be reading it. False: there is none of this handle.
GPU_API bool end_texture(std::uint64_t handle);

/// The product of two matrices, whose elements are of this type, by the host's linear algebra; no work is queued.
/// @throws LibraryNotFound
GPU_API void matmul(DType elements, const host::LinalgMatrix& left, const host::LinalgMatrix& right,
                    const host::LinalgMatrix& result);

/// Advances the five words of cuRAND's XORWOW by so many steps, or by as many of its sequences.
GPU_API void skip_xorwow(std::uint32_t* words, std::uint64_t count, bool sequences);

/// What kernels include under this name; empty: there is no such header.
GPU_API std::string_view prelude_text(std::string_view name);

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
