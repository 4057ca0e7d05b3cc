// SPDX-License-Identifier: MIT
// Pictures that a check draws: where a verdict leaves them, and what it says.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// Task "list" draws what came back.
void draw(const ToyCourse& toy) {
    toy.change("exercises/01-twice/check.cpp", "call(\"doubled\", x).returns(2 * x.cast<double>());",
               "call(\"doubled\", x).returns(2 * x.cast<double>()).then([&](const Vector<float>& got) {\n"
               "            if (n == 3) image(\"input\", x);\n"
               "            if (n == 3) image(\"output\", got);\n"
               "        });");
}

bool is_png(const std::string& bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n") && bytes.size() > 50; }

}  // namespace

TEST_CASE("a verdict writes the check's pictures beside the answer and names them") {
    const ToyCourse toy;
    draw(toy);
    toy.answer("return 2 * x;");
    const Ran ran = toy.run({"run", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.text.find("\n    pictures  work/01-twice/pictures/input.png, output.png\n") != std::string::npos);
    CHECK(is_png(toy.read("work/01-twice/pictures/input.png")));
    CHECK(is_png(toy.read("work/01-twice/pictures/output.png")));
    const Ran again = toy.run({"run", "1", "--json"});
    const nlohmann::json json = nlohmann::json::parse(again.text);
    CHECK(json["tasks"][0]["images"].empty());
    CHECK(json["tasks"][1]["images"].dump() ==
          R"([{"columns":1,"file":"work/01-twice/pictures/input.png","name":"input","rows":3},)"
          R"({"columns":1,"file":"work/01-twice/pictures/output.png","name":"output","rows":3}])");

    // An answer that draws nothing removes them, and nothing else.
    toy.write("work/01-twice/pictures/mine.png", "mine");
    toy.answer("return 2 * x;", "#include <cstdlib>\nstatic const int gone = (std::_Exit(7), 0);\n");
    const Ran crashed = toy.run({"run", "1"});
    CHECK(crashed.text.find("pictures") == std::string::npos);
    CHECK(!fs::exists(toy / "work/01-twice/pictures/input.png"));
    CHECK(!fs::exists(toy / "work/01-twice/pictures/output.png"));
    CHECK(toy.read("work/01-twice/pictures/mine.png") == "mine");
}

TEST_CASE("a folder that can't be written to costs the pictures, not the verdict") {
    const ToyCourse toy;
    draw(toy);
    toy.answer("return 2 * x;");
    toy.write("work/01-twice/pictures", "a file in its place");
    const Ran ran = toy.run({"run", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.text.find("note: the pictures could not be written: ") != std::string::npos);
    CHECK(ran.text.find("    pictures  ") == std::string::npos);
}

TEST_CASE("an answer from elsewhere is drawn where one says") {
    const ToyCourse toy;
    draw(toy);
    const Ran silent = toy.run({"run", "1", "--from", "solutions/01-twice"});
    CHECK(silent.code == 0);
    CHECK(silent.text.find("pictures") == std::string::npos);
    CHECK(!fs::exists(toy / "solutions/01-twice/pictures"));
    const Ran ran = toy.run({"run", "1", "--from", "solutions/01-twice", "--pictures", (toy / "drawn").string()});
    CHECK(ran.text.find("    pictures  drawn/input.png, output.png\n") != std::string::npos);
    CHECK(is_png(toy.read("drawn/output.png")));
}
