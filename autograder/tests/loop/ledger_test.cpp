// SPDX-License-Identifier: MIT
#include <algorithm>
#include <regex>
#include <string_view>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "manifest/manifest.hpp"
#include "manifest/names.hpp"
#include "support/folder.hpp"

// `course ledger` and `course profile`: on the toy course, on answers that don't get to their ends, and on right and
// wrong answers of the course's own exercises 2 and 3.
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

// What a profiler measured of the kernel of exercise 2, on another machine.
constexpr const char* table =
    "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"dram__throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"sm__warps_active.avg.pct_of_peak_sustained_active\","
    "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"\n"
    "\"\",\"\",\"ns\",\"%\",\"%\",\"%\",\"\",\"sector\"\n"
    "\"0\",\"shift(const float *, float *, int)\",\"2,000\",\"10\",\"20\",\"30\",\"100\",\"500\"\n";

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
    CHECK(has(copies, "shift.cpp:6  copy to host     1.0 kB  (257 float32), waits"));
    CHECK(has(copies, "| (void)gpu::to_host(y);\n    ... this line 5 times in all\n"));
    toy.answer("return 2 * x;");
    CHECK(has(toy.run({"ledger", "1"}), "nothing was asked of the device"));
}

TEST_CASE("the files as they are given have a ledger, before a student's first change") {
    const ToyCourse toy;
    const Ran untouched = toy.run({"ledger", "2", "--case", "n=257"});
    CHECK(untouched.code == 0);
    CHECK(has(untouched, "shift.cpp:8  launch                   shift, grid 2 x block 256"));
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
            const Ran ran = ledger_of(toy, manifest.number, exercise / "wrong" / wrong.name, wrong.task);
            CHECK(ran.code == 0);
            const std::size_t at = ran.text.find("\n" + counter);
            REQUIRE(at != std::string::npos);
            CHECK(ran.text.substr(at + 1, ran.text.find('\n', at + 1) - at).find("not kept") != std::string::npos);
            ++over_budget;
        }
        CHECK(over_budget > 0);
    }
}

// A toy capstone: y = x + 1 in two launches, to be made one.
using test::Ran, test::ToyCourse;

namespace {

const std::string home = "capstone/one-more/", mine = "work/one-more/";

class CapstoneCourse : public ToyCourse {
public:
    CapstoneCourse() {
        write(home + "capstone.toml", R"(format = 1
title = "One more"
objective = "Make it one launch"
minutes = 5
edit = ["more.cpp"]
timed = { gpu = 4096, host = 4096 }

[[function]]
name = "more"
takes = ["array<float32>"]
returns = ["array<float32>"]

[task]
id = "more"
title = "y = x + 1"
element = "element"
min_bytes = 8
)");
        write(home + "more.hpp",
              "#pragma once\n#include <gpu/gpu.hpp>\ngpu::Array<float> more(const gpu::Array<float>& x);\n");
        write(home + "bind.cpp", "#include \"more.hpp\"\n#include <course/bind.hpp>\nCOURSE_BIND(more)\n");
        write(home + "check.cpp", R"(#include <course/check.hpp>
using namespace course;
GRADER_TASK(one_more, "more") {
    for (int n : {1, 33, 1009}) {
        auto x = draw.uniform(n, -1, 1);
        call("more", x).returns(x.cast<double>() + 1, ulps(2));
    }
    image("result", Matrix<float>::Constant(2, 3, 0.5f));
    speed([&] {
        auto x = draw.uniform(speed_elements(), -1, 1);
        timed(8.0 * speed_elements(), [&] { Vector<float> y = x + 1; }, "more", x)
            .returns(x.cast<double>() + 1, ulps(2));
    });
}
)");
        write(home + "more.cpp", answer("gpu::Array<float> y = x + 0.5f;\n    y = y + 0.5f;"));
    }
    static std::string answer(const std::string& body) {
        return "#include \"more.hpp\"\n\ngpu::Array<float> more(const gpu::Array<float>& x) {\n    " + body +
               "\n    return y;\n}\n";
    }
    /// What differs from run to run is left out, besides what masked() leaves out: rates and factors.
    [[nodiscard]] Ran log(const std::vector<std::string>& options = {}) const {
        std::vector<std::string> arguments = {"log"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        Ran ran = run(arguments);
        ran.text = std::regex_replace(ran.text, std::regex("[0-9.]+ [GT]B/s"), "<rate>");
        ran.text = std::regex_replace(ran.text, std::regex("[0-9.]+x\\b"), "<factor>");
        ran.text = std::regex_replace(ran.text, std::regex("[0-9.]+% of the time|more than it took.*"), "<share>");
        return ran;
    }
};

}  // namespace

TEST_CASE("the capstone's log: begun, a step, nothing new, another step, the page") {
    const CapstoneCourse toy;
    toy.check_golden("log_begun", toy.log());
    CHECK(toy.log({"--page"}).code == 3);
    const Ran unchanged = toy.log({"--note", "nothing"});
    CHECK(unchanged.code == 3);
    CHECK(unchanged.text.find("It is the given version still: nothing to log.") != std::string::npos);

    toy.write(mine + "more.cpp", CapstoneCourse::answer("gpu::Array<float> y = x + 1.0f;"));
    toy.check_golden("log_step", toy.log({"--note", "one launch"}));
    const Ran again = toy.log({"--note", "the same"});
    CHECK(again.code == 3);
    CHECK(again.text.find("nothing has changed since step 1, \"one launch\"") != std::string::npos);
    CHECK(toy.read(mine + "pictures/step-01.png").starts_with("\x89PNG"));

    // A line that somebody spoilt is named, and kept.
    const std::string before = toy.read(mine + "log.jsonl");
    toy.write(mine + "log.jsonl", before + "{\"step\": oops");
    toy.write(mine + "more.cpp", CapstoneCourse::answer("gpu::Array<float> y = 1.0f + x;"));
    const Ran second = toy.log({"--note", "the other way round"});
    CHECK(second.code == 0);
    CHECK(second.text.find("Step 2: the other way round\n") != std::string::npos);
    CHECK(second.text.find(" over step 1\n") != std::string::npos);
    CHECK(toy.read(mine + "log.jsonl").starts_with(before + "{\"step\": oops\n{"));
    CHECK(toy.log().text.find("line 3 of the log can't be read, and is left out") != std::string::npos);

    const Ran page = toy.log({"--page"});
    CHECK(page.code == 0);
    CHECK(page.text.find("work/one-more/log.html: 3 lines as a chart.") != std::string::npos);
    const std::string html = toy.read(mine + "log.html");
    for (const char* part : {"<h1>One more</h1>", "one launch", "the other way round", "data:image/png;base64,iVBOR"})
        CHECK(html.find(part) != std::string::npos);
}

TEST_CASE("a step that is wrong or doesn't compile isn't logged; neither is one without a note, or a device") {
    const CapstoneCourse toy;
    (void)toy.log();
    toy.write(mine + "more.cpp", CapstoneCourse::answer("gpu::Array<float> y = x + 2.0f;"));
    const Ran wrong = toy.log({"--note", "two more"});
    CHECK(wrong.code == 1);
    CHECK(wrong.text.find("Capstone one_more") != std::string::npos);
    CHECK(wrong.text.find("course: not logged: a step is logged once its result is right") != std::string::npos);
    toy.write(mine + "more.cpp", "#include \"more.hpp\"\nnonsense\n");
    CHECK(toy.log({"--note", "typing"}).code == 2);
    for (const char* note : {"", "two\nlines"}) {
        const Ran refused = toy.log({"--note", note});
        CHECK(refused.code == 4);
        CHECK(refused.text.find("course: --note: the note ") != std::string::npos);
    }
    CHECK(toy.log({"--note", "x", "--page"}).code == 4);
    CHECK(toy.log({"--note", "x", "--device", "cuda:77"}).code == 4);
    std::filesystem::remove(toy / (mine + "more.cpp"));
    const Ran missing = toy.log({"--note", "gone"});
    CHECK(missing.code == 4);
    CHECK(missing.text.find("An answer to the capstone has the files: more.cpp.") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(toy / (mine + "log.jsonl")));

    toy.change(home + "capstone.toml", "title = \"One more\"", "titel = \"One more\"");
    CHECK(toy.log().text.find("capstone/one-more/capstone.toml:2:1: unknown key \"titel\"; expected one of: ") !=
          std::string::npos);
    std::filesystem::remove_all(toy / "capstone");
    const Ran none = toy.log();
    CHECK(none.code == 4);
    CHECK(none.text == "course: this edition has no capstone\n");
}


TEST_CASE("profile shows another machine's measurement beside the counts") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.write("measured.csv", table);
    const Ran ran = toy.run({"profile", "2", "--import", (toy / "measured.csv").string()});
    CHECK_MESSAGE(ran.code == 0, ran.text);
    CHECK(has(ran, "your answer, task shift; counted: "));
    CHECK(has(ran, "5.0\n"));
    CHECK(has(ran, " 2 us\n"));
    toy.write("measured.csv", "nothing of the kind");
    const Ran refused = toy.run({"profile", "2", "--import", (toy / "measured.csv").string()});
    CHECK(refused.code == 4);
    CHECK(has(refused, "there is no table of kernels in it"));
    CHECK(toy.run({"profile", "2", "--import", (toy / "nowhere.csv").string()}).code == 4);
}

TEST_CASE("without a GPU, profile shows the counts and what was recorded with the exercise") {
    const ToyCourse toy;
    toy.solve("02-shift");
    const Ran none = toy.run({"profile", "2"});
    CHECK_MESSAGE(none.code == 0, none.text);
    CHECK(has(none, "This exercise has no recorded profiles."));
    toy.write("measured.csv", table);
    const Ran json = toy.run({"profile", "2", "--json", "--import", (toy / "measured.csv").string()});
    toy.write("exercises/02-shift/profile.json", json.text.substr(json.text.find("[\n")));
    const Ran recorded = toy.run({"profile", "2"});
    CHECK(recorded.code == 0);
    CHECK(has(recorded, "there is no GPU here"));
    CHECK(has(recorded, " 2 us\n"));
}
