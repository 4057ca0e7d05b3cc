// SPDX-License-Identifier: MIT
// libgpu_host_linalg.so is found and opened.
#include <dlfcn.h>

#include <gpu/error.hpp>

#include "backend/library.hpp"
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
    const LinalgModule* module = nullptr;
    open_library(candidates,
                 "linear algebra on the host is in libgpu_host_linalg.so, which isn't usable: build it (make build, or "
                 "the target gpu_host_linalg) so that it lies beside libgpu.so.",
                 [&module](void* library) {
                     const auto entry = reinterpret_cast<LinalgModuleEntry>(::dlsym(library, linalg_module_entry));
                     if (entry == nullptr || entry()->version != linalg_module_version)
                         throw LibraryNotFound("of another version of libgpu");
                     module = entry();
                 });
    return *module;
}

}  // namespace gpu::detail::host
