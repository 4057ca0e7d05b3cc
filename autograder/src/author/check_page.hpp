// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/markdown.hpp"
#include "manifest/lesson.hpp"

namespace course {

/// The terms of docs/glossary.md, and the anchors of their sections.
class Glossary {
public:
    explicit Glossary(std::string_view page);

    /// The term itself for "Warp", "warps", "bank conflicts"; nothing for what isn't one.
    [[nodiscard]] std::optional<std::string> term(std::string_view text) const;
    /// The anchor of a term: "threads".
    [[nodiscard]] const std::string& anchor(const std::string& term) const { return anchors_.at(term); }

private:
    std::map<std::string, std::string> anchors_;
};

/// The lesson that introduces each term of the glossary.
using Introductions = std::map<std::string, LessonFolder>;

// Faults in a lesson's text, each as "lessons/NN-topic/README.md:LINE: what is expected". Empty: none.

/// Checks its length, its parts and their order, its title, and that it shows its programs and questions.
std::vector<std::string> faults_of_parts(const Lesson& lesson, const MarkdownPage& page);

/// The same for breather.md, which needs no parts. `breather` is the lesson's sitting of that name.
std::vector<std::string> faults_of_breather(const Lesson& breather, const MarkdownPage& page);

/// Checks its bold words: terms that it introduces, linked to the glossary, and none of a later lesson.
std::vector<std::string> faults_of_terms(const Lesson& lesson, const MarkdownPage& page, const Glossary& glossary,
                                         const Introductions& introduced);

/// Checks its figures: each with a title and a description, shown with an alternative text.
std::vector<std::string> faults_of_figures(const Lesson& lesson, const MarkdownPage& page);

/// Checks its other files: programs are short, begin with a comment and are listed in lesson.toml; measured output has
/// its origin.
std::vector<std::string> faults_of_files(const Lesson& lesson);

/// Checks links in any page of the course to files and anchors in it, and to terms of the glossary.
std::vector<std::string> faults_of_links(const std::filesystem::path& root, const std::filesystem::path& file,
                                         const MarkdownPage& page, const Glossary& glossary);

/// Faults in the order of the course: lessons that need missing or later ones; a lesson and its exercises that don't
/// name each other; an exercise that needs one of a lesson that its own lesson doesn't build on; a term that is
/// introduced twice. An exercise may name a lesson that isn't written yet, beyond the last one.
std::vector<std::string> faults_of_order(const std::vector<Lesson>& lessons,
                                         const std::map<std::string, Manifest>& exercises, const Glossary& glossary);

Introductions introductions(const std::vector<Lesson>& lessons, const Glossary& glossary);

/// Lines that compute a row from threadIdx.x, or a column from threadIdx.y: x is the column everywhere. Searches
/// programs, kernels and the code blocks of pages below lessons/, exercises/ and solutions/, except planted answers and
/// lines or files with a comment that says "planted mistake" or "a thread per row".
std::vector<std::string> faults_of_columns(const std::filesystem::path& root);

/// The same for one text.
std::vector<std::string> faults_of_columns(const std::string& name, const std::string& text);

}  // namespace course
