// SPDX-License-Identifier: MIT
#include <atomic>

#include <gpu/check.hpp>
#include <gpu/error.hpp>
#include <gpu/print.hpp>
#include <gpu/profiler.hpp>

#include "counts.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"

namespace gpu {

namespace detail {

namespace {

thread_local int printing = 0;

// Leaked: buffers of static arrays are counted at exit too.
Counters& counted_work() noexcept {
    static auto* const instance = new Counters;
    return *instance;
}
Counters& uncounted_work() noexcept {
    static auto* const instance = new Counters;
    return *instance;
}

}  // namespace

Counters& counters() noexcept { return printing > 0 ? uncounted_work() : counted_work(); }

bool is_printing() noexcept { return printing > 0; }

std::atomic<WorkNotes*> work_notes{nullptr};

namespace {

void add(Counters& to, const CountedWork& work) noexcept {
    using Kind = LedgerEntry::Kind;
    switch (work.kind) {
        case Kind::allocation:
            to.allocations += 1;
            to.bytes_allocated += work.bytes;
            break;
        case Kind::copy_to_device:
            to.copies_to_device += 1;
            to.bytes_to_device += work.bytes;
            break;
        case Kind::copy_to_host:
            to.copies_to_host += 1;
            to.bytes_to_host += work.bytes;
            break;
        case Kind::copy_on_device:
            to.copies_on_device += 1;
            to.bytes_on_device += work.bytes;
            if (!work.between_devices) break;
            to.copies_between_devices += 1;
            to.bytes_between_devices += work.bytes;
            break;
        case Kind::launch: to.launches += 1; break;
        case Kind::wait: to.synchronizations += 1; break;
        case Kind::print:  // see Printing
        case Kind::free:
        case Kind::linear_algebra: break;
    }
    if (work.waits) to.synchronizations += 1;
    if (work.pageable_async) to.pageable_async_copies += 1;
}

}  // namespace

void count_work(const CountedWork& work) noexcept {
    if (is_capturing() && counted_by_graph(work)) [[unlikely]] return;
    add(counters(), work);
    if (is_noted()) [[unlikely]] {
        if (WorkNotes* const notes = work_notes.load(std::memory_order_acquire)) notes->note(work);
    }
}

Printing::Printing() noexcept {
    if (printing == 0) {
        counted_work().prints += 1;
        if (WorkNotes* const notes = work_notes.load(std::memory_order_acquire))
            notes->note({.kind = LedgerEntry::Kind::print, .device = current_device()});
    }
    ++printing;
}
Printing::~Printing() { --printing; }

}  // namespace detail

Counts counts() noexcept {
    const auto& now = detail::counted_work();
    return {.copies_to_device = now.copies_to_device,
            .copies_to_host = now.copies_to_host,
            .copies_on_device = now.copies_on_device,
            .bytes_to_device = now.bytes_to_device,
            .bytes_to_host = now.bytes_to_host,
            .bytes_on_device = now.bytes_on_device,
            .allocations = now.allocations,
            .bytes_allocated = now.bytes_allocated,
            .synchronizations = now.synchronizations,
            .launches = now.launches,
            .barriers = now.barriers,
            .atomics = now.atomics,
            .prints = now.prints,
            .copies_between_devices = now.copies_between_devices,
            .bytes_between_devices = now.bytes_between_devices,
            .pageable_async_copies = now.pageable_async_copies};
}

Counts operator-(const Counts& later, const Counts& earlier) noexcept {
    return {.copies_to_device = later.copies_to_device - earlier.copies_to_device,
            .copies_to_host = later.copies_to_host - earlier.copies_to_host,
            .copies_on_device = later.copies_on_device - earlier.copies_on_device,
            .bytes_to_device = later.bytes_to_device - earlier.bytes_to_device,
            .bytes_to_host = later.bytes_to_host - earlier.bytes_to_host,
            .bytes_on_device = later.bytes_on_device - earlier.bytes_on_device,
            .allocations = later.allocations - earlier.allocations,
            .bytes_allocated = later.bytes_allocated - earlier.bytes_allocated,
            .synchronizations = later.synchronizations - earlier.synchronizations,
            .launches = later.launches - earlier.launches,
            .barriers = later.barriers - earlier.barriers,
            .atomics = later.atomics - earlier.atomics,
            .prints = later.prints - earlier.prints,
            .copies_between_devices = later.copies_between_devices - earlier.copies_between_devices,
            .bytes_between_devices = later.bytes_between_devices - earlier.bytes_between_devices,
            .pageable_async_copies = later.pageable_async_copies - earlier.pageable_async_copies};
}

}  // namespace gpu

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
