// SPDX-License-Identifier: MIT
// A toy capstone: y = x + 1 in two launches, to be made one.
#include <regex>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "support/folder.hpp"

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
least_bytes = 8
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
