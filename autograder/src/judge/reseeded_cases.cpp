// SPDX-License-Identifier: MIT
#include "judge/reseeded_cases.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "judge/check_runner.hpp"
#include "judge/values/elements.hpp"
#include "verdict/verdict.hpp"

namespace course {

namespace {

constexpr std::size_t min_share = 2, max_share = 8;

// A quarter of the non-empty cases whose like was called before, in secret order.
std::vector<DrawnCase> secret_share(std::vector<DrawnCase> drawn, RandomBits& secret, const TaskResult& before) {
    std::erase_if(drawn, [&](const DrawnCase& one) {
        const auto is_like_it = [&](const CaseResult& other) {
            return other.function == one.result.function && other.name == one.result.name;
        };
        return one.kept.elements == 0 || std::none_of(before.cases.begin(), before.cases.end(), is_like_it);
    });
    const std::size_t share = std::min(std::clamp(drawn.size() / 4, min_share, max_share), drawn.size());
    for (std::size_t k = 0; k < share; ++k) {
        const std::size_t other = std::uniform_int_distribution<std::size_t>(k, drawn.size() - 1)(secret);
        std::swap(drawn[k], drawn[other]);
    }
    drawn.resize(share);
    return drawn;
}

CallResult call_again(const ReplayableCase& one, Caller& caller) {
    try {
        return caller.call(one.function->name, one.arguments, one.function->returns);
    } catch (const std::exception& error) {
        throw CallFault(error.what());
    }
}

void judge_reply(const ReplayableCase& one, const CallResult& reply, CaseResult& result) {
    result.counts = reply.counts;
    result.seconds = reply.seconds;
    if (reply.outcome != Outcome::returned) {
        result.verdict = verdict_of(reply.outcome);
        result.message = reply.message.empty() ? std::string(default_message(reply.outcome)) : reply.message;
        return;
    }
    for (std::size_t k = 0; k < one.expected.size() && result.verdict == Verdict::passed; ++k) {
        if (!one.expected[k]) continue;
        Comparison comparison = compare_result(one, reply, k);
        result.worst_error = std::max(result.worst_error, comparison.worst_error);
        if (comparison.passed) continue;
        result.verdict = Verdict::wrong;
        result.message = wrong_when_drawn_anew;
        if (!comparison.message.empty()) result.message += "\n" + comparison.message;
        result.difference = std::move(comparison.difference);
    }
}

}  // namespace

void judge_drawn_anew(std::vector<DrawnCase> drawn, RandomBits& secret, Caller& caller,
                      std::vector<ReplayableCase>& kept, TaskResult& result) {
    bool is_here = secret() % 2 == 0;
    for (DrawnCase& one : secret_share(std::move(drawn), secret, result)) {
        one.result.anew = true;
        one.result.name += ", drawn anew";
        one.kept.index = result.cases.size();
        const bool was_here = std::exchange(is_here, !is_here);
        if (was_here) judge_reply(one.kept, call_again(one.kept, caller), one.result);
        result.verdict = worst(result.verdict, one.result.verdict);
        result.cases.push_back(std::move(one.result));
        const bool failed = exit_code(result.cases.back().verdict) != 0;
        if (!was_here || failed) kept.push_back(std::move(one.kept));
        if (!failed) continue;
        result.points = 0;
        return;
    }
}

void drop_passed_again(TaskResult& result, std::vector<ReplayableCase>& kept) {
    std::vector<CaseResult> left;
    std::vector<std::size_t> place(result.cases.size(), result.cases.size());
    for (std::size_t k = 0; k < place.size(); ++k) {
        if (result.cases[k].anew && result.cases[k].verdict == Verdict::passed) continue;
        place[k] = left.size();
        left.push_back(std::move(result.cases[k]));
    }
    std::erase_if(kept, [&](const ReplayableCase& one) { return place[one.index] == place.size(); });
    for (ReplayableCase& one : kept) one.index = place[one.index];
    result.cases = std::move(left);
}

Expected keep(const Expected& expected) {
    struct Values {
        std::vector<double> want, bound;
    };
    const auto size = static_cast<std::size_t>(size_of(expected.shape));
    const auto values = std::make_shared<Values>();
    for (std::size_t i = 0; i < size; ++i) values->want.push_back(expected.at(static_cast<std::int64_t>(i)));
    for (std::size_t i = 0; expected.bound && i < size; ++i)
        values->bound.push_back(expected.bound(static_cast<std::int64_t>(i)));
    Expected kept{
        .shape = expected.shape, .at = {}, .bound = {}, .absolute = expected.absolute, .relative = expected.relative};
    kept.at = [values](std::int64_t i) { return values->want[static_cast<std::size_t>(i)]; };
    if (expected.bound) kept.bound = [values](std::int64_t i) { return values->bound[static_cast<std::size_t>(i)]; };
    return kept;
}

Comparison compare_result(const ReplayableCase& one, const CallResult& reply, std::size_t k, FreshMemory fresh) {
    const bool single = one.expected.size() == 1;
    if (k >= reply.results.size())
        return {.passed = false, .message = "a result is missing", .difference = {}};
    return compare(single ? "result" : fmt::format("result {}", k + 1), reply.results[k], *one.expected[k],
                   one.arguments, {}, fresh);
}

}  // namespace course
