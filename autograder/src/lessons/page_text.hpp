// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/markdown.hpp"
#include "manifest/lesson.hpp"
#include "support/text.hpp"

namespace course {

/// A Markdown page as plain text for a terminal: wrapped paragraphs and lists, tables in columns or, if a row is too
/// long, as entries with their text below; links without their targets.
/// @param section a heading: only the text below it; empty: the whole page
/// @return empty if there is no such heading
std::string page_text(std::string_view page, std::string_view section = {}, std::size_t columns = text_columns(96));

/// A step of a lesson's page: a question, or a program's output.
struct LessonStep {
    const Question* question = nullptr;
    const LessonProgram* program = nullptr;  ///< one of the two is set
    std::string section;                     ///< the heading above it
};

/// The questions and programs of a lesson in its page's order: each question before the output that reveals its answer.
/// Those missing from the page come last, in lesson.toml's order. The steps point into the lesson.
std::vector<LessonStep> steps_of(const Lesson& lesson, const MarkdownPage& page);

/// Questions that come after their program's output, and those that follow a piece of code without naming it as their
/// `listing`, each with its line.
/// @param name the page's, for messages
std::vector<std::string> faults_of_page_order(const std::string& name, const Lesson& lesson, const MarkdownPage& page);

}  // namespace course
