// SPDX-License-Identifier: MIT
#include "cuda/compile/nvrtc_api.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include <gpu/error.hpp>

#include "backend/library.hpp"
#include "cuda/base/toolkit.hpp"

namespace gpu::detail::cuda {

namespace {

void check(const NvrtcApi& api, NvrtcApi::Result result, const char* function) {
    if (result == NvrtcApi::success) return;
    throw LibraryNotFound(std::string(function) + ": " + api.get_error_string(result));
}

NvrtcApi fill(void* library) {
    NvrtcApi api;
    look_up(library, "nvrtcGetErrorString", api.get_error_string);
    look_up(library, "nvrtcVersion", api.version);
    look_up(library, "nvrtcGetNumSupportedArchs", api.get_num_supported_archs);
    look_up(library, "nvrtcGetSupportedArchs", api.get_supported_archs);
    look_up(library, "nvrtcCreateProgram", api.create_program);
    look_up(library, "nvrtcDestroyProgram", api.destroy_program);
    look_up(library, "nvrtcAddNameExpression", api.add_name_expression);
    look_up(library, "nvrtcCompileProgram", api.compile_program);
    look_up(library, "nvrtcGetProgramLogSize", api.get_program_log_size);
    look_up(library, "nvrtcGetProgramLog", api.get_program_log);
    look_up(library, "nvrtcGetLoweredName", api.get_lowered_name);
    look_up(library, "nvrtcGetCUBINSize", api.get_cubin_size);
    look_up(library, "nvrtcGetCUBIN", api.get_cubin);
    look_up(library, "nvrtcGetPTXSize", api.get_ptx_size);
    look_up(library, "nvrtcGetPTX", api.get_ptx);

    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(api.version), &info) != 0 && info.dli_fname) api.path = info.dli_fname;
    check(api, api.version(&api.major, &api.minor), "nvrtcVersion");
    int count = 0;
    check(api, api.get_num_supported_archs(&count), "nvrtcGetNumSupportedArchs");
    if (count <= 0) throw LibraryNotFound("it compiles for no architecture");
    api.archs.resize(static_cast<std::size_t>(count));
    check(api, api.get_supported_archs(api.archs.data()), "nvrtcGetSupportedArchs");
    std::sort(api.archs.begin(), api.archs.end());
    return api;
}

// A compile takes 7 MB, which glibc gives back to the system behind it: 1600 page faults of the next one, a tenth of
// its time. Once a block of such a size was freed, glibc keeps as much (mallopt(3), M_MMAP_THRESHOLD).
void keep_memory_between_compiles() {
    constexpr std::size_t largest_that_counts = (std::size_t{32} << 20) - 8192;
    void* volatile const block = std::malloc(largest_that_counts);  // NOLINT: never touched, so it takes no memory
    std::free(block);
}

}  // namespace

NvrtcApi load_nvrtc(const std::vector<std::string>& candidates) {
    NvrtcApi api;
    // Never closed: kernels may be compiled until the process ends.
    open_library(candidates,
                 "NVRTC, which compiles kernels for the GPU, was not found. Set LIBGPU_NVRTC to the path of "
                 "libnvrtc.so." +
                     std::to_string(toolkit_major()) + ".",
                 [&api](void* library) { api = fill(library); });
    return api;
}

const NvrtcApi& nvrtc() {
    static std::mutex mutex;
    static const NvrtcApi* api = nullptr;  // leaked with the library
    const std::lock_guard lock(mutex);
    if (api != nullptr) return *api;
    api = new NvrtcApi(load_nvrtc(library_candidates("libnvrtc", "LIBGPU_NVRTC")));
    keep_memory_between_compiles();
    return *api;
}

}  // namespace gpu::detail::cuda
