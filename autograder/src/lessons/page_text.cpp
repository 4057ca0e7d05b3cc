// SPDX-License-Identifier: MIT
#include "lessons/page_text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "lessons/markdown.hpp"
#include "support/text.hpp"

namespace course {

namespace {

using Row = std::vector<std::string>;

std::string padded(std::string text, std::size_t to) {
    const std::size_t has = characters(text);
    return has < to ? text.append(to - has, ' ') : text;
}

/// The end of a tag or comment at the beginning of the text; 0: there is none.
std::size_t end_of_tag(std::string_view text) {
    const std::string_view end = text.starts_with("<!--") ? "-->" : ">";
    const bool begins = text.size() > 1 && text[0] == '<' &&
                        (std::isalpha(static_cast<unsigned char>(text[1])) != 0 || text[1] == '/' || end.size() > 1);
    const std::size_t at = begins ? text.find(end) : text.npos;
    return at == text.npos ? 0 : at + end.size();
}

/// The text without tags, comments, stars and link targets; code keeps its backticks and everything between them.
std::string plain_inline(std::string_view text) {
    std::string plain;
    for (std::size_t k = 0; k < text.size();) {
        const std::size_t bracket = text.substr(k).starts_with("![") ? k + 1 : k;
        const std::optional<LinkPlace> link = link_at(text, bracket);
        if (text[k] == '`') {
            const std::size_t end = std::min(text.find('`', k + 1), text.size() - 1);
            plain += text.substr(k, end + 1 - k);
            k = end + 1;
        } else if (const std::size_t end = end_of_tag(text.substr(k)); end != 0) {
            k += end;
        } else if (link) {
            plain += plain_inline(text.substr(link->text, link->text_end - link->text));
            k = link->end;
        } else if (text[k] == '*') {
            ++k;
        } else {
            if (text[k] == '\\' && k + 1 < text.size()) ++k;
            plain += text[k++];
        }
    }
    return plain;
}

/// The cells of a table's line; "\|" isn't a separator.
Row cells_of(std::string_view line) {
    Row cells(1);
    line = trimmed(line).substr(1);
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (line[k] == '\\' && k + 1 < line.size() && line[k + 1] == '|')
            cells.back() += line[++k];
        else if (line[k] == '|')
            cells.emplace_back();
        else
            cells.back() += line[k];
    }
    if (trimmed(cells.back()).empty()) cells.pop_back();
    for (std::string& cell : cells) cell = plain_inline(trimmed(cell));
    return cells;
}

bool is_rule(const Row& row) {
    return std::all_of(row.begin(), row.end(), [](const std::string& cell) {
        return !cell.empty() && cell.find_first_not_of("-: ") == cell.npos;
    });
}

std::string table_text(const std::vector<Row>& rows, std::size_t columns) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows)
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (widths.size() <= k) widths.push_back(0);
            widths[k] = std::max(widths[k], characters(row[k]));
        }
    std::size_t total = 0;
    for (const std::size_t one : widths) total += one + 2;
    std::string text;
    const bool fits = total <= columns + 2;
    for (const Row& row : rows) {
        if (is_rule(row)) continue;
        std::string line = fits ? "" : row.empty() ? "" : row[0];
        for (std::size_t k = 0; fits && k < row.size(); ++k) line += padded(row[k], widths[k] + 2);
        line.erase(line.find_last_not_of(' ') + 1);
        if (!line.empty() && (fits || &row != &rows.front())) text += line + "\n";
        for (std::size_t k = 1; !fits && &row != &rows.front() && k < row.size(); ++k)
            if (!row[k].empty()) text += wrapped(row[k], 4, columns);
    }
    return text;
}

/// Joins a page's lines, paragraph by paragraph.
class PageText {
public:
    explicit PageText(std::size_t columns) : columns_(columns) {}

    void add(std::string_view line) {
        const std::string_view bare = trimmed(line);
        if (bare.starts_with("```")) {
            finish();
            in_code_ = !in_code_;
            if (!in_code_) gap();
        } else if (in_code_) {
            text_ += "    " + std::string(line) + "\n";
        } else if (bare.starts_with("|")) {
            if (table_.empty()) finish();
            table_.push_back(cells_of(bare));
        } else if (bare.starts_with("<!--") && !bare.starts_with("<!-- ")) {
            return;
        } else {
            add_prose(line, bare);
        }
    }

    void add_heading(int level, std::string_view heading) {
        finish();
        const std::string title = plain_inline(heading);
        text_ += title + "\n";
        if (level <= 2) text_ += std::string(characters(title), level == 1 ? '=' : '-') + "\n";
        gap();
    }

    std::string take() {
        finish();
        while (text_.ends_with("\n\n")) text_.pop_back();
        return std::move(text_);
    }

private:
    void add_prose(std::string_view line, std::string_view bare) {
        if (bare.starts_with("<!--") && bare.ends_with("-->")) return;
        if (trimmed(plain_inline(bare)).empty()) {
            finish();
            return;
        }
        const bool bullet = bare.starts_with("- ");
        const std::size_t dot = bare.find_first_not_of("0123456789");
        const bool number = dot != 0 && dot != bare.npos && bare.substr(dot).starts_with(". ");
        if (bullet || number) {
            finish(false);
            marker_ = bullet ? "- " : std::string(bare.substr(0, dot + 2));
            indent_ = line.find_first_not_of(' ');
            paragraph_ = bare.substr(marker_.size());
            return;
        }
        paragraph_ += (paragraph_.empty() ? "" : " ") + std::string(bare);
        if (bare.find("<summary>") != bare.npos) finish();
    }

    /// Writes the collected text.
    void finish(bool with_gap = true) {
        const bool had_table = !table_.empty(), had_text = !paragraph_.empty();
        if (had_table) text_ += table_text(table_, columns_);
        if (had_text) {
            std::string lines = wrapped(plain_inline(paragraph_), indent_ + marker_.size(), columns_);
            lines.replace(indent_, marker_.size(), marker_);
            text_ += lines;
        }
        table_.clear();
        paragraph_.clear();
        marker_.clear();
        indent_ = 0;
        if (had_table || (had_text && with_gap)) gap();
    }

    void gap() {
        if (!text_.empty() && !text_.ends_with("\n\n")) text_ += "\n";
    }

    std::size_t columns_;
    bool in_code_ = false;
    std::size_t indent_ = 0;  ///< of the current list item
    std::string marker_;      ///< "- " or "3. "; empty: a paragraph
    std::string paragraph_, text_;
    std::vector<Row> table_;
};

}  // namespace

std::string page_text(std::string_view page, std::string_view section, std::size_t columns) {
    const MarkdownPage read(page, {});
    PageText text(columns);
    int within = section.empty() ? 1 : 0;  // the level of the heading whose part is shown; 0: not reached yet
    std::size_t next = 0;
    const std::vector<std::string> lines = split_lines(page);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (next < read.headings().size() && read.headings()[next].line == k + 1) {
            const MarkdownPage::Heading& heading = read.headings()[next++];
            if (!section.empty() && within != 0 && heading.level <= within) break;
            if (within == 0 && heading.text == section) within = heading.level;
            if (within != 0) text.add_heading(heading.level, heading.text);
        } else if (within != 0) {
            text.add(lines[k]);
        }
    }
    return text.take();
}

namespace {

template <class T, class Name>
const T* find_named(const std::vector<T>& all, Name T::* name, const std::string& wanted) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.*name == wanted; });
    return found == all.end() ? nullptr : &*found;
}

bool prints(const MarkdownPage::Block& block) { return block.words[0] == "output" || block.words[0] == "measured"; }

std::string section_at(const MarkdownPage& page, std::size_t line) {
    std::string section;
    for (const MarkdownPage::Heading& heading : page.headings())
        if (heading.level > 1 && heading.line < line) section = heading.text;
    return section;
}

/// Builds the list: each step once, and a program's questions before it.
class Steps {
public:
    explicit Steps(const Lesson& lesson) : lesson_(lesson) {}

    void add(const Question& question, const std::string& section) {
        if (seen_.insert(&question).second) steps_.push_back({&question, nullptr, section});
    }
    void add(const LessonProgram& program, const std::string& section) {
        if (!seen_.insert(&program).second) return;
        for (const Question& question : lesson_.questions)
            if (question.program == program.name) add(question, section);
        steps_.push_back({nullptr, &program, section});
    }
    [[nodiscard]] std::vector<LessonStep> take() { return std::move(steps_); }

private:
    const Lesson& lesson_;
    std::set<const void*> seen_;
    std::vector<LessonStep> steps_;
};

}  // namespace

std::vector<LessonStep> steps_of(const Lesson& lesson, const MarkdownPage& page) {
    Steps steps(lesson);
    for (const MarkdownPage::Block& block : page.blocks()) {
        if (block.words.size() < 2) continue;
        const std::string section = section_at(page, block.begin);
        if (block.words[0] == "question") {
            if (const auto* const question = find_named(lesson.questions, &Question::id, block.words[1]))
                steps.add(*question, section);
        } else if (prints(block)) {
            if (const auto* const program = find_named(lesson.programs, &LessonProgram::name, block.words[1]))
                steps.add(*program, section);
        }
    }
    for (const LessonProgram& program : lesson.programs) steps.add(program, "");
    for (const Question& question : lesson.questions) steps.add(question, "");
    return steps.take();
}

std::vector<std::string> faults_of_page_order(const std::string& name, const Lesson& lesson, const MarkdownPage& page) {
    std::vector<std::string> faults;
    std::set<std::string> printed, shown;
    std::string above, section;  // the code above, with only text and questions between
    for (const MarkdownPage::Block& block : page.blocks()) {
        if (block.words.size() < 2) continue;
        if (const std::string here = section_at(page, block.begin); here != section) {
            section = here;
            above.clear();
        }
        if (block.words[0] == "snippet") {
            above = block.words[1] + (block.words.size() > 2 ? " " + block.words[2] : "");
            shown.insert(above);
        } else if (prints(block)) {
            printed.insert(block.words[1]);
            above.clear();
        }
        if (block.words[0] != "question") continue;
        const auto* const question = find_named(lesson.questions, &Question::id, block.words[1]);
        if (!question) continue;
        if (printed.contains(question->program))
            faults.push_back(fmt::format("{}:{}: the question {} stands below what {} prints, which tells its answer; "
                                         "expected it above",
                                         name, block.begin, question->id, question->program));
        if (!above.empty() && !shown.contains(question->listing))
            faults.push_back(fmt::format("{}:{}: the question {} follows a piece of code; expected it in lesson.toml, "
                                         "listing = \"{}\" or another one that stands above",
                                         name, block.begin, question->id, above));
    }
    return faults;
}

}  // namespace course
