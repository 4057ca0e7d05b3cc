// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "judge/check_mode.hpp"
#include "judge/checks.hpp"

// What a check.cpp can say, judged with scripted replies.
using namespace course;
using namespace course::testing;

namespace {

// Exercise "sample" with one more function.
Manifest with_function(Function function) {
    Manifest manifest = sample_manifest();
    manifest.functions.push_back(std::move(function));
    return manifest;
}

template <class Body>
Result run(const Manifest& manifest, std::vector<Value> results, Body body) {
    ScriptedCaller caller([&](const std::string&, auto) { return returned(results); });
    return judged(manifest, caller, body);
}

ValueType device(protocol::Type type) { return {protocol::Place::device_array, type}; }
ValueType number(protocol::Type type) { return {protocol::Place::scalar, type}; }

using protocol::Type;

}  // namespace

TEST_CASE("the element types are numbered as in the protocol") {
    CHECK(static_cast<Type>(ElementType::boolean) == Type::boolean);
    CHECK(static_cast<Type>(detail::element_type<bool>()) == Type::boolean);
    CHECK(static_cast<Type>(detail::element_type<std::int8_t>()) == Type::int8);
    CHECK(static_cast<Type>(detail::element_type<std::int16_t>()) == Type::int16);
    CHECK(static_cast<Type>(detail::element_type<int>()) == Type::int32);
    CHECK(static_cast<Type>(detail::element_type<long>()) == Type::int64);
    CHECK(static_cast<Type>(detail::element_type<long long>()) == Type::int64);
    CHECK(static_cast<Type>(detail::element_type<std::uint8_t>()) == Type::uint8);
    CHECK(static_cast<Type>(detail::element_type<std::uint16_t>()) == Type::uint16);
    CHECK(static_cast<Type>(detail::element_type<unsigned>()) == Type::uint32);
    CHECK(static_cast<Type>(detail::element_type<std::uint64_t>()) == Type::uint64);
    CHECK(static_cast<Type>(detail::element_type<float>()) == Type::float32);
    CHECK(static_cast<Type>(detail::element_type<double>()) == Type::float64);
}

TEST_CASE("arguments arrive row-major, whatever they were made of") {
    std::vector<Value> seen;
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        seen.assign(arguments.begin(), arguments.end());
        return returned({});
    });
    const Manifest manifest = with_function({"take",
                                             {device(Type::float32), device(Type::int32), device(Type::float64),
                                              device(Type::boolean), number(Type::float32), number(Type::int64)},
                                             {}});
    const Result result = judged(manifest, caller, [](OpenCheck& use) {
        Eigen::MatrixXf columns(2, 3);   // column-major
        columns << 1, 2, 3, 4, 5, 6;
        Eigen::RowVectorXd row(2);
        row << 7, 8;
        Vector<bool> mask(2);
        mask << true, false;
        use.call("take", columns, std::vector<int>{9, 10}, 2 * row, mask, 3, 4).returns();
    });
    CHECK(result.verdict == Verdict::passed);
    REQUIRE(seen.size() == 6);
    CHECK(seen[0].shape == std::vector<std::int64_t>{2, 3});
    CHECK(elements_of<float>(seen[0]) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(elements_of<int>(seen[1]) == std::vector<int>{9, 10});
    CHECK(seen[2].shape == std::vector<std::int64_t>{2});
    CHECK(elements_of<double>(seen[2]) == std::vector<double>{14, 16});
    CHECK(elements_of<std::uint8_t>(seen[3]) == std::vector<std::uint8_t>{1, 0});
    CHECK(elements_of<float>(seen[4]) == std::vector<float>{3});          // an int, taken as a float
    CHECK(elements_of<std::int64_t>(seen[5]) == std::vector<std::int64_t>{4});
}

TEST_CASE("expected values are read row-major from expressions, vectors and numbers") {
    const Manifest manifest = with_function(
        {"give", {}, {device(Type::float32), device(Type::int32), device(Type::float64), number(Type::float64)}});
    const std::vector<Value> results{value_of<float>({1, 2, 3, 4, 5, 6}, {2, 3}), array<int>({7, 8}),
                                     array<double>({9, 10}), scalar(11.0)};
    CHECK(run(manifest, results, [](OpenCheck& use) {
              Eigen::MatrixXd columns(2, 3);
              columns << 1, 2, 3, 4, 5, 6;
              use.call("give").returns(columns, std::vector<double>{7, 8}, Eigen::RowVectorXd{{4.5, 5}} * 2, 11);
              use.call("give").returns(columns * Eigen::MatrixXd::Identity(3, 3), Vector<int>{{7, 8}},
                                       Eigen::ArrayXd{{9, 10}}, 11.5, within(0.5));
          }).verdict == Verdict::passed);
    CHECK(run(manifest, results, [](OpenCheck& use) {
              Eigen::MatrixXd columns(2, 3);
              columns << 1, 4, 2, 5, 3, 6;
              use.call("give").returns(columns, std::vector<double>{7, 8}, Eigen::ArrayXd{{9, 10}}, 11);
          }).verdict == Verdict::wrong);
}

TEST_CASE("a result that was too large to take is wrong by its shape, and never looked at") {
    const Manifest manifest = with_function({"give", {}, {device(Type::float32)}});
    Value huge = value_of<float>({}, {std::int64_t{1} << 29});
    huge.left_out = true;
    const auto expects = [](OpenCheck& use) { use.call("give").returns(std::vector<double>{1, 2}); };
    const Result wrong = run(manifest, {huge}, expects);
    CHECK(wrong.verdict == Verdict::wrong);
    CHECK(wrong.tasks[0].cases[0].message.find("has shape (536870912), want (2)") != std::string::npos);
    const Result looked_at = run(manifest, {huge}, [](OpenCheck& use) {
        use.call("give").satisfies("anything", [](const Vector<float>&) { return true; });
    });
    CHECK(looked_at.verdict == Verdict::wrong);
    CHECK(looked_at.tasks[0].cases[0].message.find("far more than belongs there") != std::string::npos);
    // Of the right shape it would be the check's fault.
    Value right = value_of<float>({}, {2});
    right.left_out = true;
    CHECK(run(manifest, {right}, expects).verdict == Verdict::environment);
}

TEST_CASE("results of one call can have different tolerances, and elements bounds of their own") {
    const Manifest manifest = sample_manifest();
    const std::vector<Value> results{array<float>({1, 2.5}), array<float>({10})};
    const auto body = [](OpenCheck& use) {
        auto x = use.draw.uniform(3);
        const Vector<double> want{{1, 2}}, bounds{{0, 0.5}};
        use.call("split", x).result(0, want, within(bounds)).result(1, 10);
    };
    CHECK(run(manifest, results, body).verdict == Verdict::wrong);   // (1) is no scalar
    CHECK(run(manifest, results, [](OpenCheck& use) {
              auto x = use.draw.uniform(3);
              const Vector<double> want{{1, 2}}, bounds{{0, 0.5}};
              use.call("split", x).result(0, want, within(bounds)).result(1, std::vector<int>{10});
          }).verdict == Verdict::passed);
    const Result result = run(manifest, results, [](OpenCheck& use) {
        auto x = use.draw.uniform(3);
        const Vector<double> want{{1, 2}}, bounds{{0.5, 0}};
        use.call("split", x).result(0, want, within(bounds)).result(1, std::vector<int>{10});
    });
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.tasks[0].cases[0].difference->where == "result 1 [1]");
}

TEST_CASE("what is worked on in place may change, and comes back as a result") {
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        std::vector<float> x = elements_of<float>(arguments[0]);
        for (float& value : x) value *= static_cast<float>(elements_of<int>(arguments[1])[0]);
        CallResult reply = returned({value_of(x, arguments[0].shape)});
        reply.inputs_after = {Value{}};
        return reply;
    });
    const Result result = judged(sample_manifest(), caller, [](OpenCheck& use) {
        auto x = use.draw.uniform(100);
        use.call("scale", in_place(x), 3).returns(3 * x.cast<double>(), ulps(1));
    });
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.tasks[0].cases.at(0).name == "n = 100");
}

TEST_CASE("a property is stated in words, and holds or doesn't") {
    const Manifest manifest = sample_manifest();
    const std::vector<Value> results{array<float>({0.25, 0.5}), value_of<float>({1, 2, 3, 4}, {2, 2})};
    CHECK(run(manifest, results, [](OpenCheck& use) {
              use.call("split", use.draw.uniform(4))
                  .satisfies("values lie in [0, 1)", [](const Vector<float>& u) {
                      return (u >= 0).all() && (u < 1).all(); })
                  .satisfies("the distance of the trace from 5", [](const Vector<float>&, const Matrix<float>& m) {
                      return std::abs(m.matrix().trace() - 5.001F); }, 0.01);
          }).verdict == Verdict::passed);
    const Result result = run(manifest, results, [](OpenCheck& use) {
        use.call("split", use.draw.uniform(4))
            .satisfies("values lie in [0, 0.3)", [](const Vector<float>& u) { return (u < 0.3F).all(); })
            .satisfies("the distance of the trace from 6", [](const Vector<float>&, const Matrix<float>& m) {
                return std::abs(m.matrix().trace() - 6.0); }, 0.01);
    });
    CHECK(result.verdict == Verdict::wrong);
    CHECK(result.tasks[0].cases[0].message ==
          "must hold, and doesn't: values lie in [0, 0.3)\nthe distance of the trace from 6: 1, at most 0.01");
    const Result nan = run(manifest, results, [](OpenCheck& use) {
        use.call("split", use.draw.uniform(4))
            .satisfies("residual", [](const Vector<float>&, const Matrix<float>&) {
                return std::numeric_limits<double>::quiet_NaN(); }, 1e-5);
    });
    CHECK(nan.verdict == Verdict::wrong);
    CHECK(nan.tasks[0].cases[0].message == "residual: NaN, at most 1e-05");
    CHECK(run(manifest, results, [](OpenCheck& use) {
              use.call("split", use.draw.uniform(4))
                  .satisfies("two vectors", [](const Vector<float>&, const Vector<float>&) { return true; });
          }).tasks[0].cases[0].message == "result 2 has shape (2,2), want 1 dimension");
}

TEST_CASE("of each measured property the case is kept that comes nearest to its bound, or exceeds it first") {
    const Manifest manifest = sample_manifest();
    const Result result = run(manifest, {array<float>({0.25}), array<float>({2})}, [](OpenCheck& use) {
        for (double measured : {0.2, 0.5, 0.1}) {
            use.next_case("measured " + std::to_string(measured).substr(0, 3));
            use.call("split", use.draw.uniform(4))
                .satisfies("holds", [&](const Vector<float>&, const Vector<float>&) { return measured; }, 1)
                .satisfies("fails", [&](const Vector<float>&, const Vector<float>&) { return 10 * measured; }, 1);
        }
    });
    const std::vector<MeasuredProperty>& properties = result.tasks[0].properties;
    REQUIRE(properties.size() == 2);
    CHECK(properties[0].name == "holds");
    CHECK(properties[0].case_name == "measured 0.5");
    CHECK(properties[0].measured == 0.5);
    CHECK(properties[0].at_most == 1);
    CHECK(properties[1].case_name == "measured 0.2");
}

TEST_CASE("matrices of one shape are an array of rank 3, as an argument, as expected and as a result") {
    std::vector<Value> seen;
    const Manifest manifest = with_function({"flip", {device(Type::float32)}, {device(Type::float32)}});
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        seen.push_back(arguments[0]);   // in check mode once more
        return returned({arguments[0]});
    });
    const auto body = [](OpenCheck& use) {
        std::vector<Matrix<float>> stack(2, Matrix<float>(2, 3));
        for (int k = 0; k < 12; ++k) stack[static_cast<std::size_t>(k / 6)].data()[k % 6] = static_cast<float>(k);
        use.call("flip", stack).returns(stack);
        use.call("flip", stack).satisfies("they come back", [&](const std::vector<Matrix<float>>& back) {
            return back.size() == 2 && (back[0] == stack[0]).all() && (back[1] == stack[1]).all();
        });
        use.call("flip", std::vector<Matrix<float>>{}).satisfies("none", [](const std::vector<Matrix<float>>& back) {
            return back.empty();
        });
    };
    CHECK(judged(manifest, caller, body).verdict == Verdict::passed);
    REQUIRE(seen.size() >= 3);
    CHECK(seen[0].shape == std::vector<std::int64_t>{2, 2, 3});
    CHECK(elements_of<float>(seen[0])[7] == 7);
    CHECK(seen[2].shape == std::vector<std::int64_t>{0, 0, 0});
    const auto wrong = [](OpenCheck& use) {
        std::vector<Matrix<float>> stack(2, Matrix<float>::Zero(2, 3)), other = stack;
        other[1](1, 0) = 5;
        use.call("flip", stack).returns(other);
    };
    const Result result = judged(manifest, caller, wrong);
    REQUIRE(result.tasks[0].cases[0].difference);
    CHECK(result.tasks[0].cases[0].difference->where == "result[1,1,0]");
    CHECK(result.tasks[0].cases[0].name == "2 x 2 x 3");
    const Result uneven = judged(manifest, caller, [](OpenCheck& use) {
        use.call("flip", std::vector<Matrix<float>>{Matrix<float>::Zero(2, 3), Matrix<float>::Zero(3, 2)});
    });
    CHECK(uneven.message.ends_with("matrices of one array have different shapes"));
    const Result flat = judged(manifest, caller, [](OpenCheck& use) {
        const auto any = [](const std::vector<Matrix<float>>&) { return true; };
        use.call("flip", use.draw.uniform(4)).satisfies("three", any);
    });
    CHECK(flat.tasks[0].cases[0].message == "result has shape (4), want 3 dimensions");
}

TEST_CASE("cases are named after what was called, or by the check") {
    const Manifest manifest =
        with_function({"mixed", {device(Type::float32), device(Type::float32), number(Type::int32)}, {}});
    const Result result = run(manifest, {}, [](OpenCheck& use) {
        use.call("mixed", use.draw.uniform(3, 4), use.draw.uniform(5), 7).returns();
        use.next_case("nothing at all");
        use.call("mixed", use.draw.uniform(0), use.draw.uniform(0), 7).returns();
        use.call("mixed", use.draw.uniform(2), use.draw.uniform(2), 7).returns();
    });
    CHECK(result.tasks[0].cases.at(0).name == "3 x 4 and n = 5");
    CHECK(result.tasks[0].cases[0].elements == 12);
    CHECK(result.tasks[0].cases.at(1).name == "nothing at all");
    CHECK(result.tasks[0].cases.at(2).name == "n = 2");
}

TEST_CASE("a function of numbers alone is counted by what it returns") {
    const Manifest manifest = with_function({"squares", {number(Type::int32)}, {device(Type::float32)}});
    const Result result = run(manifest, {array<float>({0, 1, 4})}, [](OpenCheck& use) {
        use.call("squares", 3).returns(std::vector<double>{0, 1, 4});
    });
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.tasks[0].cases.at(0).name == "squares(3)");
    CHECK(result.tasks[0].cases[0].elements == 3);
}

TEST_CASE("a tree sum in float keeps its bound; a fp16 sum and a wrong one don't") {
    Vector<float> x(4096);
    for (int i = 0; i < x.size(); ++i) x[i] = 0.5F + static_cast<float>(i % 97) / 97;
    const double sum = x.cast<double>().sum(), bound = sum_bound(x);
    CHECK(std::abs(static_cast<double>(x.sum()) - sum) <= bound);
    CHECK(std::abs(sum * (1 + 1.0 / 2048) - sum) > bound);
    CHECK(std::abs(sum - x[4095] - sum) > bound);
    CHECK(accumulation_bound(x) > bound);
    CHECK(accumulation_bound(x) < 0.01 * sum);
}

// A check's own mistakes: each is reported as the exercise's fault, with what to change, and none passes unseen.
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

// How long a verdict's second run may take.
using namespace course;
using namespace course::testing;

namespace {

CallResult right_sum(std::span<const Value> arguments) {
    return returned({value_of(sum_of(arguments), arguments[0].shape)});
}

}  // namespace

TEST_CASE("all calls in check mode have one deadline, whatever the tasks: what is left then hasn't passed") {
    ScriptedCaller caller([](const std::string&, std::span<const Value> arguments) { return right_sum(arguments); });
    caller.in_check_mode([](const std::string&, std::span<const Value> arguments) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        return right_sum(arguments);
    });
    const Result result = judged(sample_manifest({"one", "two", "three"}), caller, AddCheck(), {.check_seconds = 0.05});
    CHECK(result.verdict == Verdict::timed_out);
    CHECK(result.points() == 0);
    CHECK(caller.checked_calls <= 2);   // of 27
    for (const TaskResult& task : result.tasks) CHECK(task.verdict == Verdict::timed_out);
    const std::string& message = result.tasks[2].cases.at(0).message;
    CHECK(message.find("check mode may take 0.05 s for all calls of an answer") != std::string::npos);
}

TEST_CASE("no call in check mode gets more time than is left for all of them") {
    struct Watching : ScriptedCaller {
        using ScriptedCaller::ScriptedCaller;
        CallResult check_call(const std::string& function, std::span<const Value> arguments,
                             std::span<const ValueType> results, const CheckLimits& limits) override {
            most = std::max(most, limits.seconds);
            return ScriptedCaller::check_call(function, arguments, results, limits);
        }
        double most = 0;
    };
    Watching caller([](const std::string&, std::span<const Value> arguments) { return right_sum(arguments); });
    CHECK(judged(sample_manifest(), caller, AddCheck(), {.check_seconds = 7}).verdict == Verdict::passed);
    CHECK(caller.most > 0);
    CHECK(caller.most <= 7);
}

TEST_CASE("an answer that hangs everywhere is searched for the cause once: the time for it is one for all tasks") {
    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::timed_out, "no answer within 1 s"); });
    caller.in_check_mode([](const std::string&, auto) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        return failed(Outcome::timed_out, "no answer within 1 s");
    });
    const Result result = judged(sample_manifest({"one", "two", "three"}), caller, AddCheck(), {.hung_seconds = 2.05});
    CHECK(caller.checked_calls == 1);
    for (const TaskResult& task : result.tasks) CHECK(task.verdict == Verdict::timed_out);
}
