// SPDX-License-Identifier: MIT
// What check mode, and a trace's schedule, learn of copies, events and waits.
#include <algorithm>
#include <utility>

#include "counts_to_time.hpp"
#include "host/check/copy_conflicts.hpp"
#include "host/check/host_checker.hpp"

namespace gpu::detail::host {

void HostChecker::copied(StreamPlace where, const char* name, const std::vector<CopiedPiece>& pieces,
                         const HostSide& host) {
    if (!active()) return;
    const std::lock_guard lock(mutex_);
    reserve_serials(1);
    const bool has_host = host.buffer.bytes > 0;
    const auto copy = std::make_shared<StreamOperation>(
        StreamOperation{.name = name,
                        .first_serial = next_serial_,
                        .end_serial = next_serial_ + 1,
                        .pieces = pieces,
                        .to_host = has_host && host.buffer.is_written,
                        .holds_host = has_host && host.buffer.is_pageable});
    ++next_serial_;
    const UnorderedOperations unordered = order_.add(where, copy);
    const bool early = has_host && buffers_.find_conflict(unordered, host.buffer, copy->stream_name, findings_.size());
    if (has_host && !host.host_waits) buffers_.add(copy, host.buffer);
    if (unordered.empty()) return;
    findings_before_.resize(host_access_.noted(), findings_.size());
    remember_copies(memory_, order_, unordered);
    if (early) return;
    for (const CopiedPiece& piece : pieces) {
        std::uintptr_t array = 0;
        std::optional<RawFinding> finding = conflict_of(memory_, piece, unordered, array);
        if (!finding) continue;
        finding->variable = host_access_.name_of(array);
        finding->element = finding->variable.empty() ? "an array" : finding->variable;
        finding->work = name;
        finding->stream = copy->stream_name;
        find_other_places({&*finding, 1});
        add(compose(*finding, ""));
        return;
    }
}

void HostChecker::freed(int device, const void* data) noexcept {
    if (!active()) return memory_.forget(data);
    const std::lock_guard lock(mutex_);
    order_.freed(device);
    tell_schedule([device](ModelledSchedule& schedule) { schedule.freed(device); });
    order_.forget_memory(reinterpret_cast<std::uintptr_t>(data), 0);
    memory_.forget(data);
}

void HostChecker::given_back(const void* data, std::size_t bytes) noexcept {
    if (active()) order_.forget_memory(reinterpret_cast<std::uintptr_t>(data), bytes);
    memory_.remove_foreign(data, bytes);
}

void HostChecker::copy_asked(StreamPlace where, CopyKind kind, std::size_t bytes, const void* host, bool host_waits) {
    tell_schedule([&](ModelledSchedule& schedule) {
        TracedOperation asked;
        asked.bytes = bytes;
        if (kind == CopyKind::device_to_device) {
            asked.kind = TracedOperation::Kind::copy_on_device;
            asked.name = "copy on device";
            return schedule.add(where, asked, modelled::time_on_device(2 * bytes));
        }
        const bool is_upload = kind == CopyKind::host_to_device;
        asked.kind = is_upload ? TracedOperation::Kind::copy_to_device : TracedOperation::Kind::copy_to_host;
        asked.name = is_upload ? "copy to device" : "copy to host";
        asked.pageable = !memory_.is_foreign(reinterpret_cast<std::uintptr_t>(host));
        asked.host_waits = host_waits || asked.pageable;
        schedule.add(where, asked, modelled::time_of_copy(bytes, asked.pageable));
    });
}

void HostChecker::note(int device, void* stream, const TracedOperation& operation) {
    tell_schedule([&](ModelledSchedule& schedule) {
        schedule.add({device, stream}, operation, modelled::time_on_device(operation.bytes));
    });
}

void HostChecker::recorded(StreamPlace where, const void* event) {
    if (!active()) return;
    order_.record(where, event);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.record(where, event); });
}

void HostChecker::waits(StreamPlace where, const void* event) {
    if (!active()) return;
    order_.wait(where, event);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.wait(where, event); });
}

void HostChecker::synchronized(StreamPlace where) {
    if (!active()) return;
    order_.synchronize(where);
    host_waited();
    tell_schedule([&](ModelledSchedule& schedule) { schedule.synchronize(where); });
}

void HostChecker::synchronized(const void* event) {
    if (!active()) return;
    order_.synchronize(event);
    host_waited();
    tell_schedule([&](ModelledSchedule& schedule) { schedule.synchronize(event); });
}

void HostChecker::copy_waited(StreamPlace where) {
    if (!active()) return;
    order_.synchronize(where);
    host_waited();
}

void HostChecker::host_waited() {
    const std::lock_guard lock(mutex_);
    buffers_.host_waited(order_, findings_.size());
}

void HostChecker::report_host_buffers() {
    std::size_t told = 0;
    for (HostBufferWatch::OrderedFinding& noted : buffers_.findings()) {
        const std::size_t known = findings_.size();
        add(std::move(noted.finding));
        if (findings_.size() == known) continue;
        const auto at = findings_.begin() + static_cast<std::ptrdiff_t>(noted.before + told++);
        std::rotate(at, findings_.end() - 1, findings_.end());
        for (std::size_t& before : findings_before_)
            if (before > noted.before) ++before;
    }
}

void HostChecker::destroyed_stream(const void* stream) noexcept {
    order_.destroy_stream(stream);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.destroy_stream(stream); });
}

void HostChecker::destroyed_event(const void* event) noexcept {
    order_.destroy_event(event);
    tell_schedule([&](ModelledSchedule& schedule) { schedule.destroy_event(event); });
}

}  // namespace gpu::detail::host
