// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/markdown.hpp"
#include "manifest/lesson.hpp"
#include "support/text.hpp"

namespace course {

/// A Markdown page as plain text for a terminal: paragraphs and lists wrapped, tables in columns, or where a row is too
/// long as an entry with its text below; links without their targets.
/// @param section a heading: only what stands below it; empty: the whole page
/// @return empty if there is no such heading
std::string page_text(std::string_view page, std::string_view section = {}, std::size_t columns = text_columns(96));

/// What a learner comes to on a lesson's page: a question, or what a program prints.
struct LessonStep {
    const Question* question = nullptr;
    const LessonProgram* program = nullptr;  ///< one of the two
    std::string section;                     ///< the heading that it stands under
};

/// The questions and programs of a lesson in its page's order: each question before the output that tells its answer.
/// What the page doesn't show comes last, in lesson.toml's order. The steps point into the lesson.
std::vector<LessonStep> steps_of(const Lesson& lesson, const MarkdownPage& page);

/// Questions that stand below what their program prints, and those that follow a piece of code that they don't name as
/// their `listing`: each with its line.
/// @param name of the page, for the faults
std::vector<std::string> faults_of_page_order(const std::string& name, const Lesson& lesson, const MarkdownPage& page);

}  // namespace course
