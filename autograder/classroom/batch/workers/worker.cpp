// SPDX-License-Identifier: MIT
#include "classroom/batch/workers/worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "answer/judge_answer.hpp"
#include "build/scratch.hpp"
#include "classroom/batch/results/results_folder.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

class GradeWorker {
public:
    GradeWorker(const Kit& kit, const WorkerOptions& options) : kit_(kit), options_(options) {
        for (const std::string& one : {options.results, options.answers, options.hidden})
            if (!one.empty()) kit_.toolchain.hidden.emplace_back(one);
        kit_.toolchain.hidden.insert(kit_.toolchain.hidden.end(), options.unseen.begin(), options.unseen.end());
        kit_.toolchain.student_header = options.header;
        kit_.toolchain.gpu_headers = gpu_headers_key(kit_.toolchain);
        if (const char* gpu = std::getenv("CUDA_VISIBLE_DEVICES")) own_gpu_ = gpu;
        for (ExerciseFolder& folder : exercise_folders(kit.root)) {
            const int number = folder.number;
            folders_.emplace(number, std::move(folder));
        }
    }

    JobOutcome grade(const GradeJob& job) {
        const auto start = std::chrono::steady_clock::now();
        const Manifest& manifest = manifest_of(job.number);
        AnswerToJudge answer{.manifest = manifest,
                             .folder = fs::path(options_.answers) / job.submission / job.folder,
                             .options = {}};
        answer.shown_below = answer.folder.parent_path();
        show_gpus(manifest);
        answer.options.number = job.number;
        answer.options.device = options_.device;
        answer.options.call_seconds = options_.call_seconds;
        answer.options.replays = true;
        const ProbeAnswer& device = device_for(manifest, answer.options);
        answer.device = &device;
        answer.hidden_check = job.hidden_check;
        answer.reference = &reference_;
        const SharedKernels kernels(fs::path(options_.kernels) / job.folder,
                                    is_solution(job) ? SharedKernels::Author::course : SharedKernels::Author::student);
        if (!options_.kernels.empty()) answer.kernels = &kernels;
        JudgedAnswer judged = judge_answer(kit_, answer);

        JobOutcome outcome;
        ClassResult graded{.result = judged.result};
        const Result& result = judged.result;
        if (is_solution(job) && judged.hidden) tell_hidden(job, *judged.hidden);
        graded.grader_fault = outcome.fault = fault_of(judged);
        if (!outcome.fault.empty()) print_error(fmt::format("{} {}: {}\n", job.submission, job.folder, outcome.fault));
        if (judged.hidden && outcome.fault.empty()) graded.hidden = fold_hidden(*judged.hidden, judged.result);
        if (result.verdict == Verdict::environment && outcome.fault.empty()) graded.not_taken = result.message;
        outcome.status = graded.not_taken.empty() ? to_string(result.verdict) : "can't be taken";
        outcome.passed = exit_code(result.verdict) == 0;
        outcome.points = result.points();
        outcome.max_points = result.max_points();
        outcome.backend = result.environment.backend;
        outcome.sick_gpu = sickness(result, judged.hidden);
        if (!outcome.sick_gpu.empty()) device_.clear();  // discard what was probed of it
        graded.seconds = outcome.seconds = seconds_since(start);
        if (outcome.sick_gpu.empty())
            put_result(options_.unfinished, class_result_path(options_.results, job.submission, job.folder),
                       class_result_text(job, graded));
        return outcome;
    }

private:
    /// True for the course's own solution.
    static bool is_solution(const GradeJob& job) { return job.submission.starts_with('.'); }

    const Manifest& manifest_of(int number) {
        auto known = manifests_.find(number);
        if (known == manifests_.end()) {
            const auto folder = folders_.find(number);
            if (folder == folders_.end()) throw UsageError(fmt::format("there is no exercise {}", number));
            known = manifests_.emplace(number, read_manifest(folder->second.path)).first;
        }
        return known->second;
    }

    /// An exercise for several GPUs sees all of them, any other only this worker's.
    void show_gpus(const Manifest& manifest) {
        if (options_.all_gpus.empty()) return;
        const std::string& shown = manifest.devices > 1 ? options_.all_gpus : own_gpu_;
        kit_.toolchain.variables = {"CUDA_VISIBLE_DEVICES=" + shown};
    }

    /// Probed once, and once more with its bandwidth.
    const ProbeAnswer& device_for(const Manifest& manifest, const RunOptions& options) {
        const std::pair<bool, bool> kind(asks_for_speed(manifest), manifest.devices > 1);
        auto known = device_.find(kind);
        if (known == device_.end()) known = device_.emplace(kind, look(manifest, options)).first;
        return known->second;
    }

    [[nodiscard]] ProbeAnswer look(const Manifest& manifest, const RunOptions& options) const {
        if (manifest.devices == 1 && !options_.gpus.empty()) {
            const nlohmann::json gpus = nlohmann::json::parse(read_file(options_.gpus));
            if (const auto known = gpus.find(own_gpu_); known != gpus.end())
                return parse_probe(known->get<std::string>());
        }
        return look_at_device(kit_, manifest, options);
    }

    /// What prevented grading. An answer that can't be taken is the student's fault.
    static std::string fault_of(const JudgedAnswer& judged) {
        const Result& result = judged.result;
        if (result.verdict == Verdict::environment && !judged.answer.empty())
            return result.message.empty() ? "the machine couldn't judge it" : result.message;
        if (judged.hidden && judged.hidden->verdict == Verdict::environment) {
            // The reason may reveal the cases, and students see parts of the result's file.
            print_error(fmt::format("the hidden cases of exercise {} can't be used: {}\n", result.number,
                                    hidden_reason(*judged.hidden)));
            return fmt::format("the hidden cases of exercise {} can't be used: grade.log says why", result.number);
        }
        return {};
    }

    static std::string hidden_reason(const Result& hidden) {
        if (!hidden.message.empty()) return hidden.message;
        for (const TaskResult& task : hidden.tasks)
            if (task.verdict == Verdict::environment && !task.message.empty()) return task.message;
        return "the machine couldn't judge them";
    }

    /// Only shown to the instructor.
    static void tell_hidden(const GradeJob& job, const Result& hidden) {
        for (const TaskResult& task : hidden.tasks) {
            const CaseResult* one = telling_case(task);
            if (is_passed(task) && one == nullptr) continue;
            print_error(fmt::format("{}, hidden cases of task {}: {} {}\n", job.folder, task.id,
                                    to_string(task.verdict), task.message));
            if (one == nullptr) continue;
            const std::string place = one->difference ? fmt::format(" {} is {}, should be {}", one->difference->where,
                                                                    one->difference->got, one->difference->want)
                                                      : "";
            print_error(fmt::format("  {}: {}{}\n", one->name, one->message, place));
        }
    }

    static bool was_killed(const Result& result) {
        const auto is_bad = [](Verdict verdict) {
            return verdict == Verdict::crashed || verdict == Verdict::timed_out || verdict == Verdict::out_of_memory ||
                   verdict == Verdict::environment;
        };
        if (is_bad(result.verdict)) return true;
        for (const TaskResult& task : result.tasks)
            if (is_bad(task.verdict)) return true;
        return false;
    }

    /// What is wrong with the GPU: a runner killed in the middle of a kernel may have left it unable to judge others.
    std::string sickness(const Result& result, const std::optional<Result>& hidden) const {
        if (result.environment.backend != "cuda" || !(was_killed(result) || (hidden && was_killed(*hidden)))) return {};
        return fault_of_gpu(probe(kit_.toolchain, options_.device, "--canary"));
    }

    static std::string fault_of_gpu(const ProbeAnswer& answer) {
        if (!answer.error.empty()) return answer.error;
        if (answer.backend != "cuda") return "it is gone: " + answer.why_no_gpu;
        return answer.canary;
    }

    Kit kit_;
    WorkerOptions options_;
    std::map<int, ExerciseFolder> folders_;
    std::map<int, Manifest> manifests_;
    std::map<std::pair<bool, bool>, ProbeAnswer> device_;  ///< by whether with its bandwidth, and whether several
    std::string own_gpu_;
    ReferenceRunner reference_;
};

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkerOptions, results, hidden, unseen, device, header, kernels, all_gpus, gpus,
                                   answers, unfinished, call_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GradeJob, submission, folder, number, key, graded, attempt)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobOutcome, status, passed, points, max_points, seconds, fault, sick_gpu, backend)

namespace {

using MessageJson = nlohmann::json;

std::string as_line(const MessageJson& json) {
    return json.dump(-1, ' ', true, MessageJson::error_handler_t::replace) + "\n";
}

int grade_worker_command(const Kit& kit, const std::string& settings) {
    if (::fcntl(3, F_GETFD) >= 0) ::fcntl(3, F_SETFD, FD_CLOEXEC);  // the lock on the results: not for answers
    GradeWorker worker(kit, MessageJson::parse(settings).get<WorkerOptions>());
    print(answer_line({.ready = true}));
    for (std::string line; std::getline(std::cin, line);) {
        const std::optional<GradeJob> job = parse_job(line);
        if (!job) throw UsageError("this is for course grade, which starts it itself");
        WorkerAnswer answer;
        try {
            answer.outcome = worker.grade(*job);
        } catch (const FileError& error) {  // of the results' folder: the judge reports others in its verdict
            answer.stop = error.what();
        } catch (const std::exception& error) {
            print_error(fmt::format("{} {}: {}\n", job->submission, job->folder, error.what()));
            return 4;  // the coordinator retries it with a fresh worker
        }
        print(answer_line(answer));
    }
    return 0;
}

}  // namespace

void add_grade_worker(CommandLine& line) {
    auto [command, settings] = line.add("grade-worker", "", grade_worker_command);  // for `course grade`
    command.option("settings", &settings, "", {.required = true});
}

std::string worker_settings(const WorkerOptions& options) {
    return MessageJson(options).dump(-1, ' ', false, MessageJson::error_handler_t::replace);
}

std::string job_line(const GradeJob& job) {
    MessageJson json = job;
    json["hidden_check"] = job.hidden_check.string();
    return as_line(json);
}

std::optional<GradeJob> parse_job(std::string_view line) try {
    const MessageJson json = MessageJson::parse(line);
    auto job = json.get<GradeJob>();
    job.hidden_check = json.at("hidden_check").get<std::string>();
    return job;
} catch (const MessageJson::exception&) {
    return {};
}

std::string answer_line(const WorkerAnswer& answer) {
    MessageJson json = {{"ready", answer.ready}, {"stop", answer.stop}};
    if (answer.outcome) json["outcome"] = *answer.outcome;
    return as_line(json);
}

std::optional<WorkerAnswer> parse_answer(std::string_view line) try {
    const MessageJson json = MessageJson::parse(line);
    WorkerAnswer answer{.ready = json.at("ready"), .outcome = {}, .stop = json.at("stop")};
    if (json.contains("outcome")) answer.outcome = json.at("outcome").get<JobOutcome>();
    return answer;
} catch (const MessageJson::exception&) {
    return {};
}

}  // namespace course
