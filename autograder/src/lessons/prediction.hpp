// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/lesson.hpp"

namespace course {

/// What a student predicts: a choice, or a number.
struct Prediction {
    std::optional<std::size_t> choice = {};
    double number = 0;
};

/// "b", "B" or "4 sectors"; nothing for what isn't an answer to this question.
std::optional<Prediction> parse_prediction(const Question& question, std::string_view text);

/// What one may type: "A, B or C", "a number of sectors".
std::string expected_prediction(const Question& question);

struct JudgedPrediction {
    bool right = false;
    int tag = 0;      ///< the misconception behind a wrong one; 0: none that is known
    std::string why;  ///< what speaks against a wrong one, where that is known
};

/// @param answer what the program answers; used for numbers alone
JudgedPrediction judge_prediction(const Question& question, const Prediction& prediction, double answer);

/// The question and its choices, for a terminal.
std::string question_text(const Question& question);

/// The right answer, and why it is.
/// @param answer the program's line; used for numbers alone
std::string answer_text(const Question& question, std::string_view answer);

/// Why each wrong choice is wrong, for those who don't say what they predict.
std::string other_choices_text(const Question& question);

/// A number alone: "4", "2.5e3"; nothing else.
std::optional<double> parse_number(std::string_view text);

/// What differs between the kept output of a lesson's program and what it printed; empty if nothing does. `~` in the
/// kept one stands for any number, and in lines with it only the words count, not the spaces between them.
std::string output_difference(std::string_view kept, std::string_view printed);

/// What to keep of a program that prints times: `~` for each number with a unit of time or rate, and for those that
/// differ from run to run. Lines of `kept` that still match stay as they are.
std::string output_to_keep(std::string_view kept, const std::vector<std::string>& runs);

/// The values of the lines "Answer: VALUE", in order.
std::vector<std::string> answers_of(std::string_view output);

}  // namespace course
