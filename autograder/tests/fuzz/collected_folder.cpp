// SPDX-License-Identifier: MIT
// A folder that a student handed in, with files of any names. The input: a line for each file's name.
#include "collect/collect.hpp"
#include "fuzz/course_fixture.hpp"
#include "manifest/manifest.hpp"

namespace fuzz {

namespace fs = std::filesystem;

FUZZ_TARGET(collected_folder, std::size_t{1} << 12) {
    static const CourseFixture course;
    static const fs::path work = course.root / "work/08-raw-add";
    const course::Manifest manifest{.folder = course.exercise,
                                    .number = 8,
                                    .name = "raw_add",
                                    .was = {},
                                    .title = {},
                                    .lesson = {},
                                    .objective = {},
                                    .needs = {},
                                    .edit = {"raw_add.cpp", "raw_add.cu"},
                                    .stub_fails = {},
                                    .hints = {},
                                    .distractors = {},
                                    .third_hint = {},
                                    .picture = {},
                                    .picture_task = {},
                                    .functions = {},
                                    .tasks = {},
                                    .wrong = {},
                                    .lazy = {},
                                    .right = {}};
    fs::remove_all(work);
    fs::create_directories(work);
    std::size_t files = 0;
    while (!input.empty() && files < 16) {
        const std::string name(input.substr(0, input.find('\n')));
        input.remove_prefix(std::min(name.size() + 1, input.size()));
        const bool possible = !name.empty() && name.size() < 256 && name != "." && name != ".." &&
                              name.find_first_of(std::string_view("/\0", 2)) == name.npos;
        if (!possible) continue;
        write(work / name, "int answer;\n");
        ++files;
    }
    try {
        const course::Answer answer = course::collect(manifest, work, course.root);
        require(answer.files.size() == 2, "other files than the manifest's");
        for (const std::string& note : answer.notes) {
            require_plain(note, "a note");
            require(note.size() <= 2000, "a long note");
        }
    } catch (const course::CollectError& error) {
        require_plain(error.what(), "an error");
    }
}

}  // namespace fuzz
