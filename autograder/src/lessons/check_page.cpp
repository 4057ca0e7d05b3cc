// SPDX-License-Identifier: MIT
#include "lessons/check_page.hpp"

#include <algorithm>
#include <array>
#include <regex>

#include <fmt/format.h>

#include "lessons/blocks.hpp"
#include "lessons/page_order.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t fewest_words = 800, most_words = 2000, most_program_lines = 60;
constexpr std::size_t fewest_breather_words = 100, most_breather_words = 800;

/// The parts that every lesson has, in this order, with its own sections between the second and the third.
constexpr std::array<std::string_view, 6> required_parts = {
    "Try it now", "What you will be able to do", "Common mistakes", "Key points", "Exercises", "For instructors"};

std::string page_name(const Lesson& lesson) { return fmt::format("lessons/{}/README.md", lesson.folder.name()); }

bool holds(const MarkdownPage& page, std::string_view text) {
    return std::any_of(page.lines().begin(), page.lines().end(),
                       [&](const MarkdownPage::Line& line) { return line.text.find(text) != line.text.npos; });
}

bool shows_block(const MarkdownPage& page, const std::string& kind, const std::string& what) {
    return std::any_of(page.blocks().begin(), page.blocks().end(), [&](const MarkdownPage::Block& block) {
        return block.words.size() > 1 && block.words[0] == kind && block.words[1] == what;
    });
}

void add_faults_of_length(const std::string& name, const MarkdownPage& page, std::size_t fewest, std::size_t most,
                          std::vector<std::string>& faults) {
    if (const std::size_t words = page.words(); words < fewest || words > most)
        faults.push_back(fmt::format("{}: {} words, not counting code and generated parts; expected {} to {}", name,
                                     words, fewest, most));
}

void add_faults_of_title(const std::string& name, const MarkdownPage& page, const std::string& wanted,
                         std::vector<std::string>& faults) {
    const auto title = std::find_if(page.headings().begin(), page.headings().end(),
                                    [](const MarkdownPage::Heading& heading) { return heading.level == 1; });
    if (title == page.headings().end() || title->text.find(wanted) == title->text.npos)
        faults.push_back(fmt::format("{}:{}: expected a heading \"# ...{}\", as lesson.toml says", name,
                                     title == page.headings().end() ? 1 : title->line, wanted));
}

/// Each question is shown, in time and with its code; each program mentioned.
void add_faults_of_questions(const std::string& name, const MarkdownPage& page, const Lesson& lesson,
                             std::vector<std::string>& faults) {
    for (const Question& question : lesson.questions)
        if (!shows_block(page, "question", question.id))
            faults.push_back(
                fmt::format("{0}: the question {1} isn't shown; expected <!-- question {1} -->", name, question.id));
    for (const LessonProgram& program : lesson.programs) {
        if (!holds(page, program.name))
            faults.push_back(fmt::format("{}: the program {} isn't mentioned", name, program.name));
        if (program.measures && !shows_block(page, "measured", program.name))
            faults.push_back(fmt::format(
                "{0}: what the program {1} measures isn't shown; expected <!-- measured {1} -->", name, program.name));
    }
    const std::vector<std::string> disorder = faults_of_page_order(name, lesson, page);
    faults.insert(faults.end(), disorder.begin(), disorder.end());
}

std::vector<fs::path> files_of(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file() && entry.path().extension() == extension) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::vector<std::string> faults_of_parts(const Lesson& lesson, const MarkdownPage& page) {
    std::vector<std::string> faults;
    const std::string name = page_name(lesson);
    const std::size_t most = most_words * static_cast<std::size_t>(lesson.sittings);
    add_faults_of_length(name, page, fewest_words, most, faults);
    add_faults_of_title(name, page, lesson.title, faults);
    std::size_t last = 0;
    for (const std::string_view part : required_parts) {
        const auto found = std::find_if(
            page.headings().begin(), page.headings().end(),
            [&](const MarkdownPage::Heading& heading) { return heading.level == 2 && heading.text == part; });
        if (found == page.headings().end())
            faults.push_back(fmt::format("{}: there is no part \"## {}\"", name, part));
        else if (found->line < last)
            faults.push_back(fmt::format("{}:{}: the part \"{}\" is too early; expected the order: {}", name,
                                         found->line, part, fmt::join(required_parts, ", ")));
        else
            last = found->line;
    }
    add_faults_of_questions(name, page, lesson, faults);
    for (const char* const kind : {"objectives", "minutes", "exercises"})
        if (std::none_of(page.blocks().begin(), page.blocks().end(),
                         [&](const MarkdownPage::Block& block) { return block.words[0] == kind; }))
            faults.push_back(fmt::format("{0}: the {1} aren't shown; expected <!-- {1} -->", name, kind));
    return faults;
}

std::vector<std::string> faults_of_breather(const Lesson& breather, const MarkdownPage& page) {
    std::vector<std::string> faults;
    const std::string name = fmt::format("lessons/{}/breather.md", breather.folder.name());
    add_faults_of_length(name, page, fewest_breather_words, most_breather_words, faults);
    add_faults_of_title(name, page, breather.breather->title, faults);
    add_faults_of_questions(name, page, breather, faults);
    return faults;
}

std::vector<std::string> faults_of_terms(const Lesson& lesson, const MarkdownPage& page, const Glossary& glossary,
                                         const Introductions& introduced) {
    std::vector<std::string> faults;
    const std::string name = page_name(lesson);
    std::vector<std::string> shown;
    for (const MarkdownPage::Bold& bold : page.bolds()) {
        const auto term = glossary.term(bold.text);
        if (!term) continue;
        const auto where = introduced.find(*term);
        if (where == introduced.end())
            faults.push_back(
                fmt::format("{}:{}: \"{}\" is bold, and no lesson introduces it; expected it in "
                            "\"introduces\" of lesson.toml",
                            name, bold.line, *term));
        else if (where->second > lesson.folder.number)
            faults.push_back(
                fmt::format("{}:{}: \"{}\" is bold, and lesson {} introduces it; expected it without bold, "
                            "or introduced here",
                            name, bold.line, *term, where->second));
        if (bold.target.find("glossary.md#") != bold.target.npos) shown.push_back(*term);
    }
    for (const std::string& text : lesson.introduces) {
        const auto term = glossary.term(text);
        if (!term)
            faults.push_back(fmt::format("lessons/{}/lesson.toml: it introduces \"{}\", which docs/glossary.md hasn't",
                                         lesson.folder.name(), text));
        else if (std::find(shown.begin(), shown.end(), *term) == shown.end())
            faults.push_back(
                fmt::format("{0}: the lesson introduces \"{1}\"; expected **[{1}](../../docs/glossary.md#{2})**", name,
                            *term, glossary.anchor(*term)));
    }
    return faults;
}

std::vector<std::string> faults_of_figures(const Lesson& lesson, const MarkdownPage& page) {
    std::vector<std::string> faults;
    for (const MarkdownPage::Link& link : page.links())
        if (link.image && link.text.find_first_not_of(' ') == link.text.npos)
            faults.push_back(fmt::format("{}:{}: the image {} has no text for those who can't see it",
                                         page_name(lesson), link.line, link.target));
    for (const fs::path& file : files_of(lesson.folder.path / "figures", ".svg")) {
        const std::string name = "figures/" + file.filename().string(), svg = read_file(file);
        const std::string where = fmt::format("lessons/{}/{}: ", lesson.folder.name(), name);
        for (const char* const element : {"title", "desc"})
            if (!std::regex_search(svg, std::regex(fmt::format("<{0}[^>]*>\\s*[^<\\s]", element))))
                faults.push_back(fmt::format("{}there is no <{}> with text in it", where, element));
        if (svg.find("prefers-color-scheme") == svg.npos)
            faults.push_back(where + "it has no dark form; expected colours for (prefers-color-scheme: dark)");
        if (std::regex_search(svg, std::regex("@import|@font-face|(href|src)=\"https?:|url\\(['\"]?https?:")))
            faults.push_back(where + "it loads something from elsewhere");
        if (std::none_of(page.links().begin(), page.links().end(),
                         [&](const MarkdownPage::Link& link) { return link.image && link.target == name; }))
            faults.push_back(where + "README.md doesn't show it");
    }
    return faults;
}

std::vector<std::string> faults_of_files(const Lesson& lesson) {
    std::vector<std::string> faults;
    const std::string folder = fmt::format("lessons/{}/", lesson.folder.name());
    const auto has_program = [&](const fs::path& file) {
        return std::any_of(lesson.programs.begin(), lesson.programs.end(),
                           [&](const LessonProgram& program) { return program.name == file.stem(); });
    };
    for (const char* const extension : {".cpp", ".cu", ".out"})
        for (const fs::path& file : files_of(lesson.folder.path, extension)) {
            const std::string name = folder + file.filename().string(), text = read_file(file);
            if (file.extension() != ".cu" && !has_program(file))
                faults.push_back(fmt::format("{}: lesson.toml has no [[program]] {}", name, file.stem().string()));
            if (file.extension() == ".out") continue;
            const std::vector<std::string> lines = split_lines(text);
            if (lines.size() > most_program_lines)
                faults.push_back(
                    fmt::format("{}: {} lines; expected {} or fewer", name, lines.size(), most_program_lines));
            const auto first = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
                return !line.empty() && line.find("SPDX-License-Identifier:") == line.npos;
            });
            if (first == lines.end() || !first->starts_with("//"))
                faults.push_back(name + ": it begins without a comment that says what it shows");
        }
    for (const fs::path& file : files_of(lesson.folder.path / "measured", ".txt")) try {
            measured_sections(read_file(file));
        } catch (const BlockError& error) {
            faults.push_back(fmt::format("{}measured/{}: {}", folder, file.filename().string(), error.what()));
        }
    return faults;
}

std::vector<std::string> faults_of_links(const fs::path& root, const fs::path& file, const MarkdownPage& page,
                                         const Glossary& glossary) {
    std::vector<std::string> faults;
    for (const MarkdownPage::Link& link : page.links()) {
        if (std::regex_search(link.target, std::regex("^[a-z]+:"))) continue;
        const std::string where = fmt::format("{}:{}: ", file.lexically_relative(root).string(), link.line);
        const std::size_t hash = std::min(link.target.find('#'), link.target.size());
        const std::string path = link.target.substr(0, hash),
                          anchor = hash < link.target.size() ? link.target.substr(hash + 1) : "";
        const fs::path target = path.empty() ? file : (file.parent_path() / path).lexically_normal();
        if (!fs::exists(target)) {
            faults.push_back(fmt::format("{}the link {} leads nowhere", where, link.target));
            continue;
        }
        if (anchor.empty() || target.extension() != ".md") continue;
        const MarkdownPage other(read_file(target), LessonBlocks::kinds());
        if (!other.anchors().contains(anchor)) {
            faults.push_back(fmt::format("{}the link {} names a heading that isn't there", where, link.target));
            continue;
        }
        if (target.lexically_relative(root) != fs::path("docs/glossary.md")) continue;
        const auto term = glossary.term(link.text);
        const bool is_section = anchor_of(link.text) == anchor;
        if (!term && !is_section)
            faults.push_back(fmt::format("{}\"{}\" links to the glossary, which hasn't this term", where, link.text));
        else if (term && glossary.anchor(*term) != anchor)
            faults.push_back(
                fmt::format("{}\"{}\" stands in the glossary under #{}", where, *term, glossary.anchor(*term)));
    }
    return faults;
}

}  // namespace course
