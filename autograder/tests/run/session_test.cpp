// SPDX-License-Identifier: MIT
// What an object may do in a real course-runner, and how each must end.

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

const std::vector<float> x{1, 2, 3, 4, 5};
const std::vector<float> twice{2, 4, 6, 8, 10};

/// A session with objects/attacks.cpp that makes single calls of y = f(x).
class Attack {
public:
    explicit Attack(double seconds = 10, std::size_t mib = 4096, const std::string& object = "attacks")
        : session_(options(seconds, mib, object)) {}
    Attack(const Attack&) = delete;
    Attack& operator=(const Attack&) = delete;
    ~Attack() { CHECK(std::filesystem::exists(scratch_.path())); }

    CallReply operator()(const std::string& function, bool timed = false) {
        const Value argument = floats(x);
        return timed ? session_.timed_call(function, {&argument, 1}, {&float_array, 1})
                     : session_.call(function, {&argument, 1}, {&float_array, 1});
    }
    [[nodiscard]] std::string output() const { return session_.output(); }

private:
    SessionOptions options(double seconds, std::size_t mib, const std::string& object) {
        SessionOptions made = options_for(object, scratch_);
        made.call_seconds = seconds;
        made.memory_bytes = mib << 20;
        return made;
    }

    Scratch scratch_;
    Session session_;
};

void check_ends(const std::string& function, Outcome outcome, const std::string& message, double seconds = 10,
                std::size_t mib = 4096) {
    CAPTURE(function);
    for (const bool timed : {false, true}) {
        CAPTURE(timed);
        {
            Attack attack(seconds, mib);
            const CallReply reply = attack(function, timed);
            CHECK(reply.outcome == outcome);
            CHECK(reply.message == message);
            CHECK(reply.results.empty());
            const CallReply next = attack("correct");
            CHECK(next.outcome == Outcome::returned);
        }
        CHECK(processes_left() == 0);
    }
}

void check_works(const std::string& function, bool timed = false) {
    CAPTURE(function);
    {
        Attack attack;
        for (int repeat = 0; repeat < 2; ++repeat) {
            const CallReply reply = attack(function, timed);
            CHECK(reply.outcome == Outcome::returned);
            CHECK(reply.message == "");
            REQUIRE(reply.results.size() == 1);
            CHECK(elements(reply.results[0]) == twice);
        }
    }
    CHECK(processes_left() == 0);
}

}  // namespace

TEST_CASE("a correct function gives its results and leaves its input as it was") {
    Attack attack;
    const CallReply reply = attack("correct");
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
    const CallReply reply = attack("sleeps_50_ms", true);
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.results.at(0)) == twice);
    CHECK(reply.inputs_after.empty());
    CHECK(reply.seconds >= 0.05);
}

TEST_CASE("an empty array goes there and back") {
    const Scratch scratch;
    Session session(options_for("attacks", scratch));
    const Value empty = floats({});
    const CallReply reply = session.call("correct", {&empty, 1}, {&float_array, 1});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.results.at(0).shape == std::vector<std::int64_t>{0});
    CHECK(reply.results.at(0).bytes.empty());
}

TEST_CASE("a function that does nothing returns what was there: NaN") {
    Attack attack;
    attack("correct");
    const CallReply reply = attack("nothing");
    REQUIRE(reply.outcome == Outcome::returned);
    for (const float value : elements(reply.results.at(0))) CHECK(std::isnan(value));
}

TEST_CASE("a changed input is seen") {
    Attack attack;
    const CallReply reply = attack("changes_its_input");
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.inputs_after.at(0))[0] == -1);
}

TEST_CASE("a function that ends the program has not returned") {
    check_ends("exits_0", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("quick_exits_0", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("prints_pass_and_exits", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("exits_with_112", Outcome::bad_reply,
               "the runner broke the protocol: its connection to the grader was closed");
}

TEST_CASE("what is printed is text, never a verdict") {
    Attack attack;
    CHECK(attack("prints_pass_and_exits").outcome == Outcome::exited);
    CHECK(attack.output() == "PASS 100/100\n{\"status\": \"passed\"}");
}

TEST_CASE("a crash names its signal") {
    check_ends("segfault", Outcome::crashed, "your code crashed: segmentation fault (SIGSEGV)");
    check_ends("aborts", Outcome::crashed,
               "your code crashed: abort (SIGABRT): a failed assert, an uncaught exception, a damaged heap or abort() "
               "itself");
    check_ends("throws_in_noexcept", Outcome::crashed,
               "your code crashed: abort (SIGABRT): a failed assert, an uncaught exception, a damaged heap or abort() "
               "itself");
    check_ends("writes_a_huge_file", Outcome::crashed,
               "your code crashed: it wrote a file of more than 256 MiB (SIGXFSZ)");
}

TEST_CASE("an exception names its type and text, and the runner lives on") {
    check_ends("throws", Outcome::exception, "your code threw std::out_of_range: index 7 of 5");
    check_ends("throws_an_int", Outcome::exception, "your code threw a value of type int");
}

TEST_CASE("a crash between two calls is the second call's outcome, and the third one works") {
    Attack attack;
    CHECK(attack("crashes_later").outcome == Outcome::returned);
    ::usleep(300'000);
    CHECK(attack("correct").outcome == Outcome::crashed);
    CHECK(attack("correct").outcome == Outcome::returned);
}

TEST_CASE("an endless loop runs out of time") {
    const std::string message = "no answer within 0.3 s; is there a loop that never ends?";
    check_ends("loops", Outcome::timed_out, message, 0.3);
    check_ends("prints_without_end", Outcome::timed_out, message, 0.3);
}

TEST_CASE("memory in use is limited, in children too; memory that is only asked for isn't") {
    const std::string message = "your code used more than 256 MiB of memory, which is the limit";
    check_ends("allocates_without_end", Outcome::out_of_memory, message, 10, 256);
    check_ends("allocates_in_a_child", Outcome::out_of_memory, message, 10, 256);
    check_ends("allocates_in_a_daemon", Outcome::out_of_memory, message, 10, 256);
    check_works("allocates_untouched");
    Attack attack;
    const CallReply reply = attack("asks_for_too_much");
#if defined(__SANITIZE_ADDRESS__)
    CHECK(reply.outcome == Outcome::exited);   // its allocator ends the program where the usual one throws
#else
    CHECK(reply.outcome == Outcome::exception);
    CHECK(reply.message == "your code threw std::bad_alloc: std::bad_alloc");
#endif
}

TEST_CASE("10 MB of output neither block the call nor are they kept") {
    check_works("prints_10_mb");
    check_works("prints_10_mb", true);
    Attack attack;
    attack("prints_10_mb");
    const std::string output = attack.output();
    CHECK(output.size() < 66 * 1024);
    CHECK(output.starts_with("xxx"));
    CHECK(output.ends_with("\n[... and 9934464 bytes more, not kept]"));
}

TEST_CASE("what is printed is sanitised, from both streams") {
    Attack attack;
    attack("prints_control_characters");
    const std::string output = attack.output();
    CHECK(output.find("[2J[31mred \xEF\xBF\xBD\xEF\xBF\xBD caf\xc3\xa9\n") != std::string::npos);
    CHECK(output.find("to stderr") != std::string::npos);
}

TEST_CASE("no process outlives its session, whatever it did to leave it") {
    check_works("leaves_a_child");
    check_works("leaves_a_daemon");
    check_ends("leaves_a_daemon_and_exits", Outcome::exited, "your code ended the program itself (exit code 0)");
    check_ends("leaves_a_child_with_the_socket_and_aborts", Outcome::crashed,
               "your code crashed: abort (SIGABRT): a failed assert, an uncaught exception, a damaged heap or abort() "
               "itself");
}

TEST_CASE("a runner whose descriptors are closed or written to has broken the protocol") {
    const std::string prefix = "the runner broke the protocol: ";
    check_ends("closes_everything", Outcome::bad_reply, prefix + "its connection to the grader was closed");
    CHECK(Attack()("closes_everything_and_loops").message == prefix + "its connection to the grader was closed");
    CHECK(Attack(0.3)("closes_everything_and_loops", true).outcome == Outcome::timed_out);
    CHECK(processes_left() == 0);
    check_ends("sends_nothing", Outcome::bad_reply, prefix + "a message that isn't a reply");
    check_ends("writes_garbage", Outcome::bad_reply, prefix + "a message that isn't a reply");
    check_ends("replies_early", Outcome::bad_reply,
               prefix + "a reply to no request of ours (its sequence number is wrong)");
    check_works("closes_the_pipe");
}

TEST_CASE("shared memory can be neither resized nor, where it is the input, written") {
    Attack attack;
    const CallReply resized = attack("resizes_the_output");
    REQUIRE(resized.outcome == Outcome::returned);
    const std::vector<float> sizes = elements(resized.results.at(0));
    CHECK(sizes[0] == EPERM);
    CHECK(sizes[1] == EPERM);
    const CallReply written = attack("writes_the_input");
    REQUIRE(written.outcome == Outcome::returned);
    const std::vector<float> errors = elements(written.results.at(0));
    CHECK(errors[0] == EBADF);
    CHECK(errors[1] == EACCES);
    CHECK(errors[2] == EPERM);
    CHECK(errors[3] == EPERM);
}

TEST_CASE("results that are written after the reply come too late") {
    Attack attack;
    const CallReply reply = attack("writes_results_late");
    ::usleep(300'000);
    REQUIRE(reply.outcome == Outcome::returned);
    for (const float value : elements(reply.results.at(0))) CHECK(std::isnan(value));
    CHECK(elements(attack("correct").results.at(0)) == twice);
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
    const CallReply reply = attack("counts_its_descriptors");
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
        CallReply reply;
        {
            Attack attack(seconds, 4096, object);
            reply = attack("correct");
        }
        CHECK(processes_left() == 0);
        return reply;
    };
    const CallReply exits = outcome_of("constructor_exits");
    CHECK(exits.outcome == Outcome::exited);
    CHECK(exits.message == "your code ended the program itself (exit code 0)");
    const CallReply throws = outcome_of("constructor_throws");
    CHECK(throws.outcome == Outcome::cannot_load);
    CHECK(throws.message == "before any function was called, your code threw std::runtime_error: the table is empty");
    const CallReply loops = outcome_of("constructor_loops", 0.3);
    CHECK(loops.outcome == Outcome::timed_out);
    const CallReply forges = outcome_of("constructor_forges");
    CHECK(forges.outcome == Outcome::bad_reply);
    const CallReply undefined = outcome_of("undefined_function");
    CHECK(undefined.outcome == Outcome::cannot_load);
    CHECK(undefined.message.starts_with("`exercise::scale(std::vector<float"));
    CHECK(undefined.message.ends_with("is declared, but defined nowhere. Was it renamed, or does it take other "
                                      "arguments than exercise.hpp says?"));
    const CallReply none = outcome_of("no_bindings");
    CHECK(none.outcome == Outcome::cannot_load);
    CHECK(none.message == "your code has no bind.cpp in it: it exports no course_bindings");
    const CallReply missing = outcome_of("no_such_object");
    CHECK(missing.outcome == Outcome::cannot_load);
    CHECK(missing.message.starts_with("your code can't be loaded: "));
}

TEST_CASE("a function that isn't there, or takes other arguments, is named") {
    Attack attack;
    const CallReply unknown = attack("corect");
    CHECK(unknown.outcome == Outcome::missing_function);
    CHECK(unknown.message.starts_with("bind.cpp names no function `corect`; it names: correct, nothing, "));
    const Scratch scratch;
    Session session(options_for("attacks", scratch));
    const Value two[] = {floats(x), value_of(std::vector<int>{1}, {protocol::Place::scalar, protocol::Type::int32})};
    const CallReply wrong = session.call("correct", two, {&float_array, 1});
    CHECK(wrong.outcome == Outcome::missing_function);
    CHECK(wrong.message == "correct takes (gpu::Array<float>), but is called with (gpu::Array<float>, int)");
}

TEST_CASE("a device that isn't there is the environment's fault") {
    const Scratch scratch;
    SessionOptions options = options_for("attacks", scratch);
    options.device = "cuda:77";
    Session session(options);
    const Value argument = floats(x);
    const CallReply reply = session.call("correct", {&argument, 1}, {&float_array, 1});
    CHECK(reply.outcome == Outcome::no_device);
    CHECK(reply.message != "");
}
