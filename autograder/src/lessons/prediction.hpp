// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace course
