// SPDX-License-Identifier: MIT
#include "classroom/submissions/take_in.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "classroom/submissions/answer_choice.hpp"
#include "classroom/submissions/export_names.hpp"
#include "classroom/submissions/formats/names.hpp"
#include "classroom/submissions/layout.hpp"
#include "classroom/submissions/roster.hpp"
#include "classroom/submissions/submission_reader.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

void add_problems(const std::vector<WarningOn>& problems, ClassIntake& intake) {
    for (std::string& line : warning_lines(problems)) intake.problems.push_back(std::move(line));
}

std::string digest_of_files(const TakenAnswer& answer) {
    std::string all;
    for (const TakenFile& file : answer.files)
        all += fmt::format("{} {}\n{}", file.name, file.bytes.size(), file.bytes);
    return digest(all);
}

/// The data collected about each submission of the layout, by its number.
struct TakenUnit {
    std::vector<SubmittedAnswer> answers;
    std::vector<UnusableAnswer> unusable;
    FoundInstead instead;
    std::optional<SubmittedList> list;
    std::vector<std::string> problems;
};

class ExportReader {
public:
    ExportReader(const IntakeOptions& options, const AnswerPlaces& places, const ExportNames& exported,
                 const Layout& layout, Staging& staging, std::size_t first, std::size_t all)
        : options_(options),
          places_(places),
          exported_(exported),
          layout_(layout),
          staging_(staging),
          first_(first),
          all_(all),
          taken_(layout.units.size()) {}

    std::vector<TakenUnit> read() {
        exported_.is_archive ? read_archive() : read_folder();
        return std::move(taken_);
    }

private:
    void read_folder() {
        const UniqueFd root(::open(exported_.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!root) throw FileError("read", exported_.path, errno);
        for (std::size_t k = 0; k < layout_.units.size(); ++k) {
            SubmissionReader submission(places_, options_.limits);
            for (const LayoutPart& part : layout_.units[k].parts) {
                if (!part.is_folder) {
                    submission.file(root, part.top, part.name, part.order);
                    continue;
                }
                const std::string top = part.top.empty() ? "." : part.top;
                const UniqueFd folder(
                    ::openat(root.get(), top.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
                if (folder)
                    submission.folder(folder);
                else
                    submission.problem(fmt::format("can't be opened: {}", std::strerror(errno)));
            }
            finish(k, submission);
        }
    }

    void read_archive() {
        struct Place {
            std::size_t unit;
            const LayoutPart* part;
        };
        std::unordered_map<std::string, Place> places;
        std::vector<std::size_t> left(layout_.units.size(), 0);
        for (std::size_t k = 0; k < layout_.units.size(); ++k)
            for (const LayoutPart& part : layout_.units[k].parts) {
                places.emplace(part.top, Place{k, &part});
                for (const auto& [name, count] : exported_.entries)
                    if (part.top.empty()) left[k] += count;
                if (const auto found = exported_.entries.find(part.top); found != exported_.entries.end())
                    left[k] += found->second;
            }
        std::vector<std::unique_ptr<SubmissionReader>> open(layout_.units.size());
        std::int64_t unpacked = options_.limits.class_bytes;
        try {
            ArchiveReader reader = open_export(exported_.path, unpacked);
            while (const std::optional<ArchiveEntry> entry = reader.next()) {
                std::vector<std::string> path = below_top(exported_, entry->path, options_.limits.name_bytes);
                if (path.empty()) continue;
                auto found = places.find("");
                if (found == places.end()) {
                    found = places.find(path[0]);
                    if (found == places.end()) continue;
                    path.erase(path.begin());
                    if (!found->second.part->is_folder) path = {found->second.part->name};
                }
                const std::size_t k = found->second.unit;
                if (left[k] == 0) continue;
                if (!open[k]) open[k] = std::make_unique<SubmissionReader>(places_, options_.limits);
                open[k]->entry(*entry, path, reader, found->second.part->order);
                if (--left[k] == 0) {
                    finish(k, *open[k]);
                    open[k].reset();
                }
            }
        } catch (const ArchiveError& why) {
            refuse_broken_export(exported_.path, why);
        }
        for (std::size_t k = 0; k < open.size(); ++k) {
            if (left[k] == 0 && !layout_.units[k].parts.empty()) continue;
            if (!open[k]) open[k] = std::make_unique<SubmissionReader>(places_, options_.limits);
            finish(k, *open[k]);
        }
    }

    void finish(std::size_t unit, SubmissionReader& submission) {
        SubmissionReader::Result result = submission.finish();
        staging_.write(first_ + unit, layout_.units[unit].shown, result.answers);
        TakenUnit& taken = taken_[unit];
        for (const TakenAnswer& answer : result.answers)
            taken.answers.push_back({answer.number, answer.folder, digest_of_files(answer)});
        taken.unusable = std::move(result.unusable);
        taken.instead = std::move(result.instead);
        taken.list = std::move(result.list);
        taken.problems = std::move(result.problems);
        if (options_.progress) options_.progress(first_ + ++done_, all_);
    }

    const IntakeOptions& options_;
    const AnswerPlaces& places_;
    const ExportNames& exported_;
    const Layout& layout_;
    Staging& staging_;
    std::size_t first_, all_;  // its first submission's number, and the number of submissions in all exports
    std::vector<TakenUnit> taken_;
    std::size_t done_ = 0;
};

struct Export {
    ExportNames names;
    Layout layout;
};

/// The submissions of each export; if there are several, names tell them apart.
std::vector<Export> arrange_exports(const IntakeOptions& options, const AnswerPlaces& places, const Roster& roster,
                                    std::vector<std::string>& problems) {
    std::vector<Export> exports;
    std::vector<ExportNames> found = read_exports(options, places);
    for (ExportNames& names : found) {
        std::optional<std::map<std::string, GradescopeSubmission>> gradescope;
        if (names.gradescope) gradescope = read_gradescope_metadata(*names.gradescope);
        Layout layout = arrange(names.names, gradescope ? &*gradescope : nullptr, roster, places,
                                shown_name(options.submissions.filename().string()));
        const std::string which = found.size() == 1 ? "" : shown_name(names.path.filename().string()) + ": ";
        for (LayoutUnit& unit : layout.units) unit.shown = which + unit.shown;
        for (const std::string& line : names.problems) problems.push_back(line);
        for (const std::string& line : layout.problems) problems.push_back(which + line);
        exports.push_back({std::move(names), std::move(layout)});
    }
    return exports;
}

void add_submissions(const Layout& layout, std::vector<TakenUnit> taken, const Roster& roster, ClassIntake& intake,
                     std::vector<Owner>& owners, std::vector<FoundInstead>& instead) {
    std::vector<WarningOn> not_rostered;
    for (std::size_t k = 0; k < layout.units.size(); ++k) {
        const LayoutUnit& unit = layout.units[k];
        Owner owner = find_owner(unit, taken[k].list, layout.lms, roster);
        if (owner.not_rostered) not_rostered.push_back(*owner.not_rostered);
        ClassSubmission one{.id = {},
                            .student = owner.student,
                            .members = owner.members,
                            .attempt = 1,
                            .time = unit.claim.time,
                            .source = unit.shown,
                            .answers = std::move(taken[k].answers),
                            .unusable = std::move(taken[k].unusable),
                            .problems = unit.problems,
                            .lms_name = unit.lms_name};
        for (const auto* lines : {&owner.problems, &taken[k].problems})
            one.problems.insert(one.problems.end(), lines->begin(), lines->end());
        for (UnusableAnswer& nothing : one.unusable)
            if (nothing.number == UnusableAnswer::any_exercise && !unit.problems.empty())
                nothing.why =
                    fmt::format("{}{}{}", fmt::join(unit.problems, "; "), nothing.why.empty() ? "" : "; ", nothing.why);
        instead.push_back(std::move(taken[k].instead));
        intake.submissions.push_back(std::move(one));
        owners.push_back(std::move(owner));
    }
    add_problems(not_rostered, intake);
}

/// For submissions without an answer: what was found there, and which names were expected. If the intended exercise is
/// unknown, the exercises that others handed in are expected.
void say_what_was_expected(const std::vector<FoundInstead>& instead, const AnswerPlaces& places, bool asked_for_some,
                           std::vector<ClassSubmission>& submissions) {
    std::set<std::size_t> handed_in;
    for (const ClassSubmission& one : submissions)
        for (const SubmittedAnswer& answer : one.answers)
            for (std::size_t k = 0; k < places.exercises().size(); ++k)
                if (places.exercises()[k].number == answer.number) handed_in.insert(k);
    std::vector<std::size_t> by_others(handed_in.begin(), handed_in.end());
    if (asked_for_some) by_others.clear();  // these are the expected ones
    for (std::size_t k = 0; k < submissions.size(); ++k) {
        std::vector<UnusableAnswer>& unusable = submissions[k].unusable;
        const auto nothing = std::find_if(unusable.begin(), unusable.end(), [](const UnusableAnswer& one) {
            return one.number == UnusableAnswer::any_exercise;
        });
        const FoundInstead& found = instead[k];
        if (nothing == unusable.end() || found.what.empty()) continue;
        std::string line = found.what;
        if (found.by_name)
            line += fmt::format(" ({}expected: {})",
                                found.files.empty() ? "" : fmt::format("found: {}; ", fmt::join(found.files, ", ")),
                                places.expected_names(found.meant.empty() ? by_others : found.meant));
        submissions[k].problems.push_back(line);
        nothing->why = line + (nothing->why.empty() ? "" : "; " + nothing->why);
    }
}

/// For the instructor, who can add times to the roster: these lines mean nothing to students.
void say_what_has_no_time(const std::vector<Export>& exports, ClassIntake& intake) {
    std::size_t k = 0;
    std::vector<WarningOn> without;
    for (const Export& one : exports) {
        bool has_all = true;
        for (const LayoutUnit& unit : one.layout.units) {
            const ClassSubmission& submission = intake.submissions[k++];
            if (submission.time) continue;
            has_all = false;
            if (!unit.without_time.empty()) without.push_back({.who = submission.student, .what = unit.without_time});
        }
        if (!has_all && !one.layout.without_time.empty()) intake.problems.push_back(one.layout.without_time);
    }
    add_problems(without, intake);
}

/// Gives a student's only submission the roster's time stamp. With several it is unknown which one it belongs to.
void use_roster_stamps(ClassIntake& intake, const std::vector<Owner>& owners) {
    std::vector<ClassSubmission>& submissions = intake.submissions;
    std::map<std::string, int> count;
    std::set<std::string> several;
    for (const ClassSubmission& one : submissions) ++count[one.student];
    for (std::size_t k = 0; k < submissions.size(); ++k) {
        if (submissions[k].time || !owners[k].submitted) continue;
        if (count[submissions[k].student] == 1)
            submissions[k].time = owners[k].submitted;
        else
            several.insert(submissions[k].student);
    }
    std::vector<WarningOn> unknown;
    for (const std::string& student : several)
        unknown.push_back({.who = student,
                           .what = "has several submissions, and which of them the roster's time belongs to isn't "
                                   "known: none of them is late",
                           .between = " "});
    add_problems(unknown, intake);
}

void add_those_without(ClassIntake& intake) {
    std::set<std::string> handed_in;
    for (const ClassSubmission& one : intake.submissions) handed_in.insert(one.members.begin(), one.members.end());
    std::vector<WarningOn> nothing;
    for (const ClassStudent& student : intake.roster)
        if (!handed_in.contains(student.id))
            nothing.push_back({.who = student.name.empty() || student.name == student.id
                                          ? student.id
                                          : fmt::format("{} ({})", student.name, student.id),
                               .what = "handed in nothing",
                               .between = " "});
    add_problems(nothing, intake);
}

}  // namespace

ClassIntake take_in(const IntakeOptions& options) {
    ClassIntake intake;
    const std::string zone = zone_of_environment();
    const AnswerPlaces places(known_exercises(options.root, options.bare_exercises, intake.problems));
    if (places.exercises().empty())
        throw IntakeError(fmt::format("{} has no exercises that can be graded", options.root.string()));
    Roster roster;
    if (!options.roster.empty()) {
        const std::string text = read_file(options.roster, max_roster_bytes);
        if (text.size() > max_roster_bytes) throw IntakeError("the roster is larger than 64 MiB");
        roster = Roster(text, shown_name(options.roster.filename().string()));
        intake.problems.insert(intake.problems.end(), roster.problems().begin(), roster.problems().end());
        for (const RosterRow& row : roster.rows()) intake.roster.push_back(row.student);
        if (roster.has_local_times()) intake.time_zone = zone;
    }

    const std::vector<Export> exports = arrange_exports(options, places, roster, intake.problems);
    std::size_t all = 0;
    for (const Export& one : exports) all += one.layout.units.size();
    if (all == 0)
        throw IntakeError(
            fmt::format("{} has no submission: the kit knows the exports of Moodle, Canvas, Gradescope and "
                        "GitHub Classroom, and a folder with a folder or an archive for each student",
                        shown_name(options.submissions.string())));

    Staging staging(options.into, options.dry_run);
    std::vector<Owner> owners;
    std::vector<FoundInstead> instead;
    for (const Export& one : exports) {
        ExportReader reader(options, places, one.names, one.layout, staging, owners.size(), all);
        add_submissions(one.layout, reader.read(), roster, intake, owners, instead);
    }
    say_what_was_expected(instead, places, !options.bare_exercises.empty(), intake.submissions);
    use_roster_stamps(intake, owners);
    say_what_has_no_time(exports, intake);
    number_attempts(intake.submissions);
    if (options.accept) options.accept(intake, roster);
    std::vector<std::string> ids;
    for (const ClassSubmission& one : intake.submissions) ids.push_back(one.id);
    staging.move(ids);
    add_those_without(intake);
    std::stable_sort(intake.submissions.begin(), intake.submissions.end(),
                     [](const auto& a, const auto& b) { return a.id < b.id; });
    if (!options.dry_run) write_file_atomically(options.into / "intake.json", intake_json(intake));
    return intake;
}

namespace {

using IntakeJson = nlohmann::ordered_json;

/// The largest intake.json that is read: 3,000 submissions take about 3 MB.
constexpr std::size_t max_intake_bytes = std::size_t{256} << 20;

/// A value of the file, with its position for messages.
class IntakeField {
public:
    IntakeField(const IntakeJson& value, std::string where) : value_(value), where_(std::move(where)) {}

    [[nodiscard]] IntakeField at(const char* key) const {
        if (!value_.is_object()) fail("isn't an object");
        const auto found = value_.find(key);
        if (found == value_.end()) fail(fmt::format("has no \"{}\"", key));
        return {*found, where_.empty() ? key : fmt::format("{}.{}", where_, key)};
    }
    [[nodiscard]] bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
    [[nodiscard]] std::vector<IntakeField> list() const {
        if (!value_.is_array()) fail("isn't a list");
        std::vector<IntakeField> all;
        for (std::size_t k = 0; k < value_.size(); ++k) all.emplace_back(value_[k], fmt::format("{}[{}]", where_, k));
        return all;
    }
    [[nodiscard]] std::string text() const {
        if (!value_.is_string()) fail("isn't a text");
        return value_.get<std::string>();
    }
    [[nodiscard]] std::vector<std::string> texts() const {
        std::vector<std::string> all;
        for (const IntakeField& one : list()) all.push_back(one.text());
        return all;
    }
    /// A text that names a file and doesn't lead elsewhere.
    [[nodiscard]] std::string file_name() const {
        std::string name = text();
        if (name.empty() || name == "." || name == ".." || name.size() > 200 ||
            std::any_of(name.begin(), name.end(),
                        [](char c) { return c == '/' || static_cast<unsigned char>(c) < 32; }))
            fail("isn't a file's name");
        return name;
    }
    [[nodiscard]] int number(int min) const {
        if (!value_.is_number_integer()) fail("isn't a whole number");
        const auto number = value_.is_number_unsigned() && value_.get<std::uint64_t>() > 1'000'000
                                ? std::int64_t{1'000'001}
                                : value_.get<std::int64_t>();
        if (number < min || number > 1'000'000) fail("is out of range");
        return static_cast<int>(number);
    }
    [[nodiscard]] std::optional<std::chrono::sys_seconds> time() const {
        if (value_.is_null()) return std::nullopt;
        const std::string written = text();
        const std::optional<std::chrono::sys_seconds> time = parse_stamp(written);
        if (!time || stamp_text(*time) != written) fail("isn't a time such as 2026-11-23T18:00:00Z");
        return time;
    }
    [[nodiscard]] std::optional<LmsName> lms_name() const {
        if (value_.is_null()) return std::nullopt;
        const auto part = [&](const char* key) {
            std::string text = at(key).text();
            if (!is_part_of_file_name(text)) at(key).fail("isn't part of a file's name");
            return text;
        };
        LmsName name{.lms = at("lms").text(), .who = part("who"), .number = part("number")};
        name.upload = part("upload");
        name.file = part("file");
        if (!at("late").value_.is_boolean()) at("late").fail("is neither true nor false");
        name.is_late = at("late").value_.get<bool>();
        return name;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw IntakeError(fmt::format("intake.json: {} {}", where_.empty() ? "it" : where_, what));
    }

private:
    const IntakeJson& value_;
    std::string where_;
};

IntakeJson time_json(const std::optional<std::chrono::sys_seconds>& time) {
    return time ? IntakeJson(stamp_text(*time)) : IntakeJson(nullptr);
}

IntakeJson lms_name_json(const std::optional<LmsName>& name) {
    if (!name) return nullptr;
    return {{"lms", name->lms},       {"who", name->who},   {"number", name->number},
            {"upload", name->upload}, {"file", name->file}, {"late", name->is_late}};
}

}  // namespace

std::string intake_json(const ClassIntake& intake) {
    IntakeJson roster = IntakeJson::array(), submissions = IntakeJson::array();
    for (const ClassStudent& one : intake.roster)
        roster.push_back({{"id", one.id},
                          {"name", one.name},
                          {"email", one.email},
                          {"group", one.group},
                          {"canvas", one.canvas},
                          {"extended_until", time_json(one.extended_until)}});
    for (const ClassSubmission& one : intake.submissions) {
        IntakeJson answers = IntakeJson::array(), unusable = IntakeJson::array();
        for (const SubmittedAnswer& answer : one.answers)
            answers.push_back({{"number", answer.number}, {"folder", answer.folder}, {"digest", answer.digest}});
        for (const UnusableAnswer& answer : one.unusable)
            unusable.push_back({{"number", answer.number}, {"why", answer.why}});
        submissions.push_back({{"id", one.id},
                               {"student", one.student},
                               {"members", one.members},
                               {"attempt", one.attempt},
                               {"time", time_json(one.time)},
                               {"source", one.source},
                               {"answers", answers},
                               {"unusable", unusable},
                               {"problems", one.problems},
                               {"lms_name", lms_name_json(one.lms_name)}});
    }
    const IntakeJson json = {{"schema", intake_schema},
                             {"time_zone", intake.time_zone},
                             {"roster", roster},
                             {"submissions", submissions},
                             {"problems", intake.problems}};
    return json.dump(1, ' ', false, IntakeJson::error_handler_t::replace) + "\n";
}

ClassIntake read_intake(std::string_view text) {
    if (text.size() > max_intake_bytes) throw IntakeError("intake.json is larger than any class's");
    IntakeJson json;
    try {
        json = IntakeJson::parse(text);
    } catch (const nlohmann::json::exception& why) {
        throw IntakeError(fmt::format("intake.json can't be read: {}", why.what()));
    }
    const IntakeField all(json, "");
    if (const int schema = all.at("schema").number(0); schema != intake_schema)
        throw IntakeError(fmt::format("intake.json has schema {}, and this kit reads {}", schema, intake_schema));
    ClassIntake intake;
    if (all.has("time_zone")) intake.time_zone = all.at("time_zone").text();  // an earlier kit has none
    for (const IntakeField& one : all.at("roster").list()) {
        ClassStudent student{one.at("id").text(), one.at("name").text(), one.at("email").text(),
                             one.at("group").text()};
        if (one.has("canvas")) student.canvas = one.at("canvas").text();  // results of an earlier kit have neither
        if (one.has("extended_until")) student.extended_until = one.at("extended_until").time();
        intake.roster.push_back(std::move(student));
    }
    std::set<std::string> ids;
    for (const IntakeField& one : all.at("submissions").list()) {
        ClassSubmission submission;
        submission.id = one.at("id").file_name();
        if (!ids.insert(lower_ascii(submission.id)).second) one.at("id").fail("is there twice");
        submission.student = one.at("student").text();
        submission.members = one.at("members").texts();
        submission.attempt = one.at("attempt").number(1);
        submission.time = one.at("time").time();
        submission.source = one.at("source").text();
        for (const IntakeField& answer : one.at("answers").list())
            submission.answers.push_back(
                {answer.at("number").number(0), answer.at("folder").file_name(), answer.at("digest").text()});
        if (one.has("unusable"))  // results of an earlier kit have none
            for (const IntakeField& answer : one.at("unusable").list())
                submission.unusable.push_back({answer.at("number").number(0), answer.at("why").text()});
        submission.problems = one.at("problems").texts();
        if (one.has("lms_name")) submission.lms_name = one.at("lms_name").lms_name();  // an earlier kit has none
        intake.submissions.push_back(std::move(submission));
    }
    intake.problems = all.at("problems").texts();
    return intake;
}

}  // namespace course
