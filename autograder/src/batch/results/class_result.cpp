// SPDX-License-Identifier: MIT
#include "batch/results/class_result.hpp"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "kit/machine.hpp"
#include "report/result_json.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "verdict/not_judged.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t most_of_head = std::size_t{1} << 16;
constexpr std::size_t most_of_fault = 4096;
constexpr std::string_view whole_file_ends = "\n}\n}\n";

nlohmann::ordered_json hidden_json(const std::vector<HiddenTask>& hidden) {
    nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
    Verdict all = Verdict::passed;
    for (const HiddenTask& task : hidden) {
        all = worst(all, task.verdict);
        tasks.push_back({{"id", task.id},
                         {"passed", task.passed},
                         {"total", task.total},
                         {"status", to_string(task.verdict)},
                         {"shown_status", to_string(task.shown)}});
    }
    return {{"status", to_string(all)}, {"tasks", tasks}};
}

}  // namespace

fs::path class_result_path(const fs::path& results, const std::string& submission, const std::string& folder) {
    return results / "results" / submission / (folder + ".json");
}

std::optional<ClassResultHead> read_class_result_head(const fs::path& file) {
    const OpenFile opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!opened || ::fstat(opened.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size < whole_file_ends.size()) return {};
    char ending[whole_file_ends.size()];
    if (::pread(opened.get(), ending, sizeof ending, static_cast<off_t>(size - sizeof ending)) !=
            static_cast<ssize_t>(sizeof ending) ||
        std::string_view(ending, sizeof ending) != whole_file_ends)
        return {};
    std::string text;
    while (text.find('\n') == text.npos && text.size() < std::min(size, most_of_head)) {
        char buffer[2048];
        const ssize_t got = ::pread(opened.get(), buffer, sizeof buffer, static_cast<off_t>(text.size()));
        if (got <= 0) return {};
        text.append(buffer, static_cast<std::size_t>(got));
    }
    const std::size_t comma = text.find(",\n");
    if (comma == text.npos) return {};
    const nlohmann::json json = nlohmann::json::parse(text.substr(0, comma) + "}", nullptr, false);
    const auto text_of = [&](const char* name) {
        const auto found = json.find(name);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (!json.is_object() || json.value("schema", nlohmann::json(0)) != class_result_schema) return {};
    const auto graded = json.find("graded");
    ClassResultHead head{text_of("key"), text_of("grader_fault"), 0};
    if (graded != json.end() && graded->is_number_integer()) head.graded = graded->get<int>();
    return head;
}

std::vector<HiddenTask> fold_hidden(const Result& hidden, Result& judged) {
    std::vector<HiddenTask> folded;
    for (const TaskResult& one : hidden.tasks) {
        const auto task = std::find_if(judged.tasks.begin(), judged.tasks.end(),
                                       [&](const TaskResult& other) { return other.id == one.id; });
        if (task == judged.tasks.end()) continue;
        HiddenTask counted{.id = one.id, .verdict = one.verdict, .shown = task->verdict};
        counted.total = static_cast<int>(one.cases.size());
        counted.passed =
            static_cast<int>(std::count_if(one.cases.begin(), one.cases.end(), [](const CaseResult& one_case) {
                return exit_code(one_case.verdict) == 0;
            }));
        folded.push_back(counted);
        if (is_passed(*task) && !is_passed(one)) {
            task->points = 0;
            task->message = "it doesn't pass all hidden cases";
        }
        task->verdict = worst(task->verdict, one.verdict);
        if (!task->star) judged.verdict = worst(judged.verdict, task->verdict);
    }
    return folded;
}

std::string class_result_text(const GradeJob& job, const ClassResult& graded) {
    const std::string& fault = graded.grader_fault;
    const nlohmann::ordered_json hidden = graded.hidden ? hidden_json(*graded.hidden) : nlohmann::ordered_json();
    const nlohmann::ordered_json head = {{"schema", class_result_schema},
                                         {"key", job.key},
                                         {"submission", job.submission},
                                         {"folder", job.folder},
                                         {"attempts_to_grade", job.attempt},
                                         {"graded", job.graded + (fault.empty() ? 1 : 0)},
                                         {"grader_fault", fault.substr(0, most_of_fault)},
                                         {"not_taken", graded.not_taken.substr(0, most_of_fault)},
                                         {"private", hidden},
                                         {"finished", utc_time()},
                                         {"seconds", graded.seconds}};
    std::string text = head.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    text.pop_back();
    return text + ",\n\"result\": " + result_json(graded.result) + "}\n";
}

Result not_judged_result(const Manifest& manifest, const std::string& why) {
    Result result;
    result.number = manifest.number;
    result.exercise = manifest.name;
    result.title = manifest.title;
    result.verdict = Verdict::environment;
    result.message = why;
    result.environment.kit_version = kit_version();
    result.environment.machine = machine_text();
    for (const Task& task : manifest.tasks)
        result.tasks.push_back(not_judged(task, Verdict::environment, "not judged"));
    return result;
}

}  // namespace course
