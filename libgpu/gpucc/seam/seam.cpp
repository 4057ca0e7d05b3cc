// SPDX-License-Identifier: MIT
#include "gpucc/seam/seam.hpp"

#include "counts.hpp"
#include "host/base/progress.hpp"
#include "host/modules/kernel_module.hpp"
#include "launch/raw/raw_kernel.hpp"
#include "launch/raw/raw_module.hpp"
#include "runtime/devices/registry.hpp"

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

}  // namespace gpu::detail::program
