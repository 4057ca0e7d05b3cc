// SPDX-License-Identifier: MIT
#include "lessons/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "lessons/blocks.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// The number at the text's beginning, and what follows it.
std::optional<double> leading_number(std::string_view text, std::string& rest) {
    const std::string copy(text);
    char* end = nullptr;
    const double number = std::strtod(copy.c_str(), &end);
    if (end == copy.c_str() || !std::isfinite(number)) return std::nullopt;
    rest = end;
    return number;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
    std::string rest;
    const auto number = leading_number(text, rest);
    return rest.empty() ? number : std::nullopt;
}

std::optional<Prediction> parse_prediction(const Question& question, std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return std::nullopt;
    text = text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
    if (question.number) {
        std::string rest;
        const auto number = leading_number(text, rest);
        const bool is_unit = rest.find_first_of("0123456789,.") == rest.npos;  // "1,024" is neither 1 nor 1024
        return number && is_unit ? std::optional<Prediction>(Prediction{.number = *number}) : std::nullopt;
    }
    if (text.size() != 1) return std::nullopt;
    const char letter = static_cast<char>(text[0] & ~0x20);
    if (letter < 'A' || letter >= letter_of(question.choices.size())) return std::nullopt;
    return Prediction{.choice = static_cast<std::size_t>(letter - 'A')};
}

std::string expected_prediction(const Question& question) {
    if (question.number) return "a number of " + question.number->unit;
    std::string letters;
    for (std::size_t k = 0; k < question.choices.size(); ++k)
        letters += (k == 0 ? "" : k + 1 == question.choices.size() ? " or " : ", ") + std::string(1, letter_of(k));
    return letters;
}

JudgedPrediction judge_prediction(const Question& question, const Prediction& prediction, double answer) {
    if (!question.number) {
        const Choice& choice = question.choices.at(prediction.choice.value());
        return {choice.right, choice.tag, choice.right ? "" : choice.why};
    }
    if (question.number->accepts(prediction.number, answer)) return {.right = true, .tag = 0, .why = ""};
    const double percent = std::max(question.number->within_percent, 1.0);
    for (const Slip& slip : question.number->slips)
        if (std::abs(prediction.number - slip.value) <= percent / 100 * std::abs(slip.value))
            return {false, slip.tag, slip.why};
    return {};
}

std::string question_text(const Question& question) {
    std::string text = wrapped(question.ask, 2);
    for (std::size_t k = 0; k < question.choices.size(); ++k) {
        std::string lines = wrapped(question.choices[k].text, 7);
        lines[4] = letter_of(k);
        text += lines;
    }
    return text;
}

std::string answer_text(const Question& question, std::string_view answer) {
    if (question.number)
        return wrapped(fmt::format("Answer: {} {}. {}", answer, question.number->unit, question.number->why), 2);
    const Choice& right = question.right_choice();
    const bool is_ended = std::string_view(".;!?").find(right.text.back()) != std::string_view::npos;
    return wrapped(
        fmt::format("Answer: {}, {}{} {}", letter_of(static_cast<std::size_t>(&right - question.choices.data())),
                    right.text, is_ended ? "" : ".", right.why),
        2);
}

std::string other_choices_text(const Question& question) {
    std::string text;
    for (std::size_t k = 0; k < question.choices.size(); ++k)
        if (const Choice& choice = question.choices[k]; !choice.right)
            text += wrapped(fmt::format("Not {}: {}", letter_of(k), choice.why), 2);
    return text;
}

}  // namespace course
