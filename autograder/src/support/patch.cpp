// SPDX-License-Identifier: MIT
#include "support/patch.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {

namespace {

/// The lines of a text, each with its end; the last one may lack it.
std::vector<std::string_view> whole_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

std::string_view without_end(std::string_view line) { return line.substr(0, line.find_first_of("\r\n")); }

/// A range of lines in a file: "3" or "3,2".
struct HunkRange {
    std::size_t first = 0, count = 1;
    [[nodiscard]] std::size_t before() const { return count == 0 ? first : first - 1; }
};

std::optional<HunkRange> range_from(std::string_view text) {
    const std::size_t comma = text.find(',');
    const auto first = number_from<std::size_t>(text.substr(0, comma));
    const auto count = comma == text.npos ? 1 : number_from<std::size_t>(text.substr(comma + 1));
    if (!first || !count || (*first == 0 && *count > 0)) return std::nullopt;
    return HunkRange{*first, *count};
}

/// @param has  the file's line; empty: it has fewer lines
std::string line_difference(std::size_t number, const std::string& file, std::string_view has,
                            std::string_view expected) {
    const auto quoted = [](std::string_view line) { return "\"" + plain_line(without_end(line)) + "\""; };
    if (!has.empty() && without_end(has) == without_end(expected))
        return fmt::format("line {} of {} has another line end", number, file);
    return fmt::format("line {} of {} is {}; expected {}", number, file, has.empty() ? "missing" : quoted(has),
                       quoted(expected));
}

class PatchReader {
public:
    PatchReader(std::string_view text, std::string shown) : lines_(whole_lines(text)) {
        patch_.shown = std::move(shown);
    }

    Patch read() {
        for (; at_ < lines_.size() && !lines_[at_].starts_with("--- "); ++at_) patch_.head += lines_[at_];
        if (at_ == lines_.size()) fail("there is no line \"--- a/FILE\"; expected a unified diff");
        while (at_ < lines_.size()) read_file();
        return std::move(patch_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        const std::size_t line = std::min(at_ + 1, std::max<std::size_t>(lines_.size(), 1));
        throw PatchError(fmt::format("{}:{}: {}", patch_.shown, line, what));
    }

    [[nodiscard]] bool begins(std::string_view with) const {
        return at_ < lines_.size() && lines_[at_].starts_with(with);
    }

    /// The name in a line such as "--- a/raw_add.cu".
    std::string name(std::string_view mark) {
        if (!begins(mark)) fail(fmt::format("expected a line \"{}FILE\"", mark));
        std::string_view name = lines_[at_].substr(mark.size());
        if (!name.ends_with('\n') || name.ends_with("\r\n")) fail("expected a line that ends with \\n alone");
        name.remove_suffix(1);
        if (name.empty() || name[0] == '.' || name.find_first_of("/\\\t") != name.npos)
            fail(fmt::format("\"{}\" is not the name of a file in the folder", plain_line(name)));
        ++at_;
        return std::string(name);
    }

    void read_file() {
        FilePatch change{name("--- a/"), {}};
        if (patch_.find(change.file) != nullptr) fail(fmt::format("{} is changed twice", change.file));
        if (const std::string other = name("+++ b/"); other != change.file)
            fail(fmt::format("expected \"+++ b/{}\", the same file as above", change.file));
        if (!begins("@@ ")) fail("expected a hunk, \"@@ -LINE,COUNT +LINE,COUNT @@\"");
        while (begins("@@ ")) read_hunk(change);
        patch_.files.push_back(std::move(change));
    }

    void read_hunk(FilePatch& change) {
        const std::vector<std::string> words = split(without_end(lines_[at_]), ' ');
        const bool is_head = words.size() >= 4 && words[0] == "@@" && words[1].starts_with('-') &&
                             words[2].starts_with('+') && words[3] == "@@";
        const auto was = is_head ? range_from(std::string_view(words[1]).substr(1)) : std::nullopt;
        const auto is = is_head ? range_from(std::string_view(words[2]).substr(1)) : std::nullopt;
        if (!was || !is) fail("expected \"@@ -LINE,COUNT +LINE,COUNT @@\"");
        Hunk hunk{at_ + 1, was->before(), is->before(), {}};
        ++at_;
        std::size_t old_lines = 0, new_lines = 0;
        while (old_lines < was->count || new_lines < is->count) {
            const char kind = at_ < lines_.size() ? lines_[at_][0] : '\0';
            if (kind != ' ' && kind != '-' && kind != '+')
                fail(fmt::format("the hunk of line {} has {} old and {} new lines; its @@ says {} and {}",
                                 hunk.number, old_lines, new_lines, was->count, is->count));
            if (lines_[at_].ends_with("\r\n")) fail("expected a line that ends with \\n alone");
            hunk.lines.push_back({kind, std::string(lines_[at_].substr(1)), at_ + 1});
            old_lines += kind == '+' ? 0 : 1;
            new_lines += kind == '-' ? 0 : 1;
            if (old_lines > was->count || new_lines > is->count)
                fail(fmt::format("the hunk of line {} has more lines than its @@ says", hunk.number));
            ++at_;
            if (begins("\\ ")) {   // \ No newline at end of file
                hunk.lines.back().text = without_end(hunk.lines.back().text);
                ++at_;
            }
        }
        const auto changes = [](const PatchLine& line) { return line.kind != ' '; };
        if (std::none_of(hunk.lines.begin(), hunk.lines.end(), changes))
            fail(fmt::format("the hunk of line {} changes nothing", hunk.number));
        if (at_ < lines_.size() && !begins("@@ ") && !begins("--- a/"))
            fail(fmt::format("the hunk of line {} has more lines than its @@ says", hunk.number));
        change.hunks.push_back(std::move(hunk));
    }

    std::vector<std::string_view> lines_;
    std::size_t at_ = 0;
    Patch patch_;
};

}  // namespace

const FilePatch* Patch::find(std::string_view file) const {
    const auto is_it = [&](const FilePatch& change) { return change.file == file; };
    const auto found = std::find_if(files.begin(), files.end(), is_it);
    return found == files.end() ? nullptr : &*found;
}

Patch read_patch(std::string_view text, std::string shown) { return PatchReader(text, std::move(shown)).read(); }

std::string apply_patch(const Patch& patch, const FilePatch& change, std::string_view original) {
    const auto fail = [&](std::size_t line, const std::string& what) {
        throw PatchError(fmt::format("{}:{}: {}", patch.shown, line, what));
    };
    const std::vector<std::string_view> lines = whole_lines(original);
    std::string text;
    std::size_t done = 0, written = 0;   // lines of the old and of the new file
    for (const Hunk& hunk : change.hunks) {
        if (hunk.begin_old < done || hunk.begin_old > lines.size())
            fail(hunk.number, fmt::format("expected a place from line {} to {} of {}", done + 1, lines.size() + 1,
                                          change.file));
        for (; done < hunk.begin_old; ++done, ++written) text += lines[done];
        if (written != hunk.begin_new)
            fail(hunk.number, fmt::format("these lines are line {} of the new {}, and its @@ says {}", written + 1,
                                          change.file, hunk.begin_new + 1));
        for (const PatchLine& line : hunk.lines) {
            if (line.kind != '+') {
                const std::string_view has = done < lines.size() ? lines[done] : std::string_view();
                if (has != line.text) fail(line.number, line_difference(done + 1, change.file, has, line.text));
                ++done;
            }
            if (line.kind != '-') {
                if (!text.empty() && !text.ends_with('\n')) fail(line.number, "the line above it has no end");
                text += line.text;
                ++written;
            }
        }
    }
    for (; done < lines.size(); ++done) text += lines[done];
    return text;
}

}  // namespace course
