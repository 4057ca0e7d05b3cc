// SPDX-License-Identifier: MIT
// course dev plant: planted answers as files, and files as planted answers.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"

namespace fs = std::filesystem;

using test::Ran, test::ToyCourse;

TEST_CASE("a planted answer is shown, becomes files, and files become its patch again") {
    const ToyCourse toy;
    const std::string patch = "exercises/02-shift/wrong/race.patch", before = toy.read(patch);
    const std::string folder = (toy / "planted").string();
    const Ran shown = toy.run({"dev", "plant", "2", "race"});
    CHECK(shown.code == 0);
    const std::string race = toy.planted("02-shift", "wrong/race", "shift.cu");
    CHECK(shown.text == "exercises/02-shift/wrong/race/shift.cu:\n" + race);
    CHECK(toy.run({"dev", "plant", "2", "wrong/race", "--out", folder}).code == 0);
    CHECK(toy.read("planted/shift.cu") == race);
    CHECK(toy.read("planted/shift.cpp") == toy.read("solutions/02-shift/shift.cpp"));
    CHECK(toy.run({"dev", "plant", "2", "race", "--out", folder}).code == 4);
    CHECK(toy.run({"dev", "plant", "2", "race", "--from", folder}).code == 0);
    CHECK(toy.read(patch) == before);
    toy.change("planted/shift.cpp", "256", "128");
    CHECK(toy.run({"dev", "plant", "2", "race", "--from", folder}).code == 0);
    CHECK(toy.planted("02-shift", "wrong/race", "shift.cpp") == toy.read("planted/shift.cpp"));
    CHECK(toy.run({"run", "2", "--from", (toy / patch).string()}).code == 1);

    CHECK(toy.run({"dev", "plant", "2", "new", "--from", folder}).text.find("has no planted answer new; expected "
                                                                            "wrong/NAME or lazy/NAME") !=
          std::string::npos);
    const Ran made = toy.run({"dev", "plant", "2", "lazy/new", "--from", folder});
    CHECK(made.text.find("Wrote exercises/02-shift/lazy/new.patch. Its first lines are yours") != std::string::npos);
    CHECK(toy.run({"dev", "plant", "2", "lazy/new"}).text.find("lazy/new.patch:") != std::string::npos);  // the head
    fs::remove(toy / "exercises/02-shift/lazy/new.patch");
    const std::string solution = (toy / "solutions/02-shift").string();
    CHECK(toy.run({"dev", "plant", "2", "race", "--from", solution}).text.find("are those of the solution") !=
          std::string::npos);
    // Right answers are files, and need no command.
    toy.write("exercises/02-shift/right/other/shift.cu", "x");
    for (const char* name : {"other", "right/other"})
        CHECK(toy.run({"dev", "plant", "2", name})
                  .text.find("right/other has files, and no patch: read and change them "
                             "in exercises/02-shift/right/other") != std::string::npos);
}
