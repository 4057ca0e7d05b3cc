// SPDX-License-Identifier: MIT
#include <gpu/raw_kernel.hpp>

#include <limits>
#include <mutex>

#include <gpu/error.hpp>

#include "counts.hpp"
#include "jit/kernel_store.hpp"
#include "runtime/context.hpp"
#include "runtime/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

/// A raw kernel's text; what is loaded of it lives in the kernel store.
class RawKernelCore {
public:
    RawKernelCore(const Source& source, const std::string& name, const std::string& signature)
        : text_{.name = name,
                .source = {source.text(), source.file(), source.line()},
                .signature = signature,
                .options = {}},
          key_("w" + name + '\0' + signature + '\0' + source.file() + '\0' + std::to_string(source.line()) + '\0' +
               source.text()) {}

    [[nodiscard]] const std::string& name() const noexcept { return text_.name; }

    [[nodiscard]] std::shared_ptr<LoadedKernel> loaded(Device device, Backend& backend) const {
        return find_kernel(device, backend, key_, [&] { return backend.generate(text_); });
    }

private:
    RawText text_;
    std::string key_;
};

namespace {

std::uint32_t length(std::int64_t value, const char* what, const std::string& kernel) {
    if (value < 1 || value > std::numeric_limits<std::uint32_t>::max()) {
        throw LaunchError("kernel " + kernel + ": " + what + " " + std::to_string(value) + ": it must be 1 or more" +
                          (value == 0 ? " (nothing to do? then don't launch)" : ""));
    }
    return static_cast<std::uint32_t>(value);
}

Extent3 extent(const Dim3& dim, const char* what, const std::string& kernel) {
    return {length(dim.x, what, kernel), length(dim.y, what, kernel), length(dim.z, what, kernel)};
}

}  // namespace

std::shared_ptr<RawKernelCore> make_raw_kernel(const Source& source, const std::string& name,
                                               const std::string& signature) {
    return std::make_shared<RawKernelCore>(source, name, signature);
}

void* dense_data(const ArrayCore& core, int parameter, bool written) {
    if (!is_dense(core, Layout::row_major) && !is_dense(core, Layout::column_major)) {
        throw ShapeError("argument " + std::to_string(parameter) + " of a raw kernel is a window with strides " +
                         to_string(core.strides) + ": a kernel gets an address only; make a gpu::Array of it first");
    }
    const Device device = core.storage->device();
    if (!(device == current_device())) {
        throw DeviceError("argument " + std::to_string(parameter) + " of a raw kernel is on " + device.to_string() +
                          ", the kernel would run on " + current_device().to_string() +
                          ": move the array, as in x.to(" + spelled(current_device()) +
                          "), or launch under gpu::DeviceGuard guard(" + spelled(device) + ")");
    }
    if (written) core.storage->mark_written();
    return data_of(core);
}

void launch_raw_kernel(RawKernelCore& kernel, const LaunchConfig& config, void* const* arguments, int count) {
    const LaunchShape shape{.grid = extent(config.grid, "a grid length of", kernel.name()),
                            .block = extent(config.block, "a block length of", kernel.name()),
                            .shared_bytes = config.shared};
    const Device device = current_device();
    void* const stream = native_stream(config.stream, device);
    Backend& where = backend(device);
    where.launch(device.index(), *kernel.loaded(device, where), shape, arguments, count, stream);
    counters().launches += 1;
}

}  // namespace gpu::detail
