// SPDX-License-Identifier: MIT
// A student's progress: the file in work/, and what `course progress --import` reads.
#include "fuzz/course_fixture.hpp"
#include "progress/progress.hpp"

namespace fuzz {

namespace {

/// What an import does to one's own progress.
course::ProgressText imported(course::ProgressText own, const course::ProgressText& other) {
    for (const auto& [name, record] : other.records) own.records[name] = course::merged(own.records[name], record);
    return course::parse_progress(course::progress_text(own) + course::progress_text({{}, other.unknown}));
}

}  // namespace

FUZZ_TARGET(progress_text, std::size_t{1} << 20) {
    const course::ProgressText first = course::parse_progress(std::string(take_part(input)));
    const course::ProgressText second = course::parse_progress(std::string(input));
    for (const course::ProgressText* one : {&first, &second}) {
        const std::string printed = course::progress_text(*one);
        require(course::progress_text(course::parse_progress(printed)) == printed,
                "what is written isn't what was read");
        require(course::progress_text(imported(*one, *one)) == printed, "to import one's own progress changes it");
    }
    const course::ProgressText both = imported(first, second);
    const std::string printed = course::progress_text(both);
    require(course::progress_text(imported(both, second)) == printed, "to import it twice isn't to import it once");
    for (const course::ProgressText* one : {&first, &second})
        for (const auto& [name, record] : one->records) {
            const auto found = both.records.find(name);
            require(found != both.records.end(), "an import has lost an exercise");
            require(found->second.passed >= record.passed && found->second.points >= record.points &&
                        found->second.attempts >= record.attempts && found->second.hints_used >= record.hints_used,
                    "an import has lost what was reached");
        }
}

}  // namespace fuzz
