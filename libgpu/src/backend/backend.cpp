// SPDX-License-Identifier: MIT
#include "backend/backend.hpp"

#include <dlfcn.h>

#include <memory>

#include <gpu/error.hpp>

#include "backend/observers.hpp"

namespace gpu::detail {

std::atomic<WorkObserver*> work_observer{nullptr};
std::atomic<TextObserver*> text_observer{nullptr};
std::atomic<CallObserver*> call_observer{nullptr};

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

void Backend::launch(int device, LoadedKernel& kernel, const ElementwiseSpace& space,
                     const std::vector<Argument>& arguments, void* stream) {
    const LoggedWork work{
        .kind = LoggedKind::elementwise, .name = &kernel.name(), .size = space.size, .bytes = space.bytes};
    logged(*this, device, stream, work, [&] { do_launch(device, kernel, space, arguments, stream); });
}

void Backend::launch(int device, LoadedKernel& kernel, const ReductionSpace& space,
                     const std::vector<Argument>& arguments, void* stream) {
    const LoggedWork work{.kind = LoggedKind::reduction,
                          .name = &kernel.name(),
                          .size = space.outputs * space.reduced,
                          .bytes = space.bytes};
    logged(*this, device, stream, work, [&] { do_launch(device, kernel, space, arguments, stream); });
}

void Backend::launch(int device, LoadedKernel& kernel, const LaunchShape& shape, void* const* arguments,
                     int argument_count, void* stream) {
    const LoggedWork work{.kind = LoggedKind::raw, .name = &kernel.name(), .shape = shape};
    logged(*this, device, stream, work, [&] { do_launch(device, kernel, shape, arguments, argument_count, stream); });
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
