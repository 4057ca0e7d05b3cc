// SPDX-License-Identifier: MIT
#include "host/check/host_access_watch.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <mutex>

#include <gpu/error.hpp>

#include "host/check/debugged_findings.hpp"
#include "host/fibers/worker.hpp"
#include "places/program_places.hpp"

namespace gpu::detail::host {

namespace {

std::atomic<HostAccessWatch*> active_watch{nullptr};

std::string advice_of(const HostAccess& access) {
    return access.kind == HostAccessKind::write
               ? "data() is an address on the device: on a GPU the program ends here. Write to host memory and copy it "
                 "over, or write in a kernel"
               : "data() is an address on the device: on a GPU the program ends here. Work with a copy, such as "
                 "std::vector h = gpu::to_host(x), or in a kernel";
}

bool noted(const HostAccess& access, std::uintptr_t instruction, void* context) noexcept {
    return HostBufferWatch::note(access.address, access.kind, instruction, context) ||
           HostAccessWatch::note(access, instruction);
}

constexpr FaultListener listener{HostBufferWatch::stepped, noted, HostBufferWatch::let_pass, tell_debugger_of_fault};

}  // namespace

void HostAccessWatch::begin() {
    HostAccessWatch* none = nullptr;
    if (!active_watch.compare_exchange_strong(none, this) && none != this)
        throw Error("gpu::check inside of another: one check at a time in a process");
    CallFrames::prepare();
    set_fault_listener(listener);
    install_fault_handlers();
    names_.clear();
    for (Note& note : notes_) note.complete = false;
    used_ = 0;
    const std::lock_guard lock(mutex_);
    openings_ = 0;
    active_ = true;
    for (GuardedMemory* memory : memories_) memory->watch(ranges_);
}

void HostAccessWatch::end() noexcept {
    const std::lock_guard lock(mutex_);
    if (!active_) return;
    active_ = false;
    for (GuardedMemory* memory : memories_) memory->end_watch();
    active_watch = nullptr;
}

bool HostAccessWatch::open() {
    const std::lock_guard lock(mutex_);
    if (!active_) return false;
    if (openings_++ > 0) return true;
    for (GuardedMemory* memory : memories_) memory->open();
    buffers_.open();
    return true;
}

void HostAccessWatch::close() noexcept {
    const std::lock_guard lock(mutex_);
    if (!active_ || --openings_ > 0) return;
    buffers_.close();
    for (GuardedMemory* memory : memories_) memory->close();
}

bool HostAccessWatch::note(HostAccess access, std::uintptr_t instruction) noexcept {
    HostAccessWatch* const watch = active_watch.load();
    if (watch == nullptr || !watch->ranges_.find(access.address, access.range)) return false;
    const int error = errno;
    const AddressRange& range = access.range;
    const bool opened = ::mprotect(reinterpret_cast<void*>(range.begin), range.length, PROT_READ | PROT_WRITE) == 0;
    if (const std::size_t at = opened ? watch->used_.fetch_add(1) : most_noted; at < most_noted) {
        Note& note = watch->notes_[at];
        note.access = access;
        note.frames.capture(instruction);
        note.complete.store(true, std::memory_order_release);
    }
    errno = error;
    return opened;
}

std::size_t HostAccessWatch::noted() const noexcept { return std::min(used_.load(), most_noted); }

std::vector<HostAccessWatch::NotedFinding> HostAccessWatch::findings() const {
    std::vector<NotedFinding> findings;
    std::vector<std::vector<std::uintptr_t>> stacks;
    std::vector<std::size_t> notes;
    for (std::size_t k = 0; k < noted(); ++k) {
        if (!notes_[k].complete.load(std::memory_order_acquire)) continue;
        notes.push_back(k);
        stacks.push_back(notes_[k].frames.stack());
    }
    const std::vector<ProgramPlace> places = learners_places(stacks);
    for (std::size_t k = 0; k < notes.size(); ++k) {
        const HostAccess& access = notes_[notes[k]].access;
        const auto name = names_.find(access.range.array);
        Finding finding;
        finding.kind = FindingKind::host_access;
        finding.rule = Rule::host_only_queues;
        finding.file = places[k].file;
        finding.line = places[k].line;
        finding.variable = name != names_.end() ? name->second : "";
        finding.what = (finding.file.empty() ? "" : finding.file + ':' + std::to_string(finding.line) + ": ") +
                       sentence(access, finding.variable);
        finding.who = places[k].function.empty() ? "" : "in " + places[k].function;
        finding.advice = advice_of(access);
        const bool known = std::any_of(findings.begin(), findings.end(), [&](const NotedFinding& noted) {
            const Finding& other = noted.finding;
            return other.file == finding.file && other.line == finding.line && other.who == finding.who &&
                   other.variable == finding.variable && notes_[noted.number].access.kind == access.kind &&
                   !finding.file.empty();
        });
        if (!known) findings.push_back({notes[k], std::move(finding)});
    }
    return findings;
}

}  // namespace gpu::detail::host
