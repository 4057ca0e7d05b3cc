// SPDX-License-Identifier: MIT
// A whole program in the runner, by <course/program.hpp>: objects/program_main.cpp says what it does.

#include <doctest/doctest.h>

#include <fstream>

#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

constexpr ValueType number{protocol::Place::scalar, protocol::Type::int32};
constexpr ValueType bytes{protocol::Place::host_vector, protocol::Type::uint8};

class Program {
public:
    Program() : session_(options(scratch_)) {}
    CallResult call(const std::string& function, ValueType result = number) {
        return session_.call(function, {}, {&result, 1});
    }

    [[nodiscard]] std::string output() const { return session_.output(); }

private:
    static SessionOptions options(const Folder& scratch) {
        SessionOptions made = options_for("program", scratch);
        made.one_call = true;
        return made;
    }
    Folder scratch_;
    Session session_;
};

}  // namespace

TEST_CASE("a program has the exit code that main() returns, or exit() gets") {
    Program program;
    for (const auto& [function, code] : {std::pair("ends", 0), {"returns_3", 3}, {"exits_with_4", 4}}) {
        CAPTURE(function);
        const CallResult reply = program.call(function);
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(elements<int>(reply.results.at(0)) == std::vector<int>{code});
    }
}

TEST_CASE("what a program prints is seen, or hidden") {
    Program program;
    REQUIRE(program.call("silent").outcome == Outcome::returned);
    CHECK(program.output() == "heard");
    REQUIRE(program.call("ends").outcome == Outcome::returned);
    CHECK(program.output() == "heard\nmain was called");
}

TEST_CASE("a program's end does what a process's end does, and the next run starts afresh") {
    Program program;
    for (int run = 0; run < 2; ++run) {
        const CallResult reply = program.call("writes", bytes);
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(elements<char>(reply.results.at(0)) == std::vector<char>{'1', 'd', 'o', 'n', 'e'});
    }
}

TEST_CASE("what a program doesn't do is reported in words") {
    Program program;
    for (const auto& [function, message] :
         {std::pair("should_succeed", "the program ended with exit code 3"),
          {"reads_nothing", "the program wrote no file nothing.bin"},
          {"reads_a_part", "part.bin has 7 bytes, 2 of them before the values: values of 4 bytes each are expected"}}) {
        CAPTURE(function);
        const CallResult reply = program.call(function);
        CHECK(reply.outcome == Outcome::exception);
        CHECK(reply.message.find(message) != std::string::npos);
    }
}

TEST_CASE("a program that ends its process is noticed, and the next one runs") {
    Program program;
    CHECK(program.call("exits_in_a_thread").outcome == Outcome::exited);
    CHECK(program.call("aborts").outcome == Outcome::crashed);
    CHECK(program.call("ends").outcome == Outcome::returned);
}
