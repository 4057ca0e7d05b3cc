// SPDX-License-Identifier: MIT
#include "cuda/shared_library.hpp"

#include <dlfcn.h>

#include <memory>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

namespace {

struct CloseLibrary {
    void operator()(void* library) const noexcept { (void)dlclose(library); }
};

std::string last_dl_error() {
    const char* text = dlerror();
    return text ? text : "unknown error";
}

}  // namespace

void* symbol_of(void* library, const std::string& name) {
    void* const address = dlsym(library, name.c_str());
    if (!address) throw LibraryNotFound("it has no function " + name);
    return address;
}

void open_library(const std::vector<std::string>& candidates, const std::string& missing,
                  const std::function<void(void* library)>& fill) {
    std::string tried;
    for (const std::string& candidate : candidates) {
        std::unique_ptr<void, CloseLibrary> library(dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL));
        if (!library) {
            tried += "\n  " + candidate + ": " + last_dl_error();
            continue;
        }
        try {
            fill(library.get());
            (void)library.release();
            return;
        } catch (const LibraryNotFound& error) {
            tried += "\n  " + candidate + ": " + error.what();
        }
    }
    throw LibraryNotFound(missing + " Tried:" + tried);
}

}  // namespace gpu::detail::cuda
