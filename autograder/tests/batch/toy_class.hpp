// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "support/patches.hpp"
#include "support/process.hpp"

namespace test {

struct Ended {
    int code = 0;
    std::string text;
};

inline constexpr auto overwriting =
    std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing;

/// A copy of the toy course, what a class has handed in, and the real `course`. The course's folder is always the same,
/// so that its checks are built once.
class ToyClass {
public:
    /// @param name of a folder below the build's, of this test program alone
    /// @param variables more of the commands' environment
    explicit ToyClass(const std::string& name = "toy-class", std::vector<std::string> variables = {})
        : folder_(std::filesystem::path(COURSE_BINARY_DIR) / name), variables_(std::move(variables)) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_ / "tmp");
        std::filesystem::copy(std::filesystem::path(COURSE_SOURCE_DIR) / "autograder/tests/toy", folder_ / "course",
                              std::filesystem::copy_options::recursive);
    }

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    /// Hands in the solution, or a planted answer: "wrong/thrice".
    void hand_in(const std::string& student, const std::string& exercise, const std::string& planted = "") const {
        const std::filesystem::path to = folder_ / "handed-in" / student / exercise;
        std::filesystem::create_directories(to);
        std::filesystem::copy(folder_ / "course/solutions" / exercise, to, overwriting);
        if (planted.empty()) return;
        for (const auto& file : std::filesystem::directory_iterator(to)) {
            const std::string name = file.path().filename().string();
            std::ofstream(file.path()) << planted_file(folder_ / "course", exercise, planted, name);
        }
    }

    [[nodiscard]] course::Command command(const std::vector<std::string>& arguments) const {
        course::Command command;
        command.arguments = {COURSE_PROGRAM};
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        const char* path = std::getenv("PATH");
        command.environment = {"PATH=" + std::string(path ? path : "/usr/bin:/bin"),
                               "HOME=" + folder_.string(),
                               "TMPDIR=" + (folder_ / "tmp").string(),
                               "COURSE_ROOT=" + (folder_ / "course").string(),
                               "LIBGPU_DEVICE=host",
                               "LANG=C.UTF-8"};
        for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"})
            if (const char* value = std::getenv(name)) command.environment.push_back(std::string(name) + "=" + value);
        command.environment.insert(command.environment.end(), variables_.begin(), variables_.end());
        command.folder = folder_;
        command.seconds = 400;
        command.file_bytes = 0;
        return command;
    }

    [[nodiscard]] Ended grade(std::vector<std::string> more = {}, const std::string& variable = "") const {
        more.insert(more.begin(), {"grade", "handed-in", "--out", "out", "--jobs", "2"});
        course::Command asked = command(more);
        if (!variable.empty()) asked.environment.push_back(variable);
        return run(asked);
    }

    [[nodiscard]] static Ended run(const course::Command& asked) {
        const course::ProcessResult result = run_process(asked);
        REQUIRE(result.ending != course::ProcessResult::Ending::timed_out);
        return {result.ending == course::ProcessResult::Ending::signalled ? 128 + result.code : result.code,
                result.output};
    }

    /// `course` in a process that the test may kill; it and its own descendants alone.
    [[nodiscard]] pid_t start(const std::vector<std::string>& arguments) const {
        const course::Command asked = command(arguments);
        const pid_t process = ::fork();
        if (process != 0) return process;
        ::setsid();
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        const int out = ::open((folder_ / "last-output").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(out, 1);
        ::dup2(out, 2);
        std::vector<char*> words, variables;
        for (const std::string& one : asked.arguments) words.push_back(const_cast<char*>(one.c_str()));
        for (const std::string& one : asked.environment) variables.push_back(const_cast<char*>(one.c_str()));
        words.push_back(nullptr);
        variables.push_back(nullptr);
        if (::chdir(folder_.c_str()) == 0) ::execve(words[0], words.data(), variables.data());
        ::_exit(127);
    }

    [[nodiscard]] nlohmann::json result(const std::string& submission, const std::string& exercise,
                                        const std::string& out = "out") const {
        return nlohmann::json::parse(read(folder_ / out / "results" / submission / (exercise + ".json")));
    }

    /// What of all results must not depend on when they came to be.
    [[nodiscard]] std::map<std::string, std::string> verdicts(const std::string& out) const {
        std::map<std::string, std::string> all;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / out / "results")) {
            if (!entry.is_regular_file()) continue;
            const nlohmann::json one = nlohmann::json::parse(read(entry.path()));
            std::string text = one["key"].get<std::string>() + " " + one["grader_fault"].get<std::string>();
            text +=
                fmt::format(" {} {}", one["result"]["status"].get<std::string>(), one["result"]["points"].get<int>());
            for (const nlohmann::json& task : one["result"]["tasks"]) text += " " + task["status"].get<std::string>();
            all[std::filesystem::relative(entry.path(), folder_ / out)] = text;
        }
        return all;
    }

    [[nodiscard]] bool scratch_is_empty() const { return std::filesystem::is_empty(folder_ / "tmp"); }

private:
    std::filesystem::path folder_;
    std::vector<std::string> variables_;
};

inline bool has(const std::string& text, const std::string& part) {
    if (text.find(part) != text.npos) return true;
    MESSAGE("\"" << part << "\" isn't in:\n" << text);
    return false;
}

}  // namespace test
