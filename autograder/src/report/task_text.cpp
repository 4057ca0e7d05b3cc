// SPDX-License-Identifier: MIT
#include "report/task_text.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "judge/work/budgets.hpp"
#include "judge/work/work_budgets.hpp"
#include "report/check_text.hpp"
#include "report/terminal.hpp"

namespace course {

namespace {

std::size_t count_passed(const TaskResult& task) {
    return static_cast<std::size_t>(std::count_if(task.cases.begin(), task.cases.end(), [](const CaseResult& one) {
        return exit_code(one.verdict) == 0;
    }));
}

/// The neighbours of the first wrong element, got over want, in columns; a bar stands before the wrong one.
std::string window_text(const Window& window) {
    if (window.got.empty() || window.got.size() != window.want.size()) return "";
    std::string got = "    got ", want = "    want";
    if (window.more_before) got += " ...", want += " ...";
    for (std::size_t k = 0; k < window.got.size(); ++k) {
        const std::size_t width = std::max(window.got[k].size(), window.want[k].size());
        const std::string bar = k == window.first_wrong ? " |" : "";
        got += bar + fmt::format(" {:>{}}", window.got[k], width);
        want += bar + fmt::format(" {:>{}}", window.want[k], width);
    }
    if (window.more_after) got += " ...", want += " ...";
    return got + "\n" + want + "\n";
}

std::string difference_text(const Difference& difference) {
    std::string text = fmt::format("    first wrong element  {}   got {}   want {}\n", difference.where, difference.got,
                                   difference.want);
    text += fmt::format("    wrong: {} of {}{}\n", difference.wrong, difference.total,
                        difference.pattern.empty() ? "" : ", " + difference.pattern);
    return text + window_text(difference.window);
}

/// Before what was counted elsewhere than the values were computed.
std::string_view origin(bool on_gpu) { return on_gpu ? "on the host: " : ""; }

/// "launches 1 (= 1)", "global_reads 2018 (<= 2018)", "threads 1024 (>= 253)".
std::string budget_text(const BudgetResult& budget) {
    std::string bounds;
    if (budget.at_least && budget.at_most && *budget.at_least == *budget.at_most)
        bounds = fmt::format("= {:.10g}", *budget.at_most);
    else if (budget.at_least && budget.at_most)
        bounds = bounds_text(budget);
    else if (budget.at_least)
        bounds = fmt::format(">= {:.10g}", *budget.at_least);
    else if (budget.at_most)
        bounds = fmt::format("<= {:.10g}", *budget.at_most);
    return fmt::format("{} {}{}", budget.counter, number_text(budget), bounds.empty() ? "" : " (" + bounds + ")");
}

/// What was counted of the calls, and below it a line for each kernel that must run.
std::string budgets_text(const TaskResult& task, bool on_gpu) {
    constexpr std::size_t on_a_line = 4;
    std::string text;
    std::vector<std::string> kernels = {""};
    for (const BudgetResult& budget : task.budgets)
        if (std::find(kernels.begin(), kernels.end(), budget.kernel) == kernels.end()) kernels.push_back(budget.kernel);
    for (const std::string& kernel : kernels) {
        std::size_t k = 0;
        for (const BudgetResult& budget : task.budgets) {
            if (budget.kernel != kernel) continue;
            if (k == 0)
                text += (kernel.empty() ? "    counted   " : "    kernel    ") + std::string(origin(on_gpu)) +
                        (kernel.empty() ? "" : kernel + ": ");
            else
                text += k % on_a_line == 0 ? "\n" + std::string(14, ' ') : "   ";
            text += budget_text(budget);
            ++k;
        }
        if (k > 0) text += "\n";
    }
    return text;
}

/// What the check has measured of the results: a line for each property.
std::string properties_text(const TaskResult& task) {
    std::string text;
    for (const MeasuredProperty& one : task.properties)
        text += fmt::format("{:<14}{} {:.3g} (<= {:.3g})\n", text.empty() ? "    measured" : "", one.name, one.measured,
                            one.at_most);
    return text;
}

bool is_about_speed(Verdict verdict) noexcept { return verdict == Verdict::too_slow || verdict == Verdict::review; }

std::string speed_text(const SpeedResult& speed, double copy_bytes_per_second) {
    if (speed.pairs == 0) return "not measured: " + speed.note;
    std::string text = duration_text(speed.seconds);
    if (speed.bytes > 0 && speed.seconds > 0) {
        const double rate = speed.bytes / speed.seconds;
        text += "  " + rate_text(rate);
        if (copy_bytes_per_second > 0)
            text += fmt::format("  {:.0f}% of this device's copy bandwidth", 100 * rate / copy_bytes_per_second);
        if (speed.graded && speed.at_least_percent > 0)
            text += fmt::format(" (at least {:g}%)", speed.at_least_percent);
    }
    text += fmt::format("  {:.1f}x over Eigen on one thread, {}", speed.speedup, duration_text(speed.baseline_seconds));
    if (speed.graded) text += fmt::format(" (at least {:g}x)", speed.at_least);
    if (speed.noisy)
        text += fmt::format("\n              noisy: between {:.1f}x and {:.1f}x in {} pairs; counted as passed",
                            speed.low, speed.high, speed.pairs);
    if (speed.late_seconds > 0)
        text += fmt::format("\n              its results came {} after the call said that it was done: that counts",
                            duration_text(speed.late_seconds));
    if (speed.implausible && !speed.graded) text += "\n              faster than this device can move the bytes";
    if (!speed.note.empty()) text += "\n              " + speed.note;
    return text;
}

/// "prediction 3, idle threads: predicted 0, the run shows 24 (n = 1000, block = 256)", for each that is wrong; what
/// isn't predicted yet is named, and not answered.
std::string wrong_predictions(const PredictionResult& predictions) {
    std::string text, missing;
    for (const WrongPrediction& one : predictions.wrong) {
        if (one.predicted.empty())
            missing += fmt::format("{}{} {}", missing.empty() ? "" : ", ", one.number, one.what);
        else
            text += fmt::format("prediction {}, {}: predicted {}, the run shows {}{}\n", one.number, one.what,
                                one.predicted, one.shown,
                                one.case_name == one.what ? "" : " (" + one.case_name + ")");
    }
    return text + (missing.empty() ? "" : "no prediction yet: " + missing + "\n");
}

/// "pictures  work/16-conv2d/pictures/input.png, output.png": those that were written.
std::string images_text(const TaskResult& task) {
    std::string text;
    for (const DrawnImage& image : task.images) {
        if (image.file.empty()) continue;
        text += text.empty() ? "    pictures  " + image.file : ", " + image.name + ".png";
    }
    return text.empty() ? "" : text + "\n";
}

}  // namespace

std::string indented(const std::string& text, std::size_t spaces) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        result += (line.empty() ? "" : std::string(spaces, ' ') + line) + "\n";
    return result;
}

std::string duration_text(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

std::string rate_text(double bytes_per_second) {
    if (bytes_per_second >= 1e12) return fmt::format("{:.1f} TB/s", bytes_per_second * 1e-12);
    if (bytes_per_second >= 1e10) return fmt::format("{:.0f} GB/s", bytes_per_second * 1e-9);
    return fmt::format("{:.2g} GB/s", bytes_per_second * 1e-9);
}

std::string task_line(const TaskResult& task, const Style& style) {
    if (task.star) {
        const std::string what = task.verdict == Verdict::not_started
                                     ? "a star, not begun: for those who want more"
                                     : style.verdict(task.verdict) +
                                           (is_passed(task) ? ": a star *" : ": no star yet, and no point lost");
        return fmt::format("  {}: {}   {}\n", task.id, task.title, what);
    }
    const std::string verdict =
        task.verdict == Verdict::not_started ? style.warn("not begun") : style.verdict(task.verdict);
    return fmt::format("  {}: {}   {}, {} of {} point{}\n", task.id, task.title, verdict, task.points, task.max_points,
                       task.max_points == 1 ? "" : "s");
}

std::string ahead_text(const TaskResult& task) {
    if (task.ahead.empty() || !task.check || task.check->work_elements <= 0) return "";
    std::string text = task.ahead;
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at)) {
        const std::size_t end = text.find('}', at);
        const std::string counter = text.substr(at + 1, end - at - 1);
        const double each = counted(task.check->kernels, counter) / static_cast<double>(task.check->work_elements);
        text.replace(at, end - at + 1, fmt::format("{:.2f}", each));
    }
    return "    ahead     " + text + "\n";
}

std::string failed_task(const TaskResult& task, bool on_gpu, bool shows_work) {
    std::string text;
    const CaseResult* shown = telling_case(task);
    if (shown) {
        text += fmt::format("    case {}   {} of {} cases passed\n", shown->name, count_passed(task),
                            task.cases.size());
        if (shown->difference) text += difference_text(*shown->difference);
        if (!shown->message.empty() && !is_found_too(task, *shown)) text += indented(shown->message, 4);
    }
    if (task.predictions && task.predictions->right < task.predictions->at_least)
        text += fmt::format("    predictions right: {} of {}, at least {} must be\n", task.predictions->right,
                            task.predictions->total, task.predictions->at_least) +
                indented(wrong_predictions(*task.predictions), 4);
    text += indented(found_text(task, shown ? shown->name : "", on_gpu), 4);
    if (!task.message.empty()) text += indented(task.message, 4);
    if (is_right(task.verdict) && task.check && shows_work)
        if (const std::string work = work_text(*task.check); !work.empty())
            text += fmt::format("    work      {}{}\n", origin(on_gpu), work);
    if (is_about_speed(task.verdict) && task.speed && task.speed->pairs > 0)
        text += "    speed     " + speed_text(*task.speed, 0) + "\n";
    return text + images_text(task);
}

std::string failed_task_in_brief(const TaskResult& task) {
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    const auto line = [](const std::string& where, const std::string& what) {
        return "    " + (where.empty() ? what : where + ": " + what) + "\n";
    };
    if (task.check && !task.check->found.empty()) {
        const FoundMistake& found = task.check->found[0];
        return line(found.case_name, first_line(finding_text(found.finding)));
    }
    const CaseResult* const shown = telling_case(task);
    if (shown != nullptr && shown->difference) {
        const Difference& wrong = *shown->difference;
        return line(shown->name,
                    fmt::format("{} got {}, want {}; wrong: {} of {}{}", wrong.where, wrong.got, wrong.want,
                                wrong.wrong, wrong.total, wrong.pattern.empty() ? "" : ", " + wrong.pattern));
    }
    if (shown != nullptr && !shown->message.empty()) return line(shown->name, first_line(shown->message));
    if (task.predictions && task.predictions->right < task.predictions->at_least)
        return line("", fmt::format("predictions right: {} of {}, at least {} must be", task.predictions->right,
                                    task.predictions->total, task.predictions->at_least));
    if (!task.message.empty()) {   // of a budget: the cause may follow, and then what helps
        const auto last_line = [](const std::string& text) { return text.substr(text.rfind('\n') + 1); };
        const std::string first = first_line(task.message);
        for (const BudgetResult& budget : task.budgets) {   // its own advice, not that of the last one
            if (budget.index_is_wrong && budget.cause == first) return line("", first);
            if (statement(budget) == first)
                return line("", first) + (budget.cause.empty() ? "" : line("", last_line(budget.cause)));
        }
        return line("", first) + (first == task.message ? "" : line("", last_line(task.message)));
    }
    if (is_about_speed(task.verdict) && task.speed && task.speed->pairs > 0)
        return line("", first_line(speed_text(*task.speed, 0)));
    return "";
}

std::string passed_task_in_brief(const TaskResult& task, bool on_gpu) {
    TaskResult counted;   // without what had to be, and is, 0
    for (const BudgetResult& budget : task.budgets)
        if (budget.counted != 0 || budget.at_most != 0.0) counted.budgets.push_back(budget);
    const std::string text = budgets_text(counted, on_gpu);
    return text.substr(0, text.empty() ? 0 : text.find('\n') + 1);
}

std::string passed_task(const TaskResult& task, double copy_bytes_per_second, bool on_gpu, bool shows_work) {
    if (task.cases.empty()) return "";
    double worst = 0;
    const CaseResult* largest = &task.cases.front();
    for (const CaseResult& one : task.cases) {
        worst = std::max(worst, one.worst_error);
        if (one.elements > largest->elements) largest = &one;
    }
    std::string text;
    if (!task.predictions)   // those have a line of their own, and may be wrong in part
        text = fmt::format("    correct   {} case{}, {}\n", task.cases.size(), task.cases.size() == 1 ? "" : "s",
                           worst > 0                 ? fmt::format("worst error {:.2f} of the tolerance", worst)
                           : task.properties.empty() ? "exactly as expected"
                                                     : "measured as below");
    text += properties_text(task);
    if (task.check)
        if (const std::string checked = checked_text(*task.check, on_gpu); !checked.empty())
            text += "    checked   " + checked + "\n";
    if (task.predictions)
        text += fmt::format("    predicted {} of {} right (>= {})\n", task.predictions->right, task.predictions->total,
                            task.predictions->at_least) +
                indented(wrong_predictions(*task.predictions), 14);
    text += budgets_text(task, on_gpu);
    if (task.check && shows_work)
        if (const std::string work = work_text(*task.check); !work.empty())
            text += fmt::format("    work      {}{}\n", origin(on_gpu), work);
    text += fmt::format("    time      {} at {}\n", duration_text(largest->seconds), largest->name);
    if (task.speed) text += "    speed     " + speed_text(*task.speed, copy_bytes_per_second) + "\n";
    return text + images_text(task);
}

}  // namespace course
