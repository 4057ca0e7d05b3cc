// SPDX-License-Identifier: MIT
#include "progress/progress.hpp"

#include <algorithm>
#include <cerrno>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manifest/names.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

Progress::Progress(const std::filesystem::path& work)
    : root_(work.parent_path()), file_(work / ".progress"), lock_(work / ".progress.lock") {}

/// Manifests are read only if there is a name that no exercise of this edition has.
void Progress::use_present_names(ProgressText& progress) const {
    std::vector<ExerciseFolder> folders;
    try {
        folders = exercise_folders(root_);
    } catch (const ManifestError&) {
        return;
    }
    const auto is_present = [&](const std::string& name) {
        return std::any_of(folders.begin(), folders.end(), [&](const ExerciseFolder& one) { return one.name == name; });
    };
    const auto is_old = [&](const auto& entry) { return !is_present(entry.first); };
    if (std::none_of(progress.records.begin(), progress.records.end(), is_old)) return;
    for (const auto& [old_name, name] : former_names(root_)) {
        const auto old = progress.records.find(old_name);
        if (old == progress.records.end() || is_present(old_name)) continue;
        progress.records[name] = merged(progress.records[name], old->second);
        progress.records.erase(old);
    }
}

ProgressText Progress::read_all() const {
    ProgressText progress;
    try {
        progress = parse_progress(read_file(file_));
    } catch (const FileError& error) {
        if (error.error_number() != ENOENT) throw;
        return {};
    }
    use_present_names(progress);
    return progress;
}

Progress::Records Progress::read() const {
    try {
        return read_all().records;
    } catch (const FileError&) {
        return {};
    }
}

void Progress::update_all(const std::function<void(ProgressText&)>& change) const {
    make_folders(file_.parent_path());
    const FileLock lock(lock_);
    ProgressText progress = read_all();
    change(progress);
    write_file_atomically(file_, progress_text(progress));
}

void Progress::update(const std::string& name, const std::function<void(ExerciseProgress&)>& change) const {
    update_all([&](ProgressText& progress) { change(progress.records[name]); });
}

namespace {

constexpr std::size_t max_characters = 100;  // characters

std::string with_value(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (!line.starts_with(key + " ")) continue;
        const std::string value = line.substr(key.size() + 1);
        return why_not_a_name(value, key).empty() ? value : "";
    }
    return "";
}

}  // namespace

std::string why_not_a_name(const std::string& text, const std::string& what) {
    if (text.find_first_not_of(" \t\r\n") == text.npos) return fmt::format("the {} is empty", what);
    if (text.front() == ' ' || text.back() == ' ') return fmt::format("the {} begins or ends with a blank", what);
    if (characters(text) > max_characters)
        return fmt::format("the {} is longer than {} characters", what, max_characters);
    if (text.find_first_of("\n\t") != text.npos || plain_text(text, text.size(), 1) != text)
        return fmt::format("the {} has a byte that isn't UTF-8, or a character that can't be seen", what);
    return "";
}

Student read_student(const std::filesystem::path& file) {
    try {
        const std::string text = read_file(file, 4096);
        return {with_value(text, "name"), with_value(text, "id")};
    } catch (const FileError&) {
        return {};
    }
}

void write_student(const std::filesystem::path& file, const Student& student) {
    make_folders(file.parent_path());
    write_file_atomically(
        file, fmt::format("# written by course submit; safe to delete\nname {}\nid {}\n", student.name, student.id),
        0600);
}

// One line per exercise: NAME passed|open HINTS KEY=VALUE... The keys came with format 2; older kits wrote none, and
// ignore those they read.

namespace {

// The limits keep a full record within the length of a line.
constexpr std::size_t max_line_bytes = 4096, max_unknown_lines = 200;
constexpr std::size_t max_unknown_word_bytes = 64, max_unknown_words = 16;
constexpr std::size_t max_misconceptions = 32, max_stars = 8, max_before = 8;

bool is_exercise_name(std::string_view text) {
    return !text.empty() && text.size() <= 64 && text[0] >= 'a' && text[0] <= 'z' &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}

int number(std::string_view text, int max) { return std::clamp(number_from<int>(text).value_or(0), 0, max); }

/// True if each digit stands where the shape has a 0, and all else is the same.
bool has_shape(std::string_view text, std::string_view shape) {
    const auto fits = [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; };
    return text.size() == shape.size() && std::equal(text.begin(), text.end(), shape.begin(), fits);
}

bool consists_of(std::string_view text, std::string_view letters) {
    return !text.empty() && text.size() <= 32 && text.find_first_not_of(letters) == text.npos;
}

/// A verdict contains blanks, a word of the file can't.
std::string with(std::string text, char what, char by) {
    std::replace(text.begin(), text.end(), what, by);
    return text;
}

/// "3:2,7:1": misconception 3 twice, 7 once.
std::map<int, int> parse_met(std::string_view text) {
    std::map<int, int> met;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::size_t colon = one.find(':');
        if (colon == one.npos) continue;
        const int which = number(one.substr(0, colon), 999), times = number(one.substr(colon + 1), 1'000'000);
        if (which > 0 && times > 0) met[which] = times;
    }
    return met;
}

/// "3:2026-11-29,7:2026-11-30": the day on which a misconception was met last.
std::map<int, std::string> parse_met_on(std::string_view text) {
    std::map<int, std::string> met_on;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::size_t colon = one.find(':');
        if (colon == one.npos || !has_shape(one.substr(colon + 1), "0000-00-00")) continue;
        if (const int which = number(one.substr(0, colon), 999); which > 0) met_on[which] = one.substr(colon + 1);
    }
    return met_on;
}

/// "shuffle,register_tile": the stars' task IDs; invalid ones are skipped.
std::set<std::string> parse_stars(std::string_view text) {
    constexpr std::size_t max_star_bytes = 32;
    std::set<std::string> stars;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        if (is_identifier(one) && one.size() <= max_star_bytes) stars.emplace(one);
    }
    return stars;
}

/// "tree=1009:1:0:1009:1010:7000,...": a task's costs, in numbers that the report reads (report/task_text.hpp).
std::map<std::string, std::string> parse_before(std::string_view text) {
    constexpr std::size_t max_task_bytes = 32, max_cost_bytes = 96;
    std::map<std::string, std::string> before;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::string_view task = one.substr(0, one.find('='));
        const std::string_view cost = one.substr(std::min(one.size(), task.size() + 1));
        const bool is_cost =
            !cost.empty() && cost.size() <= max_cost_bytes && cost.find_first_not_of("0123456789:") == cost.npos;
        if (is_identifier(task) && task.size() <= max_task_bytes && is_cost) before[std::string(task)] = cost;
    }
    return before;
}

void add_new(std::vector<std::string>& list, const std::string& one) {
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
}

void take_word(const std::string& word, ExerciseProgress& record) {
    const std::size_t equals = word.find('=');
    if (equals == word.npos || equals == 0) return;
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "attempts") {
        record.attempts = number(value, 1'000'000);
    } else if (key == "points") {
        record.points = number(value, 10'000);
    } else if (key == "first") {
        if (has_shape(value, "0000-00-00T00:00:00Z")) record.first_pass = value;
    } else if (key == "last") {
        if (consists_of(value, "abcdefghijklmnopqrstuvwxyz-")) record.last_verdict = with(value, '-', ' ');
    } else if (key == "answer") {
        if (consists_of(value, "0123456789abcdef")) record.last_answer = value;
    } else if (key == "stars") {
        record.stars = parse_stars(value);
    } else if (key == "before") {
        record.before = parse_before(value);
    } else if (key == "met") {
        record.met = parse_met(value);
    } else if (key == "met_on") {
        record.met_on = parse_met_on(value);
    } else if (word.size() <= max_unknown_word_bytes) {
        add_new(record.unknown, word);
    }
}

/// The record cut to what its line has room for. What stays is the first in a fixed order, so that merging again
/// changes nothing.
ExerciseProgress bounded(ExerciseProgress record) {
    const auto keep = [](auto& all, std::size_t max_size) {
        if (all.size() > max_size) all.erase(std::next(all.begin(), static_cast<std::ptrdiff_t>(max_size)), all.end());
    };
    keep(record.met, max_misconceptions);
    std::erase_if(record.met_on, [&](const auto& one) { return !record.met.contains(one.first); });
    keep(record.stars, max_stars);
    keep(record.before, max_before);
    keep(record.unknown, max_unknown_words);
    return record;
}

std::string line_of(const std::string& name, const ExerciseProgress& record) {
    std::string line = fmt::format("{} {} {}", name, record.passed ? "passed" : "open", record.hints_used);
    if (record.attempts > 0) line += fmt::format(" attempts={}", record.attempts);
    if (record.points > 0) line += fmt::format(" points={}", record.points);
    if (!record.first_pass.empty()) line += " first=" + record.first_pass;
    if (!record.last_verdict.empty()) line += " last=" + with(record.last_verdict, ' ', '-');
    if (!record.last_answer.empty()) line += " answer=" + record.last_answer;
    if (!record.stars.empty()) line += fmt::format(" stars={}", fmt::join(record.stars, ","));
    std::string before;
    for (const auto& [task, cost] : record.before)
        before += fmt::format("{}{}={}", before.empty() ? "" : ",", task, cost);
    if (!before.empty()) line += " before=" + before;
    std::string met;
    for (const auto& [which, times] : record.met) met += fmt::format("{}{}:{}", met.empty() ? "" : ",", which, times);
    if (!met.empty()) line += " met=" + met;
    std::string met_on;
    for (const auto& [which, day] : record.met_on)
        met_on += fmt::format("{}{}:{}", met_on.empty() ? "" : ",", which, day);
    if (!met_on.empty()) line += " met_on=" + met_on;
    for (const std::string& word : record.unknown) line += " " + word;
    return line + "\n";
}

}  // namespace

ExerciseProgress merged(ExerciseProgress a, const ExerciseProgress& b) {
    if (a.last_verdict.empty() || (b.attempts > a.attempts && !b.last_verdict.empty())) {
        a.last_verdict = b.last_verdict;
        a.last_answer = b.last_answer;
    }
    a.before.insert(b.before.begin(), b.before.end());
    a.passed = a.passed || b.passed;
    a.hints_used = std::max(a.hints_used, b.hints_used);
    a.attempts = std::max(a.attempts, b.attempts);
    a.points = std::max(a.points, b.points);
    if (a.first_pass.empty() || (!b.first_pass.empty() && b.first_pass < a.first_pass)) a.first_pass = b.first_pass;
    a.stars.insert(b.stars.begin(), b.stars.end());
    for (const auto& [which, times] : b.met) a.met[which] = std::max(a.met[which], times);
    for (const auto& [which, day] : b.met_on) a.met_on[which] = std::max(a.met_on[which], day);
    for (const std::string& word : b.unknown) add_new(a.unknown, word);
    return bounded(std::move(a));
}

std::string progress_text(const ProgressText& progress) {
    std::string text =
        "# written by course; safe to delete. Format 2\n"
        "# exercise, passed or open, hints used, and what else is known\n";
    for (const auto& [name, record] : progress.records) text += line_of(name, record);
    for (const std::string& line : progress.unknown) text += line + "\n";
    return text;
}

ProgressText parse_progress(const std::string& text) {
    ProgressText progress;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        std::istringstream words(line);
        std::string name, state, word;
        if (!(words >> name) || name[0] == '#') continue;
        words >> state;
        if (!is_exercise_name(name) || (state != "passed" && state != "open") || line.size() > max_line_bytes) {
            if (line.size() <= max_line_bytes && progress.unknown.size() < max_unknown_lines)
                add_new(progress.unknown, line);
            continue;
        }
        ExerciseProgress record;
        record.passed = state == "passed";
        if (words >> word) record.hints_used = number(word, 3);
        do take_word(word, record);
        while (words >> word);
        record = bounded(std::move(record));
        const auto [at, first] = progress.records.emplace(name, record);
        if (!first) at->second = merged(at->second, record);
    }
    return progress;
}

}  // namespace course
