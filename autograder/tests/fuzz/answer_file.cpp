// SPDX-License-Identifier: MIT
// A file that a student handed in: its text, its starred parts, what it changes of the stub. The input: the stub, a
// line "=====", the answer.
#include <algorithm>

#include "collect/collect.hpp"
#include "fuzz/course_fixture.hpp"
#include "judge/work/changed_lines.hpp"

namespace fuzz {

FUZZ_TARGET(answer_file, course::answer_file_bytes) {
    const std::string stub(take_part(input));
    std::string text;
    try {
        std::vector<std::string> notes;
        text = course::clean_text(std::string(input), "work/08-raw-add/raw_add.cu", notes);
        require(course::clean_text(text, "a", notes) == text, "a clean text isn't clean");
    } catch (const course::CollectError& error) {
        require_plain(error.what(), "an error");
        return;
    }
    require(text.find_first_of(std::string_view("\0\r", 2)) == text.npos, "a clean text has a NUL or a CR");
    require(course::same_but_for_space(text, text + " \n"), "a blank makes another answer");
    const std::vector<std::string> parts = course::starred_parts(text, "shuffle");
    std::size_t of_parts = 0;
    for (const std::string& part : parts) of_parts += part.size();
    require(of_parts + course::without_starred_parts(text).size() <= text.size() + 1, "parts that aren't in the file");
    (void)course::stars_not_begun({}, {{text, stub}});
    const course::ChangedLines changed = course::changed_lines(stub, text);
    const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const int line : changed.changed) require(line >= 1 && line <= lines, "a line that isn't there");
    require(changed.count >= 0 && changed.removed >= 0, "a negative number of lines");
    require(course::changed_lines(text, text).count == 0, "an answer differs from itself");
}

}  // namespace fuzz
