// SPDX-License-Identifier: MIT
// An ordinary object in a real course-runner: values there and back, what it sees of the world, how it is loaded.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "run/session_pair.hpp"
#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

TEST_CASE("a correct function gives its results and leaves its input as it was") {
    Attack attack;
    const CallResult reply = attack("correct");
    REQUIRE(reply.outcome == Outcome::returned);
    REQUIRE(reply.results.size() == 1);
    CHECK(elements(reply.results[0]) == twice);
    CHECK(reply.results[0].shape == std::vector<std::int64_t>{5});
    REQUIRE(reply.inputs_after.size() == 1);
    CHECK(elements(reply.inputs_after[0]) == x);
    CHECK(reply.seconds > 0);
}

TEST_CASE("a timed call measures the function alone, and brings no inputs back") {
    Attack attack;
    const CallResult reply = attack("sleeps_50_ms", true);
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.results.at(0)) == twice);
    CHECK(reply.inputs_after.empty());
    CHECK(reply.seconds >= 0.05);
}

TEST_CASE("an empty array goes there and back") {
    const Folder scratch;
    Session session(options_for("attacks", scratch));
    const Value empty = floats({});
    const CallResult reply = session.call("correct", {&empty, 1}, {&float_array, 1});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.results.at(0).shape == std::vector<std::int64_t>{0});
    CHECK(reply.results.at(0).bytes.empty());
}

TEST_CASE("a function that does nothing returns what was there: NaN") {
    Attack attack;
    attack("correct");
    const CallResult reply = attack("nothing");
    REQUIRE(reply.outcome == Outcome::returned);
    for (const float value : elements(reply.results.at(0))) CHECK(std::isnan(value));
}

TEST_CASE("a changed input is seen") {
    Attack attack;
    const CallResult reply = attack("changes_its_input");
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.inputs_after.at(0))[0] == -1);
}

TEST_CASE("the runner sees a fixed environment and no descriptor of the grader's") {
    ::setenv("COURSE_SECRET", "the seed", 1);
    ::setenv("LIBGPU_LAUNCH_BLOCKING", "1", 1);   // libgpu's own switches reach it
    ::setenv("LIBGPU_DEVICE", "cuda:5", 1);       // but the device is the session's
    ::setenv("HOME", "/home/somebody", 1);
    const int leaked = ::fcntl(0, F_DUPFD, 100);
    REQUIRE(leaked == 100);
    Attack attack;
    attack("prints_its_environment");
    const std::string environment = "\n" + attack.output() + "\n";
    CHECK(environment.find("COURSE_SECRET") == std::string::npos);
    for (const char* entry : {"LANG=C.UTF-8", "LIBGPU_DEVICE=host", "LIBGPU_GUARD=1", "LIBGPU_LAUNCH_BLOCKING=1"}) {
        CAPTURE(entry);
        CHECK(environment.find(std::string("\n") + entry + "\n") != std::string::npos);
    }
    CHECK(environment.find("HOME=" + std::string(std::getenv("HOME"))) == std::string::npos);
    const CallResult reply = attack("counts_its_descriptors");
    const std::vector<float> facts = elements(reply.results.at(0));
    CHECK(facts[0] >= 6);
    CHECK(facts[0] <= 8);   // libgpu may keep one or two of its own
    CHECK(facts[1] == 1);
    CHECK(facts[2] == 1);
    CHECK(facts[3] == 1);
    CHECK(facts[4] == 0);
    ::close(leaked);
    ::unsetenv("COURSE_SECRET");
    ::unsetenv("LIBGPU_LAUNCH_BLOCKING");
    ::unsetenv("LIBGPU_DEVICE");
}

TEST_CASE("an object that can't be loaded says why") {
    const auto outcome_of = [](const std::string& object, double seconds = 10) {
        CallResult reply;
        {
            Attack attack(seconds, 4096, object);
            reply = attack("correct");
        }
        CHECK(processes_left() == 0);
        return reply;
    };
    const CallResult exits = outcome_of("constructor_exits");
    CHECK(exits.outcome == Outcome::exited);
    CHECK(exits.message == "your code ended the program itself (exit code 0)");
    const CallResult throws = outcome_of("constructor_throws");
    CHECK(throws.outcome == Outcome::cannot_load);
    CHECK(throws.message == "before any function was called, your code threw std::runtime_error: the table is empty");
    const CallResult loops = outcome_of("constructor_loops", 0.3);
    CHECK(loops.outcome == Outcome::timed_out);
    const CallResult forges = outcome_of("constructor_forges");
    CHECK(forges.outcome == Outcome::bad_reply);
    const CallResult undefined = outcome_of("undefined_function");
    CHECK(undefined.outcome == Outcome::cannot_load);
    CHECK(undefined.message.starts_with("`exercise::scale(std::vector<float"));
    CHECK(undefined.message.ends_with("is declared, but defined nowhere. Was it renamed, or does it take other "
                                      "arguments than exercise.hpp says?"));
    const CallResult none = outcome_of("no_bindings");
    CHECK(none.outcome == Outcome::cannot_load);
    CHECK(none.message == "your code has no bind.cpp in it: it exports no course_bindings");
    const CallResult missing = outcome_of("no_such_object");
    CHECK(missing.outcome == Outcome::cannot_load);
    CHECK(missing.message.starts_with("your code can't be loaded: "));
}

TEST_CASE("a function that isn't there, or takes other arguments, is named") {
    Attack attack;
    const CallResult unknown = attack("corect");
    CHECK(unknown.outcome == Outcome::missing_function);
    CHECK(unknown.message.starts_with("bind.cpp names no function `corect`; it names: correct, nothing, "));
    const Folder scratch;
    Session session(options_for("attacks", scratch));
    const Value two[] = {floats(x), value_of(std::vector<int>{1}, {protocol::Place::scalar, protocol::Type::int32})};
    const CallResult wrong = session.call("correct", two, {&float_array, 1});
    CHECK(wrong.outcome == Outcome::missing_function);
    CHECK(wrong.message == "correct takes (gpu::Array<float>), but is called with (gpu::Array<float>, int)");
}

TEST_CASE("a device that isn't there is the environment's fault") {
    const Folder scratch;
    SessionOptions options = options_for("attacks", scratch);
    options.device = "cuda:77";
    Session session(options);
    const Value argument = floats(x);
    const CallResult reply = session.call("correct", {&argument, 1}, {&float_array, 1});
    CHECK(reply.outcome == Outcome::no_device);
    CHECK(reply.message != "");
}

TEST_CASE("a runner that can't be started is the machine's fault before the student's code has run, and not after") {
    const Folder scratch;
    SessionOptions options = options_for("attacks", scratch);
    options.scratch = scratch / "answer/run";
    std::filesystem::create_directories(options.scratch);
    Session session(options);
    const Value argument = floats(x);
    const auto call = [&](const char* name) { return session.call(name, {&argument, 1}, {&float_array, 1}); };
    CHECK(call("exits_0").outcome == Outcome::exited);
    options.runner = scratch / "no-runner";
    Session never(options);
    CHECK_THROWS_AS((void)never.call("correct", {&argument, 1}, {&float_array, 1}), std::runtime_error);
    // What student's code may do where there is no sandbox: its folder can't be made again.
    std::filesystem::rename(scratch / "answer", scratch / "gone");
    std::ofstream(scratch / "answer") << "no folder";
    const CallResult after = call("correct");
    CHECK(after.outcome == Outcome::crashed);
    CHECK(after.message.starts_with("after your code had run, it could not be started again: "));
}

TEST_CASE("two runners: a call in the background keeps nobody waiting, and may end as it likes") {
    const Folder scratch, other;
    const SessionOptions options = options_for("attacks", scratch), checked_options = options_for("attacks", other);
    const Value argument = floats(x);
    {
        SessionPair pair(options, checked_options);
        for (const char* function : {"segfault", "exits_0", "throws"})
            pair.expect_check(function, {&argument, 1}, {&float_array, 1});
        for (int repeat = 0; repeat < 3; ++repeat) {
            const CallResult reply = pair.call("correct", {&argument, 1}, {&float_array, 1});
            REQUIRE(reply.outcome == Outcome::returned);
            CHECK(elements(reply.results.at(0)) == twice);
        }
        const CallResult checked = pair.check_call("correct", {&argument, 1}, {&float_array, 1}, {});
        REQUIRE(checked.outcome == Outcome::returned);
        CHECK(elements(checked.results.at(0)) == twice);
    }
    CHECK(processes_left() == 0);
    {
        SessionPair pair(options, checked_options);
        pair.expect_check("loops", {&argument, 1}, {&float_array, 1});
        CHECK(pair.call("correct", {&argument, 1}, {&float_array, 1}).outcome == Outcome::returned);
    }   // the one that loops is stopped
    CHECK(processes_left() == 0);
}

TEST_CASE("two runners: one that can't be started is reported by each") {
    const Folder scratch, other;
    SessionOptions missing = options_for("attacks", scratch), also_missing = options_for("attacks", other);
    missing.runner = also_missing.runner = scratch.path() / "no-runner";
    SessionPair pair(missing, also_missing);
    pair.expect_check("correct", {}, {});
    CHECK_THROWS_WITH_AS(pair.call("correct", {}, {}), doctest::Contains("cannot start"), std::runtime_error);
    CHECK_THROWS_WITH_AS(pair.check_call("correct", {}, {}, {}), doctest::Contains("cannot start"), std::runtime_error);
}
