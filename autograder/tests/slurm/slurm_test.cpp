// SPDX-License-Identifier: MIT
// autograder/cluster/grade.sbatch, as it is, over the toy course, on a real Slurm of two nodes on this machine.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "batch/toy_class.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;
using nlohmann::json;
using test::Ended;
using test::has;
using test::ToyClass;
using namespace std::chrono_literals;

namespace {

const std::string script = std::string(COURSE_SOURCE_DIR) + "/autograder/tests/slurm/cluster";

/// The script `cluster`, as long as this object lives, or this program: it sees its standard input end.
class Cluster {
public:
    Cluster() {
        int input[2], output[2];
        if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
        const pid_t process = ::fork();
        if (process == 0) {
            // Nobody's child, in a session of its own: whoever kills this program with all of its children spares it.
            if (::setsid() < 0 || ::fork() != 0) ::_exit(0);
            ::dup2(input[0], 0);
            ::dup2(output[1], 1);
            ::dup2(output[1], 2);
            ::execl(script.c_str(), script.c_str(), nullptr);
            ::_exit(127);
        }
        ::waitpid(process, nullptr, 0);
        ::close(input[0]);
        ::close(output[1]);
        input_ = input[1];
        output_ = output[0];
        const std::string ready = "ready ";
        wait_for_line(ready);
        if (said_.starts_with(ready)) folder_ = said_.substr(ready.size(), said_.find('\n') - ready.size());
    }
    ~Cluster() { end(); }
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// Returns when the script has ended.
    void end() {
        if (input_ < 0) return;
        ::close(std::exchange(input_, -1));
        wait_for_line("never said");
        ::close(output_);
    }

    [[nodiscard]] const std::string& said() const { return said_; }
    [[nodiscard]] bool is_ready() const { return !folder_.empty(); }
    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] std::string variable() const { return "SLURM_CONF=" + folder_ + "/slurm.conf"; }

    void tell(const std::string& line) {
        said_.clear();
        CHECK(::write(input_, line.data(), line.size()) == static_cast<ssize_t>(line.size()));
        wait_for_line("done");
    }
    /// What squeue prints of all jobs, those that have ended included.
    [[nodiscard]] std::string queue(const std::string& format, const std::string& states = "all") const {
        return run({"squeue", "--array", "--noheader", "--states=" + states, "--format=" + format});
    }

    /// One of Slurm's commands. @return what it prints
    std::string run(std::vector<std::string> arguments) const {
        course::Command command{
            .arguments = std::move(arguments), .environment = course::own_environment(), .folder = {}};
        command.environment.push_back(variable());
        const course::ProcessResult result = run_process(command);
        CHECK(result.succeeded());
        return result.output;
    }

private:
    /// A whole line that begins so, or all that the script says.
    void wait_for_line(const std::string& begins) {
        char buffer[4096];
        const auto is_there = [&] { return said_.find(begins) != said_.npos && said_.back() == '\n'; };
        for (ssize_t got; !is_there() && (got = ::read(output_, buffer, sizeof buffer)) > 0;)
            said_.append(buffer, static_cast<std::size_t>(got));
    }

    int input_ = -1, output_ = -1;
    std::string said_, folder_;
};

std::unique_ptr<Cluster> cluster;  // all tests' own: starting it takes seconds

ToyClass slurm_class() { return ToyClass("toy-slurm", {cluster->variable(), "COURSE=" COURSE_PROGRAM}); }

/// Submits the file. @return the job's number
std::string submit(const ToyClass& toys, const std::vector<std::string>& options,
                   const std::vector<std::string>& more = {}) {
    course::Command command = toys.command({});
    std::vector<std::string>& arguments = command.arguments;
    arguments = {"sbatch", "--parsable"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {std::string(COURSE_SOURCE_DIR) + "/autograder/cluster/grade.sbatch", "handed-in",
                                       "--out", "out"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = ToyClass::run(command);
    CHECK_MESSAGE(ended.code == 0, ended.text);
    return ended.text.substr(0, ended.text.find('\n'));
}

template <class Condition>
bool wait_for(Condition&& condition) {
    for (int k = 0; k < 2400; ++k) {
        if (condition()) return true;
        std::this_thread::sleep_for(50ms);
    }
    return false;
}

bool are_all_over() {
    return wait_for([] { return cluster->queue("%i", "pending,running,completing,configuring,suspended").empty(); });
}

/// What a job that is no array has printed.
std::string log_of(const ToyClass& toys, const std::string& job) {
    return test::read(toys / ("course-grade-" + job + ".log"));
}

std::map<std::string, fs::file_time_type> results_of(const ToyClass& toys) {
    std::map<std::string, fs::file_time_type> found;
    std::error_code none_yet;
    for (const auto& entry : fs::recursive_directory_iterator(toys / "out/results", none_yet))
        if (entry.is_regular_file()) found[entry.path().string()] = entry.last_write_time();
    return found;
}

void check_each_graded_once(const ToyClass& toys, std::size_t count) {
    const auto results = results_of(toys);
    CHECK(results.size() == count);
    for (const auto& [path, when] : results) {
        const json one = json::parse(test::read(path));
        CHECK(one["graded"] == 1);
        CHECK(one["grader_fault"] == "");
    }
    CHECK(fs::is_empty(toys / "out/.unfinished"));
}

}  // namespace

TEST_CASE("the shares of an array come to what one machine comes to, and the last job has nothing left to grade") {
    const ToyClass toys = slurm_class();
    toys.hand_in("ada", "01-twice");
    toys.hand_in("ada", "02-shift", "wrong/by-two");
    toys.hand_in("bob", "01-twice", "wrong/thrice");
    toys.hand_in("cy", "01-twice", "wrong/crash");
    toys.write("handed-in/dan/02-shift/shift.cpp", "int other;\n");
    toys.write("hidden/01-twice/check.cpp",
               "#include <course/check.hpp>\n"
               "GRADER_TASK(twice, \"number\") { call(\"twice\", 4321).returns(8642.0); }\n");
    const std::vector<std::string> options = {"--private", "hidden"};
    const std::string array = submit(toys, {"--array=1-3"}, options);
    const std::string last = submit(toys, {"--dependency=afterany:" + array}, options);
    REQUIRE(are_all_over());
    const std::string said = log_of(toys, last);
    CHECK(has(said, "0 graded, 5 unchanged, 0 failed because of the grader; "));
    CHECK(has(said, "dan-1: exercise 2 isn't whole: shift.cu is missing"));
    check_each_graded_once(toys, 5);

    const Ended local = ToyClass::run(toys.command({"grade", "handed-in", "--out", "local", "--private", "hidden"}));
    CHECK(local.code == 0);
    CHECK(toys.verdicts("out") == toys.verdicts("local"));
    CHECK(toys.result("ada-1", "01-twice")["private"] == toys.result("ada-1", "01-twice", "local")["private"]);
    CHECK(ToyClass::run(toys.command({"report", "out"})).code == 0);
    CHECK(toys.scratch_is_empty());
}

TEST_CASE("a node is lost on the way: its shares are graded on the other one, and no answer twice") {
    const ToyClass toys = slurm_class();
    constexpr std::size_t students = 24;
    for (std::size_t k = 0; k < students; ++k)
        toys.hand_in(fmt::format("s{}", k), "01-twice", k == 3 ? "wrong/thrice" : "");
    const std::string array = submit(toys, {"--array=1-4"});
    const std::string last = submit(toys, {"--dependency=afterany:" + array});
    REQUIRE(wait_for([&] {
        return cluster->queue("%N;", "running").find("n1") != std::string::npos && results_of(toys).size() >= 4;
    }));
    cluster->tell("kill n1\n");
    const auto before = results_of(toys);
    CHECK(before.size() < students);
    REQUIRE(are_all_over());
    CHECK(has(log_of(toys, last), fmt::format("0 graded, {} unchanged, 0 failed because of the grader; ", students)));
    CHECK(toys.result("s3-1", "01-twice")["result"]["status"] == "wrong");
    check_each_graded_once(toys, students);
    const auto after = results_of(toys);
    for (const auto& [path, when] : before) CHECK(after.at(path) == when);
    CHECK(has(cluster->run({"sinfo", "--noheader", "--Node", "--format=%N %t"}), "n1 down"));
    cluster->tell("start n1\n");
}

TEST_CASE("a share that Slurm gives up is graded by the last job") {
    const ToyClass toys = slurm_class();
    for (int k = 0; k < 6; ++k) toys.hand_in(fmt::format("s{}", k), "01-twice");
    const std::string array = submit(toys, {"--array=1-2", "--hold"});  // or the second could end before it is given up
    const std::string last = submit(toys, {"--dependency=afterany:" + array});
    cluster->run({"scancel", array + "_2"});
    cluster->run({"scontrol", "release", array + "_1"});
    REQUIRE(are_all_over());
    const std::string said = log_of(toys, last);
    CHECK(has(said, ", 0 failed because of the grader; "));
    CHECK(said.find("0 graded, 6 unchanged") == said.npos);
    check_each_graded_once(toys, 6);
}

int main(int argc, char** argv) {
    ::signal(SIGPIPE, SIG_IGN);
    cluster = std::make_unique<Cluster>();
    if (!cluster->is_ready()) {
        std::fputs(cluster->said().c_str(), stdout);
        return cluster->said().starts_with("SKIP: ") ? 77 : 1;
    }
    int code = doctest::Context(argc, argv).run();
    cluster->end();
    if (fs::exists(cluster->folder())) {
        std::printf("the cluster has left its folder %s\n", cluster->folder().c_str());
        code = 1;
    }
    cluster.reset();
    return code;
}
