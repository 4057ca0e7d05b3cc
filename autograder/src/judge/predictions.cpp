// SPDX-License-Identifier: MIT
#include "judge/predictions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace course {

namespace {

std::string text_of(double value, const Shown& shown) {
    const bool has_word = value >= 0 && value < static_cast<double>(shown.words.size()) && value == std::floor(value);
    return has_word ? shown.words[static_cast<std::size_t>(value)] : fmt::format("{:.10g}", value);
}

}  // namespace

void Predictions::take(const Shown& shown, double predicted, const std::string& case_name) {
    auto one = std::find_if(asked_.begin(), asked_.end(), [&](const One& asked) { return asked.what == shown.what; });
    if (one == asked_.end()) one = asked_.insert(asked_.end(), {shown.what, {}});
    if (one->wrong || predicted == shown.value) return;   // a NaN is equal to nothing
    one->wrong = {.number = static_cast<int>(one - asked_.begin()) + 1,
                  .what = shown.what,
                  .predicted = std::isnan(predicted) ? "" : text_of(predicted, shown),
                  .shown = text_of(shown.value, shown),
                  .case_name = case_name};
}

std::optional<PredictionResult> Predictions::result() const {
    const int total = static_cast<int>(asked_.size());
    if (at_least_ && *at_least_ > total)
        throw CheckError(fmt::format("{} predictions must be right, and the check asks for {}", *at_least_, total));
    if (total == 0) return std::nullopt;
    PredictionResult result{.right = total, .total = total, .at_least = at_least_.value_or(total), .wrong = {}};
    for (const One& one : asked_) {
        if (!one.wrong) continue;
        result.wrong.push_back(*one.wrong);
        --result.right;
    }
    return result;
}

}  // namespace course
