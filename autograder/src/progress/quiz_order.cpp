// SPDX-License-Identifier: MIT
#include "progress/quiz_order.hpp"

#include <algorithm>
#include <array>

namespace course {

namespace {

/// What is known of a question.
struct Standing {
    bool asked = false, wrong = false;
    int streak = 0;         ///< right ones since the last wrong one
    long day = 0;           ///< of the last answer
    std::size_t since = 0;  ///< answers to other questions since then
};

constexpr std::array<double, 4> days_of_streak = {3, 7, 16, 35};
constexpr std::size_t others_before_a_wrong_one = 2;

Standing standing_of(const std::string& id, const std::vector<RecordedAnswer>& answers) {
    Standing standing;
    for (const RecordedAnswer& answer : answers) {
        if (answer.question != id) {
            ++standing.since;
            continue;
        }
        standing.asked = true;
        standing.wrong = !answer.right;
        standing.streak = answer.right ? standing.streak + 1 : 0;
        standing.day = day_of(answer.date);
        standing.since = 0;
    }
    return standing;
}

/// 1 and more: it should come back. The larger, the sooner.
double urgency(const Standing& standing, long today) {
    const auto days = static_cast<double>(std::max(0L, today - standing.day));
    if (standing.wrong) {
        const bool is_due = days >= 1 || standing.since >= others_before_a_wrong_one;
        return is_due ? 1000 + days : 0.99;
    }
    const auto last = static_cast<int>(days_of_streak.size()) - 1;
    return days / days_of_streak.at(static_cast<std::size_t>(std::clamp(standing.streak - 1, 0, last)));
}

}  // namespace

std::optional<std::size_t> next_question(const std::vector<std::string>& ids,
                                         const std::vector<RecordedAnswer>& answers, long today) {
    std::optional<std::size_t> most_urgent, first_new;
    double most = -1;
    const std::string last = answers.empty() ? "" : answers.back().question;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        if (ids[k] == last && ids.size() > 1) continue;
        const Standing standing = standing_of(ids[k], answers);
        if (!standing.asked) {
            if (!first_new) first_new = k;
        } else if (const double own = urgency(standing, today); own > most) {
            most = own;
            most_urgent = k;
        }
    }
    return first_new && most < 1 ? first_new : most_urgent;
}

}  // namespace course
