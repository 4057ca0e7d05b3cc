// SPDX-License-Identifier: MIT
#include "host/check/finding_builder.hpp"

#include <bit>
#include <utility>

#include "base.hpp"
#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/check/clues.hpp"
#include "host/check/launch_facts.hpp"
#include "host/check/stream_order.hpp"

namespace gpu::detail::host {

namespace {

std::string verb_of(bool wrote, Stamp stamp) { return !wrote ? "reads" : is_atomic(stamp) ? "updates" : "writes"; }

}  // namespace

Action FindingBuilder::running(const char* verb, std::size_t site) const {
    Action action;
    action.block = facts_.block_index(block_);
    action.thread = facts_.thread_index(static_cast<unsigned>(scheduler_.current()));
    action.verb = verb;
    action.site = site;
    return action;
}

void FindingBuilder::outside(RawFinding& finding, const char* verb, std::uintptr_t address, std::size_t size,
                            std::size_t site) const {
    fatal(finding, FindingKind::out_of_bounds, site);
    finding.action.verb = verb;
    arrays_.describe_outside(finding, address, size);
}

void FindingBuilder::bounds(RawFinding& finding, const void* description, unsigned long index, std::size_t site) const {
    fatal(finding, FindingKind::out_of_bounds, site);
    arrays_.describe_bounds(finding, description, index);
}

void FindingBuilder::misaligned(RawFinding& finding, const void* description, std::uintptr_t address,
                               std::size_t alignment, std::size_t site) const {
    fatal(finding, FindingKind::misaligned_access, site);
    arrays_.describe_misaligned(finding, description, address, alignment);
}

void FindingBuilder::fatal(RawFinding& finding, FindingKind kind, std::size_t site) const {
    finding = RawFinding{};
    finding.kind = kind;
    finding.action = running("reads", site);
}

RawFinding FindingBuilder::access(FindingKind kind, const char* verb, const CheckedArray& array, std::size_t offset,
                                  std::size_t size, std::size_t site) const {
    RawFinding finding = arrays_.describe(kind, array, offset, size);
    finding.action = running(verb, site);
    if (array.is_constant) finding.detail = declared_type_or_t(array);
    if (recorder_ != nullptr) recorder_->keep_block();
    return finding;
}

void FindingBuilder::uninitialized_local(FoundAt at, const LocalArray& array, std::uintptr_t address,
                                        std::size_t site) const {
    facts_.log.add({FindingKind::uninitialized_read, nullptr, array.name, site}, at, [&] {
        RawFinding finding;
        fatal(finding, FindingKind::uninitialized_read, site);
        finding.variable = array.name;
        finding.element = array.element_text(address);
        if (array.columns == 0) {
            finding.advice =
                "a local variable holds anything at first: give it a value where it is declared, as 0 for a sum";
            return finding;
        }
        const std::vector<Token> tokens = tokens_of(facts_.module.learners().text);
        finding.others_may_write = has_name(tokens, "__syncthreads");
        finding.advice = finding.others_may_write
                             ? "without __shared__ each thread has an array " + finding.variable +
                                   " of its own, and what other threads write isn't in it: declare it __shared__ if "
                                   "the block is to share it"
                             : "a local array holds anything at first: write each element before it is read, or begin "
                               "with values, as in " + finding.variable + "[...] = {}";
        return finding;
    });
}

std::string FindingBuilder::declared_type_or_t(const CheckedArray& array) const {
    const std::string type = declared_variable_type(facts_.module.learners().text, array.name);
    return type.empty() ? "T" : type;
}

RawFinding FindingBuilder::two_sides(FindingKind kind, const CheckedArray& array, std::size_t offset, Stamp before,
                                    Stamp now, bool before_wrote, bool now_writes, std::size_t size,
                                    std::size_t site) const {
    RawFinding finding = arrays_.describe(kind, array, offset, size);
    finding.action.block = facts_.block_index(block_);
    finding.action.thread = facts_.thread_index(thread_of(now));
    finding.action.verb = verb_of(now_writes, now);
    finding.action.site = site;
    finding.other.block = facts_.block_index(facts_.block_of(serial_of(before)));
    finding.other.thread = facts_.thread_index(thread_of(before));
    finding.other.verb = verb_of(before_wrote, before);
    finding.other.site = facts_.module.site_offset(site_of(before));
    if (array.space == Space::global && verb_of(before_wrote, before) != finding.action.verb)
        finding.one_array = arrays_.parameters_of(array);
    if (array.space == Space::global) finding.advice = arrays_.thread_without_column(finding, array, offset, size);
    if (recorder_ == nullptr) return finding;
    recorder_->keep_block();
    const std::uintptr_t address = array.start + offset;
    finding.action.record = recorder_->last(block_, thread_of(now), site, address, size, now_writes);
    finding.other.record = recorder_->last(facts_.block_of(serial_of(before)), thread_of(before), finding.other.site,
                                           address, size, before_wrote);
    return finding;
}

RawFinding FindingBuilder::missing_event(const CheckedArray& array, std::size_t offset, const StreamOperation& other,
                                        Stamp before, Stamp now, bool before_wrote, bool now_writes, std::size_t size,
                                        std::size_t site) const {
    RawFinding finding = arrays_.describe(FindingKind::missing_event, array, offset, size);
    finding.action.block = facts_.block_index(block_);
    finding.action.thread = facts_.thread_index(thread_of(now));
    finding.action.verb = verb_of(now_writes, now);
    finding.action.site = site;
    finding.work = "kernel " + facts_.kernel.name();
    finding.stream = facts_.stream;
    describe_other(finding, other, before, before_wrote);
    if (recorder_ != nullptr) recorder_->keep_block();
    return finding;
}

RawFinding FindingBuilder::wide_shift(const void* description, unsigned long by, std::size_t site) const {
    RawFinding finding;
    fatal(finding, FindingKind::wide_shift, site);
    finding.action.verb = "shifts";
    arrays_.describe_shift(finding, description, by);
    return finding;
}

RawFinding FindingBuilder::at_line(FindingKind kind, int line, int thread) const {
    RawFinding finding;
    finding.kind = kind;
    finding.action.block = facts_.block_index(block_);
    finding.action.thread = facts_.thread_index(static_cast<unsigned>(thread));
    finding.action.place = {facts_.module.learners().file, line};
    return finding;
}

RawFinding FindingBuilder::skipped_barrier(int line, int ended) const {
    RawFinding finding = at_line(FindingKind::skipped_barrier, line, scheduler_.first_ended());
    finding.element = "__syncthreads()";
    finding.detail = plural(ended, "thread") + " of the block ended before";
    finding.is_left_out = !facts_.strict_barriers;
    const SourceText& learners = facts_.module.learners();
    const std::string& text = learners.plain.empty() ? learners.text : learners.plain;
    const std::vector<Token> tokens = tokens_of(text);
    const int own_line = line - learners.line + 1;
    if (const auto call = call_leading_to(tokens, own_line, bare_name(facts_.kernel.name()))) {
        finding.call = call->text(learners);
        if (call->way.in_branch || call->way.in_loop) {
            finding.detail = plural(ended, "thread") + " of the block never came to";
            finding.is_left_out = finding.is_left_out && call->way.behind_return;
            const std::string where = learners.file + ':' + std::to_string(call->line + learners.line - 1);
            finding.advice = "the call of " + call->function + " at " + where + " stands in a " +
                             (call->way.in_branch ? "branch" : "loop") + ", and it has barriers: let all threads of " +
                             "the block make it" + (call->way.in_branch ? ", outside of the branch" : "") +
                             (call->way.behind_return ? ", and let none return before" : "");
            return finding;
        }
        if (call->way.behind_return) return finding;
    }
    const std::optional<WayTo> way = way_to_barrier(tokens, own_line);
    if (!way || (way->behind_return && !way->in_branch)) return finding;  // the kind's own advice covers a return
    if (way->behind_return) {
        finding.advice =
            "all threads of the block must come to it: move it out of the branch, and let none return before";
        return finding;
    }
    if (!way->in_branch && !way->in_loop) return finding;
    finding.is_left_out = false;
    finding.detail = plural(ended, "thread") + " of the block never came to";
    finding.advice =
        way->in_branch
            ? "this " + finding.element + " stands in a branch that " + plural(ended, "thread") +
                  (ended == 1 ? " doesn't" : " don't") + " take: move it out of the branch, where all threads pass it"
            : "this " + finding.element + " stands in a loop that " + plural(ended, "thread") +
                  (ended == 1 ? " leaves" : " leave") +
                  " early: let all threads of the block go round it equally often, with or without work";
    return finding;
}

RawFinding FindingBuilder::ended_lanes(const WarpArrival& arrival) const {
    RawFinding finding =
        at_line(FindingKind::skipped_barrier, arrival.line, arrival.warp * 32 + std::countr_zero(arrival.ended));
    const std::string ended = plural(std::popcount(arrival.ended), "thread");
    finding.element = name_of_warp_operation(arrival.operation);
    finding.detail = ended + " that its mask names ended before";
    finding.is_left_out = !facts_.strict_barriers;
    if (arrival.operation != gpu_warp_sync) return finding;
    const SourceText& learners = facts_.module.learners();
    const std::vector<Token> tokens = tokens_of(learners.plain.empty() ? learners.text : learners.plain);
    const int own_line = arrival.line - learners.line + 1;
    if (const std::string group = synchronized_group(tokens, own_line); !group.empty()) {
        finding.element = group + ".sync()";
        finding.detail = ended + " of " + group + " ended before";
    }
    const std::optional<WayTo> way = way_to_barrier(tokens, own_line);
    if (!way || way->behind_return || (!way->in_branch && !way->in_loop)) return finding;
    finding.is_left_out = false;
    finding.advice = "it stands in a " + std::string(way->in_branch ? "branch" : "loop") +
                     ": let all of them come to it, or name only those that come, as in __syncwarp(mask)";
    return finding;
}

RawFinding FindingBuilder::inactive_lane(const WarpArrival& arrival) const {
    RawFinding finding = at_line(FindingKind::inactive_lane, arrival.line, arrival.warp * 32 + arrival.reader);
    finding.element = name_of_warp_operation(arrival.operation);
    finding.detail =
        "lane " + std::to_string(arrival.reader) + " reads from lane " + std::to_string(arrival.inactive_lane);
    return finding;
}

}  // namespace gpu::detail::host
