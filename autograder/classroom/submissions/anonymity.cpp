// SPDX-License-Identifier: MIT
#include "classroom/submissions/anonymity.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// RESULTS/anonymous.json.
struct KeptNames {
    bool hidden = false;
    std::vector<std::string> order = {};
    friend bool operator==(const KeptNames&, const KeptNames&) = default;
};

KeptNames read_kept(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return {};
    try {
        const nlohmann::json json = nlohmann::json::parse(read_file(file));
        if (json.at("schema") != 1) throw IntakeError("");
        return {json.at("hidden").get<bool>(), json.at("students").get<std::vector<std::string>>()};
    } catch (const std::exception&) {
        throw IntakeError(fmt::format("{} can't be read, so it isn't known whether names are hidden. Without the file "
                                      "names are shown; with --anonymous students get new numbers then",
                                      file.string()));
    }
}

void write_kept(const fs::path& file, const KeptNames& kept) {
    const nlohmann::ordered_json json = {{"schema", 1}, {"hidden", kept.hidden}, {"students", kept.order}};
    write_file_atomically(file, json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
                          0600);
}

/// New students come last, in random order.
void add_new_students(const ClassIntake& intake, std::vector<std::string>& order) {
    std::set<std::string> known(order.begin(), order.end());
    std::vector<std::string> added;
    const auto add = [&](const std::string& id) {
        if (known.insert(id).second) added.push_back(id);
    };
    for (const ClassStudent& one : intake.roster) add(one.id);
    for (const ClassSubmission& one : intake.submissions) {
        add(one.student);
        for (const std::string& member : one.members) add(member);
    }
    std::random_device random;
    std::shuffle(added.begin(), added.end(), random);
    order.insert(order.end(), added.begin(), added.end());
}

bool is_of_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte >= 0x80;
}

}  // namespace

Anonymity::Anonymity(const ClassIntake& intake, const std::vector<std::string>& order) {
    for (std::size_t k = 0; k < order.size(); ++k) students_[order[k]] = fmt::format("Student {}", k + 1);
    for (const auto& [id, name] : students_) know(id, name);
    for (const ClassStudent& one : intake.roster)
        for (const std::string& word : {one.name, one.email, one.canvas}) know(word, of(one.id));
    for (const ClassSubmission& one : intake.submissions) {
        submissions_[one.id] = fmt::format("{}-{}", of(one.student), one.attempt);
        know(one.id, submissions_[one.id]);
        know(one.source, submissions_[one.id]);
        if (one.lms_name) know(one.lms_name->who, of(one.student));
        if (one.lms_name && one.lms_name->number.size() > 2) know(one.lms_name->number, of(one.student));
    }
    for (auto& words : words_)
        std::stable_sort(words.begin(), words.end(),
                         [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

void Anonymity::know(const std::string& word, const std::string& name) {
    if (word.size() > 1) words_[static_cast<unsigned char>(word.front())].emplace_back(word, name);
}

std::string Anonymity::of(const std::string& id) const {
    const auto at = students_.find(id);
    return at == students_.end() ? "Student ?" : at->second;
}

std::string Anonymity::of_submission(const std::string& id) const {
    const auto at = submissions_.find(id);
    return at == submissions_.end() ? "Student ?" : at->second;
}

std::string Anonymity::in(const std::string& line) const {
    std::string text;
    for (std::size_t at = 0; at < line.size();) {
        const bool begins = at == 0 || !is_of_word(line[at - 1]);
        const std::string_view rest = std::string_view(line).substr(at);
        const auto& words = words_[static_cast<unsigned char>(line[at])];
        const auto found = begins ? std::find_if(words.begin(), words.end(),
                                                 [&](const auto& one) {
                                                     const std::size_t size = one.first.size();
                                                     return rest.starts_with(one.first) &&
                                                            (size == rest.size() || !is_of_word(rest[size]));
                                                 })
                                  : words.end();
        if (found == words.end()) {
            text += line[at++];
        } else {
            const std::string& name = found->second;
            at += found->first.size();
            if (text.ends_with(name + " (") && at < line.size() && line[at] == ')') {  // "Ada Lovelace (s1)"
                text.resize(text.size() - 2);
                ++at;
            } else {
                text += name;
            }
        }
    }
    return text;
}

void Anonymity::hide(ClassIntake& intake) const {
    for (ClassStudent& one : intake.roster) one = {of(one.id), of(one.id), "", ""};
    for (ClassSubmission& one : intake.submissions) {
        one.student = of(one.student);
        for (std::string& member : one.members) member = of(member);
        one.source = of_submission(one.id);
        for (std::string& line : one.problems) line = in(line);
        for (UnusableAnswer& answer : one.unusable) answer.why = in(answer.why);
        one.lms_name.reset();
    }
    for (std::string& line : intake.problems) line = in(line);
}

std::optional<Anonymity> anonymity(const fs::path& results, const ClassIntake& intake, Names names, bool keep) {
    const fs::path file = results / "anonymous.json";
    const KeptNames before = read_kept(file);
    KeptNames now = before;
    if (names != Names::as_before) now.hidden = names == Names::hidden;
    if (now.hidden) add_new_students(intake, now.order);
    if (keep && now != before) write_kept(file, now);
    if (!now.hidden) return {};
    return Anonymity(intake, now.order);
}

void add_hiding(const CommandOptions& command, bool& anonymous, bool& reveal) {
    command.option("--anonymous", &anonymous, "\"Student 17\" in place of names, from now on");
    command.option("--reveal", &reveal, "show names again", {.excludes = {"--anonymous"}});
}

}  // namespace course
