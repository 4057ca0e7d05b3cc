// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "classroom/grades/stored_result.hpp"
#include "support/folder.hpp"
#include "support/process.hpp"

namespace test {

/// A real result.json of the course, from the host backend and trimmed: "08_passed".
inline nlohmann::ordered_json result_of(const std::string& name) {
    return nlohmann::ordered_json::parse(
        read(std::filesystem::path(COURSE_SOURCE_DIR) / "autograder/tests/grades/data" / (name + ".json")));
}

/// The same with a task that is faster than the device can be.
inline nlohmann::ordered_json review_of(const std::string& name, std::size_t task = 0) {
    nlohmann::ordered_json json = result_of(name);
    nlohmann::ordered_json& one = json["tasks"][task];
    json["status"] = one["status"] = "review";
    json["points"] = json["points"].get<int>() - one["points"].get<int>();
    one["points"] = 0;
    one["measurements"]["speed"] = {{"graded", true},        {"note", ""},
                                    {"speedup", 40.0},       {"speedup_low", 38.0},
                                    {"speedup_high", 42.0},  {"at_least", 10.0},
                                    {"copy_percent", 141.0}, {"at_least_percent", 0.0},
                                    {"seconds", 0.0001},     {"baseline_seconds", 0.004},
                                    {"late_seconds", 0.0},   {"reference_seconds", 0.00014},
                                    {"bytes", 2.4e8},        {"pairs", 20},
                                    {"retries", 0},          {"kept_baseline", false},
                                    {"noisy", false},        {"implausible", true}};
    return json;
}

/// The same of an answer whose C++ code doesn't compile, which is said of the exercise alone.
inline nlohmann::ordered_json does_not_compile(const std::string& name, const std::string& message) {
    nlohmann::ordered_json json = result_of(name);
    json["status"] = "does not compile";
    json["message"] = message;
    json["points"] = 0;
    json["environment"]["backend"] = json["environment"]["device"] = json["environment"]["compiler"] = "";
    json["environment"]["sandbox"] = nlohmann::ordered_json::array();
    for (nlohmann::ordered_json& task : json["tasks"]) {
        task["status"] = "does not compile";
        task["message"] = "";
        task["points"] = 0;
        task["tags"] = task["cases"] = nlohmann::ordered_json::array();
        task["check"] = nullptr;
        task["measurements"] = {
            {"budgets", nlohmann::json::array()}, {"properties", nlohmann::json::array()}, {"speed", nullptr}};
    }
    return json;
}

/// The same with a task that fails in the hidden cases, as a result has it.
inline nlohmann::ordered_json folded(const std::string& name, std::size_t task) {
    nlohmann::ordered_json json = result_of(name);
    nlohmann::ordered_json& one = json["tasks"][task];
    json["status"] = one["status"] = "wrong";
    json["points"] = json["points"].get<int>() - one["points"].get<int>();
    one["points"] = 0;
    one["message"] = "it doesn't pass all hidden cases";
    return json;
}

/// What a result says of the hidden cases of one task.
inline nlohmann::ordered_json hidden_of(const std::string& task, const std::string& shown, const std::string& status) {
    return {{"status", status},
            {"tasks",
             {{{"id", task},
               {"passed", status == "passed" ? 3 : 1},
               {"total", 3},
               {"status", status},
               {"shown_status", shown}}}}};
}

inline std::chrono::sys_seconds at(std::int64_t seconds) {
    return std::chrono::sys_seconds(std::chrono::seconds(seconds));
}

/// 2026-12-01T12:00:00Z: the deadline of these tests.
constexpr std::int64_t noon = 1796126400;

/// A folder RESULTS, as `course grade` leaves it.
class SampleClass {
public:
    course::ClassIntake intake;

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
    void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }

    void enroll(const std::string& id, const std::string& name = "", const std::string& group = "") {
        intake.roster.push_back({id, name.empty() ? id : name, id + "@example.org", group});
    }
    /// A submission; its answers are added by `answer`.
    course::ClassSubmission& submit(const std::string& student, std::optional<std::int64_t> seconds = noon - 60,
                                    int attempt = 1, std::vector<std::string> members = {}) {
        course::ClassSubmission one;
        one.id = student + "-" + std::to_string(attempt);
        one.student = student;
        one.members = members.empty() ? std::vector<std::string>{student} : std::move(members);
        one.attempt = attempt;
        if (seconds) one.time = at(*seconds);
        one.source = student + ".zip";
        intake.submissions.push_back(one);
        return intake.submissions.back();
    }
    /// Adds an answer to the last submission, and what came of it; null: it isn't graded.
    void answer(const nlohmann::ordered_json& result, const std::string& folder, const std::string& fault = "",
                const nlohmann::ordered_json& hidden = nullptr, const std::string& key = "k1") {
        course::ClassSubmission& one = intake.submissions.back();
        one.answers.push_back({std::stoi(folder), folder, "00"});
        const nlohmann::ordered_json stored = {{"schema", 1},
                                               {"key", key},
                                               {"submission", one.id},
                                               {"folder", folder},
                                               {"attempts_to_grade", 1},
                                               {"grader_fault", fault},
                                               {"private", hidden},
                                               {"finished", "2026-12-02T03:00:00Z"},
                                               {"seconds", 1.2},
                                               {"result", result}};
        folder_.write("results/" + one.id + "/" + folder + ".json", stored.dump(2) + "\n");
    }
    void graded(const std::string& result, const std::string& folder) { answer(result_of(result), folder); }
    /// Writes intake.json.
    void finish() const { folder_.write("intake.json", course::intake_json(intake)); }
    [[nodiscard]] course::ClassResults results() const {
        finish();
        return course::read_class_results(folder_.path());
    }

private:
    Folder folder_;
};

/// How a program ended, and what it printed: stdout, and stderr behind it.
struct Run {
    int code = 0;
    std::string text;
};

/// Any program, found in PATH; its course is the kit itself.
inline Run program(const std::vector<std::string>& arguments) {
    course::Command command;
    command.arguments = arguments;
    command.environment = course::own_environment();
    for (std::string& one : command.environment)
        if (one.rfind("COURSE_ROOT=", 0) == 0) one.clear();
    std::erase(command.environment, "");
    command.environment.push_back("COURSE_ROOT=" COURSE_SOURCE_DIR);
    command.folder = COURSE_SOURCE_DIR;
    command.output_bytes = std::size_t{16} << 20;
    const course::ProcessResult ran = course::run_process(command);
    return {ran.ending == course::ProcessResult::Ending::exited ? ran.code : 128 + ran.code, ran.output};
}

/// `course ARGUMENTS`, on the kit itself.
inline Run course_program(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {COURSE_PROGRAM};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return program(all);
}

}  // namespace test
