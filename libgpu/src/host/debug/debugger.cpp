// SPDX-License-Identifier: MIT
#include "host/debug/debugger.hpp"

#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

#include "host/check/block_watch.hpp"
#include "host/check/fault_findings.hpp"
#include "host/fibers/thread_variables.hpp"

extern "C" {
gpu::detail::host::DebuggedBlock* gpu_debug_blocks = nullptr;
gpu::detail::host::DebuggedLaunch gpu_debug_launch;

// Never inlined, and never left out: a debugger stops here.
__attribute__((noinline)) void gpu_debug_finding(
    [[maybe_unused]] const gpu::detail::host::DebuggedFinding* finding) noexcept {
    asm volatile("" ::"r"(finding) : "memory");
}
__attribute__((noinline)) void gpu_debug_block_begins(
    [[maybe_unused]] const gpu::detail::host::DebuggedBlock* block) noexcept {
    asm volatile("" ::"r"(block) : "memory");
}
}

namespace gpu::detail::host {

namespace {

std::mutex& list_mutex() {
    static auto* const mutex = new std::mutex;  // leaked: threads may end after main
    return *mutex;
}

constexpr const char* here = "<here>";
constexpr const char* there = "<there>";

}  // namespace

bool kernels_are_debugged() noexcept {
    static const bool are = [] {
        const char* const value = std::getenv("LIBGPU_DEBUG_KERNELS");
        return value != nullptr && *value != '\0' && std::string_view(value) != "0";
    }();
    return are;
}

BlockForDebugger::BlockForDebugger(const DebuggedBlock& record) : record_(record) {
    record_.os_thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
    const std::lock_guard lock(list_mutex());
    record_.next = gpu_debug_blocks;
    gpu_debug_blocks = &record_;
}

BlockForDebugger::~BlockForDebugger() {
    const std::lock_guard lock(list_mutex());
    for (DebuggedBlock** at = &gpu_debug_blocks; *at != nullptr; at = &(*at)->next) {
        if (*at != &record_) continue;
        *at = record_.next;
        return;
    }
}

void BlockForDebugger::begins() const noexcept { gpu_debug_block_begins(&record_); }

void show_to_debugger(const LaunchFacts& launch) {
    static auto* const name = new std::string;  // leaked, as the record stays
    static auto* const list = new std::vector<DebuggedArray>;
    *name = launch.kernel.name();
    list->clear();
    const gpu_module& about = launch.kernel.module();
    for (int k = 0; k < about.parameter_count; ++k) {
        NearArray near;
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(launch.arguments[k]));
        if (value != 0 && launch.guarded.find(value, near)) list->push_back({near.start, near.bytes});
    }
    gpu_debug_launch = {.version = 1,
                        .kernel = name->c_str(),
                        .grid = launch.grid,
                        .block = launch.block,
                        .dynamic_shared = launch.dynamic_shared,
                        .arrays = list->data(),
                        .array_count = list->size()};
}

void tell_debugger(const RawFinding& finding) {
    if (this_watch == nullptr || finding.volatile_update) return;  // that one is a finding only in some cases
    RawFinding named = finding;
    const std::uintptr_t text = this_watch->facts().module.text_begin();
    DebuggedFinding told;
    if (named.action.place.file.empty() && named.action.site != 0) {
        named.action.place = {here, 0};
        told.here = text + named.action.site;
    }
    if (named.other.place.file.empty() && named.other.site != 0) {
        named.other.place = {named.other.site == named.action.site ? here : there, 0};
        told.there = text + named.other.site;
    }
    told.thread = named.action.thread;
    const Finding composed = compose(named, this_watch->facts().kernel.name());
    std::string lines;
    for (const std::string* line : {&composed.what, &composed.who, &composed.advice})
        if (!line->empty()) lines += (lines.empty() ? "" : "\n  ") + *line;
    lines += "\n  breaks " + to_string(composed.rule);
    told.text = lines.c_str();
    gpu_debug_finding(&told);
}

void tell_debugger_of_fault(Worker& worker) {
    BlockWatch* const watch = this_watch;
    if (watch == nullptr || watch->given_up()) return;
    if (worker.fault().kind == Fault::Kind::checked)
        tell_debugger(watch->fatal());
    else
        tell_debugger(finding_of(watch->facts(), worker, *watch));
}

}  // namespace gpu::detail::host
