// SPDX-License-Identifier: MIT
#include "class_report/attempts_line.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "class_report/html.hpp"

namespace course {

namespace {

constexpr double width = 720, left = 90, right = 80, row_height = 30, top = 8;

}  // namespace

std::string attempts_line(std::vector<TimedAttempt> attempts, const std::optional<TimedDeadline>& deadline) {
    std::sort(attempts.begin(), attempts.end(), [](const TimedAttempt& a, const TimedAttempt& b) {
        return std::tie(a.time, a.exercise, a.attempt) < std::tie(b.time, b.exercise, b.attempt);
    });
    if (attempts.empty() || attempts.front().time == attempts.back().time) return "";
    auto first = attempts.front().time, last = attempts.back().time;
    if (deadline) {
        first = std::min(first, deadline->time);
        last = std::max(last, deadline->time);
    }
    std::map<int, double> rows;  // of the exercises: their heights
    for (const TimedAttempt& one : attempts) rows[one.exercise];
    double y = top + row_height / 2;
    for (auto& [exercise, height] : rows) {
        height = y;
        y += row_height;
    }
    const double bottom = y - row_height / 2;
    const auto x = [&](std::chrono::sys_seconds time) {
        const double share = static_cast<double>((time - first).count()) / static_cast<double>((last - first).count());
        return left + share * (width - left - right);
    };
    std::string drawn;
    for (const auto& [exercise, height] : rows)
        drawn += fmt::format(
            "<line class=\"track\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>"
            "<text x=\"0\" y=\"{}\">exercise {}</text>\n",
            left, width - right, height, height, height + 4, exercise);
    if (deadline)
        drawn += fmt::format("<line class=\"bound\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/>\n",
                             x(deadline->time), bottom);
    for (const TimedAttempt& one : attempts)
        drawn += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{}\" r=\"6\"><title>{}</title></circle>\n",
                             one.counts ? "mark counts" : "mark other", x(one.time), rows[one.exercise],
                             html_text(fmt::format("attempt {}, {}: {}", one.attempt, one.when, one.points)));
    const auto day = [](const std::string& when) { return html_text(when.substr(0, 10)); };
    const auto end = [&](std::chrono::sys_seconds time, const TimedAttempt& attempt) {
        return day(deadline && deadline->time == time ? deadline->when : attempt.when);
    };
    const std::string first_day = end(first, attempts.front()), last_day = end(last, attempts.back());
    drawn += fmt::format("<text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                         left, bottom + 16, first_day, width - right, bottom + 16, last_day);
    std::vector<HtmlRow> table;
    for (const TimedAttempt& one : attempts)
        table.push_back({html_text(one.when),
                         {std::to_string(one.exercise), std::to_string(one.attempt), html_text(one.points),
                          one.counts ? "yes" : ""}});
    return fmt::format(
               "<h2>Attempts over time</h2>\n<figure>\n<svg viewBox=\"0 0 {} {}\" role=\"img\" "
               "aria-label=\"Attempts over time; the table has the same\">\n{}</svg>\n"
               "<figcaption>Filled: the attempt that counts.{}</figcaption>\n",
               width, bottom + 22, drawn,
               deadline ? " Dashed: the deadline, " + html_text(deadline->when) + "." : "") +
           html_table("Attempts", {"handed in", "exercise", "attempt", "points", "counts"}, table) + "</figure>\n";
}

}  // namespace course
