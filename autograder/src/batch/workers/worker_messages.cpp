// SPDX-License-Identifier: MIT
#include "batch/workers/worker_messages.hpp"

#include <nlohmann/json.hpp>

namespace course {

namespace {

using MessageJson = nlohmann::json;

std::string as_line(const MessageJson& json) {
    return json.dump(-1, ' ', true, MessageJson::error_handler_t::replace) + "\n";
}

}  // namespace

std::string job_line(const GradeJob& job) {
    return as_line({{"submission", job.submission},
                    {"folder", job.folder},
                    {"number", job.number},
                    {"key", job.key},
                    {"graded", job.graded},
                    {"hidden_check", job.hidden_check.string()},
                    {"attempt", job.attempt}});
}

std::optional<GradeJob> parse_job(std::string_view line) try {
    const MessageJson json = MessageJson::parse(line);
    GradeJob job{.submission = json.at("submission"),
                 .folder = json.at("folder"),
                 .number = json.at("number"),
                 .key = json.at("key"),
                 .graded = json.at("graded")};
    job.hidden_check = json.at("hidden_check").get<std::string>();
    job.attempt = json.at("attempt");
    return job;
} catch (const MessageJson::exception&) {
    return {};
}

std::string answer_line(const WorkerAnswer& answer) {
    MessageJson json = {{"ready", answer.ready}, {"stop", answer.stop}};
    if (answer.outcome) {
        const JobOutcome& one = *answer.outcome;
        json["outcome"] = {{"status", one.status},     {"passed", one.passed},   {"points", one.points},
                           {"max", one.max_points},    {"seconds", one.seconds}, {"fault", one.fault},
                           {"sick_gpu", one.sick_gpu}, {"backend", one.backend}};
    }
    return as_line(json);
}

std::optional<WorkerAnswer> parse_answer(std::string_view line) try {
    const MessageJson json = MessageJson::parse(line);
    WorkerAnswer answer{.ready = json.at("ready"), .outcome = {}, .stop = json.at("stop")};
    if (!json.contains("outcome")) return answer;
    const MessageJson& one = json.at("outcome");
    JobOutcome outcome{.status = one.at("status"),
                       .passed = one.at("passed"),
                       .points = one.at("points"),
                       .max_points = one.at("max"),
                       .seconds = one.at("seconds"),
                       .fault = one.at("fault"),
                       .sick_gpu = one.at("sick_gpu"),
                       .backend = one.at("backend")};
    answer.outcome = std::move(outcome);
    return answer;
} catch (const MessageJson::exception&) {
    return {};
}

}  // namespace course
