// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "lessons/markdown.hpp"
#include "manifest/lesson.hpp"
#include "support/folder.hpp"

namespace test {

inline const std::string good_lesson = R"(format = 1
title = "Raw kernels"
needs = ["05-elementwise"]
exercises = ["raw_add"]
minutes = { teach = 35, practise = 80 }
objectives = ["Write a guard"]
introduces = ["guard"]

[[program]]
name = "ceil"
shows = "which element is left out"

[[program]]
name = "clock"
shows = "times"
measures = true

[[question]]
id = "last"
program = "ceil"
ask = "Who writes element 256?"
[[question.choice]]
text = "nobody"
right = true
value = "nobody"
why = "One block is too few."
[[question.choice]]
text = "thread 0"
tag = 2
why = "There is no such block."

[[question]]
id = "sectors"
program = "ceil"
ask = "How many?"
number = { unit = "sectors", within_percent = 10 }
why = "Side by side."
[[question.slip]]
value = 32
tag = 1
)";

inline const std::string two_misconceptions = R"(format = 1
[[misconception]]
number = 1
name = "first"
sentence = "It isn't so."
[[misconception]]
number = 2
name = "second"
sentence = "Nor this."
)";

/// A course with lesson 6 alone.
inline void write_lesson(const Folder& root, const std::string& toml = good_lesson) {
    root.write("lessons/misconceptions.toml", two_misconceptions);
    root.write("lessons/06-raw-kernels/lesson.toml", toml);
    root.write("lessons/06-raw-kernels/ceil.cpp", "// Shows it.\nint main() {}\n");
    root.write("lessons/06-raw-kernels/clock.cpp", "// Shows it.\nint main() {}\n");
}

inline course::Lesson lesson_of(const Folder& root, const std::string& toml = good_lesson) {
    write_lesson(root, toml);
    return course::read_lesson(course::name_lesson(root / "lessons/06-raw-kernels"));
}

/// True if one of the faults holds this text.
inline bool has_fault(const std::vector<std::string>& faults, const std::string& text) {
    for (const std::string& fault : faults)
        if (fault.find(text) != fault.npos) return true;
    return false;
}

}  // namespace test
