// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "manifest/names.hpp"
#include "support/toy_manifest.hpp"

using namespace course;
using test::Folder;

namespace {

/// What read_manifest() says of a good manifest in which `what` was replaced; empty if it says nothing.
std::string complaint(const std::string& what, const std::string& by) {
    const Folder root;
    test::write_exercise(root, test::replaced(test::good_toml, what, by));
    try {
        read_manifest(root / "exercises/08-raw-add");
    } catch (const ManifestError& error) {
        return error.what();
    }
    return "";
}

const std::string file = "exercises/08-raw-add/exercise.toml";

}  // namespace

TEST_CASE("a task's sentence on what is ahead names counters of kernels' work") {
    const Folder root;
    test::write_exercise(root, test::replaced(test::good_toml, "points = 2\n",
                                              "points = 2\nahead = \"{global_reads} reads; b asks for 1\"\n"));
    CHECK(read_manifest(root / "exercises/08-raw-add").tasks[0].ahead == "{global_reads} reads; b asks for 1");
    CHECK(complaint("points = 2\n", "points = 2\nahead = \"{reads} reads\"\n").find(
              "\"reads\" is not a counter; expected one of: global_reads, ") != std::string::npos);
    CHECK(complaint("points = 2\n", "points = 2\nahead = \"{global_reads\"\n").find("is not a counter") !=
          std::string::npos);
}

TEST_CASE("a manifest without mistakes is read whole") {
    const Folder root;
    test::write_exercise(root);
    const Manifest manifest = read_manifest(root / "exercises/08-raw-add");
    CHECK(manifest.number == 8);
    CHECK(manifest.name == "raw_add");
    CHECK(manifest.title == "Raw kernels");
    CHECK(manifest.lesson == "06-raw-kernels");
    CHECK(manifest.objective == "Guard the index");
    CHECK(manifest.needs.empty());
    CHECK(manifest.minutes == 20);
    CHECK(manifest.edit == std::vector<std::string>{"raw_add.cpp", "raw_add.cu"});
    CHECK(manifest.stub_fails == "wrong");
    CHECK(manifest.hints == std::vector<std::string>{"nudge", "where"});
    REQUIRE(manifest.distractors.size() == 2);
    CHECK(manifest.distractors[0].file == "raw_add.cu");
    CHECK(manifest.distractors[0].line == "if (i <= n) z[i] = 0;");
    CHECK(manifest.distractors[0].why == "one too many");
    CHECK(manifest.call_seconds == 10);
    CHECK_FALSE(manifest.linear_algebra);
    REQUIRE(manifest.functions.size() == 1);
    const Function& add = manifest.functions[0];
    CHECK(add.name == "add");
    using protocol::Place, protocol::Type;
    CHECK(add.takes == std::vector<ValueType>{{Place::device_array, Type::float32},
                                              {Place::host_vector, Type::float64},
                                              {Place::scalar, Type::int32}});
    CHECK(add.returns == std::vector<ValueType>{{Place::device_array, Type::float32}, {Place::scalar, Type::boolean}});
    REQUIRE(manifest.tasks.size() == 1);
    const Task& task = manifest.tasks[0];
    CHECK(task.points == 2);
    REQUIRE(task.budgets.size() == 2);
    for (const Budget& budget : task.budgets) {
        CHECK_FALSE(budget.at_least);  // a plain limit is a ceiling
        REQUIRE(budget.at_most);
        CHECK(budget.at_most->at({.elements = 257}) == (budget.counter == "launches" ? 1 : 5));
    }
    CHECK(task.kernels.empty());
    REQUIRE(task.speed);
    CHECK(task.speed->at_least == 5);
    CHECK(task.speed->elements == 1024);
    REQUIRE(manifest.wrong.size() == 2);
    CHECK(manifest.wrong[0].says == "past the end");
    CHECK(manifest.wrong[1].task == "add");
    REQUIRE(manifest.lazy.size() == 2);
    CHECK(manifest.lazy[0].kind == "on the CPU");
    CHECK(manifest.lazy[0].verdict == "not as asked");
    CHECK(manifest.lazy[1].name == "one-thread");
    CHECK(manifest.lazy[1].verdict == "");  // any that fails
    CHECK(manifest.right.empty());
}

TEST_CASE("a limit counts whole groups of elements, of the largest array or of an argument") {
    Limit limit{.plus = 1, .each = 2, .per = 256};
    const auto at = [&](std::int64_t n) { return limit.at({.elements = n, .arguments = {512, 3}}); };
    CHECK(at(0) == 1);
    CHECK(at(1) == 3);
    CHECK(at(256) == 3);
    CHECK(at(257) == 5);
    limit.of = 1;
    CHECK(at(1) == 5);
    limit.of = 2;
    CHECK(at(1) == 3);
    limit.of = 3;
    CHECK_THROWS_AS(at(1), ManifestError);
}

TEST_CASE("every type can be written and read back") {
    for (const std::string_view name : type_names)
        for (const std::string& text :
             {std::string(name), "array<" + std::string(name) + ">", "vector<" + std::string(name) + ">"}) {
            const auto type = parse_value_type(text);
            REQUIRE(type);
            CHECK(to_string(*type) == text);
        }
    for (const char* text :
         {"", "float", "array<float>", "array<float32", "Array<float32>", "array<array<int8>>", "int 32"})
        CHECK_FALSE(parse_value_type(text));
}

TEST_CASE("each mistake is named with file, line, column and what was expected") {
    CHECK(complaint("title = \"Raw kernels\"\n", "") ==
          file + ":1:1: the key \"title\" is missing here; expected a string");
    CHECK(complaint("format = 1\n", "") == file + ":1:1: the key \"format\" is missing here; expected an integer");
    CHECK(complaint("format = 1", "format = 2") ==
          file + ":1:10: this exercise needs a newer kit: it has format 2, and this kit knows formats up to 1");
    CHECK(complaint("minutes = 20", "minutes = \"20\"") ==
          file + ":5:11: \"minutes\" is a string; expected an integer");
    CHECK(complaint("minutes = 20", "minutes = 0") == file + ":5:11: \"minutes\" is 0; expected 1 or more");
    for (const char* key : {"minutes = 20", "points = 2"}) {   // a sum of them must have room in an int
        const std::string name = std::string(key).substr(0, std::string(key).find(' '));
        CHECK(complaint(key, name + " = 4294967296").ends_with("\"" + name + "\" is 4294967296; expected 1 to 10000"));
    }
    CHECK(complaint("id = \"add\"", "id = \"a\\u001B[2J\"").find("\"a[2J\" can't be a task's id") != std::string::npos);
    CHECK(complaint("title = \"Raw kernels\"", "title = 7") ==
          file + ":2:9: \"title\" is an integer; expected a string");
    CHECK(complaint("title = \"Raw kernels\"", "title = \" \"") ==
          file + ":2:9: \"title\" is empty; expected a string with something in it");
    CHECK(complaint("minutes", "minuets") ==
          file +
              ":5:1: unknown key \"minuets\"; expected one of: bonus, call_seconds, check_elements, devices, "
              "distractor, edit, format, function, hints, lesson, linear_algebra, minutes, needs, objective, "
              "picture, picture_task, stub_fails, task, third_hint, title, was");
    CHECK(complaint("minutes = 20", "minutes = 20\npicture = \"threads\"") ==
          file + ":6:11: \"threads\" is not a picture; expected one of: map, requests, banks, lanes, races, schedule, "
                 "source");
    for (const char* name : {"raw-add", "raw_add"})
        CHECK(complaint("minutes = 20", fmt::format("minutes = 20\nwas = [\"add\", \"{}\"]", name)) ==
              file + fmt::format(":6:15: \"{}\" is not a former name of raw_add; expected one as progress has it, such "
                                 "as raw_add", name));
    CHECK(complaint("points", "point") ==
          file + ":18:1: unknown key \"point\"; expected one of: ahead, budgets, changed_lines, id, kernel, "
                 "not_replayed, parallelism, points, speed, star, tags, title");
    CHECK(
        complaint("stub_fails = \"wrong\"", "stub_fails = \"bad\"") ==
        file +
            ":7:14: \"bad\" is not a verdict that an answer can fail with; expected one of: wrong, not as asked, over "
            "budget, too slow, review, crashed, timed out, out of memory, does not compile");
    CHECK(complaint("launches", "launchs") ==
          file +
              ":19:13: \"launchs\" is not a valid counter; expected one of: copies_to_device, copies_to_host, "
              "copies_on_device, "
              "bytes_to_device, bytes_to_host, bytes_on_device, allocations, bytes_allocated, synchronizations, "
              "launches, barriers, atomics, copies_between_devices, bytes_between_devices, pageable_async_copies, "
              "streams_at_once, copies_not_awaited, global_reads, global_writes, global_bytes, global_requests, "
              "global_sectors, global_segments, shared_reads, shared_writes, shared_bytes, shared_requests, "
              "shared_wavefronts, warp_operations, divergent_requests, global_atomics, double_operations, threads_started, "
              "sectors_per_request, bank_conflict_ways, atomic_turns, bytes_used_percent");
    CHECK(complaint("array<float32>\", \"vector", "array<float>\", \"vector") ==
          file +
              ":12:10: \"array<float>\" is not a valid type; expected \"array<T>\", \"vector<T>\" or \"T\" with T one "
              "of: bool, "
              "int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64");
    CHECK(complaint("plus = 3, each = 1, per = 256", "per = 256") ==
          file +
              ":19:37: \"atomics\" says no limit; expected a number, \"exactly\", \"at_least\", "
              "\"at_most\", or a formula with \"plus\", \"each\" or both");
    CHECK(complaint("per = 256", "per = 0") == file + ":19:65: \"per\" is 0; expected 1 or more");
    CHECK(complaint("name = \"add\"", "name = \"2add\"") ==
          file + ":11:8: \"2add\" can't be a function's name; expected a C++ name");
}

TEST_CASE("a function may be given: the exercise's own") {
    const Folder root;
    test::write_exercise(root);
    CHECK_FALSE(read_manifest(root / "exercises/08-raw-add").functions.at(0).given);
    test::write_exercise(root, test::replaced(test::good_toml, "name = \"add\"", "given = true\nname = \"add\""));
    CHECK(read_manifest(root / "exercises/08-raw-add").functions.at(0).given);
    CHECK(complaint("name = \"add\"", "given = 1\nname = \"add\"") ==
          file + ":11:9: \"given\" is an integer; expected true or false");
}

TEST_CASE("a budget may be of kernels' work: a number, a formula, or a ratio's number") {
    const Folder root;
    test::write_exercise(root, test::replaced(test::replaced(test::good_toml, "launches = 1",
                                                             "global_reads = { each = 2 }, bank_conflict_ways = 1.5"),
                                              "minutes", "check_elements = 500\nminutes"));
    const Manifest manifest = read_manifest(root / "exercises/08-raw-add");
    CHECK(manifest.check_elements == 500);
    for (const Budget& budget : manifest.tasks.at(0).budgets) {
        if (budget.counter == "global_reads") CHECK(budget.at_most->at({.elements = 257}) == 514);
        if (budget.counter == "bank_conflict_ways") CHECK(budget.at_most->at({.elements = 257}) == 1.5);
    }
    CHECK(manifest.tasks[0].budgets.size() == 3);
    CHECK(complaint("launches = 1", "bank_conflict_ways = { each = 1 }") ==
          file + ":19:34: \"bank_conflict_ways\" is a ratio, which doesn't grow with n; expected a number");
    CHECK(complaint("launches = 1", "sectors_per_request = { plus = 4 }") ==
          file + ":19:35: \"sectors_per_request\" is a ratio, which doesn't grow with n; expected a number");
    CHECK(complaint("launches = 1", "sectors_per_request = -1") ==
          file + ":19:35: \"sectors_per_request\" is -1; expected 0 or more");
    CHECK(complaint("launches = 1", "global_reads = { each = -2 }") ==
          file + ":19:37: \"each\" is -2; expected 0 or more");
    CHECK(complaint("launches = 1", "global_bytes_read = 1")
              .find(":19:13: \"global_bytes_read\" is not a valid counter") != std::string::npos);
    CHECK(complaint("minutes", "check_elements = -1\nminutes") ==
          file + ":5:18: \"check_elements\" is -1; expected 0 or more");
}

namespace {

/// The budget of `launches`, or what is said against it.
Budget budget_of(const std::string& bounds) {
    const Folder root;
    test::write_exercise(root, test::replaced(test::good_toml, "launches = 1", "launches = " + bounds));
    const Manifest manifest = read_manifest(root / "exercises/08-raw-add");
    for (const Budget& budget : manifest.tasks.at(0).budgets)
        if (budget.counter == "launches") return budget;
    return {};
}

std::string complaint_about(const std::string& bounds) { return complaint("launches = 1", "launches = " + bounds); }

}  // namespace

TEST_CASE("a budget has a floor, a ceiling, both, or an exact value, each a number or a formula") {
    const Limit one{.plus = 1}, two{.plus = 2}, each{.each = 1, .per = 256}, of{.each = 1, .of = 3};
    CHECK(budget_of("{ exactly = 1 }").at_least == one);
    CHECK(budget_of("{ exactly = 1 }").at_most == one);
    CHECK(budget_of("{ at_least = 1 }").at_least == one);
    CHECK_FALSE(budget_of("{ at_least = 1 }").at_most);
    CHECK(budget_of("{ at_most = 2 }").at_most == two);
    CHECK_FALSE(budget_of("{ at_most = 2 }").at_least);
    const Budget both = budget_of("{ at_least = 1, at_most = { each = 1, per = 256 }, cure = \"launch once\" }");
    CHECK(both.at_least == one);
    CHECK(both.at_most == each);
    CHECK(both.cure == "launch once");
    CHECK(budget_of("{ exactly = { each = 1, of = 3 } }").at_least == of);
    CHECK(budget_of("{ each = 1, of = 3 }").at_most == of);
    CHECK_FALSE(budget_of("{ each = 1, of = 3 }").at_least);
    CHECK(budget_of("{ exactly = 0 }").at_least == Limit{});
}

TEST_CASE("bounds that make no sense are refused, with what was expected") {
    const std::string here = file + ":19:24: ";
    const std::string kinds =
        "\"launches\" has bounds of several kinds; expected { exactly = ... }, { at_least = ..., at_most = ... } or a "
        "formula, which is a ceiling";
    CHECK(complaint_about("{ exactly = 1, at_most = 2 }") == here + kinds);
    CHECK(complaint_about("{ exactly = 1, each = 2 }") == here + kinds);
    CHECK(complaint_about("{ at_least = 1, each = 2 }") == here + kinds);
    CHECK(complaint_about("{ cure = \"less\" }") ==
          here +
              "\"launches\" says no limit; expected a number, \"exactly\", \"at_least\", \"at_most\", or a formula "
              "with \"plus\", \"each\" or both");
    CHECK(complaint_about("{ at_least = 3, at_most = 2 }") ==
          here + "\"launches\" is asked to be at least 3 and at most 2; expected the floor below the ceiling");
    CHECK(complaint_about("{ at_least = 0 }") ==
          file + ":19:37: \"at_least\" of \"launches\" is 0, which asks for nothing; expected more");
    CHECK(complaint_about("{ exactly = \"1\" }") == file + ":19:36: \"exactly\" is a string; expected a number");
    CHECK(complaint_about("{ exactly = { per = 2 } }") ==
          file + ":19:36: \"exactly\" of \"launches\" says no limit; expected \"plus\", \"each\" or both");
    CHECK(
        complaint_about("{ atleast = 1 }") ==
        file +
            ":19:26: unknown key \"atleast\"; expected one of: at_least, at_most, cure, each, exactly, of, per, plus, "
            "tag");
    CHECK(complaint_about("{ exactly = { each = 1, of = 4 } }") ==
          file +
              ":19:53: \"of\" is 4, but no function takes more than 3 arguments; expected the number of an argument, "
              "counted from 1");
    CHECK(complaint("launches = 1", "bytes_used_percent = { at_least = { each = 1 } }") ==
          file + ":19:47: \"bytes_used_percent\" is a ratio, which doesn't grow with n; expected a number");
    CHECK(complaint("launches = 1", "bytes_used_percent = { at_least = 90 }") == "");
}

TEST_CASE("a task may require kernels of the student's files") {
    const std::string speed = "speed = { at_least = 5, elements = 1024 }\n";
    const std::string kernel = speed + "\n[[task.kernel]]\nname = \"add\"\nfile = \"raw_add.cu\"\n";
    const Folder root;
    test::write_exercise(root,
                         test::replaced(test::good_toml, speed,
                                        kernel + "with = \"a thread for each element\"\n"
                                                 "threads = { at_least = { each = 1 } }\nblock = { exactly = 256 }\n"
                                                 "barriers_per_block = 10\natomics = { exactly = 0 }\n"
                                                 "bytes_used_percent = { at_least = 80 }\nglobal_reads = 9\n"
                                                 "\n[[task.kernel]]\nfile = \"raw_add.cpp\"\nlaunches = 2\n"));
    const Manifest manifest = read_manifest(root / "exercises/08-raw-add");
    const std::vector<RequiredKernel>& kernels = manifest.tasks.at(0).kernels;
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].name == "add");
    CHECK(kernels[0].file == "raw_add.cu");
    CHECK(kernels[0].with == "a thread for each element");
    REQUIRE(kernels[0].budgets.size() == 7);
    CHECK(kernels[0].budgets[0].counter == "launches");  // once or more, if nothing is said
    CHECK(kernels[0].budgets[0].at_least == Limit{.plus = 1});
    CHECK_FALSE(kernels[0].budgets[0].at_most);
    CHECK(kernels[1].name == "");
    REQUIRE(kernels[1].budgets.size() == 1);
    CHECK(kernels[1].budgets[0].at_most == Limit{.plus = 2});

    const auto said = [&](const std::string& line) { return complaint(speed, kernel + line + "\n"); };
    CHECK(said("") == "");
    CHECK(complaint(speed, speed + "\n[[task.kernel]]\nname = \"add\"\n") ==
          file + ":22:1: the key \"file\" is missing here; expected a string");
    CHECK(complaint(speed, speed + "\n[[task.kernel]]\nfile = \"add.cu\"\n") ==
          file + ":23:8: \"add.cu\" is none of the student's files; expected one of \"edit\": raw_add.cpp, raw_add.cu");
    CHECK(said("blocks = 1")
              .starts_with(file + ":25:1: \"blocks\" isn't counted of a kernel; expected name, file, with, tag, parallelism, "
                                  "or one of: launches, grid, block, threads, barriers_per_block, atomics, global_reads"));
    CHECK(said("copies_to_device = 1").find("isn't counted of a kernel") != std::string::npos);
    CHECK(said("block = { exactly = { each = 1, of = 9 } }").find("\"of\" is 9") != std::string::npos);
    const std::string none =
        test::replaced(test::replaced(test::good_toml, speed, kernel), "minutes", "check_elements = 0\nminutes");
    test::write_exercise(root, none);
    CHECK_THROWS_WITH_AS(read_manifest(root / "exercises/08-raw-add"),
                         (file + ":25:8: a kernel is required, and with check_elements = 0 none is looked at; expected "
                                 "more elements")
                             .c_str(),
                         ManifestError);
}

TEST_CASE("a task may limit the lines that are changed, in files of the student's") {
    const std::string speed = "speed = { at_least = 5, elements = 1024 }";
    const auto said = [&](const std::string& changes) {
        return complaint(speed, "changed_lines = { " + changes + " }");
    };
    CHECK(said("files = [\"raw_add.cu\", \"raw_add.cpp\"], at_most = 4") == "");
    CHECK(said("files = [\"raw_add.cu\"], at_most = 4, cure = \"keep the rest\"") == "");
    CHECK(said("files = [\"raw_add.cu\", \"add.cu\"], at_most = 4") ==
          file +
              ":20:42: \"add.cu\" is none of the student's files; expected one of \"edit\": raw_add.cpp, raw_add.cu");
    CHECK(said("files = [], at_most = 4").find("\"files\" is empty") != std::string::npos);
    CHECK(said("at_most = 4").find("the key \"files\" is missing") != std::string::npos);
    CHECK(said("files = [\"raw_add.cu\"]").find("the key \"at_most\" is missing") != std::string::npos);
    CHECK(said("files = [\"raw_add.cu\"], at_most = 0").find("\"at_most\" is 0") != std::string::npos);
    CHECK(said("files = [\"raw_add.cu\"], lines = 4").find("unknown key \"lines\"") != std::string::npos);
}

namespace {

/// What read_manifest() says of a good exercise in whose patch `what` was replaced.
std::string complaint_of_patch(const std::string& name, const std::string& what, const std::string& by) {
    const Folder root;
    test::write_exercise(root);
    const std::string path = "exercises/08-raw-add/" + name + ".patch";
    root.write(path, test::replaced(test::read(root / path), what, by));
    try {
        read_manifest(root / "exercises/08-raw-add");
    } catch (const ManifestError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a patch says above its first line what the verdict must be and say") {
    const std::string wrong = "exercises/08-raw-add/wrong/one-block.patch:";
    const std::string lazy = "exercises/08-raw-add/lazy/one-thread.patch:";
    CHECK(complaint_of_patch("lazy/one-thread", "kind = \"one thread\"", "kind = \"tired\"") ==
          lazy +
              "1:8: \"tired\" is not a kind of lazy answer; expected one of: on the CPU, library call, kernel "
              "untouched, one thread, one warp, one block, block of one, grid ignored, a launch each, hard-coded, "
              "written anew");
    CHECK(complaint_of_patch("lazy/one-thread", "kind = \"one thread\"\n", "") ==
          lazy + "1:1: the key \"kind\" is missing here; expected a string");
    CHECK(complaint_of_patch("lazy/one-thread", "says = \"it ran with 1\"\n", "") ==
          lazy + "1:1: the key \"says\" is missing here; expected a string");
    CHECK(complaint_of_patch("wrong/one-block", "says", "name = \"one-block\"\nsays") ==
          wrong + "2:1: unknown key \"name\"; expected one of: says, tag, task, verdict");
    CHECK(complaint_of_patch("wrong/one-block", "task = \"add\"", "task = \"sub\"") ==
          wrong + "3:8: there is no task \"sub\"; expected the id of a [[task]]");
    CHECK(complaint_of_patch("wrong/one-block", "verdict = \"wrong\"", "verdict = \"passed\"")
              .starts_with(wrong + "1:11: \"passed\" is not a verdict that an answer can fail with; expected one of: "));
    CHECK(complaint_of_patch("wrong/one-block", "says = ", "").starts_with(wrong + "2:"));
    CHECK(complaint_of_patch("wrong/one-block", "--- a/", "-- a/").find("this isn't TOML") == std::string::npos);
    CHECK(complaint_of_patch("wrong/one-block", "--- a/", "-- a/") ==
          wrong + "9: there is no line \"--- a/FILE\"; expected a unified diff");
}

TEST_CASE("planted answers are patches of files to edit, two or more of each kind, in the order of their names") {
    const auto said = [](const std::string& remove, const std::string& write = "") {
        const Folder root;
        test::write_exercise(root);
        if (!remove.empty()) std::filesystem::remove_all(root / ("exercises/08-raw-add/" + remove));
        if (!write.empty())
            root.write("exercises/08-raw-add/" + write,
                       test::patch("verdict = \"wrong\"\nsays = \"a\"\n", "notes.txt", "", "a\n"));
        try {
            const Manifest manifest = read_manifest(root / "exercises/08-raw-add");
            return manifest.wrong.at(0).name + " " + manifest.wrong.at(1).name;
        } catch (const ManifestError& error) {
            return std::string(error.what());
        }
    };
    CHECK(said("") == "no-guard one-block");
    CHECK(said("wrong/no-guard.patch") == file + ":1:1: wrong/ holds 1 patch; expected 2 or more");
    CHECK(said("wrong") == file + ":1:1: wrong/ holds 0 patches; expected 2 or more");
    CHECK(said("lazy") == file + ":1:1: lazy/ holds 0 patches; expected 2 or more");
    CHECK(said("", "wrong/.hidden") == "no-guard one-block");
    CHECK(said("", "wrong/late/raw_add.cu") ==
          "exercises/08-raw-add/wrong/late: expected patches of the solution alone, NAME.patch");
    CHECK(said("", "wrong/notes.patch") ==
          "exercises/08-raw-add/wrong/notes.patch changes notes.txt; expected only files of \"edit\": raw_add.cpp, "
          "raw_add.cu");
}

TEST_CASE("other right answers are folders with the files that differ") {
    const Folder root;
    test::write_exercise(root);
    root.write("exercises/08-raw-add/right/float4/raw_add.cu", "// wide\n");
    CHECK(read_manifest(root / "exercises/08-raw-add").right.at(0).name == "float4");
    root.write("exercises/08-raw-add/right/float4/notes.txt", "fast\n");
    CHECK_THROWS_WITH_AS(read_manifest(root / "exercises/08-raw-add"),
                         "exercises/08-raw-add/right/float4 holds notes.txt; expected only files of \"edit\": "
                         "raw_add.cpp, raw_add.cu",
                         ManifestError);
    std::filesystem::remove_all(root / "exercises/08-raw-add/right/float4");
    std::filesystem::create_directories(root / "exercises/08-raw-add/right/float4");
    CHECK_THROWS_WITH_AS(read_manifest(root / "exercises/08-raw-add"),
                         "exercises/08-raw-add/right/float4: expected a folder with the files that differ",
                         ManifestError);
}

TEST_CASE("hints are two, with two wrong lines for the third, and none is empty") {
    const std::string expected =
        " here; expected exactly 2: nudge, where (the third is made of the solution and the distractors)";
    CHECK(complaint("\"nudge\", \"where\"", "\"nudge\"") == file + ":8:9: 1 hint" + expected);
    CHECK(complaint("\"nudge\", \"where\"", "\"nudge\", \"where\", \"almost\"") == file + ":8:9: 3 hints" + expected);
    CHECK(complaint("\"where\"", "\"\"") ==
          file + ":8:19: element 2 of \"hints\" is empty; expected a string with something in it");
    CHECK(complaint("[[distractor]]\nfile = \"raw_add.cpp\"\nline = \"n / 256\"\nwhy = \"rounded down\"\n", "")
              .find("there is 1 [[distractor]]; expected 2 or more") != std::string::npos);
    CHECK(complaint("file = \"raw_add.cu\"", "file = \"check.cpp\"") ==
          file + ":23:8: \"check.cpp\" is not a file of \"edit\"; expected one of: raw_add.cpp, raw_add.cu");
    CHECK(complaint("file = \"raw_add.cu\"\n", "")
              .find("the key \"file\" is missing here; expected one of: raw_add.cpp, raw_add.cu") != std::string::npos);
    CHECK(complaint("why = \"one too many\"\n", "").find("the key \"why\" is missing here") != std::string::npos);
    CHECK(complaint("line = \"n / 256\"", "line = \"n /\\n256\"") ==
          file + ":29:8: \"line\" has several lines; expected one");
    CHECK(complaint("hints = [\"nudge\", \"where\"]\n", "") ==
          file + ":1:1: the key \"hints\" is missing here; expected a list of strings");
}

TEST_CASE("the files to edit are there") {
    CHECK(complaint("\"raw_add.cu\"]", "\"raw_ad.cu\"]") ==
          file + ":6:24: there is no file \"raw_ad.cu\"; expected the stub beside exercise.toml");
    CHECK(complaint("\"raw_add.cu\"]", "\"../raw_add.cu\"]") ==
          file + ":6:24: \"../raw_add.cu\" isn't a plain file name");
    CHECK(complaint("\"raw_add.cu\"]", "\"raw_add.cpp\"]") == file + ":6:24: \"raw_add.cpp\" is listed twice");
    CHECK(complaint("\"raw_add.cpp\", ", "") == file + ":6:8: \"edit\" lists no .cpp file; expected one or more");
}

TEST_CASE("what isn't TOML is said to be so, with the place") {
    const std::string text = complaint("minutes = 20", "minutes = ");
    CHECK(text.starts_with(file + ":5:"));
    CHECK(text.find(": this isn't TOML: ") != text.npos);
    CHECK(complaint("minutes = 20", "minutes = 20\nminutes = 21").starts_with(file + ":6:"));
}

TEST_CASE("a missing manifest is said to be missing") {
    const Folder root;
    test::write_exercise(root);
    std::filesystem::remove(root / file);
    CHECK_THROWS_WITH_AS(read_manifest(root / "exercises/08-raw-add"),
                         (file + ": there is no such file; expected the description of exercise 8").c_str(),
                         ManifestError);
}

TEST_CASE("folders are named with two digits and a topic") {
    for (const char* name : {"9-raw-add", "09_raw_add", "09-Raw", "09-", "raw-add", "09-raw add"})
        CHECK_THROWS_WITH_AS(name_exercise(std::filesystem::path("exercises") / name),
                             (std::string("exercises/") + name +
                              ": an exercise's folder has two digits, a dash and a topic "
                              "in lower-case letters, as in 08-raw-add; expected such a name")
                                 .c_str(),
                             ManifestError);
    CHECK(name_exercise("a/exercises/12-map-reduce").name == "map_reduce");
}

TEST_CASE("a number and a name belong to one exercise") {
    const Folder root;
    for (const char* folder : {"exercises/03-one", "exercises/09-two", "exercises/_drafts", "exercises/.hidden"})
        std::filesystem::create_directories(root / folder);
    root.write("exercises/README.md", "not an exercise");
    CHECK(exercise_folders(root.path()).size() == 2);
    std::filesystem::create_directories(root / "exercises/09-three");
    CHECK_THROWS_WITH_AS(exercise_folders(root.path()),
                         "exercises/09-two: exercises/09-three is exercise 9 already; expected a number of its own",
                         ManifestError);
    std::filesystem::remove(root / "exercises/09-three");
    std::filesystem::create_directories(root / "exercises/10-one");
    CHECK_THROWS_WITH_AS(exercise_folders(root.path()),
                         "exercises/10-one: exercise 3 is called one already; expected a name of its own",
                         ManifestError);
}

TEST_CASE("what an exercise needs comes before it") {
    const Folder root;
    test::write_exercise(root,
                         test::replaced(test::good_toml, "minutes", "needs = [\"first\", \"elsewhere\"]\nminutes"));
    for (const char* name : {"raw_add.cpp", "raw_add.cu"})
        root.write(std::string("exercises/03-first/") + name, "//\n");
    test::write_planted(root, "exercises/03-first/");
    root.write("exercises/03-first/exercise.toml", test::good_toml);
    CHECK(read_course(root.path()).size() == 2);
    std::filesystem::rename(root / "exercises/03-first", root / "exercises/13-first");
    CHECK_THROWS_WITH_AS(read_course(root.path()),
                         (file + ": \"needs\" names first, which is exercise 13; expected one before 8").c_str(),
                         ManifestError);
}
