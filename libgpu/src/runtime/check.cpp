// SPDX-License-Identifier: MIT
#include <gpu/check.hpp>

#include <atomic>

#include <gpu/error.hpp>
#include <gpu/profiler.hpp>

#include "runtime/devices/registry.hpp"

namespace gpu::detail {

namespace {

// Work started before a check, or in it, must end before the check begins, or ends.
void wait_for_all(Backend& where) {
    for (int device = 0; device < where.device_count(); ++device) where.synchronize_device(device);
}

std::atomic<int> no_new_checks{0};

Checker& checker_of(Device device) {
    Checker* const checker = backend(device).checker();
    if (checker == nullptr)
        throw DeviceError("gpu::check on " + device.to_string() +
                          ": kernels are checked on the host backend only; set LIBGPU_DEVICE=host, or use "
                          "gpu::DeviceGuard");
    return *checker;
}

}  // namespace

NoNewChecks::NoNewChecks() noexcept { ++no_new_checks; }

NoNewChecks::~NoNewChecks() { --no_new_checks; }

CheckScope::CheckScope(const CheckOptions& options) {
    if (no_new_checks > 0)
        throw Error("gpu::check and gpu::trace can't be used here: this function is called by a program that checks it "
                    "itself");
    const Device device = current_device();
    Checker& checker = checker_of(device);
    wait_for_all(backend(device));
    checker.begin(options);
    before_ = counts();
}

CheckScope::~CheckScope() {
    if (finished_) return;
    try {
        Backend& host = backend(BackendKind::host);
        wait_for_all(host);
        (void)host.checker()->finish();
    } catch (...) {  // the exception that left the check is the one to report
    }
}

CheckReport CheckScope::finish() {
    Backend& host = backend(BackendKind::host);
    const Checker::StreamsSeen seen = host.checker()->streams_seen();
    wait_for_all(host);
    finished_ = true;
    CheckReport report = host.checker()->finish();
    report.host = counts() - before_;
    report.host.streams_at_once = seen.at_once;
    report.host.copies_not_awaited = seen.not_awaited;
    return report;
}

}  // namespace gpu::detail
