// SPDX-License-Identifier: MIT
// libgpu_host_linalg.so is found and opened.
#include <dlfcn.h>

#include <gpu/error.hpp>

#include "host/linear_algebra.hpp"

namespace gpu::detail::host {

std::vector<std::string> linalg_module_candidates() {
    const std::string file = "libgpu_host_linalg.so";
    std::vector<std::string> candidates;
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&linalg_module_candidates), &info) != 0 && info.dli_fname != nullptr) {
        const std::string own = info.dli_fname;
        const std::size_t slash = own.rfind('/');
        const std::string folder = slash == std::string::npos ? "." : own.substr(0, slash);
        candidates = {folder + "/" + file, folder + "/../lib/" + file};
    }
    candidates.push_back(file);
    return candidates;
}

const LinalgModule& open_linalg_module(const std::vector<std::string>& candidates) {
    std::string tried;
    for (const std::string& candidate : candidates) {
        // Never closed: streams may have work for it until the process ends.
        void* const library = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            const char* const reason = ::dlerror();
            tried += "\n  " + std::string(reason != nullptr ? reason : candidate);
            continue;
        }
        const auto entry = reinterpret_cast<LinalgModuleEntry>(::dlsym(library, linalg_module_entry));
        if (entry != nullptr && entry()->version == linalg_module_version) return *entry();
        tried += "\n  " + candidate + ": of another version of libgpu";
        ::dlclose(library);
    }
    throw LibraryNotFound(
        "linear algebra on the host is in libgpu_host_linalg.so, which isn't usable: build it (make "
        "build, or the target gpu_host_linalg) so that it lies beside libgpu.so. Tried:" +
        tried);
}

}  // namespace gpu::detail::host
