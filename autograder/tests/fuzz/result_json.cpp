// SPDX-License-Identifier: MIT
// result.json, and the lines of JSON by which proofs come from other processes.
#include <nlohmann/json.hpp>

#include "fuzz/course_fixture.hpp"
#include "report/result_json.hpp"

namespace fuzz {

namespace {

using namespace course;

CaseResult case_of(Values& from) {
    CaseResult one;
    one.name = from.text();
    one.function = from.text();
    one.verdict = static_cast<Verdict>(from.take<std::uint8_t>() % 12);
    one.message = from.text();
    one.worst_error = from.take<double>();
    one.elements = static_cast<std::int64_t>(from.number());
    one.seconds = from.take<double>();
    if (from.take<std::uint8_t>() % 2 == 1) {
        one.difference.emplace();
        one.difference->where = from.text();
        one.difference->got = from.text();
        one.difference->pattern = from.text();
        one.difference->wrong = static_cast<std::int64_t>(from.number());
    }
    return one;
}

}  // namespace

/// Whatever an answer prints or is called, the file is JSON with the fields that readers look for.
FUZZ_TARGET(result_json, std::size_t{1} << 14) {
    Values from(input);
    Result result{.exercise = std::string(from.text()),
                  .title = {},
                  .verdict = {},
                  .message = std::string(from.text()),
                  .warnings = {std::string(from.text())},
                  .printed = std::string(from.text()),
                  .tasks = {},
                  .environment = {}};
    result.seed = from.number();
    for (int tasks = from.take<std::uint8_t>() % 4; tasks > 0; --tasks) {
        TaskResult& task = result.tasks.emplace_back();
        task.id = from.text();
        task.verdict = static_cast<Verdict>(from.take<std::uint8_t>() % 12);
        task.points = from.take<std::uint8_t>();
        for (int cases = from.take<std::uint8_t>() % 4; cases > 0; --cases) task.cases.push_back(case_of(from));
        task.speed.emplace();
        task.speed->speedup = from.take<double>();
    }
    const std::string text = result_json(result);
    const nlohmann::json read = nlohmann::json::parse(text);
    require(read.at("schema") == result_schema && read.at("points") == result.points(), "another result");
    require(read.at("tasks").size() == result.tasks.size(), "another number of tasks");
    for (std::size_t k = 0; k < result.tasks.size(); ++k) {
        require(read.at("tasks")[k].at("status") == std::string(to_string(result.tasks[k].verdict)), "another verdict");
        require(read.at("tasks")[k].at("cases").size() == result.tasks[k].cases.size(), "another number of cases");
    }
}

FUZZ_TARGET(proofs_json, std::size_t{1} << 18) {
    const auto proofs = parse_proofs_json(input);
    if (!proofs) return;
    const std::string printed = proofs_json("raw_add", *proofs);
    const auto again = parse_proofs_json(printed);
    require(again && proofs_json("raw_add", *again) == printed, "what is written isn't what was read");
    require(again->size() == proofs->size(), "another number of proofs");
}

}  // namespace fuzz
