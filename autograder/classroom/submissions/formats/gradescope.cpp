// SPDX-License-Identifier: MIT
#include "classroom/submissions/formats/gradescope.hpp"

#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "classroom/submissions/formats/names.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// Stores the values searched for, and skips the rest.
class GradescopeReader : public YAML::EventHandler {
public:
    std::map<std::string, GradescopeSubmission> found;

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override { scalar(""); }
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override { scalar(""); }
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string& value) override {
        scalar(value);
    }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        open(false);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        open(true);
        if (levels_.size() == 4 && is_submitters()) submission().submitters.emplace_back();
    }
    void OnMapEnd() override { close(); }

private:
    struct Level {
        bool is_map = false, has_key = false;
        std::string key;
    };

    /// Ruby writes the symbol "name" as ":name".
    [[nodiscard]] std::string_view key(std::size_t level) const {
        std::string_view text = levels_[level].key;
        if (text.starts_with(':')) text.remove_prefix(1);
        return text;
    }
    [[nodiscard]] bool is_submitters() const {
        return levels_[0].is_map && levels_[1].is_map && key(1) == "submitters" && !levels_[2].is_map;
    }
    GradescopeSubmission& submission() { return found[levels_[0].key]; }

    void open(bool is_map) { levels_.push_back({.is_map = is_map, .has_key = false, .key = {}}); }
    void close() {
        levels_.pop_back();
        ended();
    }
    void ended() {
        if (levels_.empty() || !levels_.back().is_map) return;
        levels_.back().has_key = !levels_.back().has_key;  // a value that isn't a scalar, or a key that isn't
    }

    void scalar(const std::string& value) {
        if (levels_.empty()) return;
        Level& level = levels_.back();
        if (level.is_map && !level.has_key) {
            level.key = value;
            level.has_key = true;
            if (levels_.size() == 1) found[value];  // even if it has no values
            return;
        }
        if (levels_.size() == 2 && level.is_map && key(1) == "created_at") submission().created_at = value;
        // A time with its zone, as Rails writes it: first in UTC, then twice in other forms.
        if (levels_.size() == 3 && level.is_map && key(1) == "created_at" && key(2) == "utc")
            submission().created_at = value;
        if (levels_.size() == 4 && level.is_map && is_submitters() && !submission().submitters.empty()) {
            GradescopeSubmission::Submitter& who = submission().submitters.back();
            if (key(3) == "name") who.name = value;
            if (key(3) == "sid") who.sid = value;
            if (key(3) == "email") who.email = value;
        }
        level.has_key = false;
    }

    std::vector<Level> levels_;
};

}  // namespace

std::map<std::string, GradescopeSubmission> read_gradescope_metadata(std::string_view text) {
    std::istringstream stream{std::string(text)};
    GradescopeReader reader;
    try {
        YAML::Parser parser(stream);
        parser.HandleNextDocument(reader);
    } catch (const YAML::Exception& why) {
        throw IntakeError(fmt::format("submission_metadata.yml can't be read: {}", why.what()));
    }
    return std::move(reader.found);
}

std::optional<SubmittedList> read_submitted_list(std::string_view text) {
    if (text.size() > submitted_list_bytes) return std::nullopt;
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (json.at("schema").get<std::string>() != "course submission" || json.at("version").get<int>() != 1)
            return std::nullopt;
        SubmittedList list;
        list.student_id = plain_text(json.at("student").at("id").get<std::string>(), 400, 1);
        list.student_name = plain_text(json.at("student").at("name").get<std::string>(), 400, 1);
        for (const nlohmann::json& exercise : json.at("exercises"))
            for (const nlohmann::json& file : exercise.at("files"))
                list.files.push_back({.path = file.at("path").get<std::string>(),
                                      .digest = file.at("xxh128").get<std::string>(),
                                      .bytes = file.at("bytes").get<std::uint64_t>()});
        return list;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace course
