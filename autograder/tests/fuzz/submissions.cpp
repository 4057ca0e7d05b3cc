// SPDX-License-Identifier: MIT
// What an LMS exports and students hand in: archives, names, tables, metadata, and what the kit keeps of them.
#include <fcntl.h>

#include "classroom/submissions/formats/gradescope.hpp"
#include "classroom/submissions/formats/names.hpp"
#include "classroom/submissions/layout.hpp"
#include "classroom/submissions/roster.hpp"
#include "classroom/submissions/submission_reader.hpp"
#include "fuzz/course_fixture.hpp"

namespace fuzz {

namespace {

const course::AnswerPlaces& two_exercises() {
    static const course::AnswerPlaces places(
        {{1, "01-twice", {"twice.cpp"}, {"stub"}}, {2, "02-shift", {"shift.cpp", "shift.cu"}, {"stub", "stub"}}});
    return places;
}

void require_lines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        require_plain(line, "a line");
        require(line.find('\n') == line.npos, "a line is two");
    }
}

}  // namespace

/// Whatever the bytes are, a few plain lines and at most the exercises' files come of them.
FUZZ_TARGET(student_archive, std::size_t{1} << 16) {
    const auto folder = scratch_folder() / "archive";
    std::filesystem::create_directories(folder);
    write(folder / "ada.zip", input);
    course::IntakeLimits limits;
    limits.unpacked_bytes = std::int64_t{1} << 22;
    limits.nested_archive_bytes = std::size_t{1} << 18;
    limits.entries = 500;
    course::SubmissionReader submission(two_exercises(), limits);
    const course::UniqueFd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    submission.file(opened, "ada.zip", "ada.zip", 0);
    const course::SubmissionReader::Result result = submission.finish();
    require_lines(result.problems);
    require(result.problems.size() <= limits.problems + 1, "too many lines");
    require(result.answers.size() <= 2, "more answers than exercises");
    std::size_t bytes = 0;
    for (const course::TakenAnswer& answer : result.answers) {
        require(answer.folder == "01-twice" || answer.folder == "02-shift", "an exercise that isn't there");
        for (const course::TakenFile& file : answer.files) {
            require(file.name == "twice.cpp" || file.name == "shift.cpp" || file.name == "shift.cu", "another file");
            bytes += file.bytes.size();
        }
    }
    require(bytes <= limits.kept_bytes, "too many bytes");
}

FUZZ_TARGET(class_roster, std::size_t{1} << 16) {
    try {
        const course::Roster roster(input, "roster.csv");
        require_lines(roster.problems());
        for (const course::RosterRow& row : roster.rows()) {
            require(!row.student.id.empty(), "a student without an ID");
            for (const std::string* text : {&row.student.id, &row.student.name, &row.student.email, &row.student.group})
                require_plain(*text, "a cell");
            const auto found = roster.find({course::roster_key::id(row.student.id)});
            require(found.row && course::lower_ascii(found.row->student.id) == course::lower_ascii(row.student.id),
                    "a student isn't found by his ID");
            const std::string name = course::safe_file_name(row.student.id);
            require(!name.empty() && name.size() < 100 && name[0] != '.' && name.find('/') == name.npos,
                    "a name that isn't safe");
        }
    } catch (const course::IntakeError& why) {
        require_plain(why.what(), "an error");
    }
}

/// Lines are the names at the top of an export, folders end with a slash; the second part is Gradescope's metadata.
FUZZ_TARGET(export_layout, std::size_t{1} << 15) {
    std::string_view names = take_part(input);
    std::vector<course::TopName> tops;
    while (!names.empty()) {
        std::string name(names.substr(0, names.find('\n')));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        const bool is_folder = name.ends_with('/');
        if (is_folder) name.pop_back();
        if (!name.empty()) tops.push_back({name, is_folder, name.starts_with("repository")});
    }
    const course::Roster roster("id,name,group,username\ns1,Ada Lovelace,Blue,ada\ns2,Ben Ott,,ben\n", "roster.csv");
    std::optional<std::map<std::string, course::GradescopeSubmission>> metadata;
    try {
        if (!input.empty()) metadata = course::read_gradescope_metadata(input);
    } catch (const course::IntakeError& why) {
        require_plain(why.what(), "an error");
    }
    (void)course::is_an_export(tops, two_exercises());
    const course::Layout layout =
        course::arrange(tops, metadata ? &*metadata : nullptr, roster, two_exercises(), "export.zip");
    require_lines(layout.problems);
    std::size_t parts = 0;
    for (const course::LayoutUnit& unit : layout.units) {
        require_plain(unit.shown, "a source");
        require_lines(unit.problems);
        parts += unit.parts.size();
        for (const course::Claim::Person& person : unit.claim.people) require_plain(person.best, "a name");
    }
    require(parts <= std::max<std::size_t>(tops.size(), 1), "a name is in two submissions");
}

FUZZ_TARGET(intake_json, std::size_t{1} << 16) {
    if (const auto list = course::read_submitted_list(input)) require_plain(list->student_name, "a name");
    try {
        const course::ClassIntake intake = course::read_intake(input);
        require(course::read_intake(course::intake_json(intake)) == intake, "what is written isn't what was read");
        for (const course::ClassSubmission& one : intake.submissions)
            require(one.id.find('/') == one.id.npos && one.id != "..", "an id that leads elsewhere");
    } catch (const course::IntakeError& why) {
        require_plain(why.what(), "an error");
    }
}

}  // namespace fuzz
