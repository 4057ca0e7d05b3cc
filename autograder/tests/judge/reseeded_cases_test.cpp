// SPDX-License-Identifier: MIT
#include <map>
#include <set>

#include <doctest/doctest.h>

#include "judge/checks.hpp"

using namespace course;
using namespace course::testing;

namespace {

using Size = std::int64_t;

constexpr int cases = std::size(sizes::edges), small_cases = cases - 1;   // the largest isn't for check mode

/// An answer that has its results ready for a size that it has seen.
class KeepsBySize {
public:
    CallResult operator()(const std::string&, std::span<const Value> arguments) {
        const Size n = arguments[0].shape[0];
        const auto kept = kept_.try_emplace(n, sum_of(arguments)).first;
        return returned({value_of(kept->second, {n})});
    }

private:
    std::map<Size, std::vector<float>> kept_;
};

CallResult right(const std::string&, std::span<const Value> arguments) {
    return returned({value_of(sum_of(arguments), arguments[0].shape)});
}

Result judged_anew(Caller& caller, std::uint64_t seed, const JudgeOptions& options = {}) {
    JudgeOptions seeded = options;
    seeded.seed = seed;
    return judged(sample_manifest(), caller, AddCheck(), seeded, DrawnAnew::yes);
}

/// Sizes below and above what check mode takes.
struct SmallAndLarge {
    void operator()(OpenCheck& use) const {
        for (int n : {5, 50, 500, 300'000, 7}) {
            auto x = use.draw.uniform(n), y = use.draw.uniform(n);
            use.call("add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
        }
    }
};

struct WithPicture {
    void operator()(OpenCheck& use) const {
        auto x = use.draw.uniform(40), y = use.draw.uniform(40);
        use.image("input", use.draw.uniform(4, 4));

        use.call("add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
    }
};

}  // namespace

TEST_CASE("a share of the cases comes again with other values, in both processes, and leaves nothing in the result") {
    std::map<Size, std::vector<std::vector<float>>> seen, seen_in_check_mode;
    const auto note = [](auto& where, std::span<const Value> arguments) {
        where[arguments[0].shape[0]].push_back(elements_of<float>(arguments[0]));
    };
    ScriptedCaller caller([&](const std::string& function, std::span<const Value> arguments) {
        note(seen, arguments);
        return right(function, arguments);
    });
    caller.in_check_mode([&](const std::string& function, std::span<const Value> arguments) {
        note(seen_in_check_mode, arguments);
        return right(function, arguments);
    });
    const Result result = judged_anew(caller, 7);
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.points() == 2);
    CHECK(result.tasks[0].cases.size() == cases);
    CHECK(caller.calls + caller.checked_calls >= cases + small_cases + 2);
    for (const auto* where : {&seen, &seen_in_check_mode}) {
        int twice = 0;
        for (const auto& [size, inputs] : *where) {
            if (inputs.size() == 1) continue;
            REQUIRE(inputs.size() == 2);
            CHECK(size > 0);
            CHECK(inputs[0] != inputs[1]);
            ++twice;
        }
        CHECK(twice >= 1);
    }
}

TEST_CASE("results that are kept by size are found, and the verdict says what they come from") {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
        CAPTURE(seed);
        KeepsBySize keeps, keeps_in_check_mode;
        ScriptedCaller caller([&](const std::string& function, std::span<const Value> arguments) {
            return keeps(function, arguments);
        });
        caller.in_check_mode([&](const std::string& function, std::span<const Value> arguments) {
            return keeps_in_check_mode(function, arguments);
        });
        const Result result = judged_anew(caller, seed);
        CHECK(result.verdict == Verdict::wrong);
        CHECK(result.points() == 0);
        const CaseResult* const shown = telling_case(result.tasks[0]);
        REQUIRE(shown != nullptr);
        CHECK(shown->name.ends_with(", drawn anew"));
        CHECK(shown->message.find("is something kept of an earlier call") != std::string::npos);
        CHECK(shown->difference.has_value());
        CHECK(result.tasks[0].cases.size() == cases + 1);
    }
}

TEST_CASE("that holds for each process alone") {
    for (const bool in_check_mode : {false, true}) {
        CAPTURE(in_check_mode);
        KeepsBySize keeps;
        const auto keeping = [&](const std::string& function, std::span<const Value> arguments) {
            return keeps(function, arguments);
        };
        ScriptedCaller caller(in_check_mode ? ScriptedCaller::Answer(right) : keeping);
        caller.in_check_mode(in_check_mode ? keeping : ScriptedCaller::Answer(right));
        const Result result = judged_anew(caller, 11);
        CHECK(result.verdict == Verdict::wrong);
        CHECK(result.points() == 0);
    }
}

TEST_CASE("a call that fails when it comes again has failed") {
    int calls = 0;
    ScriptedCaller caller([&](const std::string& function, std::span<const Value> arguments) {
        const bool again = ++calls > cases;
        return again ? failed(Outcome::exception, "std::runtime_error: once is enough") : right(function, arguments);
    });
    caller.in_check_mode(right);
    const Result result = judged_anew(caller, 3);
    CHECK(result.verdict == Verdict::crashed);
    CHECK(telling_case(result.tasks[0])->message == "std::runtime_error: once is enough");
}

TEST_CASE("the cases that stay are those that can be called again") {
    KeepsBySize keeps;
    ScriptedCaller caller([&](const std::string& function, std::span<const Value> arguments) {
        return keeps(function, arguments);
    });
    caller.in_check_mode(right);
    JudgeOptions options;
    int looked = 0;
    options.after_tasks = [&](std::span<const JudgedTask> judged) {
        for (const ReplayableCase& one : judged[0].kept) {
            const CaseResult& of = judged[0].result.cases.at(one.index);
            CHECK(of.elements == one.arguments[0].shape[0]);
            CHECK(of.anew == (of.verdict != Verdict::passed));
            ++looked;
        }
    };
    CHECK(judged_anew(caller, 5, options).verdict == Verdict::wrong);
    CHECK(looked == small_cases + 1);
}

TEST_CASE("an answer that failed isn't called again") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) {
        return returned({value_of(std::vector<float>(sum_of(arguments).size()), arguments[0].shape)});
    });
    CHECK(judged_anew(caller, 3).verdict == Verdict::wrong);
    CHECK(caller.calls == cases);
}

TEST_CASE("drawing ends where a large case begins") {
    std::multiset<Size> sizes;
    ScriptedCaller caller([&](const std::string& function, std::span<const Value> arguments) {
        sizes.insert(arguments[0].shape[0]);
        return right(function, arguments);
    });
    const Manifest manifest = sample_manifest();
    CHECK(judged(manifest, caller, SmallAndLarge(), {}, DrawnAnew::yes).verdict == Verdict::passed);
    CHECK(sizes.count(300'000) == 1);
    CHECK(sizes.count(5) + sizes.count(50) + sizes.count(500) >= 3 + 3 + 2);   // usual, check mode, drawn anew
}

TEST_CASE("pictures are drawn once") {
    ScriptedCaller caller(right);
    const Result result = judged(sample_manifest(), caller, WithPicture(), {}, DrawnAnew::yes);
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.tasks[0].images.size() == 1);
}
