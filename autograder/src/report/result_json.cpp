// SPDX-License-Identifier: MIT
#include "report/result_json.hpp"

#include <nlohmann/json.hpp>

#include "judge/work/budgets.hpp"
#include "libgpu/src/facts/json.hpp"
#include "support/files.hpp"

namespace course {

namespace {

using gpu::facts::Json;
using gpu::facts::number_or_null;
using gpu::facts::json_list;
using gpu::facts::json_of;

Json found_json(const FoundMistake& found) {
    Json json = {{"case", found.case_name}};
    json.update(json_of(found.finding));
    return json;
}

Json check_json(const CheckResult& check) {
    const Json found = json_list(check.found, found_json);
    const Json kernels = json_list(check.kernels, [](const KernelCounts& kernel) { return json_of(kernel); });
    return {{"cases", check.cases},         {"largest", check.largest}, {"found", found},
            {"more_found", check.more_found}, {"note", check.note},
            {"counts", check.counted > 0 && check.counted == check.replayed ? "replayed" : "from the answer's process"},
            {"replayed", check.replayed},   {"not_replayed", check.not_replayed},
            {"work", {{"case", check.work_case}, {"elements", check.work_elements}, {"kernels", kernels}}}};
}

Json difference_json(const Difference& difference) {
    return {{"where", difference.where}, {"got", difference.got},     {"want", difference.want},
            {"wrong", difference.wrong}, {"total", difference.total}, {"pattern", difference.pattern}};
}

Json case_json(const CaseResult& one) {
    Json json = {{"name", one.name},
                 {"function", one.function},
                 {"status", to_string(one.verdict)},
                 {"message", one.message},
                 {"difference", one.difference ? difference_json(*one.difference) : Json(nullptr)},
                 {"tags", one.tags},
                 {"worst_error", one.worst_error},
                 {"elements", one.elements},
                 {"seconds", one.seconds},
                 {"counts", json_of(one.counts)},
                 {"checked_counts", one.checked_counts ? json_of(*one.checked_counts) : Json(nullptr)},
                 {"work", one.work ? json_of(*one.work) : Json(nullptr)}};
    return json;
}

Json speed_json(const SpeedResult& speed) {
    return {{"graded", speed.graded},
            {"note", speed.note},
            {"speedup", speed.speedup},
            {"speedup_low", speed.low},
            {"speedup_high", speed.high},
            {"at_least", speed.at_least},
            {"copy_percent", speed.copy_percent},
            {"at_least_percent", speed.at_least_percent},
            {"seconds", speed.seconds},
            {"baseline_seconds", speed.baseline_seconds},
            {"late_seconds", speed.late_seconds},
            {"reference_seconds", speed.reference_seconds},
            {"bytes", speed.bytes},
            {"pairs", speed.pairs},
            {"retries", speed.retries},
            {"kept_baseline", speed.kept_baseline},
            {"noisy", speed.noisy},
            {"implausible", speed.implausible}};
}

Json predictions_json(const PredictionResult& predictions) {
    Json wrong = Json::array();
    for (const WrongPrediction& one : predictions.wrong)
        wrong.push_back({{"number", one.number},
                         {"what", one.what},
                         {"predicted", one.predicted},
                         {"shown", one.shown},
                         {"case", one.case_name}});
    return {{"right", predictions.right},
            {"total", predictions.total},
            {"at_least", predictions.at_least},
            {"wrong", wrong}};
}

Json image_json(const DrawnImage& image) {
    return {{"name", image.name}, {"rows", image.rows}, {"columns", image.columns}, {"file", image.file}};
}

Json task_json(const TaskResult& task) {
    Json budgets = Json::array(), properties = Json::array(), cases = Json::array(), images = Json::array();
    for (const DrawnImage& image : task.images) images.push_back(image_json(image));
    for (const BudgetResult& budget : task.budgets)
        budgets.push_back({{"counter", budget.counter},
                           {"kernel", budget.kernel},
                           {"case", budget.case_name},
                           {"counted", budget.counted},
                           {"at_least", number_or_null(budget.at_least)},
                           {"at_most", number_or_null(budget.at_most)},
                           {"kept", budget.kept()},
                           {"cause", budget.kernel.empty() ? budget.cause : describe(budget)}});
    for (const MeasuredProperty& one : task.properties)
        properties.push_back(
            {{"name", one.name}, {"case", one.case_name}, {"measured", one.measured}, {"at_most", one.at_most}});
    for (const CaseResult& one : task.cases) cases.push_back(case_json(one));
    return {{"id", task.id},
            {"title", task.title},
            {"status", to_string(task.verdict)},
            {"points", task.points},
            {"max_points", task.max_points},
            {"star", task.star},
            {"tags", task.tags},
            {"message", task.message},
            {"measurements",
             {{"budgets", budgets},
              {"properties", properties},
              {"speed", task.speed ? speed_json(*task.speed) : Json(nullptr)}}},
            {"predictions", task.predictions ? predictions_json(*task.predictions) : Json(nullptr)},
            {"check", task.check ? check_json(*task.check) : Json(nullptr)},
            {"images", images},
            {"cases", cases}};
}

Json environment_json(const Environment& environment) {
    return {{"backend", environment.backend},   {"device", environment.device},
            {"unused_gpu", environment.unused_gpu}, {"compiler", environment.compiler},
            {"kit_version", environment.kit_version}, {"machine", environment.machine},
            {"sandbox", environment.sandbox}};
}

}  // namespace

std::string result_json(const Result& result) {
    Json tasks = Json::array();
    for (const TaskResult& task : result.tasks) tasks.push_back(task_json(task));
    const Json json = {{"schema", result_schema},
                       {"number", result.number},
                       {"exercise", result.exercise},
                       {"title", result.title},
                       {"status", to_string(result.verdict)},
                       {"exit_code", exit_code(result.verdict)},
                       {"points", result.points()},
                       {"max_points", result.max_points()},
                       {"stars", result.stars()},
                       {"max_stars", result.max_stars()},
                       {"message", result.message},
                       {"warnings", result.warnings},
                       {"tasks", tasks},
                       {"printed", result.printed},
                       {"environment", environment_json(result.environment)},
                       {"seed", std::to_string(result.seed)},
                       {"seconds", result.seconds}};
    return gpu::facts::json_text(json, 2) + "\n";
}

void write_result_json(const Result& result, const std::filesystem::path& path) {
    write_file_atomically(path, result_json(result));
}

std::string proofs_json(const std::string& exercise, const std::vector<Proof>& proofs) {
    nlohmann::json list = nlohmann::json::array();
    for (const Proof& proof : proofs)
        list.push_back({{"text", proof.text}, {"failures", proof.failures}, {"notes", proof.notes}});
    const nlohmann::json line = {{"exercise", exercise}, {"proofs", list}};
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<std::vector<Proof>> parse_proofs_json(std::string_view line) {
    try {
        const nlohmann::json document = nlohmann::json::parse(line);
        std::vector<Proof> proofs;
        for (const nlohmann::json& one : document.at("proofs"))
            proofs.push_back({one.at("text").get<std::string>(), one.at("failures").get<std::vector<std::string>>(),
                              one.at("notes").get<std::vector<std::string>>()});
        return proofs;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace course
