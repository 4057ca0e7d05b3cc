// SPDX-License-Identifier: MIT
#include "submissions/who.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "submissions/formats/names.hpp"
#include "support/files.hpp"

namespace course {

namespace {

/// The letters of a name in the alphabet's order: "Ada Lovelace" has those of "lovelaceada".
std::string letters_of(const std::string& name) {
    std::string letters = folded_name(name);
    std::sort(letters.begin(), letters.end());
    return letters;
}

/// In a list of names: "ada", "ada-2", "ada-10".
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
    // Somebody whom the roster hasn't got, if there is one: the names themselves have to do.
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
    std::map<std::string, std::string> names;  // of files, in lower case: whose they are
    for (auto& [student, attempts] : by_student) {
        // Without times, "ada-2" comes before "ada-10".
        std::stable_sort(attempts.begin(), attempts.end(), [](const ClassSubmission* a, const ClassSubmission* b) {
            if (a->time && b->time && *a->time != *b->time) return *a->time < *b->time;
            if (a->time.has_value() != b->time.has_value()) return b->time.has_value();
            return comes_before(without_archive_ending(a->source), without_archive_ending(b->source));
        });
        std::string name = safe_file_name(student);
        if (!names.emplace(lower_ascii(name), student).second) {
            name += "~" + digest(student).substr(0, 8);  // "Ada" beside "ada", where capitals don't count
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
