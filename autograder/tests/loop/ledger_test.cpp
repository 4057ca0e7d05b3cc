// SPDX-License-Identifier: MIT
// `course ledger`: on the toy course, on answers that don't get to their ends, and on right and wrong answers of the
// course's own exercises 2 and 3.
#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

#include "loop/toy_course.hpp"
#include "manifest/manifest.hpp"
#include "manifest/names.hpp"
#include "support/folder.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

bool has(const Ran& ran, const std::string& part) { return ran.text.find(part) != std::string::npos; }

void answer(const ToyCourse& toy, const std::string& body) {
    toy.solve("02-shift");
    toy.write("work/02-shift/shift.cpp",
              "#include \"exercise.hpp\"\n#include <cstdlib>\n"
              "gpu::Array<float> shift(const gpu::Array<float>& x) {\n" +
                  body + "}\n");
}

/// The course itself, and nothing of it is changed.
Ran ledger_of(const ToyCourse& toy, int number, const fs::path& folder, const std::string& task) {
    course::Command command = toy.command({"ledger", std::to_string(number), "--from", folder.string()});
    if (!task.empty()) command.arguments.insert(command.arguments.end(), {"--task", task});
    ToyCourse::set(command, "COURSE_ROOT", COURSE_SOURCE_DIR);
    return toy.run(command);
}

fs::path exercise_folder(const std::string& number) {
    for (const auto& entry : fs::directory_iterator(fs::path(COURSE_SOURCE_DIR) / "exercises"))
        if (entry.path().filename().string().starts_with(number + "-")) return entry.path();
    return {};
}

}  // namespace

TEST_CASE("ledger lists what an answer asks of the device, beside its lines") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.check_golden("ledger", toy.run({"ledger", "2", "--case", "n=257"}));
    answer(toy,
           "    gpu::Array<float> y = x;\n"
           "    for (int k = 0; k < 5; ++k)\n"
           "        (void)gpu::to_host(y);\n"
           "    return y + 1.f;\n");
    const Ran copies = toy.run({"ledger", "2", "--case", "n=257"});
    CHECK(copies.code == 0);
    CHECK(has(copies, "shift.cpp:6  copy to host      1.0 kB  (257 float32), waits"));
    CHECK(has(copies, "| (void)gpu::to_host(y);\n    ... this line 5 times in all\n"));
    toy.answer("return 2 * x;");
    CHECK(has(toy.run({"ledger", "1"}), "nothing was asked of the device"));
}

TEST_CASE("the files as they are given have a ledger, before a student's first change") {
    const ToyCourse toy;
    const Ran untouched = toy.run({"ledger", "2", "--case", "n=257"});
    CHECK(untouched.code == 0);
    CHECK(has(untouched, "shift.cpp:8  launch                    shift, grid 2 x block 256"));
}

TEST_CASE("an answer that ends on its way has a ledger up to there") {
    const ToyCourse toy;
    const std::string start =
        "    gpu::Array<float> y = x + 1.f;\n    const auto h = gpu::to_host(y);\n    gpu::synchronize();\n";
    for (const auto& [end, message] : {std::pair<std::string, std::string>{"    std::abort();\n", "SIGABRT"},
                                       {"    throw 1;\n", "your code threw"},
                                       {"    std::exit(0);\n", "ended the program itself"}}) {
        CAPTURE(end);
        answer(toy, start + end);
        const Ran ran = toy.run({"ledger", "2"});
        CHECK(ran.code == 1);
        CHECK(has(ran, "shift.cpp:5  copy to host "));
        CHECK(has(ran, "shift.cpp:6  wait "));
        CHECK(has(ran, "It ended here: "));
        CHECK(has(ran, message));
        CHECK(has(ran, "copies_to_host               1"));
    }
    CHECK(fs::is_empty(toy.scratch()));
}

TEST_CASE("what has no ledger says why") {
    const ToyCourse toy;
    answer(toy, "    return X;\n");
    const Ran broken = toy.run({"ledger", "2"});
    CHECK(broken.code == 2);
    CHECK(has(broken, "shift.cpp:4"));
    CHECK(has(broken, "course: no ledger: your code doesn't compile\n"));
    toy.solve("02-shift");
    toy.check_golden("ledger_no_case", toy.run({"ledger", "2", "--case", "n=7"}));
    CHECK(has(toy.run({"ledger", "2", "--task", "lift"}), "exercise 2 has shift"));
    CHECK(toy.run({"ledger", "7"}).code == 4);
    CHECK(toy.run({"ledger"}).code == 4);
    toy.write("work/02-shift/shift.cu", "__global__ void shift(const float* x, float* y, int n) { y[0] = }\n");
    const Ran kernel = toy.run({"ledger", "2"});
    CHECK(kernel.code == 1);
    CHECK(has(kernel, "allocation"));
    CHECK(has(kernel, "It ended here: "));
}

TEST_CASE("exercises 2 and 3: no budget is exceeded by the solution, and one is by each wrong answer over a budget") {
    const ToyCourse toy;
    for (const std::string number : {"02", "03"}) {
        const fs::path exercise = exercise_folder(number);
        REQUIRE(!exercise.empty());
        const course::Manifest manifest = course::read_manifest(exercise);
        const fs::path solution = fs::path(COURSE_SOURCE_DIR) / "solutions" / exercise.filename();
        for (const course::Task& task : manifest.tasks) {
            CAPTURE(task.id);
            const Ran right = ledger_of(toy, manifest.number, solution, task.id);
            CHECK(right.code == 0);
            CHECK(has(right, "  launch  "));
            CHECK(has(right, manifest.edit[0] + ":"));
            CHECK(!has(right, "not kept"));
        }
        int over_budget = 0;
        for (const course::PlantedAnswer& wrong : manifest.wrong) {
            const std::string counter = wrong.says.substr(0, wrong.says.find(':'));
            if (!course::is_one_of(counter, course::counter_names)) continue;
            CAPTURE(wrong.name);
            const test::Folder folder;
            for (const std::string& name : manifest.edit) {
                const fs::path planted = exercise / "wrong" / wrong.name / name;
                fs::copy_file(fs::exists(planted) ? planted : solution / name, folder.path() / name);
            }
            const Ran ran = ledger_of(toy, manifest.number, folder.path(), wrong.task);
            CHECK(ran.code == 0);
            const std::size_t at = ran.text.find("\n" + counter);
            REQUIRE(at != std::string::npos);
            CHECK(ran.text.substr(at + 1, ran.text.find('\n', at + 1) - at).find("not kept") != std::string::npos);
            ++over_budget;
        }
        CHECK(over_budget > 0);
    }
}
