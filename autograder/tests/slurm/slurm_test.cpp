// SPDX-License-Identifier: MIT
// `course grade --executor slurm` end to end, over the toy course, on a real Slurm of two nodes on this machine.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
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
    explicit Cluster(const std::string& most_indexes) {
        int input[2], output[2];
        if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
        const pid_t process = ::fork();
        if (process == 0) {
            // Nobody's child, in a session of its own: whoever kills this program with all of its children spares it.
            if (::setsid() < 0 || ::fork() != 0) ::_exit(0);
            ::dup2(input[0], 0);
            ::dup2(output[1], 1);
            ::dup2(output[1], 2);
            ::execl(script.c_str(), script.c_str(), most_indexes.c_str(), nullptr);
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

    [[nodiscard]] std::string waiting_job() const {
        const std::string jobs = queue("%F", "pending");
        return jobs.substr(0, jobs.find('\n'));
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

const std::string quick = "format = 1\nsettle_seconds = 1\npoll_seconds = 1\n";

ToyClass slurm_class() {
    ToyClass toys("toy-slurm", {cluster->variable()});
    toys.write("slurm.toml", quick);
    return toys;
}

const std::vector<std::string> by_slurm = {"grade",      "handed-in", "--out",   "out",
                                           "--executor", "slurm",     "--slurm", "slurm.toml"};

Ended grade(const ToyClass& toys, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = by_slurm;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ToyClass::run(toys.command(arguments));
}

template <class Condition>
bool wait_for(Condition&& condition) {
    for (int k = 0; k < 600; ++k) {
        if (condition()) return true;
        std::this_thread::sleep_for(50ms);
    }
    return false;
}

bool runs_on(const std::string& node) {
    return wait_for([&] { return cluster->queue("%N;", "running").find(node) != std::string::npos; });
}

int wait_for_end(pid_t process) {
    int status = 0;
    ::waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

void check_each_graded_once(const ToyClass& toys, std::size_t results) {
    std::size_t found = 0;
    for (const auto& entry : fs::recursive_directory_iterator(toys / "out/results")) {
        if (!entry.is_regular_file()) continue;
        ++found;
        const json one = json::parse(test::read(entry.path()));
        CHECK(one["graded"] == 1);
        CHECK(one["grader_fault"] == "");
    }
    CHECK(found == results);
    CHECK(fs::is_empty(toys / "out/.slurm"));
}

}  // namespace

TEST_CASE("nodes that share no more than the results come to those of this machine, and nobody else reads them") {
    ToyClass toys = slurm_class();
    fs::create_directory_symlink(COURSE_SOURCE_DIR, toys / "kit");
    toys.write("slurm.toml", quick + "partition = \"all\"\nminutes = 5\noptions = [\"--comment=toys\"]\nkit = \"" +
                                 (toys / "kit").string() + "\"\n");
    toys.hand_in("ada", "01-twice");
    toys.hand_in("ada", "02-shift", "wrong/by-two");
    toys.hand_in("bob", "01-twice", "wrong/thrice");
    toys.hand_in("cy", "01-twice", "wrong/crash");
    toys.write("handed-in/dan/02-shift/shift.cpp", "int other;\n");
    toys.write("hidden/01-twice/check.cpp",
               "#include <course/check.hpp>\n"
               "GRADER_TASK(twice, \"number\") { call(\"twice\", 4321).returns(8642.0); }\n");
    const ::mode_t usual = ::umask(0);
    fs::create_directories(toys / "out");  // open to all: what is secret isn't
    ::umask(usual);

    const pid_t batch = toys.start(
        {"grade", "handed-in", "--out", "out", "--executor", "slurm", "--slurm", "slurm.toml", "--private", "hidden"});
    CHECK(wait_for([&] { return !cluster->queue("%i", "running,pending").empty(); }));
    for (const char* folder : {"out/.slurm", "out/.hidden-checks"})
        CHECK(fs::status(toys / folder).permissions() == fs::perms::owner_all);
    for (const auto& area : fs::directory_iterator(toys / "out/.slurm")) {
        CHECK(fs::status(area.path()).permissions() == fs::perms::owner_all);
        CHECK(has(test::read(area.path() / "script"), "exec '" + (toys / "kit").string()));
    }
    const fs::path elsewhere = toys / "elsewhere";
    fs::create_directory(elsewhere);
    for (const char* folder : {"handed-in", "hidden"}) fs::rename(toys / folder, elsewhere / folder);
    CHECK(wait_for_end(batch) == 0);
    for (const char* folder : {"handed-in", "hidden"}) fs::rename(elsewhere / folder, toys / folder);
    const std::string said = test::read(toys / "last-output");
    CHECK(has(said, "5 answers to grade, 0 unchanged; by Slurm\n"));
    CHECK(has(said, ": 4 indexes\n"));
    CHECK(has(said, "1 passed, 2 wrong   3 of 4 points"));
    CHECK(has(said, "1 crashed   1 of 3 points"));
    CHECK(has(said, "2 can't be taken   0 of 1 points"));
    CHECK(has(said, "5 graded, 0 unchanged, 0 failed because of the grader; "));
    check_each_graded_once(toys, 5);
    const json record = json::parse(test::read(toys / "out/grade.json"));
    CHECK(record["graded"] == 5);
    CHECK_FALSE(record["device"].get<std::string>().empty());
    CHECK(record["sandbox"].size() == 1);

    const Ended local = ToyClass::run(toys.command({"grade", "handed-in", "--out", "local", "--private", "hidden"}));
    CHECK(local.code == 0);
    CHECK(toys.verdicts("out") == toys.verdicts("local"));
    CHECK(toys.result("ada-1", "01-twice")["private"] == toys.result("ada-1", "01-twice", "local")["private"]);

    const Ended again = grade(toys, {"--private", "hidden"});
    CHECK(again.code == 0);
    CHECK(has(again.text, "0 graded, 5 unchanged"));
    CHECK(toys.scratch_is_empty());
}

TEST_CASE("a node is lost on the way: all are graded, each once, in no more indexes than Slurm allows") {
    ToyClass toys = slurm_class();
    for (int k = 0; k < 7; ++k) toys.hand_in(fmt::format("s{}", k), "01-twice", k == 3 ? "wrong/thrice" : "");
    const pid_t batch = toys.start(by_slurm);
    REQUIRE(runs_on("n1"));
    cluster->tell("kill n1\n");
    cluster->run(
        {"scontrol", "update", "PartitionName=all", "State=INACTIVE"});  // and then it takes no jobs for a while
    CHECK(wait_for([&] { return test::read(toys / "last-output").find("; this call waits") != std::string::npos; }));
    std::this_thread::sleep_for(2s);
    cluster->run({"scontrol", "update", "PartitionName=all", "State=UP"});
    CHECK(wait_for_end(batch) == 0);
    const std::string said = test::read(toys / "last-output");
    CHECK(count(said, "; this call waits for it\n") == 1);
    CHECK(has(said, ": 4 indexes\n"));  // of two, as the cluster has five at most
    CHECK(has(said, "was lost (n1: "));
    CHECK(has(said, "7 graded, 0 unchanged, 0 failed because of the grader; "));
    CHECK(toys.result("s3-1", "01-twice")["result"]["status"] == "wrong");
    check_each_graded_once(toys, 7);
    cluster->tell("start n1\n");
    CHECK(wait_for([&] { return cluster->queue("%i", "completing,running,pending").empty(); }));
}

TEST_CASE("the submitting program is killed: the same command goes on with the array, or with a new one") {
    ToyClass toys = slurm_class();
    for (int k = 0; k < 5; ++k) toys.hand_in(fmt::format("s{}", k), "01-twice");
    const std::size_t before = count(cluster->queue("%F;"), ";");
    pid_t batch = toys.start(by_slurm);
    REQUIRE(runs_on("n"));
    ::kill(batch, SIGKILL);
    CHECK(wait_for_end(batch) == 128 + SIGKILL);
    Ended ended = grade(toys);
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "still wait or run; this call goes on with them\n"));
    CHECK(has(ended.text, "0 failed because of the grader; "));
    CHECK(count(cluster->queue("%F;"), ";") == before + 5);  // no index twice
    check_each_graded_once(toys, 5);

    // An answer has changed since: the old array would grade what isn't there any more.
    for (int k = 0; k < 5; ++k) toys.hand_in(fmt::format("s{}", k), "01-twice", "wrong/thrice");
    batch = toys.start(by_slurm);
    REQUIRE(runs_on("n"));
    ::kill(batch, SIGKILL);
    wait_for_end(batch);
    toys.hand_in("s4", "01-twice", "wrong/crash");
    ended = grade(toys);
    CHECK(ended.code == 0);
    CHECK(has(ended.text, "of an earlier call, are cancelled: what is to be graded isn't the same"));
    CHECK(toys.result("s0-1", "01-twice")["result"]["status"] == "wrong");
    CHECK(toys.result("s4-1", "01-twice")["result"]["status"] == "crashed");
    check_each_graded_once(toys, 5);
}

TEST_CASE("Ctrl-C cancels the array; a lost connection doesn't") {
    ToyClass toys = slurm_class();
    for (int k = 0; k < 4; ++k) toys.hand_in(fmt::format("s{}", k), "01-twice");
    pid_t batch = toys.start(by_slurm);
    REQUIRE(runs_on("n"));
    ::kill(batch, SIGHUP);
    CHECK(wait_for_end(batch) == 128 + SIGHUP);
    CHECK_FALSE(cluster->queue("%i", "running,pending").empty());
    batch = toys.start(by_slurm);
    CHECK(wait_for([&] { return test::read(toys / "last-output").find("goes on with them") != std::string::npos; }));
    ::kill(batch, SIGINT);
    CHECK(wait_for_end(batch) == 130);
    const std::string said = test::read(toys / "last-output");
    CHECK(has(said, " are cancelled\n"));
    CHECK(has(said, "the same command goes on from there"));
    CHECK(wait_for([&] { return cluster->queue("%i", "running,pending,completing").empty(); }));
    const Ended ended = grade(toys);
    CHECK(has(ended.text, " 0 failed because of the grader; "));
    CHECK(ended.code == 0);
    check_each_graded_once(toys, 4);
}

TEST_CASE("what can't be is said; what no node could grade is the grader's fault, and tried again") {
    ToyClass toys = slurm_class();
    toys.hand_in("ada", "01-twice");
    course::Command command = toys.command(by_slurm);
    for (std::string& one : command.environment)
        if (one.starts_with("PATH=")) one = "PATH=" + (toys / "tmp").string();
    Ended ended = ToyClass::run(command);
    CHECK(ended.code == 4);
    CHECK(has(ended.text,
              "--executor slurm: scontrol can't be started: No such file or directory\n"
              "Call this where Slurm's commands are: on the cluster's head node."));
    CHECK_FALSE(fs::exists(toys / "out/.slurm"));

    toys.write("slurm.toml", quick + "gpu = 1\n");
    ended = grade(toys);
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "slurm.toml:4:1: unknown key \"gpu\""));
    CHECK(has(grade(toys, {"--jobs", "2"}).text, "--jobs is for this machine; for Slurm's, say cpus in slurm.toml"));
    toys.write("slurm.toml", quick + "partition = \"nowhere\"\n");
    ended = grade(toys);
    CHECK(ended.code == 4);
    CHECK(has(ended.text, "--executor slurm: sbatch failed: "));
    CHECK(has(ended.text, "invalid partition specified: nowhere"));
    CHECK(fs::is_empty(toys / "out/.slurm"));

    toys.write("slurm.toml", quick + "resubmit = 1\nkit = \"/nowhere\"\n");
    ended = grade(toys);
    CHECK(ended.code == 5);
    CHECK(has(ended.text, "index 0 was lost ("));
    CHECK(has(ended.text, "the grader's fault, not the student's: Slurm lost it 2 times ("));
    CHECK(has(toys.result("ada-1", "01-twice")["grader_fault"], "not found"));
    CHECK(has(test::read(toys / "out/grade.log"), "index 0:\n"));

    toys.write("slurm.toml", quick + "resubmit = 0\noptions = [\"--hold\"]\n");
    pid_t batch = toys.start(by_slurm);
    CHECK(wait_for([&] { return !cluster->waiting_job().empty(); }));
    cluster->run({"scancel", cluster->waiting_job()});
    CHECK(wait_for_end(batch) == 5);
    CHECK(has(toys.result("ada-1", "01-twice")["grader_fault"].get<std::string>(), "its Slurm job was cancelled"));

    batch = toys.start(by_slurm);
    CHECK(wait_for([&] { return !cluster->waiting_job().empty(); }));
    std::ofstream(toys / "course/exercises/01-twice/check.cpp", std::ios::app) << "// another kit\n";
    cluster->run({"scontrol", "release", cluster->waiting_job()});
    CHECK(wait_for_end(batch) == 5);
    CHECK(has(toys.result("ada-1", "01-twice")["grader_fault"].get<std::string>(),
              "this node's kit has another 01-twice than the one that planned the batch"));

    toys.write("out/slurm.toml", quick);  // where it is looked for
    ended = ToyClass::run(toys.command({"grade", "handed-in", "--out", "out", "--executor", "slurm"}));
    CHECK(ended.code == 0);
    check_each_graded_once(toys, 1);
}

int main(int argc, char** argv) {
    ::signal(SIGPIPE, SIG_IGN);
    cluster = std::make_unique<Cluster>("5");
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
