// SPDX-License-Identifier: MIT
// The readers of result.json, of what `course grade` stores around it, and of points by hand.
#include <stdexcept>

#include "classroom/grades/marks.hpp"
#include "classroom/grades/stored_result.hpp"
#include "fuzz/course_fixture.hpp"

namespace fuzz {

namespace {

void require_sense(const course::StoredExercise& one) {
    require(one.max_points >= 0 && one.points <= one.max_points, "more points than there are");
    for (const course::StoredTask& task : one.tasks) {
        require(course::is_verdict(task.status) || task.status == course::not_taken_status, "a task without a verdict");
        require(task.points >= 0 && task.points <= task.max_points, "more points than a task has");
    }
}

}  // namespace

FUZZ_TARGET(result_reader, std::size_t{1} << 16) {
    try {
        require_sense(course::read_result_json(input));
    } catch (const BrokenProperty&) {
        throw;
    } catch (const std::runtime_error& why) {
        require_plain(why.what(), "an error");
    }
}

FUZZ_TARGET(stored_result, std::size_t{1} << 16) {
    try {
        const course::StoredResult stored = course::read_stored_result(input);
        if (stored.result) require_sense(*stored.result);
        for (const course::StoredHidden& one : stored.hidden)
            require(one.passed >= 0 && one.passed <= one.total, "more hidden cases passed than there are");
    } catch (const BrokenProperty&) {
        throw;
    } catch (const std::runtime_error& why) {
        require_plain(why.what(), "an error");
    }
}

FUZZ_TARGET(marks_json, std::size_t{1} << 16) {
    try {
        for (const course::Mark& one : course::read_marks_json(input)) {
            require(one.exercise >= 1 && one.exercise <= 99, "an exercise that can't be");
            require(!one.points || (*one.points >= 0 && *one.points <= one.of), "more points than there are");
            for (const std::string* text : {&one.student, &one.task, &one.comment, &one.by, &one.when})
                require_plain(*text, "a text");
        }
    } catch (const BrokenProperty&) {
        throw;
    } catch (const std::runtime_error& why) {
        require_plain(why.what(), "an error");
    }
}

}  // namespace fuzz
