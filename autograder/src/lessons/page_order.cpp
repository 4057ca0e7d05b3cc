// SPDX-License-Identifier: MIT
#include "lessons/page_order.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace course {

namespace {

template <class T, class Name>
const T* find_named(const std::vector<T>& all, Name T::* name, const std::string& wanted) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.*name == wanted; });
    return found == all.end() ? nullptr : &*found;
}

bool prints(const MarkdownPage::Block& block) { return block.words[0] == "output" || block.words[0] == "measured"; }

std::string section_at(const MarkdownPage& page, std::size_t line) {
    std::string section;
    for (const MarkdownPage::Heading& heading : page.headings())
        if (heading.level > 1 && heading.line < line) section = heading.text;
    return section;
}

/// Makes the list: each thing once, and a program's questions before it.
class Steps {
public:
    explicit Steps(const Lesson& lesson) : lesson_(lesson) {}

    void add(const Question& question, const std::string& section) {
        if (seen_.insert(&question).second) steps_.push_back({&question, nullptr, section});
    }
    void add(const LessonProgram& program, const std::string& section) {
        if (!seen_.insert(&program).second) return;
        for (const Question& question : lesson_.questions)
            if (question.program == program.name) add(question, section);
        steps_.push_back({nullptr, &program, section});
    }
    [[nodiscard]] std::vector<LessonStep> take() { return std::move(steps_); }

private:
    const Lesson& lesson_;
    std::set<const void*> seen_;
    std::vector<LessonStep> steps_;
};

}  // namespace

std::vector<LessonStep> steps_of(const Lesson& lesson, const MarkdownPage& page) {
    Steps steps(lesson);
    for (const MarkdownPage::Block& block : page.blocks()) {
        if (block.words.size() < 2) continue;
        const std::string section = section_at(page, block.begin);
        if (block.words[0] == "question") {
            if (const auto* const question = find_named(lesson.questions, &Question::id, block.words[1]))
                steps.add(*question, section);
        } else if (prints(block)) {
            if (const auto* const program = find_named(lesson.programs, &LessonProgram::name, block.words[1]))
                steps.add(*program, section);
        }
    }
    for (const LessonProgram& program : lesson.programs) steps.add(program, "");
    for (const Question& question : lesson.questions) steps.add(question, "");
    return steps.take();
}

std::vector<std::string> faults_of_page_order(const std::string& name, const Lesson& lesson, const MarkdownPage& page) {
    std::vector<std::string> faults;
    std::set<std::string> printed, shown;
    std::string above, section;  // the code that stands above, with nothing but text and questions between
    for (const MarkdownPage::Block& block : page.blocks()) {
        if (block.words.size() < 2) continue;
        if (const std::string here = section_at(page, block.begin); here != section) {
            section = here;
            above.clear();
        }
        if (block.words[0] == "snippet") {
            above = block.words[1] + (block.words.size() > 2 ? " " + block.words[2] : "");
            shown.insert(above);
        } else if (prints(block)) {
            printed.insert(block.words[1]);
            above.clear();
        }
        if (block.words[0] != "question") continue;
        const auto* const question = find_named(lesson.questions, &Question::id, block.words[1]);
        if (!question) continue;
        if (printed.contains(question->program))
            faults.push_back(fmt::format("{}:{}: the question {} stands below what {} prints, which tells its answer; "
                                         "expected it above",
                                         name, block.begin, question->id, question->program));
        if (!above.empty() && !shown.contains(question->listing))
            faults.push_back(fmt::format("{}:{}: the question {} follows a piece of code; expected it in lesson.toml, "
                                         "listing = \"{}\" or another one that stands above",
                                         name, block.begin, question->id, above));
    }
    return faults;
}

}  // namespace course
