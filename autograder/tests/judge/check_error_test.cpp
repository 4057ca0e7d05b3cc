// SPDX-License-Identifier: MIT

// A check's own mistakes: each is reported as the exercise's fault, with what to change, and none passes unseen.

#include <doctest/doctest.h>

#include "judge/checks.hpp"

using namespace course;
using namespace course::testing;

namespace {

template <class Body>
std::string mistake(Body body) {
    ScriptedCaller caller([](const std::string& function, std::span<const Value> arguments) {
        return returned(std::vector<Value>(function == "split" ? 2 : 1, arguments[0]));
    });
    const Result result = judged(sample_manifest(), caller, body);
    CHECK(result.verdict == Verdict::environment);
    CHECK(result.points() == 0);
    const std::string head = "the check of task \"add\" can't be used: ";
    CHECK(result.message.starts_with(head));
    return result.message.substr(std::min(head.size(), result.message.size()));
}

}  // namespace

TEST_CASE("a check that calls nothing is no check") {
    CHECK(mistake([](OpenCheck&) {}) == "the check makes no call");
}

TEST_CASE("a result that is never looked at is found") {
    CHECK(mistake([](OpenCheck& use) { use.call("scale", in_place(use.draw.uniform(3)), 2); }) ==
          "the check never looks at result 1 of scale (n = 3)");
    CHECK(mistake([](OpenCheck& use) {
              auto x = use.draw.uniform(3);
              use.call("split", x).result(0, x);
              use.call("split", x).returns(x, x);
          }) == "the check never looks at result 2 of split (n = 3)");
}

TEST_CASE("calls that the manifest doesn't know are refused") {
    CHECK(mistake([](OpenCheck& use) { use.call("subtract").returns(); }) ==
          "call(\"subtract\"): exercise.toml lists no such function");
    CHECK(mistake([](OpenCheck& use) { use.call("add", use.draw.uniform(3)).returns(1); }) ==
          "call(\"add\") has 1 arguments; exercise.toml says 2");
    CHECK(mistake([](OpenCheck& use) {
              use.call("add", use.draw.uniform(3), use.draw.uniform<double>(3)).returns(1);
          }) == "call(\"add\"): argument 2 is an array of float64; exercise.toml says array<float32>");
    CHECK(mistake([](OpenCheck& use) { use.call("add", use.draw.uniform(3), 1).returns(1); }) ==
          "call(\"add\"): argument 2 is a number; exercise.toml says array<float32>");
    CHECK(mistake([](OpenCheck& use) { use.call("scale", use.draw.uniform(3), 1.5).returns(1); }) ==
          "call(\"scale\"): argument 2 is a float64 that this type doesn't hold; exercise.toml says int32");
    CHECK(mistake([](OpenCheck& use) { use.call("scale", use.draw.uniform(3), 1LL << 40).returns(1); }) ==
          "call(\"scale\"): argument 2 is a int64 that this type doesn't hold; exercise.toml says int32");
}

TEST_CASE("the number of expected values is the number of results") {
    CHECK(mistake([](OpenCheck& use) { use.call("split", use.draw.uniform(3)).returns(1, ulps(1)); }) ==
          "returns() has 1 expected values; exercise.toml says that split returns 2");
    CHECK(mistake([](OpenCheck& use) {
              auto x = use.draw.uniform(3);
              use.call("split", x).result(2, x);
          }) == "the check looks at result 3 of split, which has 2");
}

TEST_CASE("a call is judged before the next one") {
    CHECK(mistake([](OpenCheck& use) {
              auto x = use.draw.uniform(3);
              auto first = use.call("split", x).returns(x, x);
              use.call("split", x).returns(x, x);
              first.returns(x, x);
          }) == "a call is judged before the next one is made");
}

TEST_CASE("satisfies() takes the manifest's types") {
    CHECK(mistake([](OpenCheck& use) {
              use.call("add", use.draw.uniform(3), use.draw.uniform(3))
                  .satisfies("nothing", [](const Vector<double>&) { return true; });
          }) == "satisfies() takes result 1 of add as float64; exercise.toml says array<float32>");
}

TEST_CASE("arrays of different sizes in the check are reported, not fatal") {
    CHECK(mistake([](OpenCheck& use) {
              auto x = use.draw.uniform(3);
              const Vector<float> y = x + use.draw.uniform(4);
              use.call("split", x).returns(y, y);
          }).starts_with("Eigen, in check.cpp: not true: "));
}

TEST_CASE("bounds have the shape of the expected value") {
    CHECK(mistake([](OpenCheck& use) {
              auto x = use.draw.uniform(3);
              use.call("split", x).result(0, x, within(use.draw.uniform(4))).result(1, x);
          }) == "within(): its shape is not that of the expected value");
}

TEST_CASE("draws that make no sense are refused") {
    CHECK(mistake([](OpenCheck& use) { use.draw.uniform(3, 2, 1); }) == "draw.uniform: low 2 is above high 1");
    CHECK(mistake([](OpenCheck& use) { use.draw.integers<std::uint8_t>(3, 0, 256); }) ==
          "draw.integers: the type does not hold 0 to 256");
    CHECK(mistake([](OpenCheck& use) { use.draw.uniform<int>(3); }) ==
          "draw.uniform draws float or double; draw.integers draws whole numbers");
}

TEST_CASE("timed() belongs in speed(), and speed_elements() in a task with a speed line") {
    CHECK(mistake([](OpenCheck& use) {
              auto x = use.draw.uniform(3);
              use.timed(1, [] {}, "add", x, x).returns(x);
          }) == "timed() belongs in a round of speed()");
    CHECK(mistake([](OpenCheck& use) { (void)use.speed_elements(); }) ==
          "speed_elements(): exercise.toml has no speed line for this task");
}
