// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lessons/glossary.hpp"
#include "lessons/markdown.hpp"
#include "manifest/lesson.hpp"

namespace course {

/// Where each term of the glossary is introduced: the lesson's number.
using Introductions = std::map<std::string, int>;

// What speaks against a lesson's text, each as
// "lessons/NN-topic/README.md:LINE: what is expected". Nothing: all is well.

/// Its length, its parts and their order, its title, that it shows its programs and questions.
std::vector<std::string> faults_of_parts(const Lesson& lesson, const MarkdownPage& page);

/// The same of breather.md, which needs no parts. `breather` is the lesson's sitting of that name.
std::vector<std::string> faults_of_breather(const Lesson& breather, const MarkdownPage& page);

/// Its bold words: terms that it introduces, linked to the glossary, and none of a later lesson.
std::vector<std::string> faults_of_terms(const Lesson& lesson, const MarkdownPage& page, const Glossary& glossary,
                                         const Introductions& introduced);

/// Its figures, each with a title and a description, shown with a text for those who can't see it.
std::vector<std::string> faults_of_figures(const Lesson& lesson, const MarkdownPage& page);

/// Its other files: programs short, with a comment first, and each in lesson.toml; measured output with its origin.
std::vector<std::string> faults_of_files(const Lesson& lesson);

/// Links of any page of the course to files and anchors in it, and to terms of the glossary.
std::vector<std::string> faults_of_links(const std::filesystem::path& root, const std::filesystem::path& file,
                                         const MarkdownPage& page, const Glossary& glossary);

}  // namespace course
