// SPDX-License-Identifier: MIT
#include "lessons/prediction.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "lessons/blocks.hpp"
#include "lessons/markdown.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// The number at the text's beginning, and the text after it.
std::optional<double> leading_number(std::string_view text, std::string& rest) {
    const std::string copy(text);
    char* end = nullptr;
    const double number = std::strtod(copy.c_str(), &end);
    if (end == copy.c_str() || !std::isfinite(number)) return std::nullopt;
    rest = end;
    return number;
}

/// How a number was written: its digits after the point, and those that count.
PredictedNumber as_written(double value, std::string_view text) {
    PredictedNumber number{.value = value};
    const std::string_view digits = text.substr(0, text.find_first_of("eE"));
    if (digits.size() < text.size() || digits.find_first_of("xX") != digits.npos)
        return {.value = value, .decimals = -1};
    const std::size_t point = digits.find('.');
    if (point != digits.npos) number.decimals = static_cast<int>(digits.size() - point - 1);
    const std::size_t first = digits.find_first_of("123456789");
    for (std::size_t k = first; k < digits.size(); ++k) number.significant += digits[k] == '.' ? 0 : 1;
    return number;
}

/// "4 sectors", "1.3", "324/256".
std::optional<PredictedNumber> parse_predicted(std::string_view text) {
    std::string rest;
    const auto value = leading_number(text, rest);
    if (!value) return std::nullopt;
    PredictedNumber number = as_written(*value, text.substr(0, text.size() - rest.size()));
    if (const std::size_t slash = rest.find_first_not_of(" \t"); slash != rest.npos && rest[slash] == '/') {
        const auto divisor = leading_number(std::string(rest.substr(slash + 1)), rest);
        if (!divisor || *divisor == 0) return std::nullopt;
        number = {.value = *value / *divisor, .decimals = -1};
    }
    const bool is_unit = rest.find_first_of("0123456789,.") == rest.npos;  // "1,024" is neither 1 nor 1024
    return is_unit ? std::optional(number) : std::nullopt;
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
        const auto number = parse_predicted(text);
        return number ? std::optional(Prediction{.number = *number}) : std::nullopt;
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

JudgedPrediction judge_prediction(const Question& question, const Prediction& prediction, std::string_view answer) {
    if (!question.number) {
        const Choice& choice = question.choices.at(prediction.choice.value());
        return {choice.right, choice.tag, choice.right ? "" : choice.why};
    }
    if (question.number->accepts(prediction.number, answer)) return {.right = true, .tag = 0, .why = ""};
    const double percent = std::max(question.number->within_percent, 1.0);
    for (const Slip& slip : question.number->slips)
        if (std::abs(prediction.number.value - slip.value) <= percent / 100 * std::abs(slip.value))
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

std::string other_answers_text(const Question& question) {
    std::string text;
    if (question.number)
        for (const Slip& slip : question.number->slips)
            if (!slip.why.empty()) text += wrapped(fmt::format("Not {}: {}", slip.value, slip.why), 2);
    for (std::size_t k = 0; k < question.choices.size(); ++k)
        if (const Choice& choice = question.choices[k]; !choice.right)
            text += wrapped(fmt::format("Not {}: {}", letter_of(k), choice.why), 2);
    return text;
}

namespace {

// std::regex uses stack for each character, and a program may print lines of any length: numbers and units are searched
// by hand.

/// The position after the digits that begin there.
std::size_t skip_digits(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of("0123456789", at), text.size());
}

std::size_t skip_sign(std::string_view text, std::size_t at) {
    return at < text.size() && (text[at] == '-' || text[at] == '+') ? at + 1 : at;
}

/// The length of the number that begins there, such as -1.5e+3; 0: there is none.
std::size_t number_at(std::string_view text, std::size_t begin) {
    const std::size_t digits = skip_sign(text, begin);
    std::size_t end = skip_digits(text, digits);
    if (end == digits) return 0;
    if (end < text.size() && text[end] == '.')
        if (const std::size_t fraction = skip_digits(text, end + 1); fraction > end + 1) end = fraction;
    if (end < text.size() && text[end] == 'e') {
        const std::size_t exponent = skip_sign(text, end + 1);
        if (const std::size_t last = skip_digits(text, exponent); last > exponent) end = last;
    }
    return end - begin;
}

/// True if the text after a number begins with a unit of time or rate: " ms per call".
bool begins_with_unit(std::string_view text) {
    constexpr std::string_view units[] = {"ns",      "us",      "\xC2\xB5s", "ms",     "s",     "seconds", "kB/s",
                                          "MB/s",    "GB/s",    "TB/s",      "kiB/s",  "MiB/s", "GiB/s",   "TiB/s",
                                          "Gflop/s", "Tflop/s", "GFLOPS",    "TFLOPS", "%",     "x",       "times"};
    text.remove_prefix(std::min(text.find_first_not_of(" \t\v\f\r"), text.size()));
    return std::any_of(std::begin(units), std::end(units), [&](std::string_view unit) {
        return text.starts_with(unit) &&
               (text.size() == unit.size() || std::isalpha(static_cast<unsigned char>(text[unit.size()])) == 0);
    });
}

std::string with_single_spaces(std::string_view line) {
    std::istringstream stream{std::string(line)};
    std::string text;
    for (std::string word; stream >> word;) text += (text.empty() ? "" : " ") + word;
    return text;
}

bool line_matches(const std::string& kept, const std::string& printed) {
    if (kept.find('~') == kept.npos) return kept == printed;
    const std::string pattern = with_single_spaces(kept), line = with_single_spaces(printed);
    std::size_t at = 0;
    for (const char c : pattern) {
        if (c != '~') {
            if (at >= line.size() || line[at++] != c) return false;
            continue;
        }
        const std::size_t length = number_at(line, at);
        if (length == 0) return false;
        at += length;
    }
    return at == line.size();
}

/// Splits a line into text and numbers, alternating: text, number, text, number, text.
std::vector<std::string> pieces(const std::string& line) {
    std::vector<std::string> parts;
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < line.size();) {
        const std::size_t length = number_at(line, begin);
        const bool of_name =
            begin > 0 && (std::isalpha(static_cast<unsigned char>(line[begin - 1])) || line[begin - 1] == '_');
        if (length > 0 && !of_name) {
            parts.push_back(line.substr(end, begin - end));
            parts.push_back(line.substr(begin, length));
            end = begin + length;
        }
        begin += std::max<std::size_t>(length, 1);
    }
    parts.push_back(line.substr(end));
    return parts;
}

std::string masked_line(const std::string& line, const std::vector<std::string>& others) {
    std::vector<std::string> parts = pieces(line);
    std::vector<std::vector<std::string>> same;
    for (const std::string& other : others)
        if (std::vector<std::string> theirs = pieces(other); theirs.size() == parts.size())
            same.push_back(std::move(theirs));
    std::string text;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool is_number = k % 2 == 1;
        const bool differs =
            std::any_of(same.begin(), same.end(), [&](const auto& other) { return other[k] != parts[k]; });
        text += is_number && (differs || begins_with_unit(parts[k + 1])) ? "~" : parts[k];
    }
    return text;
}

}  // namespace

std::string output_difference(std::string_view kept, std::string_view printed) {
    const std::vector<std::string> want = split_lines(kept), got = split_lines(printed);
    for (std::size_t k = 0; k < std::max(want.size(), got.size()); ++k) {
        if (k < want.size() && k < got.size() && line_matches(want[k], got[k])) continue;
        return fmt::format("line {}\n  kept:    {}\n  printed: {}", k + 1, k < want.size() ? want[k] : "(no such line)",
                           k < got.size() ? got[k] : "(no such line)");
    }
    return "";
}

std::string output_to_keep(std::string_view kept, const std::vector<std::string>& runs) {
    const std::vector<std::string> old = split_lines(kept);
    std::vector<std::vector<std::string>> printed;
    for (const std::string& run : runs) printed.push_back(split_lines(run));
    std::string text;
    for (std::size_t k = 0; k < printed.at(0).size(); ++k) {
        std::vector<std::string> others;
        for (std::size_t run = 1; run < printed.size(); ++run)
            if (k < printed[run].size()) others.push_back(printed[run][k]);
        const bool stays = k < old.size() && line_matches(old[k], printed[0][k]) &&
                           std::all_of(others.begin(), others.end(),
                                       [&](const std::string& other) { return line_matches(old[k], other); });
        text += (stays ? old[k] : masked_line(printed[0][k], others)) + "\n";
    }
    return text;
}

std::vector<std::string> answers_of(std::string_view output) {
    constexpr std::string_view head = "Answer: ";
    std::vector<std::string> answers;
    for (const std::string& line : split_lines(output))
        if (line.starts_with(head)) answers.push_back(with_single_spaces(line.substr(head.size())));
    return answers;
}

}  // namespace course
