// SPDX-License-Identifier: MIT
#include "verdict/verdict.hpp"

#include <algorithm>

namespace course {

namespace {

struct VerdictRow {
    Verdict verdict;
    std::string_view name;
    int exit_code;
    int severity;
};

constexpr VerdictRow verdict_rows[] = {
    {Verdict::passed, "passed", 0, 0},
    {Verdict::noisy, "noisy", 0, 1},
    {Verdict::review, "review", 1, 2},
    {Verdict::wrong, "wrong", 1, 6},
    {Verdict::not_as_asked, "not as asked", 1, 5},
    {Verdict::over_budget, "over budget", 1, 4},
    {Verdict::too_slow, "too slow", 1, 3},
    {Verdict::crashed, "crashed", 1, 9},
    {Verdict::timed_out, "timed out", 1, 7},
    {Verdict::out_of_memory, "out of memory", 1, 8},
    {Verdict::does_not_compile, "does not compile", 2, 10},
    {Verdict::not_started, "not started", 3, 11},
    {Verdict::environment, "environment", 4, 12},
};

constexpr const VerdictRow& row(Verdict verdict) noexcept { return verdict_rows[static_cast<std::size_t>(verdict)]; }

constexpr bool verdicts_in_order() {
    for (std::size_t k = 0; k < std::size(verdict_rows); ++k)
        if (verdict_rows[k].verdict != static_cast<Verdict>(k)) return false;
    return true;
}
static_assert(verdicts_in_order());

}  // namespace

std::string_view to_string(Verdict verdict) noexcept { return row(verdict).name; }

int exit_code(Verdict verdict) noexcept { return row(verdict).exit_code; }

bool is_right(Verdict verdict) noexcept { return row(verdict).severity <= row(Verdict::not_as_asked).severity; }

Verdict worst(Verdict a, Verdict b) noexcept { return row(a).severity < row(b).severity ? b : a; }

int Result::points() const {
    int sum = 0;
    for (const TaskResult& task : tasks) sum += task.points;
    return sum;
}

int Result::max_points() const {
    int sum = 0;
    for (const TaskResult& task : tasks) sum += task.max_points;
    return sum;
}

int Result::stars() const {
    return static_cast<int>(std::count_if(tasks.begin(), tasks.end(),
                                          [](const TaskResult& task) { return task.star && is_passed(task); }));
}

int Result::max_stars() const {
    return static_cast<int>(
        std::count_if(tasks.begin(), tasks.end(), [](const TaskResult& task) { return task.star; }));
}

const CaseResult* telling_case(const TaskResult& task) {
    constexpr std::int64_t easily_read = 2000;
    const auto of_good_size = [](const CaseResult& one) {
        return one.elements >= fewest_telling && one.elements <= easily_read;
    };
    // That a wrong element is infinite is no pattern where infinities went in.
    const auto has_pattern = [](const CaseResult& one) {
        return one.difference && !one.difference->pattern.empty() && !one.has_nonfinite;
    };
    const auto rank = [&](const CaseResult& one) {
        if (exit_code(one.verdict) == 0) return 0;
        if (one.verdict != task.verdict) return 1;
        const int plain = one.has_nonfinite ? 0 : 4;   // what plain numbers show is easier to follow
        if (has_pattern(one) && of_good_size(one)) return 5 + plain;
        if (has_pattern(one) && one.difference->total > 1 && one.difference->total <= easily_read) return 4 + plain;
        return (of_good_size(one) ? 3 : 2) + plain;
    };
    const CaseResult* best = nullptr;
    for (const CaseResult& one : task.cases)
        if (rank(one) > (best ? rank(*best) : 0)) best = &one;
    return best;
}

}  // namespace course
