// SPDX-License-Identifier: MIT
#include "lessons/blocks.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "lessons/prediction.hpp"
#include "report/profile_text.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// The text on one line, for a choice's text and reason in a list.
std::string in_one_line(const std::string& text) {
    std::istringstream stream(text);
    std::string line;
    for (std::string word; stream >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
}

std::string fenced(std::string_view language, const std::vector<std::string>& lines) {
    std::string text = fmt::format("```{}\n", language);
    for (const std::string& line : lines) text += line + "\n";
    return text + "```\n";
}

std::string read_or_fail(const fs::path& path, const std::string& shown) {
    try {
        return read_file(path);
    } catch (const FileError&) {
        throw BlockError(fmt::format("there is no file {}", shown));
    }
}

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t") == line.npos; }

void drop_blank_ends(std::vector<std::string>& lines) {
    while (!lines.empty() && is_blank(lines.front())) lines.erase(lines.begin());
    while (!lines.empty() && is_blank(lines.back())) lines.pop_back();
}

void dedent(std::vector<std::string>& lines) {
    std::size_t indent = std::string::npos;
    for (const std::string& line : lines)
        if (!is_blank(line)) indent = std::min(indent, line.find_first_not_of(' '));
    for (std::string& line : lines) line.erase(0, std::min(indent, line.size()));
}

/// "// [kernel]" -> "kernel", "// [/kernel]" -> "/kernel"; empty for other lines.
std::string region_mark(const std::string& line) {
    std::string mark(trimmed(line));
    if (!mark.starts_with("//")) return "";
    mark = std::string(trimmed(std::string_view(mark).substr(2)));
    if (mark.size() < 3 || mark.front() != '[' || mark.back() != ']') return "";
    mark = mark.substr(1, mark.size() - 2);
    const std::size_t name = mark.front() == '/' ? 1 : 0;
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    return name < mark.size() && mark.find_first_not_of(letters, name) == mark.npos ? mark : "";
}

/// "# command, machine, 2026-01-31"; nothing for other lines.
std::optional<MeasuredSection> section_head(const std::string& line) {
    if (!line.starts_with('#')) return std::nullopt;
    const std::size_t second = line.rfind(','), first = second == 0 ? line.npos : line.rfind(',', second - 1);
    if (second == line.npos || first == line.npos) return std::nullopt;
    const std::string_view text = line;
    MeasuredSection head{0, std::string(trimmed(text.substr(1, first - 1))),
                         std::string(trimmed(text.substr(first + 1, second - first - 1))),
                         std::string(trimmed(text.substr(second + 1))), ""};
    constexpr std::string_view shape = "0000-00-00";
    const auto fits = [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; };
    const bool is_date =
        head.date.size() == shape.size() &&
        std::equal(shape.begin(), shape.end(), head.date.begin(), [&](char wanted, char c) { return fits(c, wanted); });
    return is_date && !head.command.empty() && !head.machine.empty() ? std::optional(head) : std::nullopt;
}

/// True if the program is named there, not just as part of a longer name.
bool has_word(std::string_view text, std::string_view word) {
    const auto is_of_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; ++at) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) return true;
    }
    return false;
}

/// The file's lines, or those between "// [region]" and "// [/region]", without the marks and common indentation.
std::vector<std::string> region_lines(const fs::path& path, const std::string& shown, const std::string& region) {
    std::vector<std::string> lines;
    bool within = region.empty(), found = within, closed = within;
    for (std::string& line : split_lines(read_or_fail(path, shown))) {
        const std::string mark = region_mark(line);
        if (!region.empty() && mark == region) within = found = true;
        if (!region.empty() && within && mark == "/" + region) within = false, closed = true;
        if (within && mark.empty() && line.find("SPDX-License-Identifier:") == line.npos)
            lines.push_back(std::move(line));
    }
    if (!found) throw BlockError(fmt::format("{0} has no line \"// [{1}]\"", shown, region));
    if (!closed) throw BlockError(fmt::format("{0} has no line \"// [/{1}]\" below \"// [{1}]\"", shown, region));
    drop_blank_ends(lines);
    dedent(lines);
    return lines;
}

}  // namespace

const std::vector<std::string_view>& LessonBlocks::kinds() {
    static const std::vector<std::string_view> all = {"snippet",    "output",  "measured",  "profile",
                                                      "question",   "objectives", "minutes", "exercises"};
    return all;
}

std::string LessonBlocks::text(const MarkdownPage::Block& block) const {
    const std::vector<std::string>& words = block.words;
    const auto need = [&](std::size_t min, std::size_t max, std::string_view form) {
        if (words.size() < min || words.size() > max)
            throw BlockError(fmt::format("a block \"{}\" is written <!-- {} -->", words[0], form));
    };
    if (words[0] == "snippet") return need(2, 3, "snippet FILE [REGION]"), snippet(words);
    if (words[0] == "output") return need(2, 2, "output PROGRAM"), output(words);
    if (words[0] == "measured") return need(2, 2, "measured PROGRAM"), measured(words);
    if (words[0] == "profile") return need(3, 3, "profile EXERCISE ANSWER"), profile(words);
    if (words[0] == "question") return need(2, 2, "question ID"), question(words);
    need(1, 1, words[0]);
    if (words[0] == "exercises") return exercises();
    if (words[0] == "minutes")
        return fmt::format("About {} minutes to read and run{}{}.\n", lesson_.teach_minutes,
                           lesson_.sittings == 2 ? " in two sittings" : "",
                           lesson_.exercises.empty()
                               ? ""
                               : fmt::format(", and {} for the exercises", lesson_.practise_minutes));
    std::string list;
    for (const std::string& objective : lesson_.objectives) list += "- " + in_one_line(objective) + "\n";
    return list;
}

std::string LessonBlocks::filled(const MarkdownPage& page, std::vector<std::string>& faults) const {
    std::string text;
    std::size_t line = 0;
    const auto copy_until = [&](std::size_t end) {
        for (; line < end; ++line) text += page.lines()[line].text + "\n";
    };
    for (const MarkdownPage::Block& block : page.blocks()) {
        copy_until(block.begin);
        try {
            text += this->text(block);
            line = block.end - 1;
        } catch (const BlockError& error) {
            faults.push_back(fmt::format("{}: {}", block.begin, error.what()));
            copy_until(block.end - 1);
        }
    }
    copy_until(page.lines().size());
    return text;
}

std::string LessonBlocks::snippet(const std::vector<std::string>& words) const {
    const fs::path path = (lesson_.folder.path / words[1]).lexically_normal();
    const std::string inside = path.lexically_relative(root_.lexically_normal()).string();
    if (inside.empty() || inside.starts_with("..")) throw BlockError(words[1] + " is not a file of the course");
    return fenced(path.extension() == ".toml" ? "toml" : "cpp",
                  region_lines(path, words[1], words.size() > 2 ? words[2] : ""));
}

std::string LessonBlocks::output(const std::vector<std::string>& words) const {
    const std::string name = words[1] + ".out";
    std::vector<std::string> lines = split_lines(read_or_fail(lesson_.folder.path / name, name));
    drop_blank_ends(lines);
    return fenced("text", lines);
}

std::string LessonBlocks::measured(const std::vector<std::string>& words) const {
    std::string text;
    for (const char* const machine : {"h200", "laptop"}) {
        const std::optional<MeasuredSection> section = measured_section(lesson_, machine, words[1]);
        if (!section)
            throw BlockError(
                fmt::format("measured/{}.txt has no section \"# command, machine, date\" whose command names {}",
                            machine, words[1]));
        std::vector<std::string> lines = split_lines(section->text);
        drop_blank_ends(lines);
        text += fmt::format("{}{} (`{}`, {}):\n\n", text.empty() ? "" : "\n", section->machine, section->command,
                            section->date);
        text += fenced("text", lines);
    }
    return text;
}

std::string LessonBlocks::profile(const std::vector<std::string>& words) const {
    const auto exercise = exercises_.find(words[1]);
    if (exercise == exercises_.end()) throw BlockError(fmt::format("there is no exercise \"{}\"", words[1]));
    const std::string file = "profile.json";
    std::vector<Profile> profiles;
    try {
        profiles = recorded_profiles(read_or_fail(exercise->second.folder / file, file));
    } catch (const ProfileError& error) {
        throw BlockError(fmt::format("{} of exercise {}: {}", file, words[1], error.what()));
    }
    const auto found = std::find_if(profiles.begin(), profiles.end(),
                                    [&](const Profile& one) { return one.answer == words[2]; });
    if (found == profiles.end())
        throw BlockError(fmt::format("{} of exercise {} has no answer \"{}\"", file, words[1], words[2]));
    std::vector<std::string> lines = split_lines(profile_text(*found, 1, 80));
    drop_blank_ends(lines);
    return fenced("text", lines);
}

std::string LessonBlocks::question(const std::vector<std::string>& words) const {
    const auto found = std::find_if(lesson_.questions.begin(), lesson_.questions.end(),
                                    [&](const Question& one) { return one.id == words[1]; });
    if (found == lesson_.questions.end()) throw BlockError(fmt::format("lesson.toml has no question \"{}\"", words[1]));
    static_cast<void>(listing_of(lesson_, *found));  // the page shows it by itself; it must exist
    std::string text = std::string(trimmed(found->ask)) + "\n\n", answer;
    if (found->number) {
        const std::string name = found->program + ".out";
        const std::vector<std::string> answers = answers_of(read_or_fail(lesson_.folder.path / name, name));
        if (found->which >= answers.size())
            throw BlockError(fmt::format("{} has no line \"Answer: VALUE\" for the question {}", name, found->id));
        const std::string value = answers[found->which];
        text += fmt::format("Your prediction: a number of {}.\n", found->number->unit);
        answer = value.find('~') != value.npos
                     ? fmt::format("Run it and see. {}\n", in_one_line(found->number->why))
                     : fmt::format("{} {}. {}\n", value, found->number->unit, in_one_line(found->number->why));
        for (const Slip& slip : found->number->slips)
            if (!slip.why.empty()) answer += fmt::format("- Not {}: {}\n", slip.value, in_one_line(slip.why));
        if (answer.find('\n') + 1 < answer.size()) answer.insert(answer.find('\n') + 1, "\n");
    }
    for (std::size_t k = 0; k < found->choices.size(); ++k) {
        const Choice& choice = found->choices[k];
        text += fmt::format("- {}: {}\n", letter_of(k), in_one_line(choice.text));
        if (choice.right)
            answer = fmt::format("{} is right. {}\n", letter_of(k), in_one_line(choice.why)) + answer;
        else
            answer += fmt::format("- Not {}: {}\n", letter_of(k), in_one_line(choice.why));
    }
    if (!found->choices.empty()) answer.insert(answer.find('\n') + 1, "\n");
    return text + "\n<details><summary>Answer</summary>\n\n" + answer + "\n</details>\n";
}

std::string LessonBlocks::exercises() const {
    if (lesson_.exercises.empty()) return "This lesson has no exercises.\n";
    std::string text;
    for (const std::string& name : lesson_.exercises) {
        const auto found = exercises_.find(name);
        if (found == exercises_.end()) throw BlockError(fmt::format("there is no exercise {}", name));
        const Manifest& exercise = found->second;
        text += fmt::format("- [{} {}](../../exercises/{}/README.md): {} ({})\n", exercise.number, name,
                            exercise.folder.filename().string(), exercise.title, plural(exercise.minutes, "minute"));
    }
    return text;
}

std::string listing_of(const Lesson& lesson, const Question& question) {
    if (question.listing.empty()) return "";
    const std::size_t blank = question.listing.find(' ');
    const std::string file = question.listing.substr(0, blank);
    std::string text = file + "\n";
    const std::string region = blank == std::string::npos ? "" : question.listing.substr(blank + 1);
    for (const std::string& line : region_lines(lesson.folder.path / file, file, region))
        text += line.empty() ? "\n" : "  " + line + "\n";
    return text;
}

std::optional<MeasuredSection> measured_section(const Lesson& lesson, std::string_view machine,
                                                const std::string& program) {
    const std::string name = fmt::format("measured/{}.txt", machine);
    for (MeasuredSection& section : measured_sections(read_or_fail(lesson.folder.path / name, name)))
        if (has_word(section.command, program)) return std::move(section);
    return std::nullopt;
}

std::vector<MeasuredSection> measured_sections(std::string_view text) {
    std::vector<MeasuredSection> sections;
    std::size_t number = 0;
    for (const std::string& line : split_lines(text)) {
        ++number;
        if (std::optional<MeasuredSection> head = section_head(line))
            head->line = number, sections.push_back(*std::move(head));
        else if (sections.empty())
            throw BlockError(
                fmt::format("a file of measured output begins with \"{}\"; expected a line "
                            "\"# command, machine, 2026-01-31\"",
                            line));
        else
            sections.back().text += line + "\n";
    }
    if (sections.empty()) throw BlockError("a file of measured output is empty");
    return sections;
}

}  // namespace course
