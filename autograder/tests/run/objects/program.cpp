// SPDX-License-Identifier: MIT
// The bindings of a program: what a run of program_main.cpp gives.

#include <course/bind.hpp>
#include <course/program.hpp>

namespace {

int run(const char* what) { return course::run_program({what}); }

}  // namespace

int ends() { return run("ends"); }
int returns_3() { return run("returns 3"); }
int exits_with_4() { return run("exits with 4"); }
int exits_in_a_thread() { return run("exits in a thread"); }
int aborts() { return run("aborts"); }
int silent() {
    const int code = course::run_silently({"returns 3"});
    std::puts("heard");
    return code;
}
int should_succeed() {
    course::run_to_success({"returns 3"});
    return 0;
}
/// What it writes: how many runs it remembers, and the letters of what atexit() writes.
std::vector<std::uint8_t> writes() {
    run("exits with 4");
    std::vector<std::uint8_t> bytes = course::read_values<std::uint8_t>("global.bin");
    for (const std::uint8_t byte : course::read_values<std::uint8_t>("at_exit.bin")) bytes.push_back(byte);
    return bytes;
}
int reads_nothing() { return static_cast<int>(course::read_values<float>("nothing.bin").size()); }
int reads_a_part() {
    course::write_values<std::uint8_t>("part.bin", std::vector<std::uint8_t>(7));
    return static_cast<int>(course::read_values<float>("part.bin", 2).size());
}

COURSE_BIND(ends)
COURSE_BIND(returns_3)
COURSE_BIND(exits_with_4)
COURSE_BIND(exits_in_a_thread)
COURSE_BIND(aborts)
COURSE_BIND(silent)
COURSE_BIND(should_succeed)
COURSE_BIND(writes)
COURSE_BIND(reads_nothing)
COURSE_BIND(reads_a_part)
