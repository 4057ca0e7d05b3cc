// SPDX-License-Identifier: MIT
#include "backend/backend.hpp"

#include <dlfcn.h>

#include <memory>
#include <utility>

#include <gpu/error.hpp>

#include "backend/observers.hpp"

namespace gpu::detail {

std::atomic<HostWrapper> host_wrapper{nullptr};

namespace {
thread_local bool capturing = false;
}  // namespace

std::atomic<int> open_captures{0};

bool captures_here() noexcept { return capturing; }
void set_capturing(bool on) noexcept {
    capturing = on;
    open_captures.fetch_add(on ? 1 : -1, std::memory_order_relaxed);
}

std::string CompileFailure::options_text() const {
    std::string text;
    for (const std::string& option : options) text += (text.empty() ? "" : " ") + option;
    return text;
}

namespace {

void put_into_log(const ElementwiseSpace& space, CountedWork& work) {
    work.entry = LaunchEntry::Kind::elementwise;
    work.elements = space.size;
    work.bytes = space.bytes;
}
void put_into_log(const ReductionSpace& space, CountedWork& work) {
    work.entry = LaunchEntry::Kind::reduction;
    work.elements = space.outputs * space.reduced;
    work.bytes = space.bytes;
}
void put_into_log(const LaunchShape& shape, CountedWork& work) {
    const auto dim = [](const Extent3& extent) { return Dim3(extent.x, extent.y, extent.z); };
    work.grid = dim(shape.grid);
    work.block = dim(shape.block);
    work.shared = shape.shared_bytes;
}

}  // namespace

void Backend::logged_launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream) {
    CountedWork work{.kind = LedgerEntry::Kind::launch, .device = Device(kind(), device), .kernel = &kernel.name()};
    std::visit([&](const auto& over) { put_into_log(over, work); }, launch.over);
    logged(*this, stream, work, [&] { do_launch(device, kernel, std::move(launch), stream); });
}

namespace {

struct CloseLibrary {
    void operator()(void* library) const noexcept { (void)dlclose(library); }
};

// Usually begins with the candidate's name, except for candidates that the linker can't even search for.
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
