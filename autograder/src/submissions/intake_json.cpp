// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "submissions/formats/names.hpp"
#include "submissions/formats/stamps.hpp"
#include "submissions/intake.hpp"
#include "support/text.hpp"

namespace course {

namespace {

using IntakeJson = nlohmann::ordered_json;

/// The largest intake.json that is read: 3,000 submissions take about 3 MB.
constexpr std::size_t most_intake_bytes = std::size_t{256} << 20;

/// A value of the file and where it stands, for messages.
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
    /// A text that is a name of a file, and of no other place.
    [[nodiscard]] std::string file_name() const {
        std::string name = text();
        if (name.empty() || name == "." || name == ".." || name.size() > 200 ||
            std::any_of(name.begin(), name.end(),
                        [](char c) { return c == '/' || static_cast<unsigned char>(c) < 32; }))
            fail("isn't a file's name");
        return name;
    }
    [[nodiscard]] int number(int least) const {
        if (!value_.is_number_integer()) fail("isn't a whole number");
        const auto number = value_.is_number_unsigned() && value_.get<std::uint64_t>() > 1'000'000
                                ? std::int64_t{1'000'001}
                                : value_.get<std::int64_t>();
        if (number < least || number > 1'000'000) fail("is out of range");
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
    const IntakeJson json = {
        {"schema", intake_schema}, {"roster", roster}, {"submissions", submissions}, {"problems", intake.problems}};
    return json.dump(1, ' ', false, IntakeJson::error_handler_t::replace) + "\n";
}

ClassIntake read_intake(std::string_view text) {
    if (text.size() > most_intake_bytes) throw IntakeError("intake.json is larger than any class's");
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
