// SPDX-License-Identifier: MIT
// A lesson's text, the glossary, and what its programs print.
#include "author/check_page.hpp"
#include "fuzz/course_fixture.hpp"
#include "lessons/blocks.hpp"
#include "lessons/prediction.hpp"
#include "support/text.hpp"

namespace fuzz {

FUZZ_TARGET(lesson_page, std::size_t{1} << 17) {
    const course::MarkdownPage page(input, course::LessonBlocks::kinds());
    const std::size_t lines = page.lines().size();
    for (const auto& block : page.blocks())
        require(block.begin >= 1 && block.begin < block.end && block.end <= lines && !block.words.empty(),
                "a block without its marks");
    for (const auto& link : page.links())
        require(link.line >= 1 && link.line <= lines && !link.target.empty(), "a link on no line");
    for (const auto& bold : page.bolds()) require(bold.line >= 1 && bold.line <= lines, "a bold word on no line");
    for (const auto& heading : page.headings())
        require(heading.line >= 1 && heading.line <= lines && heading.level >= 1, "a heading on no line");
    (void)page.words();
    const course::Glossary glossary(input);
    if (const auto term = glossary.term("warps")) (void)glossary.anchor(*term);
    (void)course::faults_of_columns("lessons/a.md", std::string(input));
    (void)course::faults_of_columns("lessons/a.cu", std::string(input));
    try {
        require(!course::measured_sections(input).empty(), "a file of measured output without a section");
    } catch (const course::BlockError&) {}
}

/// The input: what is kept, a line "=====", what the program printed.
FUZZ_TARGET(program_output, std::size_t{1} << 17) {
    const std::string kept(take_part(input)), printed(input);
    (void)course::output_difference(kept, printed);
    require(course::output_difference(printed, printed).empty() || printed.find('~') != printed.npos,
            "an output differs from itself");
    const std::string to_keep = course::output_to_keep(kept, {printed, kept});
    if (printed.find('~') == printed.npos && kept.find('~') == kept.npos)
        require(course::output_difference(course::output_to_keep("", {printed}), printed).empty(),
                "what is kept of an output isn't like it");
    for (const std::string& answer : course::answers_of(to_keep)) (void)course::parse_number(answer);
    const std::string text = course::wrapped(printed, 2);
    require(text.size() <= 8 * printed.size() + 8, "wrapping makes much of it");
}

}  // namespace fuzz
