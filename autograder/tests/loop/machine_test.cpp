// SPDX-License-Identifier: MIT
// What the machine does to a run: no room, nothing writable, no compiler, no driver.
#include <fstream>
#include <map>
#include <regex>

#include <unistd.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// Runs the command where `script`, in a mount namespace of its own, has prepared it; false if there can be none.
bool prepare(course::Command& command, const std::string& script) {
    course::Command trial = command;
    trial.arguments = {"unshare", "-rm", "sh", "-c", script + " && exec \"$@\"", "sh", "true"};
    if (!run_process(trial).succeeded()) return false;
    trial.arguments.pop_back();
    trial.arguments.insert(trial.arguments.end(), command.arguments.begin(), command.arguments.end());
    command.arguments = trial.arguments;
    return true;
}

/// The line of doctor's report about one thing.
std::string line_about(const std::string& what, const Ran& ran) {
    std::smatch match;
    return std::regex_search(ran.text, match, std::regex("(OK|--|!!)  " + what + " .*\n.*")) ? match[0].str() : "";
}

}  // namespace

TEST_CASE("a full disk is named, and nothing is left behind") {
    const ToyCourse toy;
    toy.solve("01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);  // the check is built now
    course::Command command = toy.command({"run", "1"});
    const std::string disk = toy.scratch().string();
    if (!prepare(command,
                 "mount -t tmpfs -o size=1m none " + disk + " && head -c 1000000 /dev/zero > " + disk + "/filler"))
        return test::skip("a full disk", "this machine lets nobody mount a tmpfs in a namespace of its own");
    toy.check_golden("full_disk", toy.run(command));
    CHECK(fs::is_empty(toy.scratch()));
}

TEST_CASE("a full disk under work keeps no verdict back") {
    const ToyCourse toy;
    toy.solve("01-twice");
    course::Command command = toy.command({"run", "1"});
    const std::string work = (toy / "work").string();
    if (!prepare(command, "cp -r " + work + " " + work + "-kept && mount -t tmpfs -o size=1m none " + work +
                              " && cp -r " + work + "-kept/. " + work + " && { cat /dev/zero > " + work +
                              "/filler 2>/dev/null || true; }"))
        return test::skip("a full disk under work", "this machine lets nobody mount a tmpfs in a namespace of its own");
    toy.check_golden("full_disk_under_work", toy.run(command));
}

TEST_CASE("a home and a TMPDIR that can't be written stand in nobody's way") {
    const ToyCourse toy;
    toy.solve("02-shift");
    course::Command command = toy.command({"run", "2"});
    ToyCourse::set(command, "HOME", "/proc");  // not writable, for root either
    ToyCourse::set(command, "TMPDIR", "/proc");
    const Ran ran = toy.run(command);
    CHECK(ran.code == 0);
    CHECK(toy.masked(ran) == toy.masked(toy.run({"run", "2"})));
}

TEST_CASE("a course that can't be written is judged all the same") {
    const ToyCourse toy;
    toy.solve("01-twice");
    course::Command command = toy.command({"run", "1"});
    if (!test::as_nobody(command)) {
        if (::geteuid() == 0) return test::skip("a course that can't be written", "nobody can't run course here");
        fs::permissions(toy / "work", fs::perms(0555));
    }
    const Ran ran = toy.run(command);
    fs::permissions(toy / "work", fs::perms(0755));
    toy.check_golden("read_only_work", ran);
    fs::remove_all(toy / "work");
    if (::geteuid() == 0) toy.check_golden("read_only_course", toy.run(command));
}

TEST_CASE("a user who may start no more threads is told so") {
    const ToyCourse toy;
    toy.solve("01-twice");
    for (const char* most : {"--nproc=1", "--nproc=2"}) {   // none for signals; one, and none for judging
        course::Command command = toy.command({"run", "1"});
        const auto own = static_cast<std::ptrdiff_t>(command.arguments.size());
        if (!test::as_nobody(command) && ::geteuid() == 0)
            return test::skip("no more threads", "nobody can't run course here, and root has no limit");
        command.arguments.insert(command.arguments.end() - own, {"prlimit", most});
        const Ran ran = toy.run(command);
        INFO(ran.text);
        CHECK(ran.code == 4);
        CHECK(ran.text.find("no thread or process can be started: ") != std::string::npos);
        CHECK(ran.text.find("ulimit -u says how many") != std::string::npos);
    }
}

TEST_CASE("no compiler is the machine's fault, and doctor says what to do") {
    const ToyCourse toy;
    toy.solve("01-twice");
    course::Command command = toy.command({"run", "1"});
    ToyCourse::set(command, "COURSE_CXX", "g++-that-is-not-here");
    toy.check_golden("no_compiler", toy.run(command));
    command = toy.command({"doctor"});
    ToyCourse::set(command, "COURSE_CXX", "g++-that-is-not-here");
    const Ran ran = toy.run(command);
    CHECK(ran.code == 4);
    CHECK(line_about("compiler", ran) ==
          "!!  compiler        g++-that-is-not-here can't be run\n"
          "                    To install what the kit needs: ./setup");
}

TEST_CASE("doctor finds a machine that has what it needs to be ready") {
    const ToyCourse toy;
    const Ran ran = toy.run({"doctor"});
    INFO(ran.text);
    CHECK(ran.code == 0);
    for (const char* what : {"kit", "compiler", "GPU", "test kernel", "host memory", "device memory", "link",
                             "kernel cache", "your work", "temporary files", "sandbox"})
        CHECK(line_about(what, ran) != "");
    CHECK(ran.text.find("\nThis machine is ready.\n") != std::string::npos);
}

TEST_CASE("doctor says the same as JSON, with what to do about each line that isn't as it should be") {
    const ToyCourse toy;
    course::Command command = toy.command({"doctor", "--json"});
    ToyCourse::set(command, "COURSE_CXX", "g++-that-is-not-here");
    ToyCourse::set(command, "COURSE_GDB", "gdb-that-is-not-here");
    const Ran ran = toy.run(command);
    CHECK(ran.code == 4);
    const auto report = nlohmann::json::parse(ran.text.substr(ran.text.find("{\n")));
    CHECK(report.at("ready") == false);
    std::map<std::string, nlohmann::json> lines;
    for (const auto& line : report.at("findings")) {
        lines[line.at("what")] = line;
        CHECK_MESSAGE((line.at("state") != "bad" || line.at("fix") != ""), line.dump());
    }
    CHECK(lines.at("kit").at("state") == "ok");
    CHECK(lines.at("compiler").at("state") == "bad");
    CHECK(lines.at("compiler").at("fix") == "To install what the kit needs: ./setup");
    CHECK(lines.at("debugger").at("state") == "note");
    CHECK(lines.at("debugger").at("fix") == "To install it: ./setup --debugger");
}

TEST_CASE("doctor and results say that the sandbox is off") {
    const ToyCourse toy;
    toy.solve("01-twice");
    course::Command command = toy.command({"doctor"});
    ToyCourse::set(command, "COURSE_SANDBOX", "off");
    CHECK(line_about("sandbox", toy.run(command)) ==
          "--  sandbox         off, as COURSE_SANDBOX says: a student's code can do what you can\n"
          "                    Leave COURSE_SANDBOX out of the environment.");
    command = toy.command({"run", "1", "--json"});
    ToyCourse::set(command, "COURSE_SANDBOX", "off");
    CHECK(toy.run(command).text.find("\"sandbox\": [\n      \"limits\"\n    ]") != std::string::npos);
    ToyCourse::set(command, "COURSE_SANDBOX", "yes");
    CHECK(toy.run(command).code == 4);
}

TEST_CASE("doctor names what can't be written") {
    const ToyCourse toy;
    course::Command command = toy.command({"doctor"});
    ToyCourse::set(command, "HOME", "/proc");
    const Ran ran = toy.run(command);
    CHECK(ran.code == 0);  // slower, but it works
    CHECK(line_about("kernel cache", ran).starts_with("--  kernel cache    could not "));
    fs::remove_all(toy / "work");
    toy.write("work", "a file in the way\n");
    const Ran blocked = toy.run({"doctor"});
    CHECK(blocked.code == 4);
    CHECK(line_about("your work", blocked).starts_with("!!  your work       could not "));
}

TEST_CASE("a device that isn't there is named") {
    const ToyCourse toy;
    toy.solve("01-twice");
    const Ran ran = toy.run({"run", "1", "--device", "cuda:77"});
    CHECK(ran.code == 4);
    CHECK(ran.text.find("not judged") != std::string::npos);
    CHECK(toy.run({"run", "1", "--device", "toaster"}).code == 4);
}

TEST_CASE("without a driver doctor says so, and the host backend is used") {
    if (fs::exists("/proc/driver/nvidia/version")) return test::skip("no driver", "this machine has an NVIDIA driver");
    if (!COURSE_WITH_CUDA) return test::skip("no driver", "libgpu was built without the CUDA toolkit");
    const ToyCourse toy;
    course::Command command = toy.command({"doctor"});
    ToyCourse::set(command, "LIBGPU_DEVICE", "");
    const Ran ran = toy.run(command);
    CHECK(ran.code == 0);
    CHECK(line_about("GPU", ran)
              .starts_with("--  GPU             this machine has no NVIDIA driver (libcuda.so.1 was not found)\nOK  "
                           "host backend"));
}

TEST_CASE("a driver older than the toolkit is named by doctor, and the host backend is used") {
    if (!COURSE_WITH_CUDA) return test::skip("an old driver", "libgpu was built without the CUDA toolkit");
    const ToyCourse toy;
    course::Command command = toy.command({"doctor"});
    ToyCourse::set(command, "LIBGPU_DEVICE", "");
    ToyCourse::set(command, "LD_LIBRARY_PATH", (fs::path(COURSE_BINARY_DIR) / "fake").string());
    const Ran ran = toy.run(command);
    INFO(ran.text);
    CHECK(ran.code == 0);
    CHECK(line_about("GPU", ran).find("driver") != std::string::npos);
    CHECK(line_about("GPU", ran).find("11.0") != std::string::npos);
    CHECK(line_about("host backend", ran) != "");
    toy.solve("01-twice");
    command.arguments = toy.command({"run", "1"}).arguments;
    CHECK(toy.run(command).code == 0);
}
