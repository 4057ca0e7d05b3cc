// SPDX-License-Identifier: MIT
#include "loop/toy_course.hpp"

#include <cstdio>
#include <regex>

#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "kit/probe.hpp"
#include "support/golden.hpp"
#include "support/patches.hpp"

namespace fs = std::filesystem;

#ifndef COURSE_TOY_FOLDER   // a test of another room, which may run at the same time, has its own
#define COURSE_TOY_FOLDER "toy"
#endif

namespace test {

namespace {

std::string replace_all(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

}  // namespace

ToyCourse::ToyCourse() : folder_(fs::path(COURSE_BINARY_DIR) / COURSE_TOY_FOLDER), root_(folder_ / "course") {
    fs::remove_all(folder_);
    fs::create_directories(scratch());
    fs::permissions(scratch(), fs::perms(0777));
    fs::create_directories(folder_ / "home");
    fs::permissions(folder_ / "home", fs::perms(0777));
    fs::copy(fs::path(COURSE_SOURCE_DIR) / "autograder/tests/toy", root_, fs::copy_options::recursive);
}

void ToyCourse::write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
}

std::string ToyCourse::read(const std::string& name) const { return test::read(root_ / name); }

void ToyCourse::change(const std::string& name, const std::string& what, const std::string& by) const {
    write(name, replaced(read(name), what, by));
}

void ToyCourse::answer(const std::string& statement, const std::string& above) const {
    const std::string solved = read("solutions/01-twice/twice.cpp");
    write("work/01-twice/twice.cpp", above + replaced(solved, "return 2 * x;", statement));
}

std::string ToyCourse::planted(const std::string& exercise, const std::string& name, const std::string& file) const {
    return planted_file(root_, exercise, name, file);
}

void ToyCourse::solve(const std::string& exercise) const {
    fs::create_directories(root_ / "work");
    fs::remove_all(root_ / "work" / exercise);
    fs::copy(root_ / "solutions" / exercise, root_ / "work" / exercise, fs::copy_options::recursive);
}

course::Command ToyCourse::command(const std::vector<std::string>& arguments) const {
    course::Command command;
    command.arguments = {COURSE_PROGRAM};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    if (!arguments.empty() && arguments[0] == "run") {
        command.arguments.emplace_back("--seed");
        command.arguments.emplace_back("1");
    }
    const char* path = std::getenv("PATH");
    command.environment = {"PATH=" + std::string(path ? path : "/usr/bin:/bin"),
                           "HOME=" + (folder_ / "home").string(),
                           "TMPDIR=" + scratch().string(),
                           "COURSE_ROOT=" + root_.string(),
                           "LIBGPU_DEVICE=host",
                           "LANG=C.UTF-8"};
    for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"})
        if (const char* value = std::getenv(name)) command.environment.push_back(std::string(name) + "=" + value);
    command.folder = "/";
    command.seconds = 400;
    command.file_bytes = 0;  // the grader shares sparse memory of several GiB with the runner
    return command;
}

void ToyCourse::set(course::Command& command, const std::string& name, const std::string& value) {
    std::erase_if(command.environment, [&](const std::string& variable) { return variable.starts_with(name + "="); });
    command.environment.push_back(name + "=" + value);
}

Ran ToyCourse::run(const course::Command& command) const {
    using Ending = course::ProcessResult::Ending;
    const course::ProcessResult result = run_process(command);
    REQUIRE(result.ending != Ending::not_started);
    REQUIRE(result.ending != Ending::timed_out);
    return {result.ending == Ending::signalled ? 128 + result.code : result.code, result.output};
}

std::string ToyCourse::masked(const Ran& ran) const {
    const std::regex only_slowly("(building the check|compiling your|judging (exercise|the capstone)).*\n");
    std::string text = std::regex_replace(ran.text, only_slowly, "");
    text = std::regex_replace(text, std::regex("course-scratch-[A-Za-z0-9]{6}"), "<scratch>");
    text = replace_all(text, scratch().string(), "<tmp>");
    text = replace_all(text, root_.string(), "<root>");
    text = replace_all(text, folder_.string(), "<toy>");
    text = replace_all(text, COURSE_BINARY_DIR, "<build>");
    text = replace_all(text, ", kit " + course::kit_version() + "\n", ", kit <version>\n");
    text = std::regex_replace(text, std::regex("[0-9.]+ (us|ms|s)\\b"), "<time>");
    return "exit " + std::to_string(ran.code) + "\n" + text;
}

void ToyCourse::check_golden(const std::string& name, const Ran& ran) const {
    test::check_golden("loop", name, masked(ran));
}

bool as_nobody(course::Command& command) {
    if (::geteuid() != 0) return false;
    std::vector<std::string> arguments = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    course::Command trial = command;
    trial.arguments = arguments;
    trial.arguments.insert(trial.arguments.end(), {command.arguments[0], "list"});
    if (!run_process(trial).succeeded()) return false;  // the course may lie where only root can look
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    command.arguments = arguments;
    return true;
}

void skip(const std::string& name, const std::string& reason) {
    std::printf("SKIP: %s: %s\n", name.c_str(), reason.c_str());
}

}  // namespace test
