// SPDX-License-Identifier: MIT
#include "kit/edition.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fnmatch.h>

#include "collect/collect.hpp"
#include "manifest/toml_table.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::int64_t newest_edition = 1;

std::vector<std::string> names_of(std::string_view path) {
    std::vector<std::string> names;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        names.emplace_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return names;
}

/// Tracks strings through a TOML text, line by line.
class Strings {
public:
    /// True if the line begins inside a multi-line string.
    bool begins_inside(std::string_view line) {
        const bool inside = !open_.empty();
        while (!line.empty()) {
            if (!open_.empty()) {
                if (open_[0] == '"' && line[0] == '\\') {
                    line.remove_prefix(std::min<std::size_t>(2, line.size()));
                } else if (line.starts_with(open_)) {
                    line.remove_prefix(open_.size());
                    open_ = {};
                } else {
                    line.remove_prefix(1);
                }
            } else if (line[0] == '#') {
                break;
            } else if (line[0] == '"' || line[0] == '\'') {
                for (const std::string_view mark : {R"(""")", "'''", R"(")", "'"})
                    if (open_.empty() && line.starts_with(mark)) open_ = mark;
                line.remove_prefix(open_.size());
            } else {
                line.remove_prefix(1);
            }
        }
        if (open_.size() == 1) open_ = {};   // such a string ends with its line
        return inside;
    }

private:
    std::string_view open_;
};

/// "distractor" for "[[distractor]]", "task" for "[[task.kernel]]"; empty for other lines.
std::string_view header_of(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with('[')) return {};
    line.remove_prefix(std::min(line.find_first_not_of("[ \t"), line.size()));
    return line.substr(0, line.find_first_of(".] \t"));
}

bool is_comment_or_blank(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == line.npos || line[first] == '#';
}

}  // namespace

std::string quoted_toml(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\t' ? ' ' : c;
    }
    return quoted + '"';
}

bool fits(std::string_view pattern, std::string_view file) {
    const bool is_folder = pattern.ends_with('/');
    const std::vector<std::string> wanted = names_of(pattern), names = names_of(file);
    if (is_folder ? names.size() <= wanted.size() : names.size() != wanted.size()) return false;
    for (std::size_t k = 0; k < wanted.size(); ++k)
        if (::fnmatch(wanted[k].c_str(), names[k].c_str(), 0) != 0) return false;
    return true;
}

EditionPlan read_edition_plan(const fs::path& root, const std::vector<std::string>& files) {
    const std::string shown = "student_edition.toml";
    const TomlDocument document(root / shown, shown, "the student's edition");
    document.need_format(newest_edition, "description");
    const TomlTable table = document.table();
    table.know({"format", "leave_out", "solutions", "shows"});
    EditionPlan plan{table.texts("leave_out"), table.text("solutions"), {}};
    for (std::size_t k = 0; k < plan.leave_out.size(); ++k) {
        const auto is_fitting = [&](const std::string& file) { return fits(plan.leave_out[k], file); };
        if (std::none_of(files.begin(), files.end(), is_fitting))
            table.fail("leave_out", k,
                       fmt::format("git knows no file \"{}\"; expected one, or a folder with a / at its end",
                                   plan.leave_out[k]));
    }
    if (plan.solutions.find('\n') != plan.solutions.npos)
        table.fail("solutions", "\"solutions\" has several lines; expected a sentence");
    for (const TomlTable& entry : table.tables("shows")) {
        entry.know({"file", "solution", "lines", "because"});
        plan.shows.push_back({entry.text("file"), entry.text("solution"), entry.count("lines", 3)});
        static_cast<void>(entry.text("because"));   // for readers: nothing is shown without a reason
        if (!is_one_of(plan.shows.back().file, files))
            entry.fail("file", fmt::format("git knows no file \"{}\"; expected one", plan.shows.back().file));
        if (!fs::is_directory(root / "solutions" / plan.shows.back().solution))
            entry.fail("solution", fmt::format("there is no folder solutions/{}", plan.shows.back().solution));
    }
    return plan;
}

std::string student_manifest(std::string_view text, const std::vector<SolutionLines>& third_hint) {
    Strings strings;
    std::string result, comments;   // those above a line belong to it
    bool skips = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool is_text = strings.begins_inside(line);
        if (!is_text && is_comment_or_blank(line)) {
            comments += std::string(line) + "\n";
            continue;
        }
        if (const std::string_view header = is_text ? "" : header_of(line); !header.empty())
            skips = header == "distractor";
        if (!skips) result += comments + std::string(line) + "\n";
        comments.clear();
    }
    result += "\n# Prepared by make dist-student: the lines of a solution and two wrong ones, in alphabetical order.\n";
    for (const SolutionLines& file : third_hint) {
        result += fmt::format("\n[[third_hint]]\nfile = {}\nlines = [\n", quoted_toml(file.file));
        for (const std::string& line : file.lines) result += fmt::format("    {},\n", quoted_toml(line));
        result += "]\n";
    }
    return result;
}

std::string no_solutions_text(const Kit& kit) {
    const std::string text = "this edition has no solutions";
    const fs::path path = kit.root / "edition.toml";
    if (!fs::is_regular_file(path)) return text;
    const TomlDocument document(path, "edition.toml", "this edition");
    document.need_format(newest_edition, "edition");
    document.table().know({"format", "edition", "commit", "solutions"});
    return text + ". " + document.table().text("solutions");
}

}  // namespace course
