// SPDX-License-Identifier: MIT
#include <future>

#include <doctest/doctest.h>

#include "loop/probe.hpp"
#include "loop/progress.hpp"
#include "support/folder.hpp"

using namespace course;

TEST_CASE("progress is written as text and read back") {
    const Progress::Records records = {{"reduce", {false, 2}}, {"twice", {true, 0}}};
    CHECK(progress_text(records) ==
          "# written by course; safe to delete\n# exercise, passed or not, hints used\n"
          "reduce open 2\ntwice passed 0\n");
    const Progress::Records again = parse_progress(progress_text(records));
    CHECK(again.size() == 2);
    CHECK(again.at("reduce").hints_used == 2);
    CHECK(again.at("twice").passed);
}

TEST_CASE("progress that makes no sense is passed over, line by line") {
    const Progress::Records records =
        parse_progress("nonsense\n\n# comment passed 1\na passed\nb passed -7\nc open 99 and more\nd won 1\n");
    CHECK(records.size() == 3);
    CHECK(records.at("a").passed);
    CHECK(records.at("b").hints_used == 0);
    CHECK(records.at("c").hints_used == 3);
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
    const ProbeAnswer answer =
        parse_probe("libgpu: no driver\nprobe backend host\nprobe name CPU\nprobe why_no_gpu none found\n"
                    "probe canary \n");
    CHECK(answer.error.empty());
    CHECK(answer.backend == "host");
    CHECK(answer.why_no_gpu == "none found");
    CHECK(answer.canary.empty());
    const ProbeAnswer none = parse_probe("probe backend host\nprobe error no such device\n");
    CHECK(none.error == "no such device");
    CHECK(none.backend.empty());
    CHECK(parse_probe("").error == "course-probe said nothing");
    CHECK(parse_probe("Killed\n").error == "course-probe said: Killed\n");
    CHECK(parse_probe("probe multiprocessors many\n").error ==
          "course-probe's answer can't be read: probe multiprocessors many");
}

TEST_CASE("the probe's facts on the kernel cache are read, and reported in one line") {
    const ProbeAnswer answer = parse_probe(
        "probe backend host\nprobe cache_folder /c\nprobe cache_limit 268435456\nprobe cache_files 12\n"
        "probe cache_bytes 419430\nprobe copy_bytes_per_second 2.5e9\n");
    CHECK(answer.error.empty());
    CHECK(answer.copy_bytes_per_second == 2.5e9);
    CHECK(cache_text(answer.cache) == "/c: 12 kernels, 0.4 of 256 MiB");
    CHECK(cache_text({.folder = "/c", .limit = 0, .files = 1, .bytes = 104858}) == "/c: 1 kernel, 0.1 MiB");
    CHECK(cache_text({.folder = "/c", .limit = 1536 << 10, .files = 0, .bytes = 0}) == "/c: 0 kernels, 0.0 of 1.5 MiB");
    CHECK(cache_text({}) == "off");
    CHECK(cache_text(parse_probe("probe backend host\n").cache) == "off");
}
