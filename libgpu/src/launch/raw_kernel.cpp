// SPDX-License-Identifier: MIT
#include <gpu/raw_kernel.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <gpu/error.hpp>

#include "counts.hpp"
#include "jit/compile_error.hpp"
#include "jit/kernel_store.hpp"
#include "launch/raw_core.hpp"
#include "launch/source_snippet.hpp"
#include "runtime/context.hpp"
#include "runtime/registry.hpp"

namespace gpu {

namespace detail {

namespace {

/// A kernel of a source of its own; what is loaded of it lives in the kernel store.
class SourceKernel final : public RawKernelCore {
public:
    SourceKernel(const Source& source, const std::string& name, const std::vector<KernelParameter>* parameters,
                 const RawKernelOptions& options)
        : RawKernelCore(snippet_of(source, options.options), name, parameters),
          options_(options.options),
          key_("w" + this->name() + '\0' + source.file() + '\0' + std::to_string(source.line()) + '\0') {
        for (const std::string& option : options_) key_ += std::to_string(option.size()) + ':' + option;
        key_ += '\0' + this->source().text + '\0';
        typed_key_ = key_ + signature().key;
        if (this->name().empty()) throw Error("a raw kernel of " + source.file() + " needs the name that it has there");
        if (source.text().find_first_not_of(" \t\r\n") == std::string::npos)
            throw Error("kernel " + this->name() + ": its source, " + source.file() + ", is empty");
    }

    [[nodiscard]] std::shared_ptr<LoadedKernel> loaded(Device device, Backend& backend,
                                                       const RawSignature& wanted) override {
        const bool own = &wanted == &signature();
        return find_kernel(device, backend, own ? typed_key_ : key_ + wanted.key,
                           [&] { return backend.generate(text(wanted)); });
    }

    [[nodiscard]] RawText text(const RawSignature& wanted) const override {
        return {.name = name(),
                .source = source(),
                .signature = wanted.text,
                .options = options_,
                .structs = wanted.structs};
    }

private:
    std::vector<std::string> options_;
    std::string key_, typed_key_;
};

std::uint32_t length(std::int64_t value, const char* what, const std::string& kernel) {
    if (value < 1) {
        throw LaunchError("kernel " + kernel + ": " + what + " " + std::to_string(value) + ": it must be 1 or more" +
                          (value == 0 ? " (nothing to do? then don't launch)" : ""));
    }
    if (value > std::numeric_limits<std::uint32_t>::max())
        throw LaunchError("kernel " + kernel + ": " + what + " " + std::to_string(value) +
                          " is beyond any device's limit");
    return static_cast<std::uint32_t>(value);
}

Extent3 extent(const Dim3& dim, const char* what, const std::string& kernel) {
    return {length(dim.x, what, kernel), length(dim.y, what, kernel), length(dim.z, what, kernel)};
}

}  // namespace

std::shared_ptr<RawKernelCore> make_raw_kernel(const Source& source, const std::string& name,
                                               const std::vector<KernelParameter>* parameters,
                                               const RawKernelOptions& options) {
    return std::make_shared<SourceKernel>(source, name, parameters, options);
}

void launch_core(RawKernelCore& kernel, const RawSignature& signature, const LaunchConfig& config,
                 void* const* arguments, int count) {
    const LaunchShape shape{.grid = extent(config.grid, "a grid length of", kernel.name()),
                            .block = extent(config.block, "a block length of", kernel.name()),
                            .shared_bytes = config.shared};
    const Device device = current_device();
    void* const stream = native_stream(config.stream, device);
    Backend& where = backend(device);
    const auto loaded = kernel.loaded(device, where, signature);
    kernel.before_launch(device, where, stream);
    where.launch(device.index(), *loaded, shape, arguments, count, stream);
    kernel.after_launch(device, where, stream);
    counters().launches += 1;
}

void launch_raw_kernel(RawKernelCore& kernel, const LaunchConfig& config, void* const* arguments, int count) {
    launch_core(kernel, kernel.signature(), config, arguments, count);
}

}  // namespace detail

const std::string& RawKernelFacts::name() const noexcept { return core_->name(); }

KernelAttributes RawKernelFacts::attributes() const {
    const Device device = detail::current_device();
    detail::Backend& where = detail::backend(device);
    return where.attributes(device.index(), *core_->loaded(device, where, core_->signature()));
}

int RawKernelFacts::active_blocks(const Dim3& block, std::size_t shared) const {
    const detail::Extent3 lengths = detail::extent(block, "a block length of", name());
    constexpr std::uint64_t most = 1U << 20;  // beyond any device's limit, which the backend tells
    const std::uint64_t area = std::min(std::uint64_t{lengths.x} * lengths.y, most), threads = area * lengths.z;
    const Device device = detail::current_device();
    detail::Backend& where = detail::backend(device);
    return where.active_blocks(device.index(), *core_->loaded(device, where, core_->signature()),
                               static_cast<int>(threads < most ? threads : most), shared);
}

LaunchConfig RawKernelFacts::suggested_config(std::int64_t threads, std::size_t shared) const {
    const Device device = detail::current_device();
    detail::Backend& where = detail::backend(device);
    const int block = where.suggested_block(device.index(), *core_->loaded(device, where, core_->signature()), shared);
    return {.grid = threads > 0 ? (threads - 1) / block + 1 : 0, .block = block, .shared = shared};
}

std::string RawKernelFacts::source() const {
    return detail::backend(detail::current_device()).generate(core_->text(core_->signature())).text;
}

std::string RawKernelFacts::ptx(int compute_capability) const {
    const Device device = detail::current_device();
    if (compute_capability == 0 && device.kind() != BackendKind::cuda) {
        throw DeviceError("kernel " + name() + ": PTX is GPUs' language, and the current device is " +
                          device.to_string() + ": name a GPU's compute capability, as in ptx(90) for 9.0");
    }
    const int capability = compute_capability != 0 ? compute_capability : device.properties().compute_capability;
    const detail::KernelSource source = detail::source_for_ptx(core_->text(core_->signature()));
    try {
        return detail::ptx_of(source, capability);
    } catch (const detail::CompileFailure& failure) {
        detail::fail_to_compile(source, failure);
    }
}

}  // namespace gpu
