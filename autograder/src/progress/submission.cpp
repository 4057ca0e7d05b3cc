// SPDX-License-Identifier: MIT
#include "progress/submission.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "collect/collect.hpp"
#include "kit/probe.hpp"
#include "progress/progress.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// The commit that is checked out, if the course's root is a repository of its own; otherwise empty.
std::string commit_of(const fs::path& root) {
    Command git;
    const char* path = std::getenv("PATH");
    git.arguments = {"git", "-C", root.string(), "rev-parse", "--show-prefix", "HEAD"};
    git.environment = {std::string("PATH=") + (path ? path : "/usr/bin:/bin"), "LC_ALL=C"};
    git.folder = "/";
    git.seconds = 5;
    const ProcessResult said = run_process(git);
    // An empty line: the root isn't a folder inside another repository.
    if (!said.succeeded() || said.output.size() < 2 || said.output[0] != '\n') return "";
    const std::string commit = said.output.substr(1, said.output.find('\n', 1) - 1);
    return commit.find_first_not_of("0123456789abcdef") == commit.npos ? commit : "";
}

SubmittedExercise gather(const Kit& kit, const Manifest& manifest, const Answer& answer,
                         const ExerciseProgress& progress) {
    SubmittedExercise exercise{.number = manifest.number,
                               .name = manifest.name,
                               .folder = manifest.folder.filename().string(),
                               .files = {},
                               .last_verdict = {},
                               .earlier_verdict = {}};
    const fs::path folder = kit.work(manifest.folder);
    for (const AnswerFile& file : answer.files)
        exercise.files.push_back({exercise.folder + "/" + file.name, read_answer_file(folder / file.name, file.shown)});
    const bool judged = !progress.last_answer.empty() && progress.last_answer == answer_digest(answer);
    (judged ? exercise.last_verdict : exercise.earlier_verdict) = progress.last_verdict;
    for (const Task& task : manifest.tasks) exercise.max_points += task.points;
    exercise.points = std::min(progress.points, exercise.max_points);
    return exercise;
}

}  // namespace

Submission gather_submission(const Kit& kit, const Student& student) {
    Submission submission{.student = student,
                          .kit_version = kit_version(),
                          .commit = commit_of(kit.root),
                          .exercises = {},
                          .left_out = {}};
    Progress::Records records = Progress(kit.root / "work").read();
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        std::error_code error;
        if (!fs::is_directory(kit.work(folder.path), error)) {
            ++submission.not_started;
            continue;
        }
        try {
            const Manifest manifest = read_manifest(folder.path);
            const Answer answer = collect(manifest, kit.work(folder.path), kit.root);
            if (answer.not_started)
                ++submission.not_started;
            else
                submission.exercises.push_back(gather(kit, manifest, answer, records[folder.name]));
        } catch (const CollectError& why) {
            submission.left_out.push_back(fmt::format("exercise {}: {}", folder.number, why.what()));
        } catch (const ManifestError& why) {
            submission.left_out.push_back(fmt::format("exercise {}: {}", folder.number, why.what()));
        }
    }
    return submission;
}

std::string submission_json(const Submission& submission) {
    nlohmann::ordered_json exercises = nlohmann::ordered_json::array();
    for (const SubmittedExercise& one : submission.exercises) {
        nlohmann::ordered_json files = nlohmann::ordered_json::array();
        for (const ArchivedFile& file : one.files)
            files.push_back({{"path", file.path}, {"bytes", file.bytes.size()}, {"xxh128", digest(file.bytes)}});
        exercises.push_back(
            {{"number", one.number}, {"name", one.name}, {"last_verdict", one.last_verdict}, {"files", files}});
    }
    const nlohmann::ordered_json all = {{"schema", "course submission"},
                                        {"version", 1},
                                        {"kit", {{"version", submission.kit_version}, {"commit", submission.commit}}},
                                        {"student", {{"name", submission.student.name}, {"id", submission.student.id}}},
                                        {"exercises", exercises}};
    return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string submission_archive(const Submission& submission) {
    std::vector<ArchivedFile> files = {{"submission.json", submission_json(submission)}};
    for (const SubmittedExercise& one : submission.exercises)
        files.insert(files.end(), one.files.begin(), one.files.end());
    return zip_archive(files);
}

std::string answer_line(const RecordedAnswer& answer) {
    return fmt::format("{} {} {} {}\n", answer.date, answer.question, answer.right ? "right" : "wrong",
                       answer.tag == 0 ? "-" : std::to_string(answer.tag));
}

std::vector<RecordedAnswer> parse_answers(const std::string& text) {
    std::vector<RecordedAnswer> answers;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        RecordedAnswer answer;
        std::string state, tag;
        if (!(words >> answer.date >> answer.question >> state) || day_of(answer.date) < 0 ||
            (state != "right" && state != "wrong"))
            continue;
        answer.right = state == "right";
        words >> tag;
        if (!tag.empty() && tag.size() < 4 && tag.find_first_not_of("0123456789") == tag.npos)
            answer.tag = std::stoi(tag);
        answers.push_back(answer);
    }
    return answers;
}

std::vector<RecordedAnswer> Answers::read() const {
    try {
        return parse_answers(read_file(file_));
    } catch (const FileError&) {
        return {};
    }
}

void Answers::add(const RecordedAnswer& answer) const {
    make_folders(file_.parent_path());
    const UniqueFd file(::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644));
    if (!file) throw FileError("write", file_, errno);
    std::string text = ::lseek(file.get(), 0, SEEK_END) == 0
                           ? "# written by course; safe to delete\n# date, question, right or wrong, misconception\n"
                           : "";
    text += answer_line(answer);
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw FileError("write", file_, errno);
}

long day_of(const std::string& date) {
    int year = 0, month = 0, day = 0, end = 0;
    if (std::sscanf(date.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3 ||
        static_cast<std::size_t>(end) != date.size())
        return -1;
    const std::chrono::year_month_day parsed{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                             std::chrono::day(static_cast<unsigned>(day))};
    return parsed.ok() ? std::chrono::sys_days(parsed).time_since_epoch().count() : -1;
}

std::string date_of(long day) {
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()));
}

long today() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return day_of(fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday));
}

}  // namespace course
