// SPDX-License-Identifier: MIT
// Processes: Ctrl-C, two runs at once, and that the grader never opens a student's object.
#include <csignal>
#include <fstream>
#include <future>
#include <set>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "sandbox/cgroup.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

constexpr const char* sleeps = "std::this_thread::sleep_for(std::chrono::milliseconds(1500)); return 2 * x;";
constexpr const char* sleep_headers = "#include <chrono>\n#include <thread>\n";

/// A running `course` that isn't waited for.
class Started {
public:
    explicit Started(const course::Command& command) {
        std::vector<char*> arguments, environment;
        for (const std::string& text : command.arguments) arguments.push_back(const_cast<char*>(text.c_str()));
        for (const std::string& text : command.environment) environment.push_back(const_cast<char*>(text.c_str()));
        arguments.push_back(nullptr);
        environment.push_back(nullptr);
        process_ = ::fork();
        if (process_ == 0) {
            ::setpgid(0, 0);
            ::execve(arguments[0], arguments.data(), environment.data());
            ::_exit(127);
        }
    }
    ~Started() {
        if (process_ > 0) {
            ::kill(process_, SIGKILL);
            ::waitpid(process_, nullptr, 0);
        }
    }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    [[nodiscard]] pid_t id() const { return process_; }
    void signal(int number) const { ::kill(process_, number); }
    [[nodiscard]] bool ended() {
        int status = 0;
        if (process_ > 0 && ::waitpid(process_, &status, WNOHANG) == process_) finish(status);
        return process_ < 0;
    }
    /// The exit code, or 128 + the signal.
    [[nodiscard]] int wait() {
        int status = 0;
        if (process_ > 0) {
            ::waitpid(process_, &status, 0);
            finish(status);
        }
        return code_;
    }

private:
    void finish(int status) {
        code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        process_ = -1;
    }
    pid_t process_ = -1;
    int code_ = -1;
};

std::string read_line(const fs::path& path) {
    std::string line;
    std::getline(std::ifstream(path), line);
    return line;
}

/// All processes whose command line or working folder has to do with the course's scratch folder.
std::set<pid_t> processes_of(const ToyCourse& toy) {
    std::set<pid_t> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != name.npos) continue;
        const std::string line = read_line(entry.path() / "cmdline");
        const std::string folder = fs::read_symlink(entry.path() / "cwd", error).string();
        if (line.find(toy.scratch().string()) != line.npos || folder.starts_with(toy.scratch().string()))
            found.insert(std::stoi(name));
    }
    return found;
}

/// Whether that grader's runners have cgroups.
bool has_cgroups(pid_t grader) {
    const fs::path& place = course::usable_cgroups().memory;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(place, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("course-") && name.find("-" + std::to_string(grader) + "-") != name.npos) return true;
    }
    return false;
}

bool a_runner_works(const ToyCourse& toy) {
    for (const pid_t process : processes_of(toy))
        if (read_line(fs::path("/proc") / std::to_string(process) / "comm") == "course-runner") return true;
    return false;
}

template <class Condition>
bool soon(const Condition& condition) {
    for (int k = 0; k < 3000; ++k, ::usleep(10'000))
        if (condition()) return true;
    return false;
}

course::Command quiet(course::Command command) {
    command.arguments.insert(command.arguments.begin(), {"/bin/sh", "-c", "exec \"$@\" >/dev/null 2>&1", "sh"});
    return command;
}

}  // namespace

TEST_CASE("Ctrl-C while an answer runs leaves no process, no file and no broken state behind") {
    const ToyCourse toy;
    toy.solve("01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);
    const std::string progress = toy.read("work/.progress");
    for (const int signal : {SIGINT, SIGTERM}) {
        toy.answer("for (volatile unsigned k = 0;; k = k + 1) {}");
        const std::string mine = toy.read("work/01-twice/twice.cpp");
        Started course(quiet(toy.command({"run", "1", "--time-limit", "300"})));
        const pid_t grader = course.id();
        REQUIRE(soon([&] { return a_runner_works(toy); }));
        CHECK(has_cgroups(grader) == (course::usable_cgroups().version > 0));
        course.signal(signal);
        CHECK(course.wait() == 128 + signal);
        CHECK(soon([&] { return processes_of(toy).empty(); }));
        CHECK_FALSE(has_cgroups(grader));
        CHECK(fs::is_empty(toy.scratch()));
        CHECK(toy.read("work/.progress") == progress);
        CHECK(toy.read("work/01-twice/twice.cpp") == mine);
    }
    toy.solve("01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);
}

TEST_CASE("Ctrl-C while the check is built leaves nothing half built") {
    const ToyCourse toy;
    toy.solve("01-twice");
    for (int round = 0; round < 3; ++round) {
        std::ofstream(toy / "exercises/01-twice/check.cpp", std::ios::app) << "// " << ::getpid() << round << "\n";
        Started course(quiet(toy.command({"run", "1"})));
        REQUIRE(soon([&] { return !fs::is_empty(toy.scratch()); }));
        ::usleep(200'000 * static_cast<unsigned>(round));
        course.signal(SIGINT);
        const int code = course.wait();
        CHECK((code == 130 || code == 0));  // a fast machine may have been done
        CHECK(soon([&] { return processes_of(toy).empty(); }));
        CHECK(fs::is_empty(toy.scratch()));
    }
    CHECK(toy.run({"run", "1"}).code == 0);
}

TEST_CASE("a run that was killed leaves its runner dead, and its folder to the next run") {
    const ToyCourse toy;
    toy.answer("for (volatile unsigned k = 0;; k = k + 1) {}");
    Started course(quiet(toy.command({"run", "1", "--time-limit", "300"})));
    const pid_t grader = course.id();
    REQUIRE(soon([&] { return a_runner_works(toy); }));
    course.signal(SIGKILL);
    CHECK(course.wait() == 128 + SIGKILL);
    CHECK(soon([&] { return processes_of(toy).empty(); }));
    toy.solve("01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);
    CHECK_FALSE(has_cgroups(grader));
    CHECK(fs::is_empty(toy.scratch()));
}

TEST_CASE("two runs at once are both right, on the first use too") {
    const ToyCourse toy;
    for (const char* exercise : {"01-twice", "02-shift"}) {  // also: both make the check, and note progress
        std::ofstream(toy / (std::string("exercises/") + exercise + "/check.cpp"), std::ios::app)
            << "// " << ::getpid() << "\n";
        toy.solve(exercise);
    }
    std::vector<std::future<Ran>> runs;
    for (const char* number : {"1", "1", "2", "2"})
        runs.push_back(std::async(std::launch::async, [&toy, number] { return toy.run({"run", number}); }));
    for (auto& run : runs) {
        const Ran ran = run.get();
        INFO(ran.text);
        CHECK(ran.code == 0);
    }
    for (const char* line : {"\nshift passed 0 attempts=2 ", "\ntwice passed 0 attempts=2 "})
        CHECK(toy.read("work/.progress").find(line) != std::string::npos);
    CHECK(fs::is_empty(toy.scratch()));
}

TEST_CASE("two first runs at once make one work folder") {
    const ToyCourse toy;
    std::vector<std::future<Ran>> runs;
    for (int k = 0; k < 4; ++k)
        runs.push_back(std::async(std::launch::async, [&toy] { return toy.run({"run", "2"}); }));
    for (auto& run : runs) CHECK(run.get().code == 3);
    int entries = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(toy / "work")) ++entries;
    CHECK(entries == 3);  // the folder, and two files for editors
}

TEST_CASE("the grader never loads the student's object: it is the runner that does, in a process of its own") {
    const ToyCourse toy;
    // Whoever loads the object says so at once, by name.
    toy.answer(sleeps,
               std::string(sleep_headers) +
                   "#include <cstdio>\n#include <fstream>\n#include <string>\n"
                   "static const bool loaded = [] {\n"
                   "    std::string name;\n"
                   "    std::getline(std::ifstream(\"/proc/self/comm\"), name);\n"
                   "    return std::printf(\"loaded by %s\\n\", name.c_str()) > 0 && std::fflush(stdout) == 0;\n"
                   "}();\n");
    CHECK(toy.run({"run", "1"}).text.find("  Your code printed:\n    | loaded by course-runner\n") !=
          std::string::npos);

    // Sampled while the answer runs: the runner has the object mapped (so the sampling sees what it looks for), and the
    // grader never has.
    Started course(quiet(toy.command({"run", "1"})));
    const auto maps_object = [&](pid_t process) {
        std::ifstream lines(fs::path("/proc") / std::to_string(process) / "maps");
        for (std::string line; std::getline(lines, line);)
            if (line.find(toy.scratch().string()) != line.npos && line.ends_with(".so")) return true;
        return false;
    };
    int seen_in_runner = 0, samples = 0;
    bool seen_in_grader = false;
    while (!course.ended()) {
        seen_in_grader = seen_in_grader || maps_object(course.id());
        for (const pid_t process : processes_of(toy)) seen_in_runner += maps_object(process) ? 1 : 0;
        ++samples;
        ::usleep(2'000);
    }
    CHECK(samples > 100);
    CHECK(seen_in_runner > 0);
    CHECK_FALSE(seen_in_grader);
}

TEST_CASE("course links neither libgpu nor CUDA") {
    course::Command command;
    command.arguments = {"ldd", COURSE_PROGRAM};
    command.environment = {"PATH=/usr/bin:/bin"};
    const course::ProcessResult grader = run_process(command);
    REQUIRE(grader.succeeded());
    CHECK(grader.output.find("libc.so") != std::string::npos);
    for (const char* library : {"libgpu", "libcuda", "libcudart", "libnvrtc", "libcublas"})
        CHECK(grader.output.find(library) == std::string::npos);
    command.arguments[1] = COURSE_RUNNER;
    CHECK(run_process(command).output.find("libgpu.so") != std::string::npos);  // the test can tell
}
