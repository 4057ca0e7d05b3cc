// SPDX-License-Identifier: MIT
#include "kit/puzzle.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "collect/collect.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"

namespace course {

namespace {

/// The line without its comment, surrounding white space and repeated spaces.
std::string bare(std::string_view line) {
    char quote = 0;
    std::string text;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const char c = line[k];
        if (quote != 0 && c == '\\' && k + 1 < line.size()) {
            text += c;
            text += line[++k];
            continue;
        }
        if (quote != 0)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (line.substr(k).starts_with("//"))
            break;
        const bool space = c == ' ' || c == '\t';
        if (!space)
            text += c;
        else if (!text.empty() && text.back() != ' ')
            text += ' ';
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

std::vector<std::string> bare_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        if (std::string one = bare(line); one.find_first_not_of("{}") != one.npos) lines.push_back(std::move(one));
    return lines;
}

/// Joins equal lines: "x = y;   (twice)".
std::vector<std::string> counted_once(const std::vector<std::string>& lines) {
    std::vector<std::string> all;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (std::find(lines.begin(), line, *line) != line) continue;
        const auto times = std::count(line, lines.end(), *line);
        all.push_back(times == 1 ? *line : *line + (times == 2 ? "   (twice)" : fmt::format("   ({} times)", times)));
    }
    return all;
}

/// The part of a line that would give it away in a hint: `(n + 255) / 256` of `const int blocks = (n + 255) / 256;`, or
/// the whole line.
std::string formula(const std::string& line) {
    const std::size_t equals = line.find(" = ");
    std::string text = equals == line.npos ? line : line.substr(equals + 3);
    while (text.ends_with(';')) text.pop_back();
    return text;
}

}  // namespace

std::vector<SolutionLines> solution_lines(const Kit& kit, const Manifest& manifest) {
    std::vector<SolutionLines> all;
    for (const std::string& name : manifest.edit) {
        std::vector<std::string> stub = bare_lines(without_starred_parts(read_file(manifest.folder / name)));
        SolutionLines own{name, {}};
        const std::string solved = without_starred_parts(read_file(kit.solution(manifest.folder) / name));
        for (std::string& line : bare_lines(solved)) {
            const auto same = std::find(stub.begin(), stub.end(), line);
            if (same == stub.end())
                own.lines.push_back(std::move(line));
            else
                stub.erase(same);
        }
        if (!own.lines.empty()) all.push_back(std::move(own));
    }
    return all;
}

std::vector<SolutionLines> puzzle_lines(const Kit& kit, const Manifest& manifest) {
    if (!manifest.third_hint.empty()) return manifest.third_hint;
    std::vector<SolutionLines> files = solution_lines(kit, manifest);
    for (SolutionLines& file : files) {
        file.lines = counted_once(file.lines);
        for (const Distractor& wrong : manifest.distractors)
            if (wrong.file == file.file) file.lines.push_back(bare(wrong.line));
        std::sort(file.lines.begin(), file.lines.end());
    }
    return files;
}

std::string puzzle_text(const Kit& kit, const Manifest& manifest, std::string_view student) {
    std::string text =
        "The lines of a solution, shuffled, with two wrong ones among them. Which two, and in which order\n"
        "do the others go? Lone braces are left out.\n";
    SeededRng order(fmt::format("{}\n{}", manifest.name, student));
    for (SolutionLines& file : puzzle_lines(kit, manifest)) {
        order.shuffle(file.lines);
        text += file.file + "\n";
        for (const std::string& line : file.lines) text += "  " + line + "\n";
    }
    return text;
}

std::vector<std::string> faults_of_hints(const Kit& kit, const Manifest& manifest) {
    std::vector<std::string> faults;
    const std::vector<SolutionLines> files = solution_lines(kit, manifest);
    for (const Distractor& wrong : manifest.distractors) {
        const auto file =
            std::find_if(files.begin(), files.end(), [&](const SolutionLines& one) { return one.file == wrong.file; });
        if (file == files.end())
            faults.push_back(fmt::format("the distractor \"{}\" is of {}, where the solution has no line of its own",
                                         wrong.line, wrong.file));
        else if (std::find(file->lines.begin(), file->lines.end(), bare(wrong.line)) != file->lines.end())
            faults.push_back(fmt::format("the distractor \"{}\" is a line of the solution", wrong.line));
    }
    constexpr std::size_t min_length = 12;  // x + y alone gives nothing away
    for (std::size_t k = 0; k < manifest.hints.size(); ++k) {
        std::string hint = manifest.hints[k];
        std::replace(hint.begin(), hint.end(), '\n', ' ');
        hint = bare(hint);
        for (const SolutionLines& file : files)
            for (const std::string& line : file.lines)
                if (const std::string said = formula(line); said.size() >= min_length && hint.find(said) != hint.npos)
                    faults.push_back(fmt::format("hint {} gives a line of the solution away: {}", k + 1, said));
    }
    return faults;
}

}  // namespace course
