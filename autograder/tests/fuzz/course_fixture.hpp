// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.hpp"
#include "support/text.hpp"

namespace fuzz {

/// Nothing that a terminal would take for a command, and valid UTF-8: fit to be printed.
inline void require_plain(const std::string& text, std::string_view what) {
    const std::size_t end = text.find_last_not_of('\n') + 1;
    require(course::plain_text(text, text.size() + 1, text.size() + 1) == text.substr(0, end),
            std::string(what) + " isn't plain text");
}

/// A course with one exercise, one lesson and one capstone, whose manifests a target writes.
struct CourseFixture {
    std::filesystem::path root = scratch_folder() / "course";
    std::filesystem::path exercise = root / "exercises/08-raw-add", lesson = root / "lessons/06-raw-kernels";
    std::filesystem::path capstone = root / "capstone/image-pipeline";

    CourseFixture() {
        namespace fs = std::filesystem;
        for (const fs::path& folder : {exercise, lesson, capstone}) fs::create_directories(folder);
        for (const char* const name : {"raw_add.cpp", "raw_add.cu"}) {
            write(exercise / name, "// the stub\n");
            write(capstone / name, "// the stub\n");
        }
        for (const char* const kind : {"wrong", "lazy"}) {
            fs::create_directories(exercise / kind);
            for (const char* const name : {"a.patch", "b.patch"})
                write(exercise / kind / name,
                      std::string(kind[0] == 'l' ? "kind = \"one thread\"\n" : "verdict = \"wrong\"\n") +
                          "says = \"a\"\n--- a/raw_add.cu\n+++ b/raw_add.cu\n@@ -1 +1 @@\n-// solved\n+// planted\n");
        }
        write(root / "lessons/misconceptions.toml",
              "format = 1\n[[misconception]]\nnumber = 1\nname = \"a\"\nsentence = \"A.\"\n"
              "[[misconception]]\nnumber = 2\nname = \"b\"\nsentence = \"B.\"\n");
        for (const char* const program : {"first.cpp", "second.cpp"}) write(lesson / program, "// a program\n");
    }
};

}  // namespace fuzz
