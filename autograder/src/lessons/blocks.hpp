// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/markdown.hpp"
#include "manifest/lesson.hpp"

namespace course {

/// Something that a block of a lesson's README refers to doesn't exist.
class BlockError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The blocks of a lesson's README that are generated from other files: `<!-- snippet add.cu kernel -->` and so on.
class LessonBlocks {
public:
    /// @param exercises of the course, by name; a reference to a missing one is a BlockError
    LessonBlocks(std::filesystem::path root, const Lesson& lesson, const std::map<std::string, Manifest>& exercises)
        : root_(std::move(root)), lesson_(lesson), exercises_(exercises) {}

    /// First words of the marks.
    static const std::vector<std::string_view>& kinds();

    /// The lines of a block, each with its line ending. @throws BlockError.
    [[nodiscard]] std::string text(const MarkdownPage::Block& block) const;

    /// The page with all of its blocks regenerated. Adds errors to `faults` as "LINE: message"; such a block stays
    /// unchanged.
    [[nodiscard]] std::string filled(const MarkdownPage& page, std::vector<std::string>& faults) const;

private:
    [[nodiscard]] std::string snippet(const std::vector<std::string>& words) const;
    [[nodiscard]] std::string output(const std::vector<std::string>& words) const;
    [[nodiscard]] std::string measured(const std::vector<std::string>& words) const;
    [[nodiscard]] std::string profile(const std::vector<std::string>& words) const;
    [[nodiscard]] std::string question(const std::vector<std::string>& words) const;
    [[nodiscard]] std::string exercises() const;

    std::filesystem::path root_;
    const Lesson& lesson_;
    const std::map<std::string, Manifest>& exercises_;
};

/// A file of measured output consists of sections, each below a line "# command, machine, date".
struct MeasuredSection {
    std::size_t line = 0;
    std::string command, machine, date, text;
};

/// @throws BlockError for a file without such a line, or with an incomplete one.
std::vector<MeasuredSection> measured_sections(std::string_view text);

/// A program's output on a machine, from measured/MACHINE.txt; none if it has no section for that program.
/// @throws BlockError as measured_sections() does, and if there is no such file
std::optional<MeasuredSection> measured_section(const Lesson& lesson, std::string_view machine,
                                                const std::string& program);

/// The lines that a question asks about, below their file's name; empty if there are none. @throws BlockError
std::string listing_of(const Lesson& lesson, const Question& question);

/// "A", "B", ... for a question's choices.
inline char letter_of(std::size_t choice) { return static_cast<char>('A' + choice); }

}  // namespace course
