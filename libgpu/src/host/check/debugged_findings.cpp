// SPDX-License-Identifier: MIT
#include "host/check/debugged_findings.hpp"

#include <string>
#include <vector>

#include "host/base/debugger.hpp"
#include "host/base/thread_variables.hpp"
#include "host/check/block_watch.hpp"
#include "host/check/fault_findings.hpp"

namespace gpu::detail::host {

namespace {

constexpr const char* here = "<here>";
constexpr const char* there = "<there>";

}  // namespace

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

void tell_debugger_of_fault(Worker& worker) noexcept {
    BlockWatch* const watch = this_watch;
    if (watch == nullptr || watch->given_up()) return;
    if (worker.fault().kind == Fault::Kind::checked)
        tell_debugger(watch->fatal());
    else
        tell_debugger(finding_of(watch->facts(), worker, *watch));
}

}  // namespace gpu::detail::host
