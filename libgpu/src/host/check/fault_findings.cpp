// SPDX-License-Identifier: MIT
#include "host/check/fault_findings.hpp"

#include <cstdio>

#include "host/base/debugger.hpp"
#include "host/base/shown.hpp"

namespace gpu::detail::host {

namespace {

// The instruction that a signal interrupted if it is the kernel's own, else the last one that accessed memory.
std::size_t site_of(const LaunchFacts& facts, const Fault& fault, const BlockWatch& watch) {
    if (fault.instruction != 0 && facts.module.is_text(fault.instruction)) {
        const std::size_t site = fault.instruction - facts.module.text_begin() + 1;
        if (kernels_are_debugged() || facts.module.place(site).line > 0) return site;  // the debugger looks for itself
    }
    return watch.last_site();
}

void divergent(RawFinding& finding, const LaunchFacts& facts, const BlockScheduler& scheduler) {
    const std::vector<Arrivals> arrivals = scheduler.arrivals();
    const std::string& file = facts.module.learners().file;
    finding.kind = FindingKind::divergent_barrier;
    finding.action.place = {file, arrivals.front().line};
    finding.other.place = {file, arrivals.back().line};
    for (const Arrivals& place : arrivals)
        finding.detail += (finding.detail.empty() ? "" : ", ") + counted_threads(place.count) + " at line " +
                          std::to_string(place.line) + " (such as " + shown(scheduler.index_of(place.first_thread)) +
                          ')';
}

void deadlock(RawFinding& finding, const LaunchFacts& facts, const BlockScheduler& scheduler) {
    finding.kind = FindingKind::deadlock;
    finding.advice =
        "all threads that a mask names, or that are left of a block, must reach the same operation: take it "
        "out of the branch, or name only the lanes that come";
    bool has_line = false;
    for (const Arrivals& place : scheduler.arrivals()) {
        if (!has_line || (place.mask != 0 && finding.variable.empty())) {
            finding.action.place = {facts.module.learners().file, place.line};
            finding.element = place.at;
            if (place.mask != 0) finding.variable = hexadecimal(place.mask);
            has_line = true;
        }
        finding.detail += (finding.detail.empty() ? "" : ", ") + waiting_text(place);
        if (place.mask != 0) finding.detail += " with mask " + hexadecimal(place.mask);
        if (place.missing_thread >= 0)
            finding.detail += ", which names thread " + shown(scheduler.index_of(place.missing_thread));
    }
    finding.variable.clear();
    if (scheduler.ended() > 0) finding.detail += ", " + counted_threads(scheduler.ended()) + " ended";
}

}  // namespace

std::string waiting_text(const Arrivals& place) {
    return counted_threads(place.count) + (place.count == 1 ? " waits at " : " wait at ") + place.at + " in line " +
           std::to_string(place.line);
}

RawFinding finding_of(LaunchFacts& facts, Worker& worker, BlockWatch& watch) {
    const Fault& fault = worker.fault();
    const BlockScheduler& scheduler = worker.scheduler();
    if (fault.kind == Fault::Kind::checked) return watch.take_fatal();
    RawFinding finding;
    finding.action.block = facts.block_index(watch.block());
    finding.action.thread = scheduler.index_of(scheduler.current());
    char limit[32] = "";
    const auto learners_line = [&facts, &fault] { return SourcePlace{facts.module.learners().file, fault.line}; };
    switch (fault.kind) {
        case Fault::Kind::divergent: divergent(finding, facts, scheduler); break;
        case Fault::Kind::stuck: deadlock(finding, facts, scheduler); break;
        case Fault::Kind::wrong_mask:
            finding.kind = FindingKind::deadlock;
            finding.action.place = learners_line();
            finding.element = "a warp operation";
            finding.detail = "thread " + shown(finding.action.thread) + " calls it with mask " +
                             hexadecimal(fault.mask) + ", which does not name its own lane";
            finding.advice = "the mask must name every lane that calls: 0xffffffff where the whole warp does";
            break;
        case Fault::Kind::stuck_grid:
            finding.kind = FindingKind::deadlock;
            finding.action.place = learners_line();
            finding.element = "grid.sync()";
            finding.detail = "it waits there for a block that doesn't come";
            finding.advice = "all blocks of the grid must reach the same grid.sync()s: take it out of the branch";
            break;
        case Fault::Kind::uneven_barrier:
            finding.kind = FindingKind::deadlock;
            finding.action.place = learners_line();
            finding.element = "barrier " + std::to_string(fault.mask);
            finding.detail = "thread " + shown(finding.action.thread) +
                             " names another number of threads than those that wait there";
            finding.advice = "all threads of a __barrier_sync_count() name the barrier and the number of its threads";
            break;
        case Fault::Kind::failed:
            finding.kind = FindingKind::failed_assertion;
            finding.action.place = {fault.file != nullptr ? fault.file : "", fault.line};
            finding.detail = fault.what != nullptr ? fault.what : "it stopped itself";
            break;
        case Fault::Kind::null_call:
            finding.kind = FindingKind::out_of_bounds;
            finding.action.site = site_of(facts, fault, watch);
            finding.action.verb = "calls";
            finding.element = "a function through a null pointer";
            finding.advice =
                "set the pointer first, on the device: a function's address that host code takes is of no use in a "
                "kernel";
            break;
        case Fault::Kind::stack_overflow:
            finding.kind = FindingKind::stack_overflow;
            finding.action.site = site_of(facts, fault, watch);
            break;
        case Fault::Kind::division_by_zero:
        case Fault::Kind::arithmetic:
            finding.kind = FindingKind::division_by_zero;
            finding.action.site = site_of(facts, fault, watch);
            break;
        case Fault::Kind::endless:
            finding.kind = FindingKind::endless_loop;
            std::snprintf(limit, sizeof limit, "%g s", worker.watched().limit());
            finding.detail = limit;
            finding.action.site = site_of(facts, fault, watch);
            break;
        default:
            finding.kind = FindingKind::out_of_bounds;
            finding.action.site = site_of(facts, fault, watch);
            finding.action.verb = fault.access == Fault::Access::write ? "writes" : "reads";
            finding.element = fault.kind == Fault::Kind::illegal_instruction ? "code that can't be executed"
                                                                             : "an address that belongs to no array";
    }
    return finding;
}

}  // namespace gpu::detail::host
