// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail::cuda {

/// The functions of NVRTC that libgpu calls, looked up in the shared library when the first kernel is compiled.
///
/// Declared here rather than included from nvrtc.h, so that building libgpu needs only the CUDA runtime.
struct NvrtcApi {
    using Program = struct _nvrtcProgram*;
    enum Result : int { success = 0, compilation_error = 6 };

    const char* (*get_error_string)(Result) = nullptr;
    Result (*version)(int* major, int* minor) = nullptr;
    Result (*get_num_supported_archs)(int* count) = nullptr;
    Result (*get_supported_archs)(int* archs) = nullptr;
    Result (*create_program)(Program*, const char* source, const char* name, int header_count,
                             const char* const* headers, const char* const* include_names) = nullptr;
    Result (*destroy_program)(Program*) = nullptr;
    Result (*add_name_expression)(Program, const char* expression) = nullptr;
    Result (*compile_program)(Program, int option_count, const char* const* options) = nullptr;
    Result (*get_program_log_size)(Program, std::size_t*) = nullptr;
    Result (*get_program_log)(Program, char*) = nullptr;
    Result (*get_lowered_name)(Program, const char* expression, const char** lowered) = nullptr;
    Result (*get_cubin_size)(Program, std::size_t*) = nullptr;
    Result (*get_cubin)(Program, char*) = nullptr;
    Result (*get_ptx_size)(Program, std::size_t*) = nullptr;
    Result (*get_ptx)(Program, char*) = nullptr;

    std::string path;              ///< of the loaded library
    int major = 0, minor = 0;
    std::vector<int> archs;        ///< what it compiles for, ascending: 75, 80, ...
};

/// Loads NVRTC from the first candidate that works; it stays loaded until the process ends.
/// @throws LibraryNotFound with the list of what was tried, and why each failed.
[[nodiscard]] NvrtcApi load_nvrtc(const std::vector<std::string>& candidates);

/// The process's NVRTC, loaded at the first call. @throws LibraryNotFound as load_nvrtc does, at every call.
[[nodiscard]] const NvrtcApi& nvrtc();

/// What a device's kernels are compiled for.
struct Target {
    std::string arch;        ///< "sm_90", or "compute_120" where only PTX fits
    bool is_ptx = false;     ///< the device is newer than the compiler: the driver compiles the rest
};

/// The target for a compute capability (90 for 9.0), among those that a compiler supports (ascending).
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

/// NVRTC's file with its size and time, the compute capability and our options: what an image depends on besides its
/// source. Where NVRTC's path is known, it is located but not loaded: kernels from the cache don't need it.
[[nodiscard]] std::string compiler_identity_for(int compute_capability);

/// The parts of a name expression: "(void(*)(const float*, int))mul<float>".
struct NameExpression {
    std::string signature;   ///< "(const float*, int)"; empty if there is none
    std::string name;        ///< "mul<float>"
};
[[nodiscard]] NameExpression parse_name_expression(const std::string& expression);

/// What NVRTC's log says: if all it rejected is the kernel's name or signature, also what there is instead.
///
/// Drops lines about our own name lookup if the source has errors of its own.
[[nodiscard]] CompileFailure without_name_errors(const std::string& log, const KernelSource& source);

}  // namespace gpu::detail::cuda
