// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "manifest/names.hpp"
#include "support/golden.hpp"
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
    test::check_messages("manifest", {complaint("points = 2\n", "points = 2\nahead = \"{reads} reads\"\n"),
                                      complaint("points = 2\n", "points = 2\nahead = \"{global_reads\"\n")});
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
    test::check_messages("manifest",
                         {complaint("title = \"Raw kernels\"\n", ""), complaint("format = 1\n", ""),
                          complaint("format = 1", "format = 2"), complaint("minutes = 20", "minutes = \"20\""),
                          complaint("minutes = 20", "minutes = 0")});
    for (const char* key : {"minutes = 20", "points = 2"}) {   // a sum of them must have room in an int
        const std::string name = std::string(key).substr(0, std::string(key).find(' '));
        test::check_messages("manifest", {complaint(key, name + " = 4294967296")});
    }
    test::check_messages(
        "manifest",
        {complaint("id = \"add\"", "id = \"a\\u001B[2J\""), complaint("title = \"Raw kernels\"", "title = 7"),
         complaint("title = \"Raw kernels\"", "title = \" \""), complaint("minutes", "minuets"),
         complaint("minutes = 20", "minutes = 20\npicture = \"threads\"")});
    for (const char* name : {"raw-add", "raw_add"})
        test::check_messages("manifest",
                             {complaint("minutes = 20", fmt::format("minutes = 20\nwas = [\"add\", \"{}\"]", name))});
    test::check_messages(
        "manifest",
        {complaint("points", "point"), complaint("stub_fails = \"wrong\"", "stub_fails = \"bad\""),
         complaint("launches", "launchs"), complaint("array<float32>\", \"vector", "array<float>\", \"vector"),
         complaint("plus = 3, each = 1, per = 256", "per = 256"), complaint("per = 256", "per = 0"),
         complaint("name = \"add\"", "name = \"2add\"")});
}

TEST_CASE("a function may be given: the exercise's own") {
    const Folder root;
    test::write_exercise(root);
    CHECK_FALSE(read_manifest(root / "exercises/08-raw-add").functions.at(0).given);
    test::write_exercise(root, test::replaced(test::good_toml, "name = \"add\"", "given = true\nname = \"add\""));
    CHECK(read_manifest(root / "exercises/08-raw-add").functions.at(0).given);
    test::check_messages("manifest", {complaint("name = \"add\"", "given = 1\nname = \"add\"")});
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
    test::check_messages("manifest", {complaint("launches = 1", "bank_conflict_ways = { each = 1 }"),
                                      complaint("launches = 1", "sectors_per_request = { plus = 4 }"),
                                      complaint("launches = 1", "sectors_per_request = -1"),
                                      complaint("launches = 1", "global_reads = { each = -2 }"),
                                      complaint("launches = 1", "global_bytes_read = 1"),
                                      complaint("minutes", "check_elements = -1\nminutes")});
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
    test::check_messages("manifest",
                         {complaint_about("{ exactly = 1, at_most = 2 }"), complaint_about("{ exactly = 1, each = 2 }"),
                          complaint_about("{ at_least = 1, each = 2 }"), complaint_about("{ cure = \"less\" }"),
                          complaint_about("{ at_least = 3, at_most = 2 }"), complaint_about("{ at_least = 0 }"),
                          complaint_about("{ exactly = \"1\" }"), complaint_about("{ exactly = { per = 2 } }"),
                          complaint_about("{ atleast = 1 }"), complaint_about("{ exactly = { each = 1, of = 4 } }"),
                          complaint("launches = 1", "bytes_used_percent = { at_least = { each = 1 } }")});
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
    test::check_messages("manifest",
                         {complaint(speed, speed + "\n[[task.kernel]]\nname = \"add\"\n"),
                          complaint(speed, speed + "\n[[task.kernel]]\nfile = \"add.cu\"\n"), said("blocks = 1"),
                          said("copies_to_device = 1"), said("block = { exactly = { each = 1, of = 9 } }")});
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
    test::check_messages("manifest",
                         {said("files = [\"raw_add.cu\", \"add.cu\"], at_most = 4"), said("files = [], at_most = 4"),
                          said("at_most = 4"), said("files = [\"raw_add.cu\"]"),
                          said("files = [\"raw_add.cu\"], at_most = 0"), said("files = [\"raw_add.cu\"], lines = 4")});
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
    test::check_messages("manifest",
                         {complaint_of_patch("lazy/one-thread", "kind = \"one thread\"", "kind = \"tired\""),
                          complaint_of_patch("lazy/one-thread", "kind = \"one thread\"\n", ""),
                          complaint_of_patch("lazy/one-thread", "says = \"it ran with 1\"\n", ""),
                          complaint_of_patch("wrong/one-block", "says", "name = \"one-block\"\nsays"),
                          complaint_of_patch("wrong/one-block", "task = \"add\"", "task = \"sub\""),
                          complaint_of_patch("wrong/one-block", "verdict = \"wrong\"", "verdict = \"passed\"")});
    CHECK(complaint_of_patch("wrong/one-block", "says = ", "")
              .starts_with("exercises/08-raw-add/wrong/one-block.patch:2:"));
    CHECK(complaint_of_patch("wrong/one-block", "--- a/", "-- a/").find("this isn't TOML") == std::string::npos);
    test::check_messages("manifest", {complaint_of_patch("wrong/one-block", "--- a/", "-- a/")});
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
    test::check_messages(
        "manifest", {said(""), said("wrong/no-guard.patch"), said("wrong"), said("lazy"), said("", "wrong/.hidden"),
                     said("", "wrong/late/raw_add.cu"), said("", "wrong/notes.patch")});
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
    test::check_messages(
        "manifest",
        {complaint("\"nudge\", \"where\"", "\"nudge\""),
         complaint("\"nudge\", \"where\"", "\"nudge\", \"where\", \"almost\""), complaint("\"where\"", "\"\""),
         complaint("[[distractor]]\nfile = \"raw_add.cpp\"\nline = \"n / 256\"\nwhy = \"rounded down\"\n", ""),
         complaint("file = \"raw_add.cu\"", "file = \"check.cpp\""), complaint("file = \"raw_add.cu\"\n", ""),
         complaint("why = \"one too many\"\n", ""), complaint("line = \"n / 256\"", "line = \"n /\\n256\""),
         complaint("hints = [\"nudge\", \"where\"]\n", "")});
}

TEST_CASE("the files to edit are there") {
    test::check_messages(
        "manifest", {complaint("\"raw_add.cu\"]", "\"raw_ad.cu\"]"), complaint("\"raw_add.cu\"]", "\"../raw_add.cu\"]"),
                     complaint("\"raw_add.cu\"]", "\"raw_add.cpp\"]"), complaint("\"raw_add.cpp\", ", "")});
}

TEST_CASE("an answer is functions, or a program") {
    const Folder root;
    test::write_exercise(root, test::replaced(test::good_toml, "minutes = 20", "minutes = 20\nkind = \"program\""));
    CHECK(read_manifest(root / "exercises/08-raw-add").is_program);
    CHECK(complaint("minutes = 20", "minutes = 20\nkind = \"functions\"").empty());
    const std::string other = complaint("minutes = 20", "minutes = 20\nkind = \"library\"");
    CHECK(other == file + ":6:8: \"kind\" is \"library\"; expected \"functions\" or \"program\"");
    const std::string without = complaint("\"raw_add.cpp\", \"raw_add.cu\"]", "\"raw_add.cpp\"]\nkind = \"program\"");
    CHECK(without.find("\"edit\" lists no .cu file; expected one or more") != std::string::npos);
}

TEST_CASE("what isn't TOML is said to be so, with the place") {
    const std::string text = complaint("minutes = 20", "minutes = ");
    CHECK(text.starts_with(file + ":5:"));
    CHECK(text.find(": this isn't TOML: ") != text.npos);
    test::check_messages("manifest", {complaint("minutes = 20", "minutes = 20\nminutes = 21")});
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
