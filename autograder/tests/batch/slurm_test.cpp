// SPDX-License-Identifier: MIT
// What is said to Slurm and understood of it, and what a batch and its nodes write for each other: without a Slurm.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>

#include "batch/grade_key.hpp"
#include "batch/slurm/slurm_settings.hpp"
#include "batch/slurm/slurm_text.hpp"
#include "batch/slurm/work_area.hpp"
#include "manifest/manifest.hpp"
#include "support/folder.hpp"

namespace fs = std::filesystem;
using namespace course;

namespace {

SlurmSettings settings_of(const std::string& text) {
    const test::Folder folder;
    folder.write("slurm.toml", text);
    return read_slurm_settings(folder / "slurm.toml", "slurm.toml");
}

std::string mistake_in(const std::string& line) {
    try {
        settings_of("format = 1\n" + line + "\n");
    } catch (const ManifestError& error) {
        return error.what();
    }
    return "none";
}

bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<std::string> arguments_for(const std::string& line) {
    return sbatch_arguments(settings_of("format = 1\n" + line + "\n"), "/r/.slurm/course-grade-1", std::vector<int>{0});
}

std::vector<GradeJob> jobs_of(const std::vector<std::string>& submissions) {
    std::vector<GradeJob> jobs;
    for (const std::string& one : submissions) jobs.push_back({.submission = one, .folder = "01-twice", .number = 1});
    return jobs;
}

}  // namespace

TEST_CASE("slurm.toml: each key does what it says") {
    const SlurmSettings usual = settings_of("format = 1\n");
    CHECK(usual.cpus == 1);
    CHECK(usual.chunk == 1);
    CHECK(usual.resubmit == 2);
    CHECK(usual.settle_seconds == 30);
    CHECK(usual.poll_seconds == 5);
    for (const std::string& one : arguments_for(""))
        for (const char* part : {"partition", "gres", "mem", "time", "%", "nice"})
            if (!one.starts_with("--output")) CHECK(one.find(part) == one.npos);
    CHECK(has(arguments_for("partition = \"gpu\""), "--partition=gpu"));
    CHECK(has(arguments_for("gpus = 2"), "--gres=gpu:2"));
    CHECK(has(arguments_for("cpus = 4"), "--cpus-per-task=4"));
    CHECK(has(arguments_for("memory = \"8G\""), "--mem=8G"));
    CHECK(has(arguments_for("minutes = 90"), "--time=90"));
    CHECK(has(arguments_for("at_once = 40"), "--array=0%40"));
    CHECK(has(arguments_for("options = [\"--account=a\", \"--requeue\"]"), "--requeue"));
    CHECK(has(arguments_for("options = [\"--gres=gpu:h200:1\"]"), "--gres=gpu:h200:1"));
    CHECK(arguments_for("").back() == "/r/.slurm/course-grade-1/script");
    CHECK(settings_of("format = 1\nchunk = 8\n").chunk == 8);
    CHECK(settings_of("format = 1\nresubmit = 0\n").resubmit == 0);
    CHECK(settings_of("format = 1\nsettle_seconds = 90\n").settle_seconds == 90);
    CHECK(settings_of("format = 1\npoll_seconds = 20\n").poll_seconds == 20);
    CHECK(settings_of("format = 1\nkit = \"/opt/kit\"\n").kit == "/opt/kit");
}

TEST_CASE("slurm.toml: the one that the page shows is right") {
    const std::string page = test::read(fs::path(COURSE_SOURCE_DIR) / "docs/class/slurm.md"), fence = "```toml\n";
    const std::size_t begin = page.find(fence) + fence.size();
    const SlurmSettings shown = settings_of(page.substr(begin, page.find("```", begin) - begin));
    CHECK(shown.partition == "gpu");
    CHECK(shown.options == std::vector<std::string>{"--account=teaching"});
}

TEST_CASE("slurm.toml: a mistake is named with its place") {
    CHECK(mistake_in("") == "none");
    CHECK(mistake_in("gpu = 1").starts_with("slurm.toml:2:1: unknown key \"gpu\"; expected one of: "));
    CHECK(mistake_in("chunk = 0").find("\"chunk\"") != std::string::npos);
    CHECK(mistake_in("memory = \"8 GiB\"").find("expected a size as sbatch takes it: \"8G\"") != std::string::npos);
    CHECK(mistake_in("memory = \"-1G\"") != "none");
    CHECK(mistake_in("kit = \"kit\"").find("expected a folder from the root on") != std::string::npos);
    CHECK(mistake_in("options = [\"-A x\"]").find("is not a long option of sbatch") != std::string::npos);
    CHECK(mistake_in("options = [\"--time=9\"]").find("the kit sets --time itself: use the key \"minutes\"") !=
          std::string::npos);
    CHECK(mistake_in("options = [\"--output=x\"]").find("the kit sets --output itself") != std::string::npos);
    CHECK(mistake_in("gpus = 1\noptions = [\"--gres=gpu:2\"]") != "none");
    try {
        settings_of("partition = \"gpu\"\n");
        FAIL("a file without its format is taken");
    } catch (const ManifestError& error) {
        CHECK(std::string(error.what()).find("format") != std::string::npos);
    }
}

TEST_CASE("submissions are put on indexes: so many each, and no more indexes than Slurm allows") {
    using Indexes = std::vector<std::vector<std::size_t>>;
    const std::vector<GradeJob> jobs = jobs_of({"a", "a", "b", "c", "c", "d", "e"});
    CHECK(jobs_of_indexes(jobs, 1, 1001) == Indexes{{0, 1}, {2}, {3, 4}, {5}, {6}});
    CHECK(jobs_of_indexes(jobs, 2, 1001) == Indexes{{0, 1, 2}, {3, 4, 5}, {6}});
    CHECK(jobs_of_indexes(jobs, 1, 5).size() == 5);
    CHECK(jobs_of_indexes(jobs, 1, 4) == jobs_of_indexes(jobs, 2, 1001));
    CHECK(jobs_of_indexes(jobs, 1, 1) == Indexes{{0, 1, 2, 3, 4, 5, 6}});
    CHECK(jobs_of_indexes({}, 1, 5).empty());
    CHECK(index_list(std::vector<int>{0, 1, 2, 3, 7, 9, 10}) == "0-3,7,9-10");
    CHECK(index_list(std::vector<int>{4}) == "4");
}

TEST_CASE("the script quotes, and the log's path has no field of Slurm's") {
    CHECK(batch_script({"/r/it's $HOME/x", "/kit/course-class", "/kit"}) ==
          "#!/bin/sh\nexec '/kit/course-class' --root '/kit' grade-index --area '/r/it'\\''s $HOME/x' --index "
          "\"$SLURM_ARRAY_TASK_ID\"\n");
    const std::vector<std::string> arguments =
        sbatch_arguments({}, "/r/50%j/.slurm/course-grade-1", std::vector<int>{0, 1, 5});
    CHECK(has(arguments, "--output=/r/50%%j/.slurm/course-grade-1/log/%a-%A"));
    CHECK(has(arguments, "--array=0-1,5"));
    CHECK(has(arguments, "--job-name=course-grade-1"));
}

TEST_CASE("what Slurm's commands print is understood, or is nothing") {
    CHECK(parse_submitted("17\n") == 17);
    CHECK(parse_submitted("17;cluster\n") == 17);
    CHECK(parse_submitted("sbatch: warning: slow\n17\n") == 17);
    CHECK_FALSE(parse_submitted(""));
    CHECK_FALSE(parse_submitted("Submitted batch job 17\n"));
    CHECK(parse_most_indexes("MailProg = x\nMaxArraySize            = 1001\nMaxDBDMsgs = 3\n") == 1001);
    CHECK_FALSE(parse_most_indexes("MaxJobCount = 7\n"));
    CHECK_FALSE(parse_most_indexes("\nMaxArraySize = (null)\n"));

    const auto queue = parse_queue(
        "17|0|FAILED|n1|NonZeroExitCode\n20|0|RUNNING|n2|None\n17|3|PENDING||(Resources | "
        "more)\n17|1|NODE_FAIL|n1|x\n");
    REQUIRE(queue);
    REQUIRE(queue->size() == 3);
    const std::vector<QueueEntry>& entries = *queue;
    CHECK(entries[0].array == 20);  // the latest
    CHECK(entries[0].is_active());
    CHECK_FALSE(entries[0].is_waiting());
    CHECK_FALSE(entries[1].is_active());
    CHECK(entries[1].node == "n1");
    CHECK(entries[2].is_waiting());
    CHECK(entries[2].reason == "(Resources | more)");
    CHECK(parse_queue("")->empty());
    CHECK(parse_queue("20|N/A|CANCELLED||Resources\n")->at(0).index == QueueEntry::never_begun);
    CHECK_FALSE(parse_queue("17|0|RUNNING\n"));
    CHECK_FALSE(parse_queue("slurm_load_jobs error: Unable to contact slurm controller\n"));
    CHECK_FALSE(parse_queue("17|[0-3]|PENDING||Resources\n"));
    for (const char* state : {"COMPLETED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "PREEMPTED", "COMPLETING"})
        CHECK_FALSE(QueueEntry{.state = state}.is_active());
    for (const char* state : {"PENDING", "RUNNING", "CONFIGURING", "SUSPENDED", "REQUEUED", "REQUEUE_HOLD"})
        CHECK(QueueEntry{.state = state}.is_active());
}

TEST_CASE("an index' last words: the kit's last message, else the last line") {
    CHECK(last_words("") == "");
    CHECK(last_words("sh: 1: exec: course-class: not found\n\n") == "sh: 1: exec: course-class: not found");
    CHECK(last_words("Killed") == "Killed");
    CHECK(last_words("course: no\nTo go on: yes\nslurmstepd: x\ncourse: again no\nTo go on: yes\n") == "again no");
}

TEST_CASE("a work area: what is written is read, half of it is nothing, and other users see none of it") {
    SlurmBatch batch{.setup = {.results = "/r", .unseen = {"/handed-in"}}, .kit = "kit", .indexes = {jobs_of({"a", "a"}), jobs_of({"b"})}};
    batch.setup.device = "host";
    batch.setup.call_seconds = 2.5;
    batch.setup.workers = 3;
    batch.indexes[1][0].key = "k";
    const std::string text = batch_text(batch);
    const auto parsed = parse_batch(text);
    REQUIRE(parsed);
    CHECK(batch_text(*parsed) == text);
    CHECK(parsed->indexes[1][0].key == "k");
    CHECK(parsed->setup.call_seconds == 2.5);
    CHECK(parsed->setup.unseen == batch.setup.unseen);
    for (std::size_t size = 0; size < text.size(); ++size) CHECK_FALSE(parse_batch(text.substr(0, size)));

    IndexReport report{.device = "CPU", .sandbox = "limits", .outcomes = {{.status = "passed"}, {.fault = "why"}}};
    const std::string said = report_text(report);
    REQUIRE(parse_report(said));
    CHECK(parse_report(said)->outcomes[1].fault == "why");
    for (std::size_t size = 0; size < said.size(); ++size) CHECK_FALSE(parse_report(said.substr(0, size)));

    const test::Folder results;
    CHECK_FALSE(WorkArea::left_over(results.path()));
    const WorkArea area = WorkArea::make(results.path(), batch);
    CHECK(fs::status(area.path().parent_path()).permissions() == fs::perms::owner_all);
    CHECK(fs::status(area.path() / "batch").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    CHECK(area.done().empty());
    area.write_report(1, report);
    CHECK(area.done() == std::set<int>{1});
    CHECK(area.report(1)->outcomes.size() == 2);
    CHECK_FALSE(area.report(0));
    results.write(".slurm/" + area.name() + "/log/1-20", "second\n");
    results.write(".slurm/" + area.name() + "/log/1-17", "first\n");
    results.write(".slurm/" + area.name() + "/log/11-17", "another's\n");
    CHECK(area.log(1) == "first\nsecond\n");
    CHECK(fs::is_directory(area.make_unfinished()));
    results.write(".slurm/course-grade-half/batch", text.substr(0, 50));
    const auto found = WorkArea::left_over(results.path());
    REQUIRE(found);
    CHECK(found->name() == area.name());
    CHECK_FALSE(fs::exists(results / ".slurm/course-grade-half"));

    // A batch that is over has no place for what a node writes late.
    area.remove();
    CHECK_THROWS(static_cast<void>(area.make_unfinished()));
    CHECK_THROWS(put_result(results.path(), results / "results/a/01-twice.json", "late", area.path() / "unfinished/x"));
    CHECK_FALSE(fs::exists(results / "results/a/01-twice.json"));
}

TEST_CASE("a node's kit is told from the one that planned the batch") {
    const GradeKey key{.answer = "a", .exercise = "e", .hidden = "none", .grader = "g"};
    CHECK(is_key_of_exercise(key.text(), "e"));
    CHECK_FALSE(is_key_of_exercise(key.text(), "a"));
    CHECK_FALSE(is_key_of_exercise("", ""));
}
