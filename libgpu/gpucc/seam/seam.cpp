// SPDX-License-Identifier: MIT
#include "gpucc/seam/seam.hpp"

#include "counts.hpp"
#include "host/base/progress.hpp"
#include "host/check/host_checker.hpp"
#include "host/device_library/device_library.hpp"
#include "host/linear_algebra.hpp"
#include "host/modules/kernel_module.hpp"
#include "host/prelude/prelude.hpp"
#include "launch/raw/raw_kernel.hpp"
#include "launch/raw/raw_module.hpp"
#include "runtime/devices/registry.hpp"
#include "symbolize/program_places.hpp"

namespace gpu::detail::program {

Backend& host_backend() { return backend(BackendKind::host); }

std::shared_ptr<RawModuleCore> module_of(const Source& source, const RawModuleOptions& options) {
    return std::make_shared<RawModuleCore>(source, options);
}

ModuleSymbol variable_of(RawModuleCore& module, const std::string& name) { return module.variable(name); }

LoadedKernel& loaded(RawKernelCore& kernel) {
    return kernel.loaded(current_device(), host_backend(), kernel.signature());
}

int parameter_count(RawKernelCore& kernel) {
    return static_cast<host::KernelModule&>(loaded(kernel)).module().parameter_count;
}

void count(Device device, const LedgerWork& work) noexcept {
    count_work({.kind = work.kind,
                .device = device,
                .bytes = work.bytes,
                .waits = work.waits,
                .pageable_async = work.pageable_async,
                .between_devices = work.between_devices});
}

void show_progress(std::chrono::duration<double> after) { host::show_progress(after); }

std::vector<PointerParameter> pointer_parameters(RawKernelCore& kernel) {
    const auto& module = static_cast<host::KernelModule&>(loaded(kernel));
    std::vector<PointerParameter> pointers;
    for (int k = 0; k < module.module().parameter_count; ++k)
        if (module.module().parameters[k].is_pointer) pointers.push_back({k, module.parameter_name(k)});
    return pointers;
}

bool is_on_kernels_heap(const void* address) noexcept { return host::is_on_kernels_heap(address); }

std::optional<KernelEnd> take_end(Backend& host) { return static_cast<host::HostChecker&>(*host.checker()).take_end(); }

std::string place_of_fault(std::uintptr_t instruction) {
    host::CallFrames frames;
    frames.capture(instruction);
    const ProgramPlace place = learners_places({frames.stack()}).front();
    return place.file.empty() ? "" : place.file + ':' + std::to_string(place.line);
}

HostAccessKind kind_of_fault(const void* context) noexcept { return access_kind(context); }

void prepare_places() { host::CallFrames::prepare(); }

std::vector<std::size_t> parameter_sizes(RawKernelCore& kernel) {
    const auto& module = static_cast<host::KernelModule&>(loaded(kernel)).module();
    std::vector<std::size_t> sizes;
    for (int k = 0; k < module.parameter_count; ++k) sizes.push_back(module.parameters[k].size);
    return sizes;
}

std::uint64_t begin_texture(const TextureLayout& layout, const TextureRows& rows) {
    return host::begin_texture(layout, rows.texels, {rows.pitch, rows.along_y});
}

bool end_texture(std::uint64_t handle) { return host::end_texture(handle).texels != nullptr; }

void matmul(DType elements, const host::LinalgMatrix& left, const host::LinalgMatrix& right,
            const host::LinalgMatrix& result) {
    static const host::LinalgModule& module = host::open_linalg_module(host::linalg_module_candidates());
    const auto product = module.types[static_cast<std::size_t>(elements)].matmul;
    if (product == nullptr) throw Error("matmul: this build has no products of " + std::string(name(elements)));
    product(left, right, result);
}

void skip_xorwow(std::uint32_t* words, std::uint64_t count, bool sequences) {
    host::skip_xorwow(words, count, sequences);
}

std::string_view prelude_text(std::string_view name) {
    for (const host::PreludeFile& file : host::prelude_files())
        if (file.name == name) return file.text;
    return {};
}

}  // namespace gpu::detail::program
