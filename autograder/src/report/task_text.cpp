// SPDX-License-Identifier: MIT
#include "report/task_text.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"
#include "report/counts_text.hpp"
#include "report/terminal.hpp"
#include "support/text.hpp"

namespace course {

namespace {

// Lines on the screen for the first failed task, including its title, and for each passed one.
constexpr std::size_t max_lines_failed = 8, max_lines_passed = 6;

std::size_t count_passed(const TaskResult& task) {
    return static_cast<std::size_t>(std::count_if(task.cases.begin(), task.cases.end(),
                                                  [](const CaseResult& one) { return exit_code(one.verdict) == 0; }));
}

/// The neighbours of the first wrong element, got over want, in columns; a bar precedes the wrong one.
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

std::string first_wrong_text(const Difference& difference) {
    return fmt::format("    first wrong element  {}   got {}   want {}\n", difference.where, difference.got,
                       difference.want);
}

std::string wrong_text(const Difference& difference) {
    return fmt::format("    wrong: {} of {}{}\n", difference.wrong, difference.total,
                       difference.pattern.empty() ? "" : ", " + difference.pattern);
}

std::string case_text(const TaskResult& task, const CaseResult& shown) {
    return fmt::format("    case {}   {} of {} cases passed\n", shown.name, count_passed(task), task.cases.size());
}

/// A prefix for what was counted elsewhere than where the values were computed.
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
    return fmt::format("{} {}{}", shown_counter(budget), number_text(budget),
                       bounds.empty() ? "" : " (" + bounds + ")");
}

/// The counts of the calls, followed by one line per required kernel.
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

/// True if it concerns how a kernel is launched, not what that cost.
bool is_about_shape(const BudgetResult& budget) {
    constexpr std::string_view names[] = {"launches", "grid", "block", "threads"};
    return !budget.kernel.empty() && std::find(std::begin(names), std::end(names), budget.counter) != std::end(names);
}

/// The counts in one or two lines, without those that had to be 0 and are, and without the kernels' shapes unless there
/// is nothing else. What the host asked for exactly that often comes last, followed by a note that the work is shared.
std::string counted_text(const TaskResult& task, bool on_gpu, std::size_t columns, bool in_two_lines) {
    std::vector<std::string> telling, exact, shared, all;
    for (const BudgetResult& budget : task.budgets) {
        const std::string text = budget_text(budget);
        if (std::find(all.begin(), all.end(), text) != all.end()) continue;  // from another kernel
        all.push_back(text);
        if ((budget.counted == 0 && budget.at_most == 0.0) || is_about_shape(budget)) continue;
        const bool is_exact = budget.at_least && budget.at_least == budget.at_most;
        const bool is_shared = is_parallelism(budget.counter);
        (is_shared ? shared : is_exact && !is_counted_in_check_mode(budget.counter) ? exact : telling).push_back(text);
    }
    telling.insert(telling.end(), exact.begin(), exact.end());
    telling.insert(telling.end(), shared.begin(), shared.end());
    const std::vector<std::string>& shown = telling.empty() ? all : telling;
    if (shown.empty()) return "";
    constexpr std::string_view more = "   ...", margin = "              ";
    std::string text, line = "    counted   " + std::string(origin(on_gpu));
    bool is_first = true;
    for (const std::string& one : shown) {
        const bool is_last = &one == &shown.back(), wraps = !in_two_lines || !text.empty();
        const std::size_t needed = line.size() + (is_first ? 0 : 3) + one.size();
        if (!is_first && needed + (wraps && !is_last ? more.size() : 0) > columns) {
            if (wraps) return text + line + std::string(more) + "\n";
            text = line + "\n";
            line = margin;
            is_first = true;
        }
        line += (is_first ? "" : "   ") + one;
        is_first = false;
    }
    return text + line + "\n";
}

/// What the check measured of the results: one line per property.
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

/// "prediction 3, idle threads: predicted 0, the run shows 24 (n = 1000, block = 256)", for each wrong one; predictions
/// still missing are named, but not answered.
std::string wrong_predictions(const PredictionResult& predictions) {
    std::string text, missing;
    for (const WrongPrediction& one : predictions.wrong) {
        if (one.predicted.empty())
            missing += fmt::format("{}{} {}", missing.empty() ? "" : ", ", one.number, one.what);
        else
            text += fmt::format("prediction {}, {}: predicted {}, the run shows {}{}\n", one.number, one.what,
                                one.predicted, one.shown, one.case_name == one.what ? "" : " (" + one.case_name + ")");
    }
    return text + (missing.empty() ? "" : "no prediction yet: " + missing + "\n");
}

std::string predicted_text(const PredictionResult& predictions) {
    return fmt::format("    predicted {} of {} right (>= {})\n", predictions.right, predictions.total,
                       predictions.at_least);
}

/// "    correct   9 cases, worst error 0.25 of the tolerance", without a line end.
std::string correct_text(const TaskResult& task) {
    double worst = 0;
    for (const CaseResult& one : task.cases) worst = std::max(worst, one.worst_error);
    return fmt::format("    correct   {}, {}", plural(task.cases.size(), "case"),
                       worst > 0                 ? fmt::format("worst error {:.2f} of the tolerance", worst)
                       : task.properties.empty() ? "exactly as expected"
                                                 : "measured as below");
}

/// "wrong, 0 of 2 points"; for a star, whether it is earned, or not begun.
std::string outcome_text(const TaskResult& task, const Style& style) {
    const bool begun = task.verdict != Verdict::not_started;
    if (task.star && !begun) return "a star, not begun: for those who want more";
    if (task.star)
        return style.verdict(task.verdict) + (is_passed(task) ? ": a star *" : ": no star yet, and no point lost");
    return fmt::format("{}, {} of {}", begun ? style.verdict(task.verdict) : style.warn("not begun"), task.points,
                       plural(task.max_points, "point"));
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
    return fmt::format("  {}: {}   {}\n", task.id, task.title, outcome_text(task, style));
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
        text += case_text(task, *shown);
        if (shown->difference)
            text += first_wrong_text(*shown->difference) + wrong_text(*shown->difference) +
                    window_text(shown->difference->window);
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

namespace {

/// Why the task failed, in one line: "launches: 2 counted, at most 1 (n = 257)"; empty if there is nothing to say.
std::string cause_in_brief(const TaskResult& task) {
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    const auto line = [](const std::string& where, const std::string& what) {
        return where.empty() ? what : where + ": " + what;
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
        return fmt::format("predictions right: {} of {}, at least {} must be", task.predictions->right,
                           task.predictions->total, task.predictions->at_least);
    if (!task.message.empty()) return first_line(task.message);
    if (is_about_speed(task.verdict) && task.speed && task.speed->pairs > 0)
        return first_line(speed_text(*task.speed, 0));
    return "";
}

/// The lines of a text as separate parts: the first of rank `first`, the following ones of rising rank.
void add_lines(std::vector<Passage>& parts, const std::string& text, std::size_t spaces, int first, int following) {
    std::istringstream lines(text);
    int rank = first;
    for (std::string line; std::getline(lines, line);) {
        parts.push_back({indented(line, spaces), rank});
        rank = rank == first ? following : rank + 1;
    }
}

// What is left out first if a task has too many lines; what has none of these ranks is always shown.
enum Rank {
    message_rank = 10,
    advice_rank = 200,
    difference_rank,
    speed_rank,
    property_rank,
    case_rank,
    who_rank,
    rule_rank,
    prediction_rank = 300,
    head_rank = 400,
    picture_rank,
    ahead_rank,
    note_rank,
    window_rank,
    more_rank = 500
};

/// Check mode's first finding, one part per line. The rule is either written out or follows the advice.
void add_finding(std::vector<Passage>& parts, const Finding& finding, bool with_rule) {
    const std::string rule = fmt::format("rule {}", static_cast<int>(finding.rule));
    std::vector<std::string> lines;
    std::istringstream text(finding_text(finding));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    const std::string rule_line = lines.back();
    lines.pop_back();
    const bool has_advice = !finding.advice.empty() && lines.size() > 1;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const bool is_advice = has_advice && k + 1 == lines.size();
        const int rank = k == 0 ? 0 : is_advice ? advice_rank : who_rank;
        parts.push_back({indented(lines[k] + (is_advice && !with_rule ? " (" + rule + ")" : ""), 4), rank});
    }
    if (with_rule || !has_advice) parts.push_back({indented(with_rule ? rule_line : "  breaks " + rule, 4), rule_rank});
}

/// What check mode found, after what it says about the case.
void add_found(std::vector<Passage>& parts, const TaskResult& task, const CaseResult* shown, bool on_gpu,
               bool with_rule) {
    const std::string text = found_text(task, shown ? shown->name : "", on_gpu);
    if (text.empty()) return;
    const FoundMistake& first = task.check->found[0];
    const std::string head = text.substr(0, text.find('\n'));
    const bool says_more = !shown || first.case_name != shown->name || head.starts_with("the values are right");
    parts.push_back({indented(head, 4), says_more ? 0 : head_rank});
    add_finding(parts, first.finding, with_rule);
    const std::string shown_first = head + "\n" + finding_text(first.finding);
    add_lines(parts, text.substr(std::min(text.size(), shown_first.size())), 4, more_rank, more_rank + 1);
}

std::vector<Passage> failed_parts(const TaskResult& task, const Style& style, bool on_gpu, bool with_rule) {
    std::vector<Passage> parts{{task_line(task, style)}};
    const CaseResult* const shown = telling_case(task);
    if (shown) {
        parts.push_back({case_text(task, *shown), shown->verdict == Verdict::does_not_compile ? head_rank : case_rank});
        if (shown->difference) {
            const Difference& difference = *shown->difference;
            parts.push_back({first_wrong_text(difference), difference_rank});
            if (difference.total > 1 || !difference.pattern.empty())
                parts.push_back({wrong_text(difference), difference_rank});
            parts.push_back({window_text(difference.window), window_rank});
        }
        if (!is_found_too(task, *shown)) add_lines(parts, shown->message, 4, 0, message_rank);
    }
    if (task.predictions && task.predictions->right < task.predictions->at_least) {
        parts.push_back({fmt::format("    predictions right: {} of {}, at least {} must be\n", task.predictions->right,
                                     task.predictions->total, task.predictions->at_least)});
        add_lines(parts, wrong_predictions(*task.predictions), 4, prediction_rank, prediction_rank + 1);
    }
    add_found(parts, task, shown, on_gpu, with_rule);
    add_lines(parts, task.message, 4, 0, message_rank);
    if (is_about_speed(task.verdict) && task.speed && task.speed->pairs > 0)
        parts.push_back({"    speed     " + speed_text(*task.speed, 0) + "\n", speed_rank});
    parts.push_back({images_text(task), picture_rank});
    return parts;
}

/// The text cut to this many columns after a word, with a mark where something is missing.
std::string clipped(const std::string& text, std::size_t columns) {
    constexpr std::string_view mark = " ...";
    if (text.size() <= columns) return text;
    const std::size_t space = columns < mark.size() ? text.npos : text.rfind(' ', columns - mark.size());
    return space == text.npos ? "" : text.substr(0, space) + std::string(mark);
}

}  // namespace

std::string failed_task_in_short(const TaskResult& task, const Style& style, bool on_gpu, std::size_t columns) {
    const std::vector<Passage> written_out = failed_parts(task, style, on_gpu, true);
    if (fitting_rank(written_out, max_lines_failed, columns) >= rule_rank)
        return few_lines(written_out, max_lines_failed, columns);
    return few_lines(failed_parts(task, style, on_gpu, false), max_lines_failed, columns);
}

std::string other_task(const TaskResult& task, const Style& style, std::size_t columns) {
    const bool failed = !is_passed(task) && task.verdict != Verdict::not_started;
    const std::string cause = failed ? cause_in_brief(task) : "";
    const auto used_by = [&](const std::string& title) {  // without colour
        return fmt::format("  {}:{} {}; ", task.id, title, outcome_text(task, Style(false))).size();
    };
    std::string title = " " + task.title + "  ";
    if (cause.empty() || used_by("") >= columns) return task_line(task, style);
    if (used_by(title) + cause.size() > columns) title.clear();
    const std::string shown = clipped(cause, columns - used_by(title));
    return fmt::format("  {}:{} {}{}{}\n", task.id, title, outcome_text(task, style), shown.empty() ? "" : "; ", shown);
}

std::string passed_task_in_short(const TaskResult& task, const Style& style, double copy_bytes_per_second, bool on_gpu,
                                 std::size_t columns) {
    std::vector<Passage> parts{{task_line(task, style)}};
    if (task.cases.empty()) return parts[0].text;
    if (task.predictions) {
        parts.push_back({predicted_text(*task.predictions)});
        add_lines(parts, wrong_predictions(*task.predictions), 14, prediction_rank, prediction_rank + 1);
    } else {
        std::string line = correct_text(task);
        if (task.check && task.check->cases > 0)
            line += fmt::format("; {} in check mode{}", task.check->cases, on_gpu ? " on the host" : "");
        parts.push_back({line + "\n"});
    }
    add_lines(parts, properties_text(task), 0, property_rank, prediction_rank);
    const bool is_timed = task.speed && task.speed->pairs > 0;  // then the time matters more
    parts.push_back({counted_text(task, on_gpu, columns, !is_timed)});
    if (task.speed)
        parts.push_back({"    speed     " + speed_text(*task.speed, copy_bytes_per_second) + "\n",
                         is_timed ? 0 : static_cast<int>(speed_rank)});
    parts.push_back({ahead_text(task), ahead_rank});
    parts.push_back({images_text(task), picture_rank});
    if (task.check && !task.check->note.empty())
        parts.push_back({"    checked   " + task.check->note + "\n", note_rank});
    return few_lines(parts, max_lines_passed, columns);
}

std::string passed_task(const TaskResult& task, double copy_bytes_per_second, bool on_gpu, bool shows_work) {
    if (task.cases.empty()) return "";
    std::string text;
    // predictions have their own line, and may be partly wrong
    if (!task.predictions) text = correct_text(task) + "\n";
    text += properties_text(task);
    if (task.check)
        if (const std::string checked = checked_text(*task.check, on_gpu); !checked.empty())
            text += "    checked   " + checked + "\n";
    if (task.predictions)
        text += predicted_text(*task.predictions) + indented(wrong_predictions(*task.predictions), 14);
    text += budgets_text(task, on_gpu);
    if (task.check && shows_work)
        if (const std::string work = work_text(*task.check); !work.empty())
            text += fmt::format("    work      {}{}\n", origin(on_gpu), work);
    if (task.speed) text += "    speed     " + speed_text(*task.speed, copy_bytes_per_second) + "\n";
    return text + images_text(task);
}

// What a later call saves.

namespace {

double to_double(std::uint64_t count) { return static_cast<double>(count); }

/// "5 launches became 1"; nothing if there aren't fewer.
void add_fewer(std::vector<std::string>& parts, double before, double now, std::string_view noun,
               std::string_view nouns) {
    const std::string was = fmt::format("{:.4g}", before), is = fmt::format("{:.4g}", now);
    if (now < before && was != is) parts.push_back(fmt::format("{} {} became {}", was, was == "1" ? noun : nouns, is));
}

std::string us_text(std::uint64_t nanoseconds) {
    const double us = to_double(nanoseconds) / 1000;
    return us < 10 ? fmt::format("{:.1f} us", us) : fmt::format("{:.0f} us", us);
}

}  // namespace

std::optional<CallCost> cost_of(const TaskResult& task) {
    const CaseResult* largest = nullptr;
    for (const CaseResult& one : task.cases)
        if (one.checked_counts && one.work && one.modelled_us > 0 && (!largest || one.elements > largest->elements))
            largest = &one;
    if (largest == nullptr) return std::nullopt;
    const gpu::Counts& counts = *largest->checked_counts;
    return CallCost{.elements = largest->elements,
                    .launches = counts.launches,
                    .copies = counts.copies_to_device + counts.copies_to_host + counts.copies_on_device +
                              counts.copies_between_devices,
                    .atomics = largest->work->atomics,
                    .words = (largest->work->global_bytes_read + largest->work->global_bytes_written) / 4,
                    .modelled_ns = static_cast<std::uint64_t>(std::min(largest->modelled_us, 1e12) * 1000)};
}

std::string cost_word(const CallCost& cost) {
    return fmt::format("{}:{}:{}:{}:{}:{}", cost.elements, cost.launches, cost.copies, cost.atomics, cost.words,
                       cost.modelled_ns);
}

std::optional<CallCost> parse_cost(std::string_view word) {
    CallCost cost;
    std::uint64_t elements = 0;
    std::uint64_t* const members[] = {&elements,     &cost.launches, &cost.copies,
                                      &cost.atomics, &cost.words,    &cost.modelled_ns};
    for (std::uint64_t* const member : members) {
        const std::string_view one = word.substr(0, word.find(':'));
        const auto number = number_from<std::uint64_t>(one);
        if (!number || *number > std::uint64_t{1} << 62) return std::nullopt;
        *member = *number;
        word.remove_prefix(std::min(word.size(), one.size() + 1));
    }
    if (!word.empty()) return std::nullopt;
    cost.elements = static_cast<std::int64_t>(elements);
    return cost;
}

std::string reward_text(const CallCost& before, const CallCost& now) {
    if (before.elements != now.elements || now.modelled_ns > before.modelled_ns) return "";
    std::vector<std::string> parts;
    const double elements = std::max(1.0, static_cast<double>(now.elements));
    add_fewer(parts, to_double(before.launches), to_double(now.launches), "launch", "launches");
    add_fewer(parts, to_double(before.copies), to_double(now.copies), "copy", "copies");
    add_fewer(parts, to_double(before.words) / elements, to_double(now.words) / elements, "word an element",
              "words an element");
    add_fewer(parts, to_double(before.atomics), to_double(now.atomics), "atomic", "atomics");
    std::string text = fmt::format("{}", fmt::join(parts, ", "));
    const std::string is = us_text(now.modelled_ns), was = us_text(before.modelled_ns);
    if (is != was) text += fmt::format("{}modelled for an H200: {}, before {}", text.empty() ? "" : "; ", is, was);
    return text;
}

}  // namespace course
