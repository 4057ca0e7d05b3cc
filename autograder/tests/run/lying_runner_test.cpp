// SPDX-License-Identifier: MIT
// The grader against a runner that lies in one point (objects/lying_runner.cpp).

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

class Liar {
public:
    explicit Liar(const std::string& lie, std::size_t mib = 4096) : session_(options(lie, mib)) {}
    CallResult call() { return session_.call("f", {&argument_, 1}, {&float_array, 1}); }
    CallResult checked() { return session_.check_call("f", {&argument_, 1}, {&float_array, 1}, {.seconds = 0.4}); }
    CallResult timed() { return session_.timed_call("f", {&argument_, 1}, {&float_array, 1}); }

private:
    SessionOptions options(const std::string& lie, std::size_t mib) {
        SessionOptions made = options_for("", scratch_);
        made.runner = std::filesystem::path(COURSE_RUN_OBJECTS) / "lying_runner";
        made.object = scratch_.path() / lie;
        made.call_seconds = 0.4;
        made.memory_bytes = mib << 20;
        return made;
    }

    Folder scratch_;
    Session session_;
    Value argument_ = floats(x);
};

std::string broken(const std::string& what) { return "the runner broke the protocol: " + what; }

}  // namespace

TEST_CASE("when asked to be honest, the test's runner is believed") {
    Liar runner("honest");
    for (int repeat = 0; repeat < 3; ++repeat) {
        const CallResult reply = runner.call();
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(elements(reply.results.at(0)) == twice);
        CHECK(elements(reply.inputs_after.at(0)) == x);
        const CallResult timed = runner.timed();
        REQUIRE(timed.outcome == Outcome::returned);
        CHECK(timed.seconds >= 0.03);
        CHECK(elements(timed.results.at(0)) == twice);
    }
}

TEST_CASE("every lie in a reply is a broken protocol, and says which") {
    const std::pair<const char*, const char*> lies[] = {
        {"wrong magic", "a message that isn't a reply"},
        {"wrong version", "a reply of version 99; this is version 12"},
        {"wrong sequence", "a reply to no request of ours (its sequence number is wrong)"},
        {"half a message", "a message that isn't a reply"},
        {"unknown status", "a status that doesn't exist"},
        {"no device", "a message out of turn"},
        {"cannot load", "a message out of turn"},
        {"started again", "a message out of turn"},
        {"ready to a call", "a message out of turn"},
        {"values in a failure", "values in a reply that carries none"},
        {"too many values", "1000000 values, 1 of them results; 16 is the most"},
        {"more results than values", "2 values, 3 of them results; 16 is the most"},
        {"message too long", "a message of 1073741824 bytes"},
        {"no result", "0 values, 0 of them results; exercise.toml and the arguments ask for 1"},
        {"one result more", "2 results; exercise.toml says 1"},
        {"no input", "1 values, 1 of them results; exercise.toml and the arguments ask for 2"},
        {"input as result", "2 values, 0 of them results; exercise.toml and the arguments ask for 1"},
        {"input twice", "3 values, 1 of them results; exercise.toml and the arguments ask for 2"},
        {"unknown argument", "value 1 doesn't belong to a valid argument"},
        {"unknown place", "value 0 is in a place that doesn't exist"},
        {"unknown type", "value 0 has an element type that doesn't exist"},
        {"other type", "value 0 is a device array of int32; exercise.toml says a device array of float32"},
        {"other place", "value 0 is a host vector of float32; exercise.toml says a device array of float32"},
        {"scalar with axes", "value 0 is a scalar with axes"},
        {"nine axes", "value 0 has 9 axes; 8 is the most"},
        {"negative length", "value 0 has a negative length, -1"},
        {"more bytes than the shape", "value 0 has 24 bytes; its shape needs 20"},
        {"less bytes than the shape", "value 0 has 16 bytes; its shape needs 20"},
        {"outside the memory", "value 0 lies outside the output memory"},
        {"over the end", "value 0 lies outside the output memory"},
        {"offset that wraps around", "value 0 lies outside the output memory"},
        {"shape that wraps around", "value 0 is too large to exist"},
        {"recording too long", "a recording of 100000000 bytes; 41943040 is the most"},
        {"recording over the end", "the recording lies outside the output memory"},
        {"recording that wraps around", "the recording lies outside the output memory"},
    };
    for (const auto& lie : lies) {
        CAPTURE(lie.first);
        {
            Liar runner(lie.first);
            const CallResult reply = runner.call();
            CHECK(reply.outcome == Outcome::bad_reply);
            CHECK(reply.message == broken(lie.second));
            CHECK(reply.results.empty());
        }
        CHECK(processes_left() == 0);
    }
}

TEST_CASE("a checked call brings its results and what check mode saw") {
    Liar runner("honest");
    for (int repeat = 0; repeat < 2; ++repeat) {
        CHECK_FALSE(runner.call().check);
        const CallResult reply = runner.checked();
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(elements(reply.results.at(0)) == twice);
        CHECK(reply.inputs_after.empty());
        REQUIRE(reply.check);
        REQUIRE(reply.check->findings.size() == 1);
        const Finding& finding = reply.check->findings[0];
        CHECK(finding.kind == FindingKind::missing_barrier);
        CHECK(finding.rule == gpu::Rule::barriers_count_all);
        CHECK(finding.line == 12);
        CHECK(finding.times == 3);
        CHECK(finding.kernel == "tree");
        CHECK(finding.file == "reduce.cu");
        CHECK(finding.variable == "part");
        CHECK(finding.what == "reduce.cu:12: missing barrier");
        CHECK(finding.who == "thread (1,0,0)");
        CHECK(finding.advice == "write __syncthreads()");
        REQUIRE(reply.check->kernels.size() == 1);
        const KernelCounts& kernel = reply.check->kernels[0];
        CHECK(kernel.name == "tree");
        CHECK(kernel.launches == 3);
        CHECK(kernel.made_in == "reduce.cpp");
        REQUIRE(kernel.shapes.size() == 2);
        CHECK(kernel.shapes[0] == LaunchCounts{{4, 2, 1}, {256, 1, 1}, 2});
        CHECK(kernel.shapes[1] == LaunchCounts{{1, 1, 1}, {16, 16, 2}, 1});
        CHECK(kernel.work.global_reads == 7);
        REQUIRE(kernel.lines.size() == 2);
        CHECK(kernel.lines[1].line == 12);
        CHECK(kernel.lines[1].work.global_reads == 4);
        CHECK(reply.check->more_findings == 0);
    }
}

TEST_CASE("a checked call that threw brings both the exception and what check mode saw") {
    Liar runner("check: threw");
    const CallResult reply = runner.checked();
    CHECK(reply.outcome == Outcome::exception);
    CHECK(reply.message == "your code threw std::logic_error: twice");
    REQUIRE(reply.check);
    CHECK(reply.check->findings.size() == 1);
}

TEST_CASE("every lie in a check record is a broken protocol, and says which") {
    const std::pair<const char*, const char*> lies[] = {
        {"check: many findings", "17 findings; 16 is the most"},
        {"check: fewer than listed", "1 findings of 0"},
        {"check: many kernels", "17 kernels; 16 is the most"},
        {"check: many lines", "513 lines of kernels; 512 is the most"},
        {"check: all the numbers there are", "4294967295 findings; 16 is the most"},
        {"check: unknown kind", "finding 0 is of a kind that doesn't exist"},
        {"check: no rule", "finding 0 breaks a rule that doesn't exist"},
        {"check: unknown rule", "finding 0 breaks a rule that doesn't exist"},
        {"check: lines that overlap", "kernel 0 has lines that aren't there"},
        {"check: too many lines of a kernel", "kernel 0 has lines that aren't there"},
        {"check: lines of no kernel", "lines that belong to no kernel"},
        {"check: many shapes", "9 shapes of a kernel's launches; 8 is the most"},
        {"check: negative shape", "a launch of a negative size"},
        {"check: negative spread", "a launch of a negative size"},
        {"check: outside the memory", "the check record lies outside the output memory"},
        {"check: over the end", "the check record lies outside the output memory"},
        {"check: offset that wraps around", "the check record lies outside the output memory"},
        {"check: two records", "2 check records; 1 is the most"},
        {"check: none", "a check record where none belongs, or none where one does"},
        {"wrong sequence", "a reply to no request of ours (its sequence number is wrong)"},
    };
    for (const auto& lie : lies) {
        CAPTURE(lie.first);
        {
            Liar runner(lie.first);
            const CallResult reply = runner.checked();
            CHECK(reply.outcome == Outcome::bad_reply);
            CHECK(reply.message == broken(lie.second));
            CHECK(reply.results.empty());
            CHECK_FALSE(reply.check);
        }
        CHECK(processes_left() == 0);
    }
    const CallResult unasked = Liar("check: not asked for").call();
    CHECK(unasked.outcome == Outcome::bad_reply);
    CHECK(unasked.message == broken("a check record where none belongs, or none where one does"));
    CHECK(Liar("no check").call().outcome == Outcome::bad_reply);
    CHECK(Liar("silence").checked().outcome == Outcome::timed_out);
}

TEST_CASE("check mode that can't be used any more is told as such") {
    const CallResult reply = Liar("no check").checked();
    CHECK(reply.outcome == Outcome::no_check);
    CHECK(reply.message == "check mode can't be used any more: a check inside another");
}

TEST_CASE("what a check record says is made fit to print, and stays short") {
    const auto first_finding = [](const char* lie) {
        const CallResult reply = Liar(lie).checked();
        REQUIRE(reply.outcome == Outcome::returned);
        REQUIRE(reply.check);
        return reply.check->findings.at(0);
    };
    const Finding ugly = first_finding("check: ugly texts");
    CHECK(ugly.what == "[2J[31mPASSED[0m");
    CHECK(ugly.who == "\xEF\xBF\xBD\xEF\xBF\xBD  caf\xC3\xA9");
    CHECK(ugly.advice == "");
    const Finding endless = first_finding("check: endless texts");
    CHECK(endless.what == std::string(768, 'x'));
    CHECK(endless.kernel == std::string(128, 'x'));
    CHECK(first_finding("check: negative line").line == 0);
    CHECK(first_finding("check: no times").times == 1);
    const CallResult million = Liar("check: a million findings").checked();
    REQUIRE(million.check);
    CHECK(million.check->findings.size() == 1);
    CHECK(million.check->more_findings == 999'999);
}

TEST_CASE("a check record is copied once: what the runner does to it later changes nothing") {
    Liar runner("check: changed after the reply");
    const CallResult reply = runner.checked();
    ::usleep(200'000);
    REQUIRE(reply.check);
    CHECK(reply.check->findings.at(0).what == "reduce.cu:12: missing barrier");
}

TEST_CASE("a value larger than the memory limit isn't copied") {
    Liar runner("huge value", 1024);
    const CallResult reply = runner.call();
    CHECK(reply.outcome == Outcome::bad_reply);
    CHECK(reply.message == broken("values of more than 1073741824 bytes together"));
}

TEST_CASE("of a result that is far too large only the shape is taken: the grader's memory stays as it was") {
    Liar runner("huge value");   // 2 GiB
    const pid_t grader = ::fork();   // whose peak is its own
    if (grader == 0) {
        rusage before{}, after{};
        ::getrusage(RUSAGE_SELF, &before);
        const CallResult reply = runner.call();
        const bool told = reply.outcome == Outcome::returned && reply.results.size() == 1 &&
                          reply.results[0].left_out && reply.results[0].bytes.empty() &&
                          reply.results[0].shape == std::vector<std::int64_t>{std::int64_t{1} << 29};
        const bool goes_on = runner.call().outcome == Outcome::returned;
        ::getrusage(RUSAGE_SELF, &after);
        const bool small = after.ru_maxrss - before.ru_maxrss < 200 * 1024;   // in KiB
        kill_leftover_processes();
        ::_exit(!told ? 1 : !goes_on ? 2 : !small ? 3 : 0);
    }
    int status = -1;
    ::waitpid(grader, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("the reply to an earlier call isn't taken for this one's") {
    Liar runner("sequence of the last call");
    CHECK(runner.call().outcome == Outcome::returned);
    CHECK(runner.call().outcome == Outcome::bad_reply);
}

TEST_CASE("results that were left from an earlier call are gone") {
    Liar honest("honest"), stale("stale results");
    const CallResult first = stale.call();   // nothing was ever written: zeros
    REQUIRE(first.outcome == Outcome::returned);
    const CallResult second = stale.call();
    REQUIRE(second.outcome == Outcome::returned);
    CHECK(elements<std::uint32_t>(second.results.at(0)) != elements<std::uint32_t>(first.results.at(0)));
}

TEST_CASE("results are copied once: what the runner does to them later changes nothing") {
    Liar runner("results changed after the reply");
    const CallResult reply = runner.call();
    ::usleep(200'000);
    CHECK(elements(reply.results.at(0)) == twice);
}

TEST_CASE("a message is made fit to print") {
    Liar runner("ugly message");
    const CallResult reply = runner.call();
    CHECK(reply.outcome == Outcome::exception);
    CHECK(reply.message.starts_with("your code threw std::ugly: [31m<b>\xEF\xBF\xBDline\nline\n"));
    CHECK(std::count(reply.message.begin(), reply.message.end(), '\n') == 40);
    CHECK(reply.message.ends_with("line\n..."));
    CHECK(runner.call().outcome == Outcome::exception);
}

TEST_CASE("a runner that says nothing runs out of time; one that dies has ended itself") {
    CHECK(Liar("silence").call().outcome == Outcome::timed_out);
    const CallResult died = Liar("death").call();
    CHECK(died.outcome == Outcome::exited);
    CHECK(died.message == "your code ended the program itself (exit code 3)");
}

TEST_CASE("the clock is the grader's") {
    const CallResult never = Liar("clock never stopped").timed();
    CHECK(never.outcome == Outcome::timed_out);
    CHECK(never.message == "no answer within 0.4 s; is there a loop that never ends?");
    CHECK(Liar("done of another call").timed().outcome == Outcome::timed_out);
    CHECK(Liar("death on the clock").timed().outcome == Outcome::crashed);
    const CallResult early = Liar("result before the clock").timed();
    CHECK(early.outcome == Outcome::bad_reply);
    CHECK(early.message == broken("a result before the clock was started"));
    const CallResult twice_ready = Liar("ready twice").timed();
    CHECK(twice_ready.outcome == Outcome::bad_reply);
    CHECK(twice_ready.message == broken("a message out of turn"));
}

TEST_CASE("a claim that came before `go` stops no clock") {
    const CallResult reply = Liar("done before go").timed();
    CHECK(reply.outcome == Outcome::returned);
    CHECK(reply.seconds >= 0.03);
}

TEST_CASE("before the student's code runs, a runner that fails is the installation's fault") {
    const CallResult none = Liar("no such device").call();
    CHECK(none.outcome == Outcome::no_device);
    CHECK(none.message == "cuda:7: this machine has 1 GPU");
    CHECK_THROWS_WITH_AS(Liar("death before loading").call(), doctest::Contains("libsomething.so.1"),
                         std::runtime_error);
    CHECK_THROWS_WITH_AS(Liar("another version").call(), doctest::Contains("is not this grader's runner"),
                         std::runtime_error);
    const CallResult later = Liar("no device while loading").call();
    CHECK(later.outcome == Outcome::bad_reply);
    const Folder scratch;
    SessionOptions missing = options_for("attacks", scratch);
    missing.runner = scratch.path() / "no-runner";
    Session session(missing);
    CHECK_THROWS_WITH_AS(session.call("f", {}, {}), doctest::Contains("cannot start"), std::runtime_error);
    CHECK(processes_left() == 0);
}

TEST_CASE("two sessions don't take each other's processes for leftovers") {
    Liar first("honest");
    CHECK(first.call().outcome == Outcome::returned);
    {
        Liar second("honest");
        CHECK(second.call().outcome == Outcome::returned);
    }
    CHECK(first.call().outcome == Outcome::returned);
}

TEST_CASE("kill_leftover_processes ends runners and their children") {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::fork() == 0) ::setsid();
        for (;;) ::pause();
    }
    while (processes_left() < 2) ::usleep(1000);
    kill_leftover_processes();
    CHECK(processes_left() == 0);
}

TEST_CASE("a runner dies with its grader, even one that doesn't listen") {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    Liar silent("silence");   // its folder is this process's, which lives to remove it
    const pid_t grader = ::fork();
    if (grader == 0) {
        silent.call();
        ::_exit(0);
    }
    std::array<pid_t, 64> found;
    while (find_processes({.process = grader}, found) < 2) ::usleep(1000);
    ::usleep(100'000);   // until it waits for an answer
    ::kill(grader, SIGKILL);
    ::waitpid(grader, nullptr, 0);
    for (int wait = 0; wait < 2000 && processes_left() > 0; ++wait) {
        ::waitpid(-1, nullptr, WNOHANG);   // the runner is this program's orphan now
        ::usleep(1000);
    }
    CHECK(processes_left() == 0);
    kill_leftover_processes();
}
