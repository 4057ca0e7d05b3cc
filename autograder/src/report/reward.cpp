// SPDX-License-Identifier: MIT
#include "report/reward.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/text.hpp"

namespace course {

namespace {

double to_double(std::uint64_t count) { return static_cast<double>(count); }

/// "5 launches became 1"; nothing if there aren't fewer.
void add_fewer(std::vector<std::string>& parts, double before, double now, std::string_view noun,
               std::string_view nouns) {
    const std::string was = fmt::format("{:.4g}", before), is = fmt::format("{:.4g}", now);
    if (now < before && was != is)
        parts.push_back(fmt::format("{} {} became {}", was, was == "1" ? noun : nouns, is));
}

std::string us_text(std::uint64_t nanoseconds) {
    const double us = to_double(nanoseconds) / 1000;
    return us < 10 ? fmt::format("{:.1f} us", us) : fmt::format("{:.0f} us", us);
}

}  // namespace

std::optional<CallCost> cost_of(const TaskResult& task) {
    const CaseResult* largest = nullptr;
    for (const CaseResult& one : task.cases)
        if (one.checked_counts && one.work && one.modelled_us > 0 && (!largest || one.elements > largest->elements))
            largest = &one;
    if (largest == nullptr) return std::nullopt;
    const gpu::Counts& counts = *largest->checked_counts;
    return CallCost{.elements = largest->elements,
                    .launches = counts.launches,
                    .copies = counts.copies_to_device + counts.copies_to_host + counts.copies_on_device +
                              counts.copies_between_devices,
                    .atomics = largest->work->atomics,
                    .words = (largest->work->global_bytes_read + largest->work->global_bytes_written) / 4,
                    .modelled_ns = static_cast<std::uint64_t>(std::min(largest->modelled_us, 1e12) * 1000)};
}

std::string cost_word(const CallCost& cost) {
    return fmt::format("{}:{}:{}:{}:{}:{}", cost.elements, cost.launches, cost.copies, cost.atomics, cost.words,
                       cost.modelled_ns);
}

std::optional<CallCost> parse_cost(std::string_view word) {
    CallCost cost;
    std::uint64_t elements = 0;
    std::uint64_t* const members[] = {&elements,      &cost.launches, &cost.copies,
                                      &cost.atomics, &cost.words,    &cost.modelled_ns};
    for (std::uint64_t* const member : members) {
        const std::string_view one = word.substr(0, word.find(':'));
        const auto number = number_from<std::uint64_t>(one);
        if (!number || *number > std::uint64_t{1} << 62) return std::nullopt;
        *member = *number;
        word.remove_prefix(std::min(word.size(), one.size() + 1));
    }
    if (!word.empty()) return std::nullopt;
    cost.elements = static_cast<std::int64_t>(elements);
    return cost;
}

std::string reward_text(const CallCost& before, const CallCost& now) {
    if (before.elements != now.elements || now.modelled_ns > before.modelled_ns) return "";
    std::vector<std::string> parts;
    const double elements = std::max(1.0, static_cast<double>(now.elements));
    add_fewer(parts, to_double(before.launches), to_double(now.launches), "launch", "launches");
    add_fewer(parts, to_double(before.copies), to_double(now.copies), "copy", "copies");
    add_fewer(parts, to_double(before.words) / elements, to_double(now.words) / elements, "word an element",
              "words an element");
    add_fewer(parts, to_double(before.atomics), to_double(now.atomics), "atomic", "atomics");
    std::string text = fmt::format("{}", fmt::join(parts, ", "));
    const std::string is = us_text(now.modelled_ns), was = us_text(before.modelled_ns);
    if (is != was)
        text += fmt::format("{}modelled for an H200: {}, before {}", text.empty() ? "" : "; ", is, was);
    return text;
}

}  // namespace course
