// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/lesson.hpp"

namespace course {

/// A student's prediction: a choice, or a number.
struct Prediction {
    std::optional<std::size_t> choice = {};
    PredictedNumber number = {};
};

/// Parses "b", "B", "4 sectors" or "324/256"; nothing if it isn't an answer to this question.
std::optional<Prediction> parse_prediction(const Question& question, std::string_view text);

/// What to type: "A, B or C", "a number of sectors".
std::string expected_prediction(const Question& question);

struct JudgedPrediction {
    bool right = false;
    int tag = 0;      ///< the misconception behind a wrong one; 0: none is known
    std::string why;  ///< why a wrong one is wrong, if that is known
};

/// @param answer the program's answer as it prints it; used only for numbers
JudgedPrediction judge_prediction(const Question& question, const Prediction& prediction, std::string_view answer);

/// The question and its choices, for a terminal.
std::string question_text(const Question& question);

/// The right answer and its explanation.
/// @param answer the program's line; used only for numbers
std::string answer_text(const Question& question, std::string_view answer);

/// Why each wrong choice is wrong, or each wrong number that people give, for those who make no prediction.
std::string other_answers_text(const Question& question);

/// Parses a number alone: "4", "2.5e3"; nothing else.
std::optional<double> parse_number(std::string_view text);

/// The difference between the stored output of a lesson's program and what it printed; empty if there is none. `~` in
/// the stored output matches any number, and in lines with it only words count, not the spaces between them.
std::string output_difference(std::string_view kept, std::string_view printed);

/// The output to store for a program that prints times: `~` for each number with a unit of time or rate, and for those
/// that differ from run to run. Lines of `kept` that still match are kept.
std::string output_to_keep(std::string_view kept, const std::vector<std::string>& runs);

/// The values of the lines "Answer: VALUE", in order.
std::vector<std::string> answers_of(std::string_view output);

}  // namespace course
