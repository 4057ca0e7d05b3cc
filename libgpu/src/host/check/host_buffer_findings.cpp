// SPDX-License-Identifier: MIT
// The texts of what HostBufferWatch has noted.
#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>

#include "host/check/host_buffer_watch.hpp"
#include "places/program_places.hpp"

namespace gpu::detail::host {

namespace {

using Use = HostBufferWatch::Use;

std::string shown(const ProgramPlace& place) { return place.file + ':' + std::to_string(place.line); }

// Without libgpu's own frames, where they are innermost and not the program's: whoever called is asked for.
std::vector<std::uintptr_t> callers(std::vector<std::uintptr_t> stack) {
    Dl_info ours{}, theirs{};
    const bool is_known = ::dladdr(reinterpret_cast<const void*>(&callers), &ours) != 0 && ours.dli_fname != nullptr;
    if (!is_known || std::string(ours.dli_fname).find("libgpu.so") == std::string::npos) return stack;
    const auto first = std::find_if(stack.begin(), stack.end(), [&](std::uintptr_t instruction) {
        return ::dladdr(reinterpret_cast<const void*>(instruction), &theirs) == 0 || theirs.dli_fbase != ours.dli_fbase;
    });
    stack.erase(stack.begin(), first);
    return stack;
}

// "element 3 of 100 float32 in host memory".
std::string element_of(const HostBufferWatch::EarlyUse& early) {
    const bool is_typed = early.buffer.elements >= 0;
    const auto type = static_cast<DType>(std::max(early.buffer.elements, 0));
    const std::size_t width = is_typed ? size_of(type) : 1;
    return (is_typed ? "element " : "byte ") + std::to_string((early.address - early.buffer.start) / width) + " of " +
           std::to_string(early.buffer.bytes / width) + ' ' + (is_typed ? std::string(name(type)) : "bytes") +
           " in host memory";
}

std::string sentence(const HostBufferWatch::EarlyUse& early, const ProgramPlace& used, const ProgramPlace& copied) {
    const std::string user = used.file.empty() ? "host code" : shown(used);
    const std::string before = used.file.empty() ? "" : " before " + shown(used);
    const std::string copy = copied.file.empty() ? "an asynchronous copy" : "the copy of " + shown(copied);
    const std::string still = early.buffer.is_written ? " may not have written yet" : " may still be reading";
    switch (early.use) {
        case Use::read: return user + " reads " + element_of(early) + ", which " + copy + still;
        case Use::write: return user + " writes " + element_of(early) + ", which " + copy + still;
        case Use::unknown: return user + " uses " + element_of(early) + ", which " + copy + still;
        case Use::changed: return element_of(early) + ", which " + copy + still + ", has changed" + before;
        case Use::freed: return "host memory that " + copy + still + " has been freed" + before;
        case Use::copy_reads:
            return user + ": a copy reads host memory that " + copy + still + ", in another stream";
        case Use::copy_writes:
            return user + ": a copy writes host memory that " + copy + still + ", in another stream";
    }
    return {};
}

bool is_counted(const std::string& stream) { return stream.compare(0, 7, "stream ") == 0; }

std::string advice_of(const HostBufferWatch::EarlyUse& early) {
    if (!early.other_stream.empty())
        return "streams work at the same time: record an event behind the first copy and let the other stream wait "
               "for it, event.record(first) and second.wait(event), or give each copy memory of its own";
    if (early.buffer.is_written)
        return "the values are there when the copy is done, not when the call returns: wait first, with the event that "
               "copy_to_async() returns, event.synchronize(), or with gpu::synchronize()";
    return "the copy reads the memory when its turn in the stream comes, not when the call returns: before you write "
           "or free it, wait for the event that copy_from_async() returns, event.synchronize(), or fill another buffer "
           "meanwhile";
}

}  // namespace

std::vector<HostBufferWatch::OrderedFinding> HostBufferWatch::findings() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::vector<std::uintptr_t>> stacks;
    for (const EarlyUse& early : found_) {
        stacks.push_back(callers(early.used_at.stack()));
        stacks.push_back(callers(early.copied_at.stack()));
    }
    const std::vector<ProgramPlace> places = learners_places(stacks);
    std::vector<OrderedFinding> findings;
    for (std::size_t k = 0; k < found_.size(); ++k) {
        const EarlyUse& early = found_[k];
        const ProgramPlace &used = places[2 * k], &copied = places[2 * k + 1];
        Finding finding;
        finding.kind = FindingKind::host_buffer_in_use;
        finding.rule = Rule::host_only_queues;
        const bool is_seen = early.use != Use::changed && early.use != Use::freed;
        finding.file = is_seen ? used.file : copied.file;
        finding.line = is_seen ? used.line : copied.line;
        finding.what = "buffer in use: " + sentence(early, used, copied);
        finding.who = (used.function.empty() ? "" : "in " + used.function + "; ") + "the copy to the " +
                      (early.buffer.is_written ? "host" : "device") + " is in " + early.copy_stream +
                      (early.other_stream.empty() ? "" : ", the other one in " + early.other_stream) +
                      (is_counted(early.copy_stream) || is_counted(early.other_stream)
                           ? " (counted as they are first used)"
                           : "");
        finding.advice = advice_of(early);
        findings.push_back({early.before, std::move(finding)});
    }
    return findings;
}

}  // namespace gpu::detail::host
