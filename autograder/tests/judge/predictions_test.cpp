// SPDX-License-Identifier: MIT

// Predictions, and what a run shows of them.

#include <limits>

#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "judge/predictions.hpp"

using namespace course;
using namespace course::testing;

namespace {

constexpr double no_prediction = std::numeric_limits<double>::quiet_NaN();

constexpr ValueType numbers{protocol::Place::host_vector, protocol::Type::float64};

// predict(n, block) -> 3 numbers; threads(n) -> what each thread wrote, the exercise's own.
Manifest predicting() {
    Manifest manifest = sample_manifest();
    manifest.functions.push_back({"predict", {int_scalar, int_scalar}, {numbers}});
    manifest.functions.push_back({"threads", {int_scalar}, {float_array}, true});
    return manifest;
}

template <class Body>
TaskResult asked(std::vector<double> predicted, Body body) {
    ScriptedCaller caller([&](const std::string& function, std::span<const Value> arguments) {
        if (function == "predict") return returned({value_of(predicted, {std::ssize(predicted)})});
        return returned({array<float>(std::vector<float>(static_cast<std::size_t>(elements_of<int>(arguments[0])[0])))});
    });
    return judged(predicting(), caller, body).tasks.at(0);
}

}  // namespace

TEST_CASE("predictions are compared with what a given function's run shows; enough must be right") {
    const auto body = [](OpenCheck& use) {
        use.predictions(2);
        const auto [threads] = use.given<Vector<float>>("threads", 1024);
        use.next_case("n = 1000, block = 256");
        use.call("predict", 1000, 256).predicts({{"blocks", threads.size() / 256.0},
                                                 {"idle threads", static_cast<double>(threads.size() - 1000)},
                                                 {"place", 1, {"host", "device"}}});
    };
    const TaskResult all = asked({4, 24, 1}, body);
    CHECK(all.verdict == Verdict::passed);
    CHECK(all.points == 2);
    CHECK(all.cases.size() == 1);   // what is given is no case
    REQUIRE(all.predictions);
    CHECK(all.predictions->right == 3);

    const TaskResult most = asked({4, 24, 0}, body);
    CHECK(most.verdict == Verdict::passed);
    REQUIRE(most.predictions->wrong.size() == 1);
    CHECK(most.predictions->wrong[0].predicted == "host");
    CHECK(most.predictions->wrong[0].shown == "device");

    const TaskResult few = asked({3.5, 24, no_prediction}, body);
    CHECK(few.verdict == Verdict::wrong);
    CHECK(few.points == 0);
    CHECK(few.predictions->right == 1);
    REQUIRE(few.predictions->wrong.size() == 2);
    CHECK(few.predictions->wrong[0].number == 1);
    CHECK(few.predictions->wrong[0].predicted == "3.5");
    CHECK(few.predictions->wrong[0].case_name == "n = 1000, block = 256");
    CHECK(few.predictions->wrong[1].what == "place");
    CHECK(few.predictions->wrong[1].predicted.empty());
}

TEST_CASE("a prediction that is asked for again must be right each time") {
    const TaskResult task = asked({4, 1, 2}, [](OpenCheck& use) {
        for (int blocks : {4, 4, 5, 6}) {
            use.next_case("variant " + std::to_string(blocks));
            use.call("predict", blocks, 256).predicts({{"blocks", 1.0 * blocks}, {"one", 1}, {"two", 2}});
        }
    });
    CHECK(task.verdict == Verdict::wrong);
    CHECK(task.predictions->total == 3);
    CHECK(task.predictions->at_least == 3);   // all, where the check says nothing
    REQUIRE(task.predictions->wrong.size() == 1);
    CHECK(task.predictions->wrong[0].case_name == "variant 5");
}

TEST_CASE("too few numbers are no predictions") {
    const TaskResult task = asked({4}, [](OpenCheck& use) {
        use.call("predict", 1, 2).predicts({{"a", 4}, {"b", 5}});
    });
    CHECK(task.verdict == Verdict::wrong);
    CHECK(task.cases.at(0).message == "1 prediction came back, 2 expected");
}

TEST_CASE("a given function that fails ends the task") {
    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::cannot_load, "undefined symbol"); });
    const TaskResult task = judged(predicting(), caller, [](OpenCheck& use) {
        use.given<Vector<float>>("threads", 3);
        use.call("predict", 1, 2).predicts({{"a", 4}});
    }).tasks.at(0);
    CHECK(task.verdict == Verdict::does_not_compile);
    CHECK(task.message == "undefined symbol");
    CHECK(caller.calls == 1);
}

TEST_CASE("predictions of a call that failed are asked, and not made") {
    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::exception, "not here"); });
    const TaskResult task = judged(predicting(), caller, [](OpenCheck& use) {
        use.predictions(2);
        use.call("predict", 1, 2).predicts({{"a", 4}, {"b", 5}});
    }).tasks.at(0);
    CHECK(task.verdict == Verdict::crashed);
    REQUIRE(task.predictions);
    CHECK(task.predictions->right == 0);
    CHECK(task.predictions->total == 2);
}

TEST_CASE("mistakes of a check that predicts are reported as the check's") {
    const auto message = [](auto body) { return asked({1, 2, 3}, body).message; };
    const auto says = [](const std::string& text, std::string_view part) { return text.find(part) != text.npos; };
    CHECK(says(message([](OpenCheck& use) { use.given<Vector<float>>("add", 1); }),
               "given(\"add\"): exercise.toml lists no such function with given = true"));
    CHECK(says(message([](OpenCheck& use) { use.call("threads", 1); }),
               "call(\"threads\"): exercise.toml lists no such function"));
    CHECK(says(message([](OpenCheck& use) { use.given<Vector<int>>("threads", 1); }),
               "result 1 is array<float32> of shape (1), and the check takes it for something else"));
    CHECK(says(message([](OpenCheck& use) { use.given<Matrix<float>>("threads", 1); }), "of shape (1)"));
    CHECK(says(message([](OpenCheck& use) { use.given<Vector<float>, int>("threads", 1); }),
               "the check takes 2 results; exercise.toml lists 1"));
    CHECK(says(message([](OpenCheck& use) {
              use.predictions(4);
              use.call("predict", 1, 2).predicts({{"a", 1}, {"b", 2}, {"c", 3}});
          }), "4 predictions must be right, and the check asks for 3"));
}
