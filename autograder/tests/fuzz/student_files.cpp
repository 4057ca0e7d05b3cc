// SPDX-License-Identifier: MIT
// Small files beside a student's answers: who hands in, and what baselines took.
#include <unistd.h>

#include "fuzz/course_fixture.hpp"
#include "judge/baselines.hpp"
#include "progress/progress.hpp"

namespace fuzz {

FUZZ_TARGET(student_name, std::size_t{1} << 13) {
    const auto file = scratch_folder() / "student";
    write(file, input);
    const course::Student student = course::read_student(file);
    for (const std::string* text : {&student.name, &student.id}) {
        require(text->empty() || course::why_not_a_name(*text, "name").empty(), "a name that can't be one");
        require_plain(*text, "a name");
    }
    course::write_student(file, student);
    const course::Student again = course::read_student(file);
    require(again.name == student.name && again.id == student.id, "what is written isn't what was read");
}

FUZZ_TARGET(baselines, std::size_t{1} << 15) {
    const auto file = scratch_folder() / "baselines";
    write(file, input);
    std::filesystem::permissions(file, std::filesystem::perms{0600});
    course::Baselines kept(file, "this machine");
    for (const char* const call : {"add 1000", "", "mul 4096 with blocks = 7"})
        if (const auto seconds = kept.find(call)) require(*seconds > 0 && *seconds <= 3600, "a time that can't be");
    kept.keep("add 1000", 0.5);
    const auto seconds = course::Baselines(file, "this machine").find("add 1000");
    require(seconds && *seconds == 0.5, "what is kept isn't found");
}

}  // namespace fuzz
