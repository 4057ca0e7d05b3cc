// SPDX-License-Identifier: MIT
#include "classroom/submissions/layout.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "classroom/submissions/formats/names.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// The parts of a name in an export.
struct ExportedName {
    std::string who;     ///< "Ada Lovelace", "lovelaceada"
    std::string number;  ///< Moodle's participant, Canvas' user
    std::string file;    ///< the student's own name for the file
    long order = 0;
    bool is_text = false, is_late = false, is_anonymous = false;
};

/// "Ada Lovelace_12345_assignsubmission_file_raw_add.cu", or a folder without the file's name.
std::optional<ExportedName> moodle_name(const std::string& name) {
    static constexpr std::string_view mark = "_assignsubmission_";
    const std::size_t at = name.find(mark);
    if (at == name.npos) return std::nullopt;
    ExportedName said;
    said.who = name.substr(0, at);
    if (const std::size_t last = said.who.rfind('_'); last != said.who.npos && is_number(said.who.substr(last + 1))) {
        said.number = said.who.substr(last + 1);
        said.who.resize(last);
    }
    const std::string rest = name.substr(at + mark.size());
    const std::size_t end = std::min(rest.find('_'), rest.size());
    said.is_text = rest.substr(0, end) != "file";
    if (end < rest.size()) said.file = rest.substr(end + 1);
    return said;
}

/// True for Canvas' replacement of a student's name: five letters and digits.
bool is_anonymous_id(std::string_view word) {
    return word.size() == 5 && std::all_of(word.begin(), word.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
           });
}

/// "lovelaceada_LATE_12345_67890_raw_add.cu"; without names "anon_ab12c_67890_raw_add.cu".
std::optional<ExportedName> canvas_name(const std::string& name) {
    std::vector<std::string> words;
    std::vector<std::size_t> begins;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('_', begin), name.size());
        words.push_back(name.substr(begin, end - begin));
        begins.push_back(begin);
        begin = end + 1;
    }
    ExportedName said;
    for (std::size_t k = 0; k + 2 < words.size(); ++k) {
        const bool anonymous = words[k] == "anon" && k + 3 < words.size() && is_anonymous_id(words[k + 1]) &&
                               is_number(words[k + 2]) && words[k + 2].size() < 18 &&
                               (k == 0 || (k == 1 && words[0] == "LATE"));
        const bool named = k > 0 && is_number(words[k]) && is_number(words[k + 1]) && words[k + 1].size() < 18;
        if (!anonymous && !named) continue;
        const std::size_t file = k + (anonymous ? 3 : 2);
        const std::size_t late = anonymous ? (k == 1 ? 0 : k) : k - 1;
        said.is_late = words[late] == "LATE";
        said.number = anonymous ? words[k + 1] : words[k];
        said.order = std::stol(words[file - 1]);
        said.file = name.substr(begins[file]);
        for (std::size_t j = 0; j < (anonymous ? 0 : k - (said.is_late ? 1 : 0)); ++j) said.who += words[j];
        if (anonymous) said.who = "anonymous " + said.number;
        said.is_anonymous = anonymous;
        return said;
    }
    // Text entered in Canvas itself: "lovelaceada_12345_text.html".
    if (words.size() >= 3 && is_number(words[words.size() - 2]) &&
        (words.back() == "text.html" || words.back() == "link.html")) {
        said.number = words[words.size() - 2];
        said.file = words.back();
        said.is_text = true;
        for (std::size_t j = 0; j + 2 < words.size(); ++j)
            if (words[j] != "LATE") said.who += words[j];
        return said;
    }
    return std::nullopt;
}

bool is_ignored(const TopName& one) {
    const std::string low = lower_ascii(one.name);
    return is_litter(one.name) || low.starts_with('.') || (!one.is_folder && low.ends_with(".csv"));
}

/// The name, if it can become a file name again: it goes into an archive that an LMS unpacks.
std::optional<LmsName> usable_name(LmsName name) {
    for (const std::string* field : {&name.who, &name.number, &name.upload, &name.file})
        if (!is_part_of_file_name(*field)) return std::nullopt;
    return name;
}

std::string ours(const TopName& one) { return shown_name(one.name) + (one.is_folder ? "/" : ""); }

/// Units by key, in order of first occurrence.
class UnitsByKey {
public:
    LayoutUnit& at(const std::string& key, const std::string& shown, const std::string& number) {
        const auto [found, is_new] = index_.emplace(key, units_.size());
        if (is_new) {
            units_.push_back({.shown = shown, .claim = {}, .parts = {}, .problems = {}});
            numbers_.push_back(number);
        }
        return units_[found->second];
    }
    /// The units; two people with the same name have different numbers in the LMS.
    std::vector<LayoutUnit> take() {
        std::map<std::string, int> count;
        for (const LayoutUnit& unit : units_)
            for (const Claim::Person& person : unit.claim.people) ++count[folded_name(person.best)];
        for (std::size_t k = 0; k < units_.size(); ++k)
            for (Claim::Person& person : units_[k].claim.people)
                if (count[folded_name(person.best)] > 1 && !numbers_[k].empty()) person.best += " " + numbers_[k];
        return std::move(units_);
    }

private:
    std::vector<LayoutUnit> units_;
    std::vector<std::string> numbers_;
    std::map<std::string, std::size_t> index_;
};

void left_out(Layout& layout, const TopName& one) {
    layout.problems.push_back(
        fmt::format("{} isn't named as {} names what is handed in; it was left out", ours(one), to_string(layout.lms)));
}

void arrange_moodle(Layout& layout, const std::vector<TopName>& names, const Roster& roster) {
    UnitsByKey units;
    for (const TopName& one : names) {
        if (is_ignored(one)) continue;
        const std::optional<ExportedName> said = moodle_name(one.name);
        if (!said) {
            left_out(layout, one);
            continue;
        }
        LayoutUnit& unit =
            units.at(said->who + "_" + said->number,
                     shown_name(said->who + (said->number.empty() ? "" : "_" + said->number)), said->number);
        const std::string who = plain_line(said->who);
        if (!roster.group(who).empty()) {
            unit.claim.group = who;
        } else {
            Claim::Person person{.keys = {}, .best = who};
            if (!said->number.empty()) {
                person.keys.push_back(roster_key::participant(said->number));
                if (folded_name(who) == "participant") person.best = "Participant " + said->number;
            }
            person.keys.push_back(roster_key::name(who));
            unit.claim.people = {person};
            if (!said->number.empty())
                unit.lms_name = usable_name({.lms = "moodle", .who = said->who, .number = said->number});
        }
        if (said->is_text)
            unit.problems.push_back("has text typed into Moodle instead of a file; it was ignored");
        else
            unit.parts.push_back({one.name, one.is_folder, said->file, 0});
    }
    layout.units = units.take();
}

void arrange_canvas(Layout& layout, const std::vector<TopName>& names) {
    UnitsByKey units;
    for (const TopName& one : names) {
        if (is_ignored(one)) continue;
        const std::optional<ExportedName> said = one.is_folder ? std::nullopt : canvas_name(one.name);
        if (!said) {
            left_out(layout, one);
            continue;
        }
        LayoutUnit& unit = units.at(said->number, shown_name(said->who + "_" + said->number), said->number);
        unit.claim.people = {
            {.keys = {roster_key::canvas(said->number), roster_key::name(said->who)}, .best = plain_line(said->who)}};
        if (said->is_late)
            unit.without_time =
                "Canvas marks it LATE, and its export has no times: if the deadline counts, give the times "
                "in the roster's column \"submitted\"";
        if (said->is_text)
            unit.problems.push_back("has text typed into Canvas instead of a file; it was ignored");
        else
            unit.parts.push_back({one.name, false, said->file, said->order});
        // The latest upload among several files: Canvas accepts the names of a submission's newest attempt.
        if (!said->is_text && (!unit.lms_name || std::stol(unit.lms_name->upload) < said->order))
            unit.lms_name = usable_name({.lms = "canvas",
                                         .who = said->is_anonymous ? "anon" : said->who,
                                         .number = said->number,
                                         .upload = std::to_string(said->order),
                                         .file = said->file,
                                         .is_late = said->is_late});
    }
    layout.units = units.take();
}

void arrange_gradescope(Layout& layout, const std::vector<TopName>& names,
                        const std::map<std::string, GradescopeSubmission>& metadata) {
    std::set<std::string> there;
    for (const TopName& one : names) {
        if (is_ignored(one) || one.name == "submission_metadata.yml") continue;
        const auto found = metadata.find(one.name);
        if (found == metadata.end()) {
            layout.problems.push_back(fmt::format("{} isn't in submission_metadata.yml; it was left out", ours(one)));
            continue;
        }
        there.insert(one.name);
        LayoutUnit unit{.shown = shown_name(one.name), .claim = {}, .parts = {}, .problems = {}};
        for (const GradescopeSubmission::Submitter& who : found->second.submitters) {
            Claim::Person person;
            if (!who.sid.empty()) person.keys.push_back(roster_key::id(plain_line(who.sid)));
            if (!who.email.empty()) person.keys.push_back(roster_key::email(plain_line(who.email)));
            if (!who.name.empty()) person.keys.push_back(roster_key::name(plain_line(who.name)));
            person.best = plain_line(!who.sid.empty() ? who.sid : !who.email.empty() ? who.email : who.name);
            unit.claim.people.push_back(std::move(person));
        }
        if (unit.claim.people.empty()) {
            unit.claim.people.push_back({.keys = {}, .best = unit.shown});
            unit.problems.push_back("submission_metadata.yml names nobody who handed it in");
        }
        unit.claim.time = parse_stamp(found->second.created_at);
        if (!unit.claim.time)
            unit.problems.push_back(fmt::format("submission_metadata.yml has \"{}\" as its time, which can't be read",
                                                plain_line(found->second.created_at)));
        unit.parts.push_back({one.name, one.is_folder, one.name, 0});
        layout.units.push_back(std::move(unit));
    }
    for (const auto& [folder, one] : metadata)
        if (!there.contains(folder))
            layout.problems.push_back(
                fmt::format("submission_metadata.yml has {}, which isn't in the export", shown_name(folder)));
}

/// The common prefix of all repositories, "raw-add-" in "raw-add-ada".
std::string common_beginning(const std::vector<TopName>& names) {
    std::optional<std::string> common;
    std::size_t count = 0;
    for (const TopName& one : names) {
        if (is_ignored(one) || !one.is_folder) continue;
        ++count;
        if (!common) common = one.name;
        std::size_t same = 0;
        while (same < std::min(common->size(), one.name.size()) && (*common)[same] == one.name[same]) ++same;
        common->resize(same);
    }
    if (!common || count < 2) return "";
    const std::size_t dash = common->rfind('-');
    return dash == common->npos ? "" : common->substr(0, dash + 1);
}

void arrange_github(Layout& layout, const std::vector<TopName>& names, const Roster& roster) {
    const std::string beginning = common_beginning(names);
    for (const TopName& one : names) {
        if (is_ignored(one)) continue;
        if (!one.is_folder) {
            left_out(layout, one);
            continue;
        }
        Claim::Person person{.keys = {}, .best = plain_line(one.name.substr(beginning.size()))};
        // A user's name may contain a dash: the longest suffix that is somebody's name counts.
        for (std::size_t dash = one.name.find('-'); dash != one.name.npos; dash = one.name.find('-', dash + 1)) {
            const std::string key = roster_key::login(one.name.substr(dash + 1));
            if (roster.find({key}).row) {
                person.keys = {key};
                break;
            }
        }
        layout.units.push_back({.shown = shown_name(one.name),
                                .claim = {.people = {person}},
                                .parts = {{one.name, true, one.name, 0}},
                                .problems = {}});
    }
    layout.without_time =
        "GitHub's repositories don't say when they were handed in (a commit's time is the student's to "
        "write): if the deadline counts, give the times in the roster's column \"submitted\"";
}

/// The keys for a name that a student or an instructor chose: "ada", "submission-ada", "ada-2", "ada (1)".
std::vector<std::string> keys_of_chosen_name(std::string name) {
    std::vector<std::string> keys;
    const auto add = [&](const std::string& text) {
        for (const auto& key :
             {roster_key::id(text), roster_key::login(text), roster_key::email(text), roster_key::name(text)})
            keys.push_back(key);
    };
    add(name);
    if (name.starts_with("submission-")) add(name = name.substr(11));
    const std::string original(without_copy_number(name));
    const std::size_t last = name.find_last_of("-_ ");
    if (original != name)
        add(original);
    else if (last != name.npos && last > 0 && is_number(name.substr(last + 1))) add(name.substr(0, last));
    return keys;
}

void arrange_plain(Layout& layout, const std::vector<TopName>& names, const Roster& roster) {
    const auto add = [&](const TopName& one, const std::string& name) -> LayoutUnit& {
        layout.units.push_back(
            {.shown = shown_name(one.name),
             .claim = {.people = {{.keys = keys_of_chosen_name(name), .best = name}}, .is_sure = false},
             .parts = {},
             .problems = {}});
        return layout.units.back();
    };
    const auto stem_of = [](const TopName& one) {
        return plain_line(one.is_folder ? one.name : std::string(without_archive_ending(one.name)));
    };
    std::set<std::string> stems;
    for (const TopName& one : names)
        if (one.is_folder || has_archive_ending(one.name)) stems.insert(stem_of(one));
    std::vector<TopName> others;
    std::set<const RosterRow*> seen;
    for (const TopName& one : names) {
        if (is_ignored(one)) continue;
        if (!one.is_folder && !has_archive_ending(one.name)) {
            others.push_back(one);
            continue;
        }
        const std::string name = stem_of(one);
        LayoutUnit& unit = add(one, name);
        unit.parts = {{one.name, one.is_folder, one.name, 0}};
        // A browser's name for a second download or upload of the same file; "ada-2" may be somebody's own name.
        const std::string original(without_copy_number(name));
        if (name.ends_with(')') && stems.contains(original)) unit.claim.people[0].best = original;
        seen.insert(roster.find(unit.claim.people[0].keys).row);
    }
    for (const TopName& one : others) {
        const std::string line = ours(one) + " is neither a folder nor an archive; it was left out";
        const std::string name = plain_line(one.name.substr(0, one.name.rfind('.')));
        const RosterRow* const student = roster.find(keys_of_chosen_name(name)).row;
        if (student != nullptr && seen.insert(student).second)  // then nobody may be reported to have handed in nothing
            add(one, name).problems = {line};
        else
            layout.problems.push_back(line);
    }
}

std::size_t count_if_named(const std::vector<TopName>& names, auto&& is_named) {
    return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), is_named));
}

bool is_moodle(const TopName& one) { return moodle_name(one.name).has_value(); }
bool is_canvas_file(const TopName& one) { return !one.is_folder && canvas_name(one.name).has_value(); }

bool is_one_submission(const std::vector<TopName>& names, const AnswerPlaces& places) {
    return std::any_of(names.begin(), names.end(), [&](const TopName& one) {
        if (one.is_folder) return places.is_exercise(one.name) || one.name == "work" || one.name == "exercises";
        return one.name == "submission.json" || places.find({one.name}).has_value();
    });
}

bool is_canvas(const std::vector<TopName>& names) {
    const std::size_t files = count_if_named(names, [](const TopName& one) { return !is_ignored(one); });
    return files > 0 && 2 * count_if_named(names, is_canvas_file) > files;
}

}  // namespace

std::string to_string(Lms lms) {
    switch (lms) {
        case Lms::moodle: return "Moodle";
        case Lms::canvas: return "Canvas";
        case Lms::gradescope: return "Gradescope";
        case Lms::github: return "GitHub Classroom";
        case Lms::plain: break;
    }
    return "a folder of submissions";
}

bool is_an_lms_export(const std::vector<TopName>& names) {
    return is_canvas(names) || std::any_of(names.begin(), names.end(), [](const TopName& one) {
               return is_moodle(one) || (!one.is_folder && one.name == "submission_metadata.yml");
           });
}

bool is_an_export(const std::vector<TopName>& names, const AnswerPlaces& places) {
    if (is_an_lms_export(names)) return true;
    const std::size_t units = count_if_named(
        names, [](const TopName& one) { return !is_ignored(one) && (one.is_folder || has_archive_ending(one.name)); });
    return units >= 2 && !is_one_submission(names, places);
}

Layout arrange(const std::vector<TopName>& names, const std::map<std::string, GradescopeSubmission>* gradescope,
               const Roster& roster, const AnswerPlaces& places, const std::string& shown) {
    Layout layout;
    const auto is_users = [&](const TopName& one) {
        const std::size_t dash = one.name.find('-');
        if (!one.is_folder || dash == one.name.npos) return false;
        for (std::size_t at = dash; at != one.name.npos; at = one.name.find('-', at + 1))
            if (roster.find({roster_key::login(one.name.substr(at + 1))}).row) return true;
        return false;
    };
    if (gradescope) {
        layout.lms = Lms::gradescope;
        arrange_gradescope(layout, names, *gradescope);
    } else if (std::any_of(names.begin(), names.end(), is_moodle)) {
        layout.lms = Lms::moodle;
        arrange_moodle(layout, names, roster);
    } else if (is_canvas(names)) {
        layout.lms = Lms::canvas;
        arrange_canvas(layout, names);
    } else if (is_one_submission(names, places)) {
        const std::string name(without_archive_ending(shown));
        layout.units.push_back(
            {.shown = shown,
             .claim = {.people = {{.keys = keys_of_chosen_name(name), .best = name}}, .is_sure = false},
             .parts = {{"", true, "", 0}},
             .problems = {}});
    } else if (std::any_of(names.begin(), names.end(), [](const TopName& one) { return one.is_repository; }) ||
               2 * count_if_named(names, is_users) > names.size()) {
        layout.lms = Lms::github;
        arrange_github(layout, names, roster);
    } else {
        arrange_plain(layout, names, roster);
    }
    return layout;
}

namespace {

/// A name's letters in alphabetical order: the same for "Ada Lovelace" and "lovelaceada".
std::string letters_of(const std::string& name) {
    std::string letters = folded_name(name);
    std::sort(letters.begin(), letters.end());
    return letters;
}

/// The order in a list of names: "ada", "ada-2", "ada-10".
bool comes_before(std::string_view a, std::string_view b) {
    const auto digits = [](std::string_view text) {
        return std::min(text.find_first_not_of("0123456789"), text.size());
    };
    while (!a.empty() && !b.empty()) {
        const std::size_t in_a = digits(a), in_b = digits(b);
        if (in_a > 0 && in_b > 0) {
            if (in_a != in_b) return in_a < in_b;
            if (a.substr(0, in_a) != b.substr(0, in_b)) return a.substr(0, in_a) < b.substr(0, in_b);
        } else if (a[0] != b[0]) {
            return a[0] < b[0];
        }
        a.remove_prefix(std::max<std::size_t>(in_a, 1));
        b.remove_prefix(std::max<std::size_t>(in_b, 1));
    }
    return a.empty() && !b.empty();
}

std::vector<std::string> keys_of_list(const SubmittedList& list) {
    return {roster_key::id(list.student_id), roster_key::login(list.student_id), roster_key::email(list.student_id),
            roster_key::name(list.student_name)};
}

void add_member(std::vector<std::string>& members, const std::string& id) {
    if (std::find(members.begin(), members.end(), id) == members.end()) members.push_back(id);
}

void add_person(Owner& owner, const RosterRow& row, const Roster& roster) {
    if (owner.student.empty()) owner.student = row.student.id;
    if (!owner.submitted) owner.submitted = row.submitted;
    add_member(owner.members, row.student.id);
    if (row.student.group.empty()) return;
    for (const RosterRow* const other : roster.group(row.student.group)) add_member(owner.members, other->student.id);
}

/// "Ada Lovelace (s1)".
std::string name_and_id(const std::string& name, const std::string& id) {
    return name.empty() || name == id ? id : fmt::format("{} ({})", name, id);
}

void compare_with_list(Owner& owner, const LayoutUnit& unit, const SubmittedList& list, Lms lms, const Roster& roster) {
    const RosterRow* const row = roster.find({roster_key::id(owner.student)}).row;
    const std::string student = row ? name_and_id(row->student.name, owner.student) : owner.student;
    const std::string line =
        fmt::format("wrong student? submission.json names {}, and {} says {}; {} counts",
                    name_and_id(list.student_name, list.student_id),
                    lms == Lms::plain ? "the submission's own name" : to_string(lms), student, owner.student);
    if (const Roster::Found said = roster.find(keys_of_list(list)); said.row) {
        if (std::find(owner.members.begin(), owner.members.end(), said.row->student.id) == owner.members.end())
            owner.problems.push_back(line);
        return;
    }
    // For somebody who isn't in the roster, if there is one, compare the names themselves.
    std::set<std::string> names = {letters_of(owner.student)};
    for (const Claim::Person& person : unit.claim.people) names.insert(letters_of(person.best));
    if (row) names.insert(letters_of(row->student.name));
    if (!names.contains(letters_of(list.student_id)) && !names.contains(letters_of(list.student_name)))
        owner.problems.push_back(line);
}

}  // namespace

Owner find_owner(const LayoutUnit& unit, const std::optional<SubmittedList>& list, Lms lms, const Roster& roster) {
    Owner owner;
    const Claim& claim = unit.claim;
    for (const RosterRow* const row : roster.group(claim.group)) add_person(owner, *row, roster);
    bool several = false;
    std::vector<std::string> unknown;
    for (const Claim::Person& person : claim.people) {
        const Roster::Found found = roster.find(person.keys);
        several = several || found.several;
        if (found.row)
            add_person(owner, *found.row, roster);
        else
            unknown.push_back(person.best);
    }
    bool told_by_list = false;
    if (owner.student.empty() && !claim.is_sure && list) {
        told_by_list = true;
        const Roster::Found found = roster.find(keys_of_list(*list));
        several = found.several;
        if (found.row) {
            add_person(owner, *found.row, roster);
            unknown.clear();
        } else {
            unknown = {list->student_id.empty() ? list->student_name : list->student_id};
        }
    }
    for (const std::string& name : unknown) {
        const std::string best = name.empty() ? unit.shown : name;
        if (owner.student.empty()) owner.student = best;
        add_member(owner.members, best);
        if (!roster.empty())
            owner.not_rostered = {.who = fmt::format("{} ({})", best, unit.shown),
                                  .what = several ? "may be one of several students of the roster: give the roster a "
                                                    "column that tells them apart"
                                                  : "isn't on the roster",
                                  .between = " "};
    }
    if (owner.student.empty()) owner.student = unit.shown;
    if (owner.members.empty()) owner.members = {owner.student};
    if (list && !told_by_list) compare_with_list(owner, unit, *list, lms, roster);
    return owner;
}

void number_attempts(std::vector<ClassSubmission>& submissions) {
    std::map<std::string, std::vector<ClassSubmission*>> by_student;
    for (ClassSubmission& one : submissions) by_student[one.student].push_back(&one);
    std::map<std::string, std::string> names;  // files' names in lower case, with their owners
    for (auto& [student, attempts] : by_student) {
        // Without times, "ada-2" comes before "ada-10".
        std::stable_sort(attempts.begin(), attempts.end(), [](const ClassSubmission* a, const ClassSubmission* b) {
            if (a->time && b->time && *a->time != *b->time) return *a->time < *b->time;
            if (a->time.has_value() != b->time.has_value()) return b->time.has_value();
            return comes_before(without_archive_ending(a->source), without_archive_ending(b->source));
        });
        std::string name = safe_file_name(student);
        if (!names.emplace(lower_ascii(name), student).second) {
            name += "~" + digest(student).substr(0, 8);  // "Ada" beside "ada", on file systems that ignore case
            names.emplace(lower_ascii(name), student);
        }
        int attempt = 0;
        for (ClassSubmission* const one : attempts) {
            one->attempt = ++attempt;
            one->id = fmt::format("{}-{}", name, attempt);
        }
    }
}

}  // namespace course
