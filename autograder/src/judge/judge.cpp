// SPDX-License-Identifier: MIT
#include "judge/judge.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/case_drawer.hpp"
#include "judge/check_mode.hpp"
#include "judge/check_runner.hpp"
#include "judge/work/changed_lines.hpp"
#include "manifest/names.hpp"
#include "verdict/verdict.hpp"

namespace course {

namespace {

using Clock = std::chrono::steady_clock;

// A task between the runs: after the first one, its small cases are kept for the second.
struct PendingTask {
    TaskResult result;
    std::vector<ReplayableCase> kept = {};
};

// A broken check is the kit's fault, so it costs no student a verdict of "wrong"; and it stops no batch.
PendingTask judge_task(const Manifest& manifest, const Task& task, const CheckPlugin& plugin, Caller& caller,
                       const JudgeOptions& options, const RunFrame& frame) {
    const auto broken = [&](const std::string& why) -> PendingTask {
        return {not_judged(task, Verdict::environment,
                           fmt::format("the check of task \"{}\" can't be used: {}", task.id, why))};
    };
    try {
        CheckRunner runner(manifest, task, caller, options, frame);
        TaskResult result = runner.run(plugin.task(task.id).run);
        PendingTask judged{std::move(result), runner.take_kept()};
        if (options.draws_anew && is_right(judged.result.verdict)) {
            RandomBits secret(frame.secret, frame.task_index);
            RunFrame anew = frame;
            anew.seed = secret();
            CaseDrawer drawer(manifest, task, caller, options, anew);
            judge_drawn_anew(drawer.draw(plugin.task(task.id).run), secret, caller, judged.kept, judged.result);
        }
        return judged;
    } catch (const CallFault& error) {
        return {not_judged(task, Verdict::environment, error.what())};
    } catch (const std::bad_alloc&) {
        return broken("there is not enough memory for its arrays");
    } catch (const std::exception& error) {
        return broken(error.what());
    }
}

// True if the machine can't do it, or couldn't before (`no_check_mode`).
bool check_task(const Task& task, Caller& caller, CheckTime& time, bool replays, bool no_check_mode,
                PendingTask& judged) {
    const Verdict so_far = judged.result.verdict;
    if (so_far == Verdict::not_started || so_far == Verdict::environment) return no_check_mode;
    if (no_check_mode) {
        judged = {not_judged(task, Verdict::environment, "not judged")};
        return true;
    }
    const ScopedTimer spent(judged.result.spent.check_mode);
    try {
        judge_in_check_mode(task, judged.kept, caller, time, replays, judged.result);
    } catch (const CallFault& error) {
        judged = {not_judged(task, Verdict::environment, error.what())};
    } catch (const ManifestError& error) {  // a limit that depends on an argument that isn't there
        judged = {not_judged(task, Verdict::environment, error.what())};
    }
    return judged.result.verdict == Verdict::environment && !task.star;
}

// Faults of the machine concern the whole exercise.
std::string environment_message(const TaskResult& task) {
    if (task.verdict != Verdict::environment) return {};
    for (const CaseResult& one : task.cases)
        if (one.verdict == Verdict::environment) return one.message;
    return task.message;
}

// The compiler's error in the task's kernels, if none was launched; empty if they compile. Templates are skipped: only
// a launch determines their arguments.
std::string why_not_compiled(const Task& task, const std::map<std::string, std::string>& texts, Caller& caller) {
    for (const RequiredKernel& kernel : task.kernels) {
        const auto text = texts.find(kernel.file);
        if (text == texts.end() || kernel.name.empty() || text->second.find("template") != std::string::npos) continue;
        const CallResult reply = caller.compile_kernel(kernel.file, kernel.name, text->second);
        if (reply.outcome == Outcome::kernel_does_not_compile) return reply.message;
    }
    return "";
}

// Explains results that were never written because nothing was launched, and reports a kernel that doesn't compile.
void name_missing_launch(const Task& task, const JudgeOptions& options, Caller& caller, TaskResult& result) {
    const std::vector<std::string>& as_given = options.files_as_given;
    const bool launches = std::any_of(result.cases.begin(), result.cases.end(),
                                      [](const CaseResult& one) { return one.counts.launches > 0; });
    if (task.kernels.empty() || launches) return;
    const auto is_host_file = [](const std::string& name) { return name.ends_with(".cpp"); };
    const auto file = std::find_if(as_given.begin(), as_given.end(), is_host_file);
    const std::string launch =
        "no kernel was launched" + (file == as_given.end() ? "" : fmt::format(", {} is as given", *file));
    std::optional<std::string> message;
    for (CaseResult& one : result.cases) {
        if (!one.difference || one.difference->pattern != "never written") continue;
        one.difference->pattern += ": " + launch;
        if (!message) message = why_not_compiled(task, options.kernel_texts, caller);
        if (!message->empty()) one.message = fmt::format("{}; and {}", launch, *message);
    }
}

// Passes the tasks to the caller's callback, then clears the results of those that aren't begun: what is wrong with a
// stub isn't a student's mistake.
void finish(const Manifest& manifest, const JudgeOptions& options, std::span<const PendingTask> judged, Caller& caller,
            Result& result) {
    const std::vector<NotBegun> not_begun = tasks_not_begun(manifest, options.functions_begun, result.tasks);
    for (std::size_t k = 0; k < result.tasks.size(); ++k)
        name_missing_launch(manifest.tasks[k], options, caller, result.tasks[k]);
    std::vector<JudgedTask> seen;
    for (std::size_t k = 0; k < result.tasks.size(); ++k) {
        const Verdict verdict = result.tasks[k].verdict;
        if (verdict == Verdict::environment || verdict == Verdict::not_started) continue;
        const bool begun =
            std::none_of(not_begun.begin(), not_begun.end(), [&](const NotBegun& one) { return one.task == k; });
        seen.push_back({manifest.tasks[k], result.tasks[k], judged[k].kept, begun});
    }
    if (options.after_tasks) options.after_tasks(seen);
    for (const NotBegun& one : not_begun)
        result.tasks[one.task] = not_judged(
            manifest.tasks[one.task], Verdict::not_started,
            fmt::format("{} {} as given", fmt::join(one.functions, ", "), one.functions.size() == 1 ? "is" : "are"));
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
    ReferenceClock reference(caller, options.steady_until);
    frame.reference = &reference;
    frame.deadline = start + std::chrono::duration_cast<Clock::duration>(limit);
    // First the values of all tasks, then the small cases again in check mode. A fault of the machine ends both.
    std::vector<PendingTask> judged;
    const auto take_verdict = [&](const TaskResult& task) {
        if (task.star) return;
        result.verdict = worst(result.verdict, task.verdict);
        if (result.message.empty()) result.message = environment_message(task);
    };
    bool stops = false;
    const auto stop_after = [&](const TaskResult& task) {
        if (options.stops_at_failure && !is_passed(task) && task.verdict != Verdict::not_started) stops = true;
    };
    for (const Task& task : manifest.tasks) {
        if (stops) {
            judged.push_back({not_judged(task, Verdict::not_started, "")});
        } else if (result.verdict == Verdict::environment) {
            judged.push_back({not_judged(task, Verdict::environment, "not judged")});
        } else if (is_one_of(task.id, options.not_begun)) {
            judged.push_back({not_judged(task, Verdict::not_started, "")});
            ++frame.task_index;
        } else {
            judged.push_back(judge_task(manifest, task, plugin, caller, options, frame));
            ++frame.task_index;
            for (const DrawnImage& image : judged.back().result.images) frame.image_names.insert(image.name);
            take_verdict(judged.back().result);
            stop_after(judged.back().result);
        }
    }
    // Check mode may find more than the values did, which changes the verdict.
    if (result.verdict != Verdict::environment) result.verdict = Result{}.verdict;
    bool no_check_mode = false;
    CheckTime check_time(options.check_seconds, options.hung_seconds);
    for (std::size_t k = 0; k < judged.size(); ++k) {
        if (!stops)
            no_check_mode =
                check_task(manifest.tasks[k], caller, check_time, options.replays, no_check_mode, judged[k]);
        TaskResult& task = judged[k].result;
        if (task.verdict != Verdict::not_started) {
            drop_passed_again(task, judged[k].kept);
            judge_changes(manifest.tasks[k], options.changes, task);
            note_tags(manifest.tasks[k], task);
            take_verdict(task);
            stop_after(task);
        }
        result.tasks.push_back(std::move(task));
    }
    finish(manifest, options, judged, caller, result);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

namespace {

using Names = std::set<std::string>;

/// The functions that the task calls and the kernels that it launches, if the student writes them.
Names functions_of(const Task& task, const TaskResult& result, const std::map<std::string, bool>& written) {
    Names names;
    const auto take = [&](const std::string& name) {
        if (written.contains(name)) names.insert(name);
    };
    for (const CaseResult& one : result.cases) take(one.function);
    for (const RequiredKernel& kernel : task.kernels) take(kernel.name);
    return names;
}

bool says_nothing_of_the_stub(const Task& task, const TaskResult& result) {
    const bool judged = result.verdict != Verdict::not_started && result.verdict != Verdict::environment;
    return judged && !is_passed(result) && !is_right(result.verdict) && !task.changes &&
           (!result.check || result.check->found.empty());
}

}  // namespace

std::vector<NotBegun> tasks_not_begun(const Manifest& manifest, const std::map<std::string, bool>& functions_begun,
                                      const std::vector<TaskResult>& results) {
    std::vector<Names> functions;
    for (std::size_t k = 0; k < results.size(); ++k)
        functions.push_back(functions_of(manifest.tasks[k], results[k], functions_begun));
    std::vector<NotBegun> not_begun;
    bool any_begun = false;
    for (std::size_t k = 0; k < results.size(); ++k) {
        if (results[k].star) continue;
        Names own = functions[k];  // a kernel that several tasks launch belongs to none of them
        for (std::size_t j = 0; j < results.size(); ++j)
            if (j != k) std::erase_if(own, [&](const std::string& name) { return functions[j].contains(name); });
        if (own.empty()) own = functions[k];
        const bool untouched = !own.empty() && std::none_of(own.begin(), own.end(), [&](const std::string& name) {
            return functions_begun.at(name);
        });
        any_begun = any_begun || !untouched;
        if (untouched && says_nothing_of_the_stub(manifest.tasks[k], results[k]))
            not_begun.push_back({k, {own.begin(), own.end()}});
    }
    if (!any_begun) not_begun.clear();
    return not_begun;
}

namespace {

std::string text_of(double value, const Shown& shown) {
    const bool has_word = value >= 0 && value < static_cast<double>(shown.words.size()) && value == std::floor(value);
    return has_word ? shown.words[static_cast<std::size_t>(value)] : fmt::format("{:.10g}", value);
}

}  // namespace

void Predictions::take(const Shown& shown, double predicted, const std::string& case_name) {
    auto one = std::find_if(asked_.begin(), asked_.end(), [&](const One& asked) { return asked.what == shown.what; });
    if (one == asked_.end()) one = asked_.insert(asked_.end(), {shown.what, {}});
    if (one->wrong || predicted == shown.value) return;  // a NaN equals nothing
    one->wrong = {.number = static_cast<int>(one - asked_.begin()) + 1,
                  .what = shown.what,
                  .predicted = std::isnan(predicted) ? "" : text_of(predicted, shown),
                  .shown = text_of(shown.value, shown),
                  .case_name = case_name};
}

std::optional<PredictionResult> Predictions::result() const {
    const int total = static_cast<int>(asked_.size());
    if (at_least_ && *at_least_ > total)
        throw CheckError(fmt::format("{} predictions must be right, and the check asks for {}", *at_least_, total));
    if (total == 0) return std::nullopt;
    PredictionResult result{.right = total, .total = total, .at_least = at_least_.value_or(total), .wrong = {}};
    for (const One& one : asked_) {
        if (!one.wrong) continue;
        result.wrong.push_back(*one.wrong);
        --result.right;
    }
    return result;
}

}  // namespace course
