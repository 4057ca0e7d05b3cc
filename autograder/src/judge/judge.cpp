// SPDX-License-Identifier: MIT
#include "judge/judge.hpp"

#include <chrono>

#include <fmt/format.h>

#include "judge/check_runner.hpp"

namespace course {

namespace {

using Clock = std::chrono::steady_clock;

TaskResult not_judged(const Task& task, Verdict verdict, std::string message) {
    TaskResult result;
    result.id = task.id;
    result.title = task.title;
    result.max_points = task.points;
    result.verdict = verdict;
    result.message = std::move(message);
    return result;
}

// A broken check is the kit's fault, so it costs no student a verdict of "wrong"; and it stops no batch.
TaskResult judge_task(const Manifest& manifest, const Task& task, const CheckPlugin& plugin, Caller& caller,
                      const JudgeOptions& options, const RunFrame& frame) {
    const auto broken = [&](const std::string& why) {
        return not_judged(task, Verdict::environment,
                          fmt::format("the check of task \"{}\" can't be used: {}", task.id, why));
    };
    try {
        return CheckRunner(manifest, task, caller, options, frame).run(plugin.task(task.id).run);
    } catch (const CallFault& error) {
        return not_judged(task, Verdict::environment, error.what());
    } catch (const std::bad_alloc&) {
        return broken("there is not enough memory for its arrays");
    } catch (const std::exception& error) {
        return broken(error.what());
    }
}

// The machine's faults hold for the whole exercise.
std::string environment_message(const TaskResult& task) {
    if (task.verdict != Verdict::environment) return {};
    for (const CaseResult& one : task.cases)
        if (one.verdict == Verdict::environment) return one.message;
    return task.message;
}

}  // namespace

Result judge(const Manifest& manifest, const CheckPlugin& plugin, Caller& caller, const JudgeOptions& options) {
    const Clock::time_point start = Clock::now();
    Result result;
    result.number = manifest.number;
    result.exercise = manifest.name;
    result.title = manifest.title;
    result.seed = options.seed.value_or(random_seed());
    RunFrame frame;
    frame.seed = result.seed;
    frame.secret = options.seed ? *options.seed ^ 0x9E3779B97F4A7C15 : random_seed();
    const std::chrono::duration<double> limit(options.seconds);
    frame.deadline = start + std::chrono::duration_cast<Clock::duration>(limit);
    for (const Task& task : manifest.tasks) {
        if (result.verdict == Verdict::environment) {
            result.tasks.push_back(not_judged(task, Verdict::environment, "not judged"));
            continue;
        }
        result.tasks.push_back(judge_task(manifest, task, plugin, caller, options, frame));
        ++frame.task_index;
        result.verdict = worst(result.verdict, result.tasks.back().verdict);
        result.message = environment_message(result.tasks.back());
    }
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

}  // namespace course
