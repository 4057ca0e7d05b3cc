// SPDX-License-Identifier: MIT
#include "backend/backend.hpp"

#include "backend/log.hpp"
#include "backend/record.hpp"
#include "backend/texts.hpp"

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

}  // namespace gpu::detail
