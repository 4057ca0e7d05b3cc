// SPDX-License-Identifier: MIT
#include <future>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kit/probe.hpp"
#include "progress/progress.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"

using namespace course;

TEST_CASE("progress is written as text and read back") {
    ProgressText progress;
    progress.records["reduce"] = {.hints_used = 2, .attempts = 3, .points = 1, .last_verdict = "over budget",
                                  .last_answer = "0a1b", .stars = {"tree_3", "shuffle"}, .met = {{3, 2}, {7, 1}},
                                  .met_on = {{7, "2026-11-30"}}};
    progress.records["twice"] = {.passed = true, .attempts = 1, .first_pass = "2026-11-23T01:02:03Z"};
    const std::string text = progress_text(progress);
    CHECK(text ==
          "# written by course; safe to delete. Format 2\n"
          "# exercise, passed or open, hints used, and what else is known\n"
          "reduce open 2 attempts=3 points=1 last=over-budget answer=0a1b stars=shuffle,tree_3 met=3:2,7:1 "
          "met_on=7:2026-11-30\n"
          "twice passed 0 attempts=1 first=2026-11-23T01:02:03Z\n");
    const ProgressText again = parse_progress(text);
    CHECK(progress_text(again) == text);
    CHECK(again.records.at("reduce").last_verdict == "over budget");
    CHECK(again.records.at("reduce").met == std::map<int, int>{{3, 2}, {7, 1}});
    CHECK(again.records.at("reduce").met_on == std::map<int, std::string>{{7, "2026-11-30"}});
    CHECK(again.records.at("reduce").stars == std::set<std::string>{"shuffle", "tree_3"});
    CHECK(again.records.at("twice").passed);
    CHECK(again.unknown.empty());
}

TEST_CASE("what kits before format 2 wrote is read, with any line end") {
    const ProgressText old = parse_progress("# exercise, passed or not, hints used\r\nreduce open 2\r\ntwice passed 0");
    CHECK(old.records.size() == 2);
    CHECK(old.records.at("reduce").hints_used == 2);
    CHECK(old.records.at("twice").passed);
    CHECK(old.unknown.empty());
}

TEST_CASE("lines and words that make no sense are kept as they are") {
    const ProgressText progress = parse_progress(
        "nonsense\n\n# comment passed 1\na passed\nb passed -7\nc open 99 and more\nd won 1\n"
        "e open 1 attempts=many points=-3 first=yesterday last=SO answer=<> met=x,3:,:2,4:5 "
        "met_on=4:yesterday,4:2026-1-30,5:2026-11-30 stars=3,,<b>,a-b,ok "
        "moons=3\nreduc");
    CHECK(progress.records.size() == 4);
    CHECK(progress.records.at("a").passed);
    CHECK(progress.records.at("b").hints_used == 0);
    CHECK(progress.records.at("c").hints_used == 3);
    const ExerciseProgress& e = progress.records.at("e");
    CHECK(e.attempts == 0);
    CHECK(e.points == 0);
    CHECK(e.first_pass.empty());
    CHECK(e.last_verdict.empty());
    CHECK(e.last_answer.empty());
    CHECK(e.stars == std::set<std::string>{"ok"});
    CHECK(e.met == std::map<int, int>{{4, 5}});
    CHECK(e.met_on.empty());
    CHECK(e.unknown == std::vector<std::string>{"moons=3"});   // of a newer kit
    CHECK(progress.unknown == std::vector<std::string>{"nonsense", "d won 1", "reduc"});   // the last: half written
    const std::string text = progress_text(progress);
    for (const char* kept : {"\nnonsense\n", "\nd won 1\n", " moons=3\n"}) CHECK(text.find(kept) != text.npos);
    CHECK(parse_progress(std::string(100'000, 'x')).unknown.empty());
}

TEST_CASE("two progresses together lose nothing, in either order, and any number of times") {
    const ExerciseProgress a{.passed = true, .hints_used = 1, .attempts = 2, .points = 4,
                             .first_pass = "2026-11-23T01:02:03Z", .last_verdict = "passed", .last_answer = "aa",
                             .stars = {"shuffle"}, .met = {{3, 1}}, .met_on = {{3, "2026-11-22"}}};
    const ExerciseProgress b{.hints_used = 3, .attempts = 9, .points = 1, .last_verdict = "wrong", .last_answer = "bb",
                             .stars = {"tree"}, .met = {{3, 2}, {5, 1}}, .met_on = {{3, "2026-11-21"}},
                             .unknown = {"moons=1"}};
    for (const ExerciseProgress& both : {merged(a, b), merged(b, a), merged(merged(a, b), b)}) {
        CHECK(both.passed);
        CHECK(both.hints_used == 3);
        CHECK(both.attempts == 9);
        CHECK(both.points == 4);
        CHECK(both.first_pass == "2026-11-23T01:02:03Z");
        CHECK(both.last_verdict == "wrong");
        CHECK(both.last_answer == "bb");
        CHECK(both.stars == std::set<std::string>{"shuffle", "tree"});
        CHECK(both.met_on == std::map<int, std::string>{{3, "2026-11-22"}});
        CHECK(both.met == std::map<int, int>{{3, 2}, {5, 1}});
        CHECK(both.unknown == std::vector<std::string>{"moons=1"});
    }
    ExerciseProgress earlier = a;
    earlier.first_pass = "2026-11-22T23:59:59Z";
    CHECK(merged(a, earlier).first_pass == earlier.first_pass);
}

TEST_CASE("a record keeps as much as its line has room for, so that none is lost") {
    std::string words, met;
    for (int k = 10; k < 60; ++k) {
        words += fmt::format(" key{}=value", k);
        met += fmt::format("{}{}:1000000", k > 10 ? "," : "", k);
    }
    const std::string text = "a passed 1 met=" + met + "\na open 2" + words + " long=" + std::string(100, 'x') + "\n";
    const ProgressText progress = parse_progress(text);
    const ExerciseProgress& record = progress.records.at("a");
    CHECK(record.passed);
    CHECK(record.met.size() == 32);
    CHECK(record.unknown.size() == 16);
    CHECK(progress_text(parse_progress(progress_text(progress))) == progress_text(progress));
    CHECK(parse_progress(progress_text(progress)).records.at("a").passed);
}

TEST_CASE("a progress file that can't be read isn't taken for an empty one when it is to be changed") {
    const test::Folder folder;
    std::filesystem::create_directories(folder / "work/.progress");   // reading it fails, for root as well
    const Progress progress(folder / "work");
    CHECK(progress.read().empty());
    CHECK_THROWS_AS(progress.update("a", [](ExerciseProgress&) {}), FileError);
}

TEST_CASE("many who note progress at once lose nothing") {
    const test::Folder folder;
    const Progress progress(folder / "work");
    std::vector<std::future<void>> writers;
    for (int k = 0; k < 20; ++k)
        writers.push_back(std::async(std::launch::async, [&progress, k] {
            progress.update("exercise" + std::to_string(k), [](ExerciseProgress& record) { record.passed = true; });
        }));
    for (auto& writer : writers) writer.get();
    CHECK(progress.read().size() == 20);
}

TEST_CASE("the probe's answer is found among what else is printed, and nonsense is an error") {
    const ProbeAnswer answer = parse_probe(
        "libgpu: no driver\nprobe backend host\nprobe name CPU\nprobe why_no_gpu none found\n"
        "probe canary \n");
    CHECK(answer.error.empty());
    CHECK(answer.backend == "host");
    CHECK(answer.why_no_gpu == "none found");
    CHECK(answer.canary.empty());
    const ProbeAnswer none = parse_probe("probe backend host\nprobe error no such device\n");
    CHECK(none.error == "no such device");
    CHECK(none.backend.empty());
    CHECK(parse_probe("").error == "course-probe said nothing");
    CHECK(parse_probe("Killed\x1b[2J\n").error == "course-probe said: Killed[2J");
    CHECK(parse_probe("probe name GPU\x1b]0;title\x07\n").name == "GPU]0;title");
    for (const char* value : {"nan", "inf", "-1"})
        CHECK(parse_probe(fmt::format("probe copy_bytes_per_second {}\n", value)).error ==
              fmt::format("course-probe's answer can't be read: probe copy_bytes_per_second {}", value));
    CHECK(parse_probe("probe multiprocessors many\n").error ==
          "course-probe's answer can't be read: probe multiprocessors many");
}

TEST_CASE("the probe's facts on the kernel cache are read, and reported in one line") {
    const ProbeAnswer answer = parse_probe(
        "probe backend host\nprobe cache_folder /c\nprobe cache_limit 268435456\nprobe cache_files 12\n"
        "probe cache_bytes 419430\nprobe copy_bytes_per_second 2.5e9\nprobe host_bytes_per_second 1e10\n"
        "probe link_bytes_per_second 5e10\nprobe peer_bytes_per_second 3e11\n");
    CHECK(answer.error.empty());
    CHECK(answer.copy_bytes_per_second == 2.5e9);
    CHECK(answer.host_bytes_per_second == 1e10);
    CHECK(answer.link_bytes_per_second == 5e10);
    CHECK(answer.peer_bytes_per_second == 3e11);
    CHECK(cache_text(answer.cache) == "/c: 12 kernels, 0.4 of 256 MiB");
    CHECK(cache_text({.folder = "/c", .limit = 0, .files = 1, .bytes = 104858}) == "/c: 1 kernel, 0.1 MiB");
    CHECK(cache_text({.folder = "/c", .limit = 1536 << 10, .files = 0, .bytes = 0}) == "/c: 0 kernels, 0.0 of 1.5 MiB");
    CHECK(cache_text({}) == "off");
    CHECK(cache_text(parse_probe("probe backend host\n").cache) == "off");
}
