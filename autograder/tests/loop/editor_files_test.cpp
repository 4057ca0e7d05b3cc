// SPDX-License-Identifier: MIT
// What editors find in work/; tests/editors asks clangd what it makes of it.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "loop/toy_course.hpp"

using test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// The compiler's arguments for a file of the course, as one text; empty if an editor isn't told.
std::string arguments_for(const ToyCourse& toy, const std::string& file) {
    std::string text;
    for (const auto& entry : nlohmann::json::parse(toy.read("work/compile_commands.json")))
        if (entry.at("file") == (toy / file).string())
            for (const std::string argument : entry.at("arguments")) text += argument + ' ';
    return text;
}

bool contains(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

}  // namespace

TEST_CASE("the first run tells editors how each file is compiled, and the next run adds a new file") {
    const ToyCourse toy;
    CHECK(toy.run({"run", "2"}).code == 3);
    const std::string kernel = arguments_for(toy, "work/02-shift/shift.cu");
    CHECK(contains(kernel, "-xc++ "));
    CHECK(contains(kernel, "/cuda_words.hpp "));
    CHECK(contains(toy.read("work/.clangd"), "/cuda_words.hpp\""));
    const std::string host = arguments_for(toy, "work/02-shift/shift.cpp");
    CHECK(contains(host, "-std=c++20 "));
    CHECK(contains(host, "-I" + (toy / "exercises/02-shift").string() + ' '));
    CHECK_FALSE(contains(host, "cuda_words"));
    CHECK_FALSE(arguments_for(toy, "exercises/02-shift/check.cpp").empty());
    CHECK_FALSE(arguments_for(toy, "solutions/02-shift/shift.cu").empty());
    CHECK(arguments_for(toy, "work/02-shift/more.cu").empty());
    toy.write("work/02-shift/more.cu", "");
    CHECK(toy.run(std::vector<std::string>()).code == 0);
    CHECK_FALSE(arguments_for(toy, "work/02-shift/more.cu").empty());
}

TEST_CASE("editors' files are written when something is new, and a .clangd of the student's own never") {
    const ToyCourse toy;
    CHECK(toy.run({"reset", "1", "--yes"}).code == 0);
    const fs::path commands = toy / "work/compile_commands.json";
    const auto before = fs::last_write_time(commands);
    CHECK(toy.run({"reset", "1", "--yes"}).code == 0);
    CHECK(fs::last_write_time(commands) == before);
    toy.write("work/.clangd", "# mine\n");
    toy.write("work/compile_commands.json", "[]\n");
    CHECK(toy.run({"reset", "1", "--yes"}).code == 0);
    CHECK(toy.read("work/.clangd") == "# mine\n");
    CHECK_FALSE(arguments_for(toy, "work/01-twice/twice.cpp").empty());
}
