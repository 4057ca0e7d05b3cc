// SPDX-License-Identifier: MIT
#include "author/check_page.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "lessons/blocks.hpp"
#include "lessons/markdown.hpp"
#include "lessons/page_text.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t min_words = 800, max_words = 2000, max_words_in_two_sittings = 3400, max_program_lines = 60;
constexpr std::size_t min_breather_words = 100, max_breather_words = 800;

/// The parts of every lesson, in this order, with its own sections between the second and the third.
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

void add_faults_of_length(const std::string& name, const MarkdownPage& page, std::size_t min, std::size_t max,
                          std::vector<std::string>& faults) {
    if (const std::size_t words = page.words(); words < min || words > max)
        faults.push_back(fmt::format("{}: {} words, not counting code and generated parts; expected {} to {}", name,
                                     words, min, max));
}

void add_faults_of_title(const std::string& name, const MarkdownPage& page, const std::string& wanted,
                         std::vector<std::string>& faults) {
    const auto title = std::find_if(page.headings().begin(), page.headings().end(),
                                    [](const MarkdownPage::Heading& heading) { return heading.level == 1; });
    if (title == page.headings().end() || title->text.find(wanted) == title->text.npos)
        faults.push_back(fmt::format("{}:{}: expected a heading \"# ...{}\", as lesson.toml says", name,
                                     title == page.headings().end() ? 1 : title->line, wanted));
}

/// Every question must be shown, in time and with its code; every program mentioned.
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
    const std::size_t max_of_page = lesson.sittings == 2 ? max_words_in_two_sittings : max_words;
    add_faults_of_length(name, page, min_words, max_of_page, faults);
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
    add_faults_of_length(name, page, min_breather_words, max_breather_words, faults);
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
        else if (where->second.place > lesson.folder.place)
            faults.push_back(
                fmt::format("{}:{}: \"{}\" is bold, and lesson {} introduces it; expected it without bold, "
                            "or introduced here",
                            name, bold.line, *term, where->second.number));
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
            if (lines.size() > max_program_lines)
                faults.push_back(
                    fmt::format("{}: {} lines; expected {} or fewer", name, lines.size(), max_program_lines));
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

namespace fs = std::filesystem;

namespace course {

namespace {

/// True for comments that explain an exception: a planted mistake is shown, or there is no column.
bool is_excused(const std::string& line) {
    return line.find("planted mistake") != line.npos || line.find("thread per row") != line.npos;
}

/// Blanks out the text between two marks, on one or more lines; line endings stay.
void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < std::min(end, text.size()); ++k)
        if (text[k] != '\n') text[k] = ' ';
}

/// The text without comments and without square brackets' contents: a[threadIdx.x] is a value, not an index.
std::string code_alone(std::string text) {
    for (std::size_t at = 0; (at = text.find("//", at)) != text.npos;) blank(text, at, text.find('\n', at));
    for (std::size_t at = 0; (at = text.find("/*", at)) != text.npos;) {
        const std::size_t end = text.find("*/", at + 2);
        blank(text, at, end == text.npos ? end : end + 2);
    }
    for (std::size_t end; (end = text.find(']')) != text.npos;) {
        const std::size_t begin = text.rfind('[', end);
        if (begin == text.npos)
            text[end] = ' ';
        else
            blank(text, begin, end + 1);
    }
    return text;
}

/// The lines of a page that are its own code; the others are empty. Generated lines are checked at their source.
std::string code_of_page(const std::string& text) {
    const MarkdownPage page(text, LessonBlocks::kinds());
    std::string code;
    for (const MarkdownPage::Line& line : page.lines())
        code += (line.kind == MarkdownPage::Kind::code ? line.text : "") + "\n";
    return code;
}

/// Where the pattern matches. The text is searched in pieces, because std::regex uses stack for each character; none of
/// our patterns spans pieces, and no match is longer than a few lines.
std::vector<std::size_t> matches(const std::string& code, const std::regex& pattern) {
    constexpr std::size_t max_piece = 2000;
    std::vector<std::size_t> places;
    for (std::size_t begin = 0; begin < code.size();) {
        const std::size_t end = std::min(code.find_first_of(";,{}", begin), code.size());
        const auto from = code.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = code.begin() + static_cast<std::ptrdiff_t>(end);
        if (end - begin <= max_piece)
            for (std::sregex_iterator at(from, to, pattern), none; at != none; ++at)
                places.push_back(begin + static_cast<std::size_t>(at->position()));
        begin = end + 1;
    }
    return places;
}

}  // namespace

std::vector<std::string> faults_of_columns(const std::string& name, const std::string& text) {
    const bool is_page = name.ends_with(".md");
    const std::string source = is_page ? code_of_page(text) : text;
    const std::vector<std::string> lines = split_lines(text);
    if (!is_page && std::any_of(lines.begin(), lines.begin() + std::min<std::ptrdiff_t>(10, std::ssize(lines)),
                                [](const std::string& line) { return line.starts_with("//") && is_excused(line); }))
        return {};
    struct Rule {
        std::regex pattern;
        std::string_view says;
    };
    // A quotient or remainder of a flat index may be either.
    static const Rule rules[] = {
        {std::regex("\\b(?:\\w*_)?row(?:_\\w*|\\d*)\\s*=(?!=)[^;,/%{}]*\\b(?:threadIdx\\.x|tx)\\b(?![^;,{}]*[/%])"),
         "a row is computed from threadIdx.x"},
        {std::regex(
             "\\b(?:\\w*_)?col(?:umn)?(?:_\\w*|\\d*)\\s*=(?!=)[^;,/%{}]*\\b(?:threadIdx\\.y|ty)\\b(?![^;,{}]*[/%])"),
         "a column is computed from threadIdx.y"},
        {std::regex(
             "\\b(?:int|unsigned|long|size_t|int64_t)\\s+y\\s*=(?!=)[^;,/%{}]*\\bthreadIdx\\.x\\b(?![^;,{}]*[/%])"),
         "y is computed from threadIdx.x"},
        {std::regex(
             "\\b(?:int|unsigned|long|size_t|int64_t)\\s+x\\s*=(?!=)[^;,/%{}]*\\bthreadIdx\\.y\\b(?![^;,{}]*[/%])"),
         "x is computed from threadIdx.y"}};
    const std::string code = code_alone(source);
    std::vector<std::string> faults;
    for (const Rule& rule : rules)
        for (const std::size_t place : matches(code, rule.pattern)) {
            const auto line = static_cast<std::size_t>(
                std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
            if (line < lines.size() && is_excused(lines[line])) continue;
            faults.push_back(
                fmt::format("{}:{}: {}; x is the column here. If it is meant so, a comment on the line says \"planted "
                            "mistake\" or \"a thread per row\"",
                            name, line + 1, rule.says));
        }
    return faults;
}

std::vector<std::string> faults_of_columns(const fs::path& root) {
    std::vector<fs::path> files;
    for (const char* const folder : {"lessons", "exercises", "solutions"}) {
        std::error_code error;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder, error)) {
            const fs::path extension = entry.path().extension();
            const bool is_text = extension == ".cu" || extension == ".cpp" || extension == ".hpp" || extension == ".md";
            if (entry.is_regular_file() && is_text) files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> faults;
    for (const fs::path& file : files)
        for (std::string& fault : faults_of_columns(file.lexically_relative(root).string(), read_file(file)))
            faults.push_back(std::move(fault));
    return faults;
}

namespace {

/// In lower case, with single spaces, without code and emphasis marks.
std::string plain_term(std::string_view text) {
    std::string copy(text), term;
    std::erase_if(copy, [](char c) { return c == '`' || c == '*'; });
    std::transform(copy.begin(), copy.end(), copy.begin(), [](unsigned char c) { return std::tolower(c); });
    std::istringstream words(copy);
    for (std::string word; words >> word;) term += (term.empty() ? "" : " ") + word;
    return term;
}

}  // namespace

Glossary::Glossary(std::string_view page) {
    std::string anchor;
    for (const std::string& line : split_lines(page)) {
        if (line.starts_with("## ")) anchor = anchor_of(line.substr(3));
        if (!line.starts_with("- **")) continue;
        const std::string head = line.substr(0, line.find("**:") + 2);  // "- **dtype**, **element type**"
        for (std::size_t begin = 0, end; (begin = head.find("**", begin)) != head.npos; begin = end + 2) {
            end = head.find("**", begin + 2);
            if (end == head.npos) break;
            const std::string term = head.substr(begin + 2, end - begin - 2);
            if (!term.empty() && term.find('*') == term.npos) anchors_.emplace(plain_term(term), anchor);
        }
    }
}

std::optional<std::string> Glossary::term(std::string_view text) const {
    const std::string plain = plain_term(text);
    for (const std::string_view ending : {"", "s", "es"}) {
        if (!plain.ends_with(ending)) continue;
        const std::string term = plain.substr(0, plain.size() - ending.size());
        if (anchors_.contains(term)) return term;
    }
    return std::nullopt;
}

namespace {

std::string toml_of(const Lesson& lesson) { return fmt::format("lessons/{}/lesson.toml: ", lesson.folder.name()); }

const Lesson* find_lesson(const std::vector<Lesson>& lessons, const std::string& name) {
    const auto found = std::find_if(lessons.begin(), lessons.end(),
                                    [&](const Lesson& lesson) { return lesson.folder.name() == name; });
    return found == lessons.end() ? nullptr : &*found;
}

/// The lesson itself and everything that it builds on.
std::set<std::string> built_upon(const std::vector<Lesson>& lessons, const std::string& name) {
    std::set<std::string> known;
    std::vector<std::string> left = {name};
    while (!left.empty()) {
        const std::string one = left.back();
        left.pop_back();
        if (!known.insert(one).second) continue;
        if (const Lesson* lesson = find_lesson(lessons, one))
            left.insert(left.end(), lesson->needs.begin(), lesson->needs.end());
    }
    return known;
}

std::string exercise_toml(const Manifest& exercise) {
    return fmt::format("exercises/{}/exercise.toml: ", exercise.folder.filename().string());
}

void add_faults_of_exercise(const Manifest& exercise, const std::vector<Lesson>& lessons,
                            const std::map<std::string, Manifest>& exercises, std::vector<std::string>& faults) {
    const std::string where = exercise_toml(exercise);
    const Lesson* const lesson = find_lesson(lessons, exercise.lesson);
    if (!lesson) {
        const int number = exercise.lesson.size() > 2 ? std::atoi(exercise.lesson.substr(0, 2).c_str()) : 0;
        const bool is_beyond = std::all_of(lessons.begin(), lessons.end(),
                                           [&](const Lesson& other) { return other.folder.number < number; });
        if (!is_beyond) faults.push_back(fmt::format("{}its lesson {} doesn't exist", where, exercise.lesson));
        return;
    }
    if (std::find(lesson->exercises.begin(), lesson->exercises.end(), exercise.name) == lesson->exercises.end())
        faults.push_back(fmt::format("{}its lesson {} doesn't list it in \"exercises\"", where, exercise.lesson));
    const std::set<std::string> practised = built_upon(lessons, exercise.lesson);
    for (const std::string& name : exercise.needs) {
        const auto needed = exercises.find(name);
        if (needed == exercises.end())
            faults.push_back(fmt::format("{}it needs {}, which is not an exercise", where, name));
        else if (!practised.contains(needed->second.lesson))
            faults.push_back(
                fmt::format("{}it needs {} of lesson {}, which lesson {} doesn't build upon; expected it "
                            "among the \"needs\" of that lesson, or of one that it needs",
                            where, name, needed->second.lesson, exercise.lesson));
    }
}

}  // namespace

std::vector<std::string> faults_of_order(const std::vector<Lesson>& lessons,
                                         const std::map<std::string, Manifest>& exercises, const Glossary& glossary) {
    std::vector<std::string> faults;
    std::map<std::string, const Lesson*> introduced;
    for (const Lesson& lesson : lessons) {
        if (!lesson.after.empty() && !find_lesson(lessons, lesson.after))
            faults.push_back(fmt::format("{}it comes after {}, which doesn't exist", toml_of(lesson), lesson.after));
        for (const std::string& name : lesson.needs) {
            const Lesson* const needed = find_lesson(lessons, name);
            if (!needed)
                faults.push_back(fmt::format("{}it needs {}, which doesn't exist", toml_of(lesson), name));
            else if (needed >= &lesson)  // in the order of reading
                faults.push_back(fmt::format("{}it needs {}, which doesn't come before it", toml_of(lesson), name));
        }
        for (const std::string& name : lesson.exercises) {
            const auto found = exercises.find(name);
            if (found == exercises.end())
                faults.push_back(fmt::format("{}{} is not an exercise", toml_of(lesson), name));
            else if (found->second.lesson != lesson.folder.name())
                faults.push_back(fmt::format("{}{} says that its lesson is {}; expected {}", toml_of(lesson), name,
                                             found->second.lesson, lesson.folder.name()));
        }
        for (const std::string& text : lesson.introduces) {
            const auto term = glossary.term(text);
            if (!term) continue;
            if (const auto [first, is_new] = introduced.emplace(*term, &lesson); !is_new)
                faults.push_back(fmt::format("{}it introduces \"{}\", as {} does", toml_of(lesson), *term,
                                             first->second->folder.name()));
        }
    }
    if (!lessons.empty())
        for (const auto& [name, exercise] : exercises) add_faults_of_exercise(exercise, lessons, exercises, faults);
    return faults;
}

Introductions introductions(const std::vector<Lesson>& lessons, const Glossary& glossary) {
    Introductions introduced;
    for (const Lesson& lesson : lessons)
        for (const std::string& text : lesson.introduces)
            if (const auto term = glossary.term(text)) introduced.emplace(*term, lesson.folder);
    return introduced;
}

}  // namespace course
