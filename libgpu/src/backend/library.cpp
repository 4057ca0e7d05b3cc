// SPDX-License-Identifier: MIT
#include "backend/library.hpp"

#include <dlfcn.h>

#include <memory>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

struct CloseLibrary {
    void operator()(void* library) const noexcept { (void)dlclose(library); }
};

// Mostly begins with the candidate's name, but for such as the linker can't even look for.
std::string last_dl_error(const std::string& candidate) {
    const char* text = dlerror();
    const std::string reason = text ? text : "unknown error";
    return reason.starts_with(candidate) ? reason : candidate + ": " + reason;
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
            tried += "\n  " + last_dl_error(candidate);
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

}  // namespace gpu::detail
