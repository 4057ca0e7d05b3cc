// SPDX-License-Identifier: MIT
#include "batch/slurm/slurm_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

namespace course {

namespace {

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) return {};
    return number;
}

/// For sh: 'it'\''s'.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char one : text) result += one == '\'' ? std::string("'\\''") : std::string(1, one);
    return result + "'";
}

/// For --output, where a percent sign begins a field.
std::string without_fields(const std::string& path) {
    std::string result;
    for (const char one : path) result += one == '%' ? std::string("%%") : std::string(1, one);
    return result;
}

constexpr std::string_view ended_states[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED", "COMPLETING",
                                             "DEADLINE",  "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY",
                                             "PREEMPTED", "REVOKED",   "TIMEOUT"};

}  // namespace

std::vector<std::vector<std::size_t>> jobs_of_indexes(std::span<const GradeJob> jobs, int chunk, int most) {
    std::vector<std::vector<std::size_t>> submissions;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        if (k == 0 || jobs[k].submission != jobs[k - 1].submission) submissions.emplace_back();
        submissions.back().push_back(k);
    }
    const auto room = static_cast<std::size_t>(std::max(1, most));
    const std::size_t each =
        std::max(static_cast<std::size_t>(std::max(1, chunk)), (submissions.size() + room - 1) / room);
    std::vector<std::vector<std::size_t>> indexes;
    for (std::size_t k = 0; k < submissions.size(); ++k) {
        if (k % each == 0) indexes.emplace_back();
        indexes.back().insert(indexes.back().end(), submissions[k].begin(), submissions[k].end());
    }
    return indexes;
}

std::string index_list(std::span<const int> indexes) {
    std::string list;
    for (std::size_t from = 0, to = 0; from < indexes.size(); from = to + 1) {
        to = from;
        while (to + 1 < indexes.size() && indexes[to + 1] == indexes[to] + 1) ++to;
        if (!list.empty()) list += ',';
        list += to == from ? fmt::format("{}", indexes[from]) : fmt::format("{}-{}", indexes[from], indexes[to]);
    }
    return list;
}

std::string batch_script(const SlurmPlaces& places) {
    return fmt::format("#!/bin/sh\nexec {} --root {} grade-index --area {} --index \"$SLURM_ARRAY_TASK_ID\"\n",
                       quoted(places.course_class.string()), quoted(places.root.string()),
                       quoted(places.area.string()));
}

std::vector<std::string> sbatch_arguments(const SlurmSettings& settings, const std::filesystem::path& area,
                                          std::span<const int> indexes) {
    const std::string most = settings.at_once > 0 ? fmt::format("%{}", settings.at_once) : "";
    std::vector<std::string> arguments = {"sbatch",
                                          "--parsable",
                                          "--job-name=" + area.filename().string(),
                                          "--array=" + index_list(indexes) + most,
                                          "--chdir=" + area.string(),
                                          "--output=" + without_fields((area / "log").string()) + "/%a-%A",
                                          "--open-mode=append",
                                          "--no-requeue",
                                          "--propagate=NONE",  // this program's limits aren't the nodes'
                                          "--ntasks=1",
                                          fmt::format("--cpus-per-task={}", settings.cpus)};
    if (!settings.partition.empty()) arguments.push_back("--partition=" + settings.partition);
    if (settings.gpus > 0) arguments.push_back(fmt::format("--gres=gpu:{}", settings.gpus));
    if (!settings.memory.empty()) arguments.push_back("--mem=" + settings.memory);
    if (settings.minutes > 0) arguments.push_back(fmt::format("--time={}", settings.minutes));
    arguments.insert(arguments.end(), settings.options.begin(), settings.options.end());
    arguments.push_back((area / "script").string());
    return arguments;
}

std::optional<long> parse_submitted(std::string_view text) {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    if (const std::size_t line = text.rfind('\n'); line != text.npos) text.remove_prefix(line + 1);  // after warnings
    return whole_number<long>(text.substr(0, text.find(';')));
}

std::optional<int> parse_most_indexes(std::string_view text) {
    constexpr std::string_view name = "\nMaxArraySize";
    const std::size_t at = text.find(name);
    if (at == text.npos) return {};
    std::string_view line = text.substr(at + name.size());
    line = line.substr(0, line.find('\n'));
    line.remove_prefix(std::min(line.find_first_of("0123456789"), line.size()));
    return whole_number<int>(line.substr(0, line.find(' ')));
}

bool QueueEntry::is_active() const {
    return std::find(std::begin(ended_states), std::end(ended_states), state) == std::end(ended_states);
}

std::vector<std::string> squeue_arguments(const std::string& name) {
    return {"squeue", "--array", "--noheader", "--states=all", "--name=" + name, "--format=%F|%K|%T|%N|%r"};
}

std::optional<std::vector<QueueEntry>> parse_queue(std::string_view text) {
    std::map<int, QueueEntry> latest;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        std::array<std::string_view, 5> fields;
        for (std::size_t k = 0; k < fields.size(); ++k) {
            const std::size_t bar = k + 1 < fields.size() ? line.find('|') : line.size();
            if (bar == line.npos) return {};
            fields[k] = line.substr(0, bar);
            line.remove_prefix(std::min(bar + 1, line.size()));
        }
        const std::optional<long> array = whole_number<long>(fields[0]);
        const std::optional<int> index = fields[1] == "N/A" ? QueueEntry::never_begun : whole_number<int>(fields[1]);
        if (!array || !index || fields[2].empty()) return {};
        QueueEntry entry{*array, *index, std::string(fields[2]), std::string(fields[4]), std::string(fields[3])};
        const auto known = latest.find(*index);
        if (known == latest.end() || known->second.array <= *array) latest[*index] = std::move(entry);
    }
    std::vector<QueueEntry> queue;
    for (auto& [index, entry] : latest) queue.push_back(std::move(entry));
    return queue;
}

std::string last_words(std::string_view log) {
    constexpr std::string_view message = "course: ";
    std::string_view words;
    for (bool is_message = false; !log.empty();) {
        const std::size_t end = std::min(log.find('\n'), log.size());
        const std::string_view line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        if (line.starts_with(message)) {
            words = line.substr(message.size());
            is_message = true;
        } else if (!is_message && !line.empty()) {
            words = line;
        }
    }
    return std::string(words);
}

}  // namespace course
