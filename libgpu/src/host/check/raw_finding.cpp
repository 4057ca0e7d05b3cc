// SPDX-License-Identifier: MIT
#include "host/check/raw_finding.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "host/base/debugger.hpp"
#include "host/base/shown.hpp"
#include "host/base/thread_variables.hpp"
#include "host/check/block_watch.hpp"
#include "host/check/check_calls.hpp"

namespace gpu::detail::host {

namespace {

bool same_variable(const RawFinding& a, const RawFinding& b) { return a.space == b.space && a.variable == b.variable; }

// One line reads and writes an element that was never written before: in whatever order the threads run, the first one
// finds nothing. What it writes may look unchanged, as a sum with NaN does.
bool updates_unwritten(const RawFinding& race, const RawFinding& read) {
    const auto is_at_read = [&read](const Action& action) {
        return action.place.line == read.action.place.line && action.place.file == read.action.place.file;
    };
    return is_race(race.kind) && read.kind == FindingKind::uninitialized_read && same_variable(race, read) &&
           race.element == read.element && is_at_read(race.action) && is_at_read(race.other) &&
           (race.action.verb == "writes" || race.other.verb == "writes");
}

// True if one barrier can separate both races: there is a place between the lines of each.
bool one_barrier_cures(const RawFinding& a, const RawFinding& b) {
    if (a.kind == FindingKind::inter_block_race || b.kind == FindingKind::inter_block_race) return false;
    if (a.action.place.file != b.action.place.file) return false;
    const auto [a_first, a_last] = std::minmax(a.action.place.line, a.other.place.line);
    const auto [b_first, b_last] = std::minmax(b.action.place.line, b.other.place.line);
    return std::max(a_first, b_first) < std::min(a_last, b_last);
}

// Ranks races on a variable by the barrier they need: one for warps orders less than one for blocks.
int reach(FindingKind kind) {
    return kind == FindingKind::inter_block_race ? 2 : kind == FindingKind::missing_barrier ? 1 : 0;
}

// Merges two races. On one variable, the one that needs the wider barrier determines the advice. Of several variables,
// the first one in the text is reported, whatever the schedule was.
RawFinding merged(const RawFinding& a, const RawFinding& b) {
    const auto lines = [](const RawFinding& race) {
        return std::minmax({race.action.place.line, race.other.place.line});
    };
    const bool takes_b = same_variable(a, b) ? reach(b.kind) > reach(a.kind) : lines(b) < lines(a);
    RawFinding both = takes_b ? b : a;
    if (reach(a.kind) > reach(both.kind)) both.kind = a.kind;
    if (reach(b.kind) > reach(both.kind)) both.kind = b.kind;
    both.times = a.times + b.times;
    if (same_variable(a, b)) {
        both.several_write = a.several_write || b.several_write;
        both.one_line_writes = a.one_line_writes || b.one_line_writes;
    }
    return both;
}

}  // namespace

void FindingLog::add_fatal(FoundAt at, RawFinding finding) {
    const std::lock_guard lock(mutex_);
    if (has_fatal_ && fatal_.at < at) return;
    has_fatal_ = true;
    fatal_ = {at, std::move(finding)};
}

bool FindingLog::has_fatal() const {
    const std::lock_guard lock(mutex_);
    return has_fatal_;
}

std::optional<RawFinding> FindingLog::fatal() const {
    const std::lock_guard lock(mutex_);
    return has_fatal_ ? std::optional(fatal_.finding) : std::nullopt;
}

std::vector<RawFinding> FindingLog::all() const {
    std::vector<const Entry*> order;
    for (const auto& [key, entry] : entries_)
        if (!has_fatal_ || entry.at < fatal_.at) order.push_back(&entry);
    std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) { return a->at < b->at; });
    std::vector<RawFinding> findings;
    for (const Entry* entry : order) findings.push_back(entry->finding);
    if (has_fatal_) findings.push_back(fatal_.finding);
    return findings;
}

std::vector<RawFinding> without_consequences(std::vector<RawFinding> findings) {
    std::vector<RawFinding> result;
    for (const RawFinding& finding : findings) {
        const auto same = std::find_if(result.begin(), result.end(), [&finding](const RawFinding& other) {
            return is_race(finding.kind) && is_race(other.kind) &&
                   (same_variable(finding, other) || one_barrier_cures(finding, other));
        });
        if (same == result.end())
            result.push_back(finding);
        else
            *same = merged(*same, finding);
    }
    const auto any_finding = [&findings](auto&& holds) { return std::any_of(findings.begin(), findings.end(), holds); };
    for (RawFinding& race : result)
        if (any_finding([&race](const RawFinding& read) { return updates_unwritten(race, read); }))
            race.one_line_writes = true;
    // A thread that reads too early finds an unwritten value.
    std::erase_if(result, [&](const RawFinding& finding) {
        return finding.kind == FindingKind::uninitialized_read && any_finding([&](const RawFinding& race) {
                   return is_race(race.kind) && same_variable(finding, race);
               }) &&
               !any_finding([&](const RawFinding& race) { return updates_unwritten(race, finding); });
    });
    return result;
}

namespace {

std::string shown(const SourcePlace& place, const std::string& kernel) {
    return place.file.empty() ? "kernel " + kernel : place.file + ':' + std::to_string(place.line);
}

bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

std::string place_and_thread(const RawFinding& finding) {
    return "block " + shown(finding.action.block) + ", thread " + shown(finding.action.thread);
}

std::string block_and_thread(const Action& action) {
    return "block " + shown(action.block) + " thread " + shown(action.thread);
}

// A shared variable that isn't an array: it may have been meant to be each thread's own.
bool one_for_all(const RawFinding& finding) {
    const Action &late = finding.action, &early = finding.other;
    const bool all_change_it = late.place.line == early.place.line && late.verb != early.verb;
    return finding.space == Space::shared && finding.element == finding.variable &&
           (finding.several_write || all_change_it);
}

std::string why_one_for_all(const RawFinding& finding) {
    return finding.variable +
           " is one variable for the whole block, and several threads write it: leave out __shared__ if each is to "
           "have its own";
}

constexpr const char* unknown_operation = "atomicAdd() or another atomic, or let one thread alone change each element";

// One line writes an element in several threads: no barrier would help, since the last one wins anyway.
bool several_writers(Finding& told, const RawFinding& finding, const std::string& kernel) {
    const Action &late = finding.action, &early = finding.other;
    const bool one_line = late.place.line == early.place.line && late.place.file == early.place.file;
    const bool reads = one_reads(finding);
    if (!finding.one_line_writes || (!one_line && !reads)) return false;
    if (reads) {
        const Action& reader = late.verb == "reads" ? late : early;
        const Action& writer = late.verb == "reads" ? early : late;
        told.what =
            "lost update: " + shown(reader.place, kernel) + (one_line ? " changes " : " reads ") + finding.element;
        if (!one_line) told.what += ", and " + shown(writer.place, kernel) + " writes it,";
        told.what += " in several threads at once";
        told.advice =
            "each thread changes the value that it has read, and what others write in between is lost: use " +
            (finding.atomic.empty() ? unknown_operation : finding.atomic);
    } else {
        told.what = "written twice: " + shown(late.place, kernel) + " writes " + finding.element +
                    " in several threads, each a value of its own";
        told.advice = one_for_all(finding)
                          ? why_one_for_all(finding) + ", or let one thread alone write it"
                          : "each element needs one thread: check the index and the stride (if all these threads are "
                            "to add to one element, use atomicAdd())";
    }
    return true;
}

void race(Finding& told, const RawFinding& finding, const std::string& kernel) {
    const Action &late = finding.action, &early = finding.other;
    const bool one_line = late.place.line == early.place.line && late.place.file == early.place.file;
    const bool one_block = same(late.block, early.block);
    const std::string missing = finding.copy_under_way ? "and that copy is still under way"
                                : finding.kind == FindingKind::missing_syncwarp ? "with no __syncwarp() between"
                                : one_block                                   ? "with no barrier between"
                                                                              : "in another block";
    told.what = "race on " + finding.element + ": " + shown(late.place, kernel);
    if (one_line && late.verb == early.verb) {
        told.what += " " + late.verb + " it in several threads, " + (one_block ? missing : "in several blocks");
    } else if (one_line) {
        told.what += " " + late.verb + " what another thread " + early.verb + " there, " + missing;
    } else {
        told.what += " " + late.verb + " what " + shown(early.place, kernel) + ' ' + early.verb + ", " + missing;
    }
    if (one_block)
        told.who = "block " + shown(late.block) + ": thread " + shown(late.thread) + ' ' + late.verb + ", thread " +
                   shown(early.thread) + ' ' + early.verb;
    else
        told.who = block_and_thread(late) + ' ' + late.verb + ", " + block_and_thread(early) + ' ' + early.verb;
    if (finding.volatile_update) {
        told.what = "lost update: " + shown(late.place, kernel) + " changes " + finding.element +
                    " in several threads at once";
        told.advice =
            "volatile makes a thread read and write memory itself, but others may write in between, and that is lost: "
            "use " +
            (finding.atomic.empty() ? unknown_operation : finding.atomic);
        return;
    }
    if (finding.copy_under_way) {
        told.advice = early.verb == "reads"
                          ? "an asynchronous copy may read until it is waited for: wait for it before its source is "
                            "written"
                          : "an asynchronous copy is there when its own thread has waited for it (cg::wait(), "
                            "__pipeline_wait_prior(), consumer_wait()), for other threads behind a barrier after that";
        return;
    }
    if (several_writers(told, finding, kernel)) return;
    if (finding.behind_flag) {
        told.advice =
            "the flag between them doesn't carry the data: put __threadfence() between the writing of the data and "
            "that of the flag, and between the reading of the flag and that of the data";
        return;
    }
    if (!finding.counted_by.empty()) {
        told.advice = "by " + finding.counted_by + "() at " + shown({late.place.file, finding.counted_at}, kernel) +
                      " a block knows that the others have come, not that what they wrote has: put __threadfence() "
                      "between the write and " + finding.counted_by + "()";
        return;
    }
    if (finding.first_guess) {
        told.advice =
            "the first look in front of a loop around atomicCAS() has to be atomic as well: read by atomicAdd() of 0, "
            "or through a pointer to volatile";
        return;
    }
    if (one_for_all(finding)) {
        told.advice = why_one_for_all(finding);
        if (!one_line) told.advice += "; if one is meant, put __syncthreads() between the two lines";
        return;
    }
    if (!finding.one_array.empty()) {
        told.advice = finding.one_array +
                      " are one array here, and a thread overwrites what another one has yet to read: read from one "
                      "array, write to another";
        return;
    }
    if (finding.in_place) {
        told.advice =
            "it looks like a stencil in place, where a thread overwrites what its neighbour has yet to read: read from "
            "one array, write to another";
        return;
    }
    if (finding.branched_barrier > 0) {
        told.advice = "the __syncthreads() between the two lines, at " +
                      shown({late.place.file, finding.branched_barrier}, kernel) +
                      ", stands in a branch: move it out, where all threads of the block pass it";
        return;
    }
    if (finding.round_loop) {
        told.advice =
            "a barrier stands between the two lines, but none between one round of the loop and the next: put "
            "__syncthreads() at the loop's end as well";
        return;
    }
    if (finding.second_call) {
        told.advice =
            "the barriers between the two lines don't part one call of this function from the next: put "
            "__syncthreads() between the calls";
        return;
    }
    switch (finding.kind) {
        case FindingKind::inter_block_race:
            told.advice =
                finding.volatile_address != 0
                    ? "volatile makes a thread access memory itself, and orders nothing: use an atomic, or hand the "
                      "element over by a flag, with __threadfence() before the flag is set and after it is seen"
                    : "blocks run in any order and no barrier joins them: use atomicAdd() or another atomic, or let "
                      "each block have elements of its own and combine them in a second kernel";
            break;
        case FindingKind::missing_syncwarp:
            told.advice = one_line
                              ? "lanes of a warp don't run in lockstep: read into a variable, __syncwarp(), then write"
                              : "lanes of a warp don't run in lockstep: put __syncwarp() between the two lines (or "
                                "__syncthreads(), if the block may have more than one warp)";
            break;
        default:
            told.advice = one_line
                              ? "put __syncthreads() between the reading and the writing, where all threads of the "
                                "block pass it"
                              : "put __syncthreads() between the two lines, where all threads of the block pass it";
    }
}

void out_of_bounds(Finding& told, const RawFinding& finding, const std::string& kernel) {
    told.what =
        "out of bounds: " + shown(finding.action.place, kernel) + ' ' + finding.action.verb + ' ' + finding.element;
    if (!finding.extent.empty() && finding.beyond != 0) {
        const std::string by = std::labs(finding.beyond) == 1 ? "just" : std::to_string(std::labs(finding.beyond));
        told.what += ", " + by + (finding.beyond > 0 ? " past the end of " : " before the start of ") + finding.extent;
    } else if (!finding.extent.empty()) {
        told.what += " of " + finding.extent;
    }
    if (!finding.detail.empty()) told.what += ", " + finding.detail;
    told.who = place_and_thread(finding);
    if (finding.element == "through a null pointer")
        told.advice = "give the kernel an array of the device (gpu::Array), or set the pointer before it is followed";
    else if (finding.extent.empty())
        told.advice = "give the kernel arrays of the device (gpu::Array), and check the index: a product of "
                      "ints beyond 2^31 becomes another number";
    else if (finding.beyond < 0)
        told.advice = "the index is negative here: leave these threads out with an if, or correct the index";
    else if (finding.has_own_element)
        told.advice =
            "this thread has an element of its own, so a guard on that wouldn't help: check how this index is "
            "computed, and where a loop ends";
    else if (finding.space == Space::global)
        told.advice = "leave out the threads that have no element, with a guard such as if (i < n)";
    else
        told.advice = "make the array larger, or keep the index below its length";
}

void uninitialized(Finding& told, const RawFinding& finding, const std::string& kernel) {
    told.what = "uninitialised: " + shown(finding.action.place, kernel) + ' ' + finding.action.verb + ' ' +
                finding.element + (finding.others_may_write ? ", which this thread hasn't written"
                                                            : ", which nothing has written");
    told.who = place_and_thread(finding);
    if (!finding.detail.empty()) {
        told.advice = "a __constant__ variable without a value is 0 until the host sets it, before the launch: "
                      "module.symbol<" + finding.detail + ">(\"" + finding.variable +
                      "\").copy_from(...), of a gpu::RawModule";
        return;
    }
    told.advice = finding.space == Space::shared
                      ? "shared memory holds anything when a block begins: write each element before it is read"
                      : "gpu::empty gives an array of anything: write it before it is read, or make it with gpu::zeros";
}

// Only its array is known about a copy.
void missing_event(Finding& told, const RawFinding& finding, const std::string& kernel) {
    const bool is_copy = kernel.empty();
    const bool is_same = finding.work == finding.other_work;
    const std::string other = is_copy && is_same ? "another" + finding.other_work.substr(1) : finding.other_work;
    const std::string& other_file = finding.other.place.file;
    told.what = "missing event: " + (is_copy ? finding.work : shown(finding.action.place, kernel)) + ' ' +
                finding.action.verb + ' ' + finding.element + ", which " + other +
                (other_file.empty() ? "" : " (" + shown(finding.other.place, {}) + ')') + ' ' + finding.other.verb +
                " in another stream, and nothing orders the two";
    told.who = (is_copy ? "" : place_and_thread(finding) + ": ") + finding.work + " in " + finding.stream + ", " +
               other + " in " + finding.other_stream + " (counted as they are first used)";
    told.advice =
        "streams work at the same time: record an event in the other stream behind it and let this one wait, "
        "event.record(other) and stream.wait(event), or call other.synchronize() in between";
}

Rule broken_rule(const RawFinding& finding) {
    if (finding.kind == FindingKind::uninitialized_read && finding.space == Space::shared) return Rule::shared_memory;
    if (finding.kind == FindingKind::deadlock && finding.waits_for_later_block) return Rule::blocks_never_wait;
    return facts_of(finding.kind).rule;
}

}  // namespace

std::string rewritten_text(const RawFinding& rewrite, const std::string& kernel) {
    return shown(rewrite.action.place, kernel) + " writes " + rewrite.element + " in " +
           block_and_thread(rewrite.other) + " and in " + block_and_thread(rewrite.action);
}

std::optional<KernelEnd> end_of(const RawFinding& finding) {
    switch (finding.kind) {
        case FindingKind::out_of_bounds:  // an index past an array's end may reach another array
            if (finding.action.verb == "calls") return KernelEnd::invalid_call;
            if (finding.space == Space::global && finding.extent.empty()) return KernelEnd::illegal_address;
            return std::nullopt;
        case FindingKind::host_pointer: return KernelEnd::illegal_address;
        case FindingKind::misaligned_access: return KernelEnd::misaligned_address;
        case FindingKind::failed_assertion:
            return finding.detail.starts_with("assertion") ? KernelEnd::assertion : KernelEnd::other;
        case FindingKind::endless_loop:
        case FindingKind::deadlock: return KernelEnd::timeout;
        case FindingKind::stack_overflow: return KernelEnd::stack_overflow;
        default: return std::nullopt;
    }
}

Finding format_finding(const RawFinding& finding, const std::string& kernel) {
    Finding told;
    told.kind = finding.kind;
    told.rule = broken_rule(finding);
    told.kernel = kernel;
    told.file = finding.action.place.file;
    told.line = finding.action.place.line;
    told.variable = finding.variable;
    told.times = finding.times;
    const std::string where = shown(finding.action.place, kernel);
    told.who = place_and_thread(finding);
    switch (finding.kind) {
        case FindingKind::out_of_bounds: out_of_bounds(told, finding, kernel); break;
        case FindingKind::missing_barrier:
        case FindingKind::missing_syncwarp:
        case FindingKind::inter_block_race: race(told, finding, kernel); break;
        case FindingKind::uninitialized_read: uninitialized(told, finding, kernel); break;
        case FindingKind::divergent_barrier:
            told.what = "divergent barrier: " + where + " and " + shown(finding.other.place, kernel) +
                        " are different barriers, and threads of one block wait at both";
            told.who = "block " + shown(finding.action.block) + ": " + finding.detail;
            told.advice = "all threads of a block must come to the same __syncthreads(): take it out of the branch";
            break;
        case FindingKind::deadlock:
            if (finding.waits_for_later_block) {
                told.what = "waits for a later block: " + where + " reads " + finding.element +
                            " until block " + shown(finding.other.block) + " writes it";
                told.advice =
                    "blocks begin in any order, and a GPU may not begin one before another has ended: let blocks wait "
                    "only for those before them, in an order drawn from an atomic counter, or use two kernels";
                break;
            }
            if (finding.polls) {
                told.what = "deadlock: " + where + " reads " + finding.element +
                            " again and again, and no thread is left that would change it";
                told.who = "block " + shown(finding.action.block) + ": " + finding.detail;
                told.advice =
                    "whoever is waited for must get there without what the waiting threads hold: release before a "
                    "barrier, and never wait for a thread that has ended";
                break;
            }
            told.what = "deadlock: " + where + ": " + finding.element + " waits for threads that can't come";
            told.who = "block " + shown(finding.action.block) + ": " + finding.detail;

            break;
        case FindingKind::misaligned_access:
            told.what = "misaligned: " + where + ' ' + finding.action.verb + ' ' + finding.detail;
            told.advice = "an access of 8 or 16 bytes (float2, double, float4) must begin at a multiple of its size: "
                          "choose an index that is, or access single elements";
            break;
        case FindingKind::division_by_zero:
            told.what = "division by zero: " + where + " divides an integer by zero";
            told.advice = "a GPU would give a meaningless number: test the divisor first";
            break;
        case FindingKind::endless_loop:
            told.what = "endless loop: " + where + " still ran after " + finding.detail;
            told.advice = "does a loop's condition never become false, or does it wait for a thread that can't come?";
            break;
        case FindingKind::stack_overflow:
            told.what = "stack overflow: " + where + " needs more stack than a thread has";
            told.advice =
                "a thread has 64 KiB here: does a function call itself for ever, or is a local array too large?";
            break;
        case FindingKind::failed_assertion:
            told.what = "failed: " + where + ": " + finding.detail;
            told.advice = "the kernel itself says that this can't be: look at the values that lead here";
            break;
        case FindingKind::host_pointer:
            told.what = (finding.action.place.file.empty() ? "" : where + ": ") + "kernel " + kernel +
                        ": the argument " + finding.variable +
                        " points to host memory; bring it over with gpu::to_device";
            told.advice =
                "on a GPU a kernel follows device pointers alone: pass a gpu::Array, such as "
                "gpu::Array<float> x = gpu::to_device(h)";
            break;
        case FindingKind::wide_shift:
            told.what = "wide shift: " + where + " shifts " + finding.detail;
            told.advice =
                "undefined in C++: a GPU shifts all bits out, a processor takes the count modulo the width; test the "
                "count first";
            break;
        case FindingKind::skipped_barrier:
            told.what = "skipped barrier: " + where + ": " + finding.detail + " this " + finding.element;
            told.who = "block " + shown(finding.action.block) + ": such as thread " + shown(finding.action.thread);
            told.advice =
                "undefined before compute capability 7.0, tolerated since: let all threads come to it, with "
                "if (i < n) { ... } around the work in place of an early return";
            break;
        case FindingKind::inactive_lane:
            told.what = "inactive lane: " + where + ": in " + finding.element + ", " + finding.detail +
                        ", which takes no part";
            told.advice =
                "what it gets is undefined: let all lanes that are read from call it too, with a mask that names them";
            break;
        case FindingKind::constant_write:
            told.what = "constant write: " + where + " writes " + finding.element + ", which is __constant__";
            told.advice =
                "constant memory is written by the host, before the launch: module.symbol<" + finding.detail + ">(\"" +
                finding.variable +
                "\").copy_from(...), of a gpu::RawModule; for a kernel's own results take __device__";
            break;
        case FindingKind::memory_leak:
            told.what =
                "memory leak: " + where + ": what is allocated there is never freed, " + finding.detail + " in all";
            told.advice =
                "the kernels' heap has 8 MB, and what a kernel leaves there stays: call free() or delete in this "
                "kernel or a later one, or pass an array";
            break;
        case FindingKind::missing_event: missing_event(told, finding, kernel); break;
        case FindingKind::host_access:
        case FindingKind::host_buffer_in_use: break;  // no kernel's, see HostAccessWatch and HostBufferWatch
    }
    if (!finding.advice.empty()) told.advice = finding.advice;
    if (!finding.call.empty()) told.who += ", in " + finding.call;
    return told;
}

namespace {

constexpr const char* here = "<here>";
constexpr const char* there = "<there>";

}  // namespace

void show_to_debugger(const LaunchFacts& launch) {
    static auto* const name = new std::string;  // leaked, since the record stays
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
    if (this_watch == nullptr || finding.volatile_update) return;  // it is a finding only in some cases
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
    const Finding composed = format_finding(named, this_watch->facts().kernel.name());
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
