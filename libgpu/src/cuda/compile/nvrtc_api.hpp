// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpu::detail::cuda {

/// The functions of NVRTC that libgpu calls, looked up in the shared library when the first kernel is compiled.
///
/// Declared here rather than taken from nvrtc.h, so that building libgpu needs the CUDA runtime alone.
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

}  // namespace gpu::detail::cuda
