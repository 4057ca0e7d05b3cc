// SPDX-License-Identifier: MIT
#include "commands/ask.hpp"

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "kit/kit.hpp"
#include "lessons/blocks.hpp"
#include "report/output.hpp"
#include "report/task_text.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

bool can_ask() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

std::string listing_text(const Lesson& lesson, const Question& question) {
    try {
        const std::string listing = listing_of(lesson, question);
        return listing.empty() ? "" : indented(listing, 2) + "\n";
    } catch (const BlockError& error) {
        throw UsageError(fmt::format("question {}: {}", lesson.full_id(question), error.what()));
    }
}

std::optional<Prediction> ask_prediction(const Question& question) {
    const std::string expected = expected_prediction(question);
    for (;;) {
        print(fmt::format("  Your prediction ({}; Enter skips): ", expected));
        std::string line;
        if (!std::getline(std::cin, line)) {
            print("\n");
            return std::nullopt;
        }
        if (line.find_first_not_of(" \t\r") == line.npos) return std::nullopt;
        if (const auto prediction = parse_prediction(question, line)) return prediction;
        print(fmt::format("  \"{}\" is not a valid prediction; write {}.\n", line, expected));
    }
}

std::string judged_text(const Question& question, const JudgedPrediction& judged, const std::string& answer,
                        const std::string& misconception, const Style& style) {
    std::string text;
    if (judged.right) {
        text = "  " + style.good("Right.") + "\n";
    } else {
        const std::string& why = judged.why.empty() ? misconception : judged.why;
        text = "  " + style.warn("Not so.") + "\n" + (why.empty() ? "" : wrapped(why, 2));
    }
    return text + answer_text(question, answer);
}

void note_answer(const Answers& answers, const std::string& question, const JudgedPrediction& judged) {
    try {
        answers.add({date_of(today()), question, judged.right, judged.right ? 0 : judged.tag});
    } catch (const FileError& error) {
        print_error(fmt::format("course: your answer could not be noted: {}\n", error.what()));
    }
}

}  // namespace course
