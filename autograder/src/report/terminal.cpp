// SPDX-License-Identifier: MIT
#include "report/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"
#include "report/task_text.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::string_view not_judged = "not judged";   // the verdict `environment`, for people
// an exercise that only fails because parts of it aren't begun
constexpr std::string_view unfinished = "unfinished";

/// The task that the screen shows in full: the first one begun and not passed, if none then the first such one with a
/// star.
const TaskResult* first_failed(const Result& result) {
    for (const bool star : {false, true})
        for (const TaskResult& task : result.tasks)
            if (task.star == star && !is_passed(task) && task.verdict != Verdict::not_started) return &task;
    return nullptr;
}

/// True if everything begun has passed, and something wasn't begun.
bool is_unfinished(const Result& result) {
    if (exit_code(result.verdict) == 0) return false;
    const auto is = [&](bool passed) {
        return std::any_of(result.tasks.begin(), result.tasks.end(), [&](const TaskResult& task) {
            return !task.star && (passed ? is_passed(task) : !is_passed(task) && task.verdict != Verdict::not_started);
        });
    };
    return is(true) && !is(false);
}

/// "Exercise 8 raw_add   [host]                      wrong", the verdict at the right edge.
std::string head(const Result& result, const Screen& screen) {
    const Style& style = screen.style;
    const std::size_t width = screen.columns;
    std::string left = !screen.about.empty() ? screen.about
                       : result.number == 0  ? "Capstone " + result.exercise
                                             : fmt::format("Exercise {} {}", result.number, result.exercise);
    if (!result.environment.backend.empty()) {
        const bool gpu = result.environment.backend == "cuda";
        left += gpu ? fmt::format("   [cuda, {}]", result.environment.device) : "   [host]";
    }
    const bool judged = result.verdict != Verdict::environment, open = is_unfinished(result);
    const std::string_view verdict = !judged ? not_judged : open ? unfinished : to_string(result.verdict);
    const std::size_t used = left.size() + verdict.size();
    const std::string gap(used + 3 < width ? width - used : 3, ' ');
    return style.bold(left) + gap + (judged && !open ? style.verdict(result.verdict) : style.warn(verdict)) + "\n";
}

std::string not_started(const Result& result, const Screen& screen) {
    std::string text =
        fmt::format("  {} {} unchanged.\n", fmt::join(screen.files, " and "), screen.files.size() == 1 ? "is" : "are");
    if (!screen.readme.empty())
        text += fmt::format("  The task: {} (about {})\n", screen.readme, plural(screen.minutes, "minute"));
    if (!screen.own_answer) return text;
    return text + (screen.keys_follow ? "Next: edit and save\n"
                                      : fmt::format("Next: edit, then make exercise-{}\n", result.number));
}

std::string what_the_code_printed(const std::string& printed, const Style& style) {
    std::string text = "  Your code printed:\n";
    std::istringstream lines(printed);
    int count = 0;
    for (std::string line; std::getline(lines, line) && count < 11; ++count)
        text += count < 10 ? fmt::format("    {} {}\n", style.faint("|"), line) : "    ...\n";
    return text;
}

/// Where this verdict's seconds went.
std::string timings_text(const Result& result, const Screen& screen) {
    std::string text =
        fmt::format("  Seconds: {:.2f} in all; build {:.2f}, then waiting for the device's facts {:.2f}\n",
                    result.seconds, screen.build_seconds, screen.probe_seconds);
    for (const TaskResult& task : result.tasks) {
        const Spent& spent = task.spent;
        text += fmt::format(
            "    {}: {:.2f}, then check mode {:.2f}; drawing {:.2f}, copying {:.2f}, calls {:.2f}, reference {:.2f}, "
            "baselines {:.2f}, comparing {:.2f}\n",
            task.id, spent.all, spent.check_mode, spent.drawing, spent.copying, spent.calls, spent.reference,
            spent.baselines, spent.comparing);
    }
    return text;
}

/// Code that compiles but is hardly intended: often the cause of what follows.
std::string warnings_text(const std::vector<std::string>& warnings) {
    constexpr std::size_t max_warnings = 3;
    std::string text;
    for (std::size_t k = 0; k < std::min(warnings.size(), max_warnings); ++k) text += indented(warnings[k], 2);
    if (warnings.size() > max_warnings)
        text += fmt::format("  ... and {}\n", plural(warnings.size() - max_warnings, "more warning"));
    return text;
}

/// True if a kernel ran in check mode, so that there is something to draw.
bool has_pictures(const Result& result) {
    return std::any_of(result.tasks.begin(), result.tasks.end(),
                       [](const TaskResult& task) { return task.check && !task.check->kernels.empty(); });
}

/// True if a ledger shows line by line what the verdict is about: the launches, copies, waits and allocations that the
/// answer asks for, not what its kernels do; or work that several launches share.
bool is_told_by_ledger(const Result& result) {
    const TaskResult* const task = first_failed(result);
    if (task == nullptr || task->verdict != Verdict::over_budget) return false;
    return std::any_of(task->budgets.begin(), task->budgets.end(), [](const BudgetResult& budget) {
        const bool asked_of_device =
            is_one_of(budget.counter, counter_names) && !counted_on_host_only(budget.counter);
        return (asked_of_device || budget.ledger_shows_it) && !budget.kept() && budget.kernel.empty();
    });
}

/// What to do next: the last lines of every screen.
std::string next_steps(const Result& result, const Screen& screen) {
    if (!screen.own_answer || result.verdict == Verdict::environment) return "";
    const bool passed = exit_code(result.verdict) == 0, all_passed = passed && first_failed(result) == nullptr;
    std::string text;
    if (is_told_by_ledger(result))
        text += fmt::format("See what your code asked for: make ledger-{}\n", result.number);
    else if (has_pictures(result) && (!all_passed || screen.draws))
        text += fmt::format("See what each thread did: make show-{}\n", result.number);
    if (!passed && !screen.keys_follow && result.verdict != Verdict::review)
        text += fmt::format("Hint: make hint-{} ({}/3 used)\n", result.number, screen.hints_used);
    if (!passed) return text;
    if (!screen.counts && has_pictures(result)) text += fmt::format("Every counter: make counts-{}\n", result.number);
    if (screen.has_solution) text += fmt::format("Solution for comparison: make solution-{}\n", result.number);
    if (screen.keys_follow && !screen.next.empty()) return text;
    return text + (screen.next.empty() ? "All exercises of this edition are passed. Well done!\n"
                                       : fmt::format("Next: {}\n", screen.next));
}

/// With every counter; tables and code keep their width.
std::string task_in_full(const TaskResult& task, const Screen& screen, bool on_gpu) {
    std::string text = task_line(task, screen.style);
    if (is_passed(task))
        text += passed_task(task, screen.copy_bytes_per_second, on_gpu, screen.shows_work) + ahead_text(task);
    else
        text += failed_task(task, on_gpu, screen.shows_work);
    text = fitted(text, screen.columns);
    return task.check ? text + indented(counts_text(*task.check, screen.sources), 4) : text;
}

}  // namespace

std::string verdict_screen(const Result& result, const Screen& screen) {
    std::string text = head(result, screen);
    for (const std::string& note : screen.notes)
        text += fitted("  " + screen.style.faint("note: " + note) + "\n", screen.columns);
    if (result.verdict == Verdict::not_started) return text + not_started(result, screen);
    text += warnings_text(result.warnings);
    if (!result.message.empty()) text += indented(result.message, 2);
    // otherwise a kernel doesn't
    const bool compiles = result.verdict != Verdict::does_not_compile || result.message.empty();
    if (!compiles || result.verdict == Verdict::environment) return text + next_steps(result, screen);
    const TaskResult* failed = first_failed(result);
    const bool on_gpu = result.environment.backend == "cuda";
    for (const TaskResult& task : result.tasks) {
        if (screen.counts)
            text += task_in_full(task, screen, on_gpu);
        else if (&task == failed)
            text += failed_task_in_short(task, screen.style, on_gpu, screen.columns);
        else if (is_passed(task) && (!failed || failed->star))
            text += passed_task_in_short(task, screen.style, screen.copy_bytes_per_second, on_gpu, screen.columns);
        else
            text += other_task(task, screen.style, screen.columns);
    }
    if (exit_code(result.verdict) == 0 && !screen.picture.empty()) text += indented(screen.picture, 2);
    if (!result.printed.empty()) text += what_the_code_printed(result.printed, screen.style);
    if (screen.timings) text += timings_text(result, screen);
    if (screen.own_answer && !screen.reward.empty()) text += fitted(screen.reward + "\n", screen.columns);
    return text + next_steps(result, screen);
}

Style Style::of_descriptor(int descriptor) {
    const char* no_colour = std::getenv("NO_COLOR");   // no-color.org: present and not empty
    const char* terminal = std::getenv("TERM");
    const bool dumb = !terminal || !*terminal || std::string_view(terminal) == "dumb";
    return Style(::isatty(descriptor) == 1 && !(no_colour && *no_colour) && !dumb);
}

std::string Style::wrap(std::string_view code, std::string_view text) const {
    if (!colour_) return std::string(text);
    std::string result(code);
    result += text;
    result += "\x1b[0m";
    return result;
}

std::string Style::verdict(Verdict verdict) const {
    const std::string_view text = to_string(verdict);
    if (verdict == Verdict::passed) return good(text);
    if (verdict == Verdict::noisy || verdict == Verdict::review || verdict == Verdict::not_started) return warn(text);
    return bad(text);
}

namespace {

void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void print(std::string_view text) { write_all(STDOUT_FILENO, fitted(text, terminal_columns())); }

void print_error(std::string_view text) {
    write_all(STDERR_FILENO, fitted(text, ::isatty(STDERR_FILENO) == 1 ? terminal_columns() : 0));
}

}  // namespace course
