// SPDX-License-Identifier: MIT
#include "author/leaked_lines.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "collect/collect.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr int lines_that_tell = 3;
constexpr std::size_t beginning_bytes = 12;  // of three lines together; fewer give nothing away

/// A text without comments, white space, braces and quotes: the same for code that is laid out differently, or is in a
/// string whose lines end with \n.
struct BareText {
    std::string text;
    std::vector<std::size_t> lines{0};  ///< where each line of the file begins in `text`

    [[nodiscard]] int line_at(std::size_t place) const {
        return static_cast<int>(std::upper_bound(lines.begin(), lines.end(), place) - lines.begin());
    }
};

/// @param block_comments whether /* begins a comment: in exercises/*/README.md it doesn't
BareText bare_text(std::string_view text, bool block_comments) {
    BareText bare;
    const auto line_ends = [&](std::size_t at) { return text[at] == '\n' || text.substr(at, 2) == "\\n"; };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view two = text.substr(at, 2);
        if (two == "//") {
            while (at < text.size() && !line_ends(at)) ++at;
            if (at == text.size()) break;
        } else if (block_comments && two == "/*") {
            const std::size_t end = std::min(text.find("*/", at + 2), text.size());
            for (; at < end; ++at)
                if (text[at] == '\n') bare.lines.push_back(bare.text.size());
            ++at;
            continue;
        }
        const char c = text[at];
        if (c == '\n') bare.lines.push_back(bare.text.size());
        if (text.substr(at, 2) == "\\n") {
            ++at;
        } else if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '{' && c != '}' && c != '"' && c != '\\') {
            bare.text += c;
        }
    }
    return bare;
}

std::string bare_line(std::string_view line) { return bare_text(line, true).text; }

bool is_trivial(const std::string& bare) {
    return std::none_of(bare.begin(), bare.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)); });
}

bool is_cpp(const fs::path& file) {
    return is_one_of(file.extension().string(), {".cpp", ".hpp", ".cu", ".cuh", ".h", ".c"});
}

std::vector<std::string> texts_given(const fs::path& folder, const fs::path& solution) {
    std::vector<std::string> texts;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const fs::path extension = entry.path().extension();
        const bool is_stub = fs::exists(solution / entry.path().filename());
        if (entry.is_regular_file() && (is_stub || extension == ".hpp" || extension == ".md"))
            texts.push_back(read_file(entry.path()));
    }
    return texts;
}

std::string list_of(const std::vector<std::string>& lines) {
    constexpr std::size_t max_shown = 12;
    std::string text;
    for (std::size_t k = 0; k < std::min(lines.size(), max_shown); ++k) text += "  " + lines[k] + "\n";
    if (lines.size() > max_shown) text += fmt::format("  ... and {} more\n", lines.size() - max_shown);
    return text;
}

}  // namespace

void SolutionSearch::add(const std::string& solution, const std::string& text, const std::vector<std::string>& given) {
    std::set<std::string> handed_out;
    for (const std::string& one : given)
        for (const std::string& line : split(one, '\n')) handed_out.insert(bare_line(line));
    const bool has_marks = text.find(part_mark) != text.npos;
    bool inside = !has_marks;
    std::vector<std::string> lines;
    std::vector<int> numbers;
    const auto end_part = [&] {
        std::vector<std::size_t> counting;
        for (std::size_t k = 0; k < lines.size(); ++k)
            if (!is_trivial(lines[k]) && !handed_out.contains(lines[k])) counting.push_back(k);
        for (std::size_t k = 0; k + lines_that_tell <= counting.size(); ++k) {
            const std::size_t first = counting[k], last = counting[k + lines_that_tell - 1];
            Window window{"", solutions_.size(), numbers[first], numbers[last], next_index_ + static_cast<int>(k)};
            for (std::size_t i = first; i <= last; ++i) window.bare += lines[i];
            if (window.bare.size() < beginning_bytes) continue;
            by_beginning_[window.bare.substr(0, beginning_bytes)].push_back(windows_.size());
            windows_.push_back(std::move(window));
        }
        next_index_ += static_cast<int>(counting.size()) + lines_that_tell;  // the next part's run is separate
        lines.clear();
        numbers.clear();
    };
    int number = 0;
    for (const std::string& line : split(text, '\n')) {
        ++number;
        if (line.find(part_mark) != line.npos) {
            inside = true;
        } else if (line.find(part_end_mark) != line.npos) {
            end_part();
            inside = false;
        } else if (inside) {
            lines.push_back(bare_line(line));
            numbers.push_back(number);
        }
    }
    end_part();
    solutions_.push_back(solution);
}

std::vector<LeakedLines> SolutionSearch::find_in(const std::string& file, const std::string& text) const {
    if (text.find('\0') != text.npos) return {};     // not text
    std::vector<std::pair<std::size_t, int>> found;  // window, line in the file
    for (const bool block_comments : {true, false}) {
        if (!block_comments && is_cpp(file)) break;
        const BareText bare = bare_text(text, block_comments);
        std::string beginning;
        for (std::size_t at = 0; at + beginning_bytes <= bare.text.size(); ++at) {
            beginning.assign(bare.text, at, beginning_bytes);
            const auto windows = by_beginning_.find(beginning);
            if (windows == by_beginning_.end()) continue;
            for (const std::size_t k : windows->second)
                if (bare.text.compare(at, windows_[k].bare.size(), windows_[k].bare) == 0)
                    found.emplace_back(k, bare.line_at(at));
        }
    }
    std::sort(found.begin(), found.end());
    std::vector<LeakedLines> runs;
    int last_index = 0;
    for (const auto& [k, line] : found) {
        const Window& window = windows_[k];
        const std::string& solution = solutions_[window.solution];
        const bool goes_on = !runs.empty() && runs.back().solution == solution && window.index <= last_index + 1;
        if (!goes_on) {
            runs.push_back({file, line, solution, window.first, window.last, lines_that_tell});
        } else if (window.index > last_index) {
            runs.back().last = window.last;
            ++runs.back().count;
        }
        last_index = window.index;
    }
    return runs;
}

SolutionSearch search_for_solutions(const fs::path& root) {
    SolutionSearch search;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "solutions"))
        if (entry.is_regular_file() && is_cpp(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const fs::path folder = file.parent_path(), name = folder.filename();
        std::vector<std::string> given;
        for (const char* const place : {"exercises", "capstone"})
            if (fs::is_directory(root / place / name)) given = texts_given(root / place / name, folder);
        search.add((name / file.filename()).string(), read_file(file), given);
    }
    return search;
}

void refuse_leaked_lines(const fs::path& root, const fs::path& folder, const std::vector<std::string>& files,
                         const EditionPlan& plan) {
    const SolutionSearch search = search_for_solutions(root);
    std::vector<std::string> leaked;
    std::vector<int> max_runs(plan.shows.size());
    for (const std::string& file : files) {
        if (!fs::is_regular_file(fs::symlink_status(folder / file))) continue;
        for (const LeakedLines& run : search.find_in(file, read_file(folder / file))) {
            const auto shows = std::find_if(plan.shows.begin(), plan.shows.end(), [&](const ShownOnPurpose& one) {
                return one.file == file && run.solution.starts_with(one.solution + "/");
            });
            if (shows != plan.shows.end()) {
                int& max_run = max_runs[static_cast<std::size_t>(shows - plan.shows.begin())];
                max_run = std::max(max_run, run.count);
            }
            if (shows == plan.shows.end() || run.count > shows->lines)
                leaked.push_back(fmt::format("{}:{}: {} lines of solutions/{}:{} to {}", run.file, run.line, run.count,
                                             run.solution, run.first, run.last));
        }
    }
    if (!leaked.empty())
        throw UsageError(fmt::format(
            "the edition would hold lines of solutions, {} or more in a row:\n{}"
            "Change these files, or leave them out (leave_out in student_edition.toml). If one teaches just "
            "these lines, name it in [[shows]] there, with the reason.",
            lines_that_tell, list_of(leaked)));
    for (std::size_t k = 0; k < plan.shows.size(); ++k)
        if (max_runs[k] < plan.shows[k].lines)
            throw UsageError(
                fmt::format("student_edition.toml: [[shows]] allows {} lines of {} in {}, which has {} in a row: {}",
                            plan.shows[k].lines, plan.shows[k].solution, plan.shows[k].file,
                            max_runs[k] == 0 ? "no three" : fmt::format("{}", max_runs[k]),
                            max_runs[k] == 0 ? "remove the entry" : fmt::format("write lines = {}", max_runs[k])));
}

}  // namespace course
