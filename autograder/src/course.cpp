// SPDX-License-Identifier: MIT
// The command line of `course`, and nothing else: commands/commands.hpp lists its commands; others are programs.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "command_line.hpp"
#include "commands/commands.hpp"
#include "support/process.hpp"

namespace {

/// What other programs do, which students don't build.
struct Elsewhere {
    const char *command, *about, *program, *target;
};
constexpr Elsewhere elsewhere[] = {
    {"grade", "for instructors: judge what a class has handed in", "course-class", "class"},
    {"confirm", "for instructors: what waits for review, and your decision on it", "course-class", "class"},
    {"mark", "for instructors: points and comments by hand", "course-class", "class"},
    {"report", "for instructors: pages on the results, for you and for each student", "course-class", "class"},
    {"similar", "for instructors: answers that have much in common, side by side", "course-class", "class"},
    {"export", "for instructors: points or feedback for an LMS, or another grader", "course-class", "class"},
    {"dev", "for authors of lessons and exercises", "course-author", "author"}};

/// The one that the arguments name, or null: that program parses the rest.
const Elsewhere* named_elsewhere(int argc, char** argv) {
    int k = 1;
    while (k < argc && std::string_view(argv[k]).starts_with("--root"))
        k += std::string_view(argv[k]) == "--root" ? 2 : 1;
    const auto* const found = std::find_if(std::begin(elsewhere), std::end(elsewhere), [&](const Elsewhere& one) {
        return k < argc && std::string_view(one.command) == argv[k];
    });
    return found == std::end(elsewhere) ? nullptr : found;
}

/// Continues as that program, with the same arguments.
[[noreturn]] void become(const Elsewhere& one, char** argv) {
    const std::filesystem::path program = course::Toolchain::configured().program_dir / one.program;
    ::execv(program.c_str(), argv);
    throw course::UsageError(fmt::format("{} can't be started: {}\nTo build it: make {}", program.string(),
                                         std::strerror(errno), one.target));
}

}  // namespace

int main(int argc, char** argv) {
    return course::guarded([&] {
        if (const Elsewhere* const one = named_elsewhere(argc, argv)) become(*one, argv);
        course::CommandLine line("Judges the exercises of the GPU course.");
        for (course::AddCommand* const add : course::student_commands) add(line);
        for (const Elsewhere& one : elsewhere) line.add(one.command, one.about, course::Action());
        return line.run(argc, argv);
    });
}
