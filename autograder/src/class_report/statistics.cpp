// SPDX-License-Identifier: MIT
#include "class_report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/files.hpp"

namespace course {

namespace {

Group group_of_status(const std::string& status) {
    if (status == "passed" || status == "noisy") return Group::passed;
    if (status == "not as asked" || status == "over budget" || status == "too slow" || status == "review")
        return Group::right;
    if (status == "wrong") return Group::wrong;
    if (status == "does not compile") return Group::does_not_compile;
    if (status == "not started" || status == "environment") return Group::nothing;
    return Group::crashed;
}

/// Ten to twenty steps of a round size that cover 0 to the most points.
double step_for(double most) {
    for (double unit = 0.01;; unit *= 10)
        for (const double step : {unit, 2 * unit, 5 * unit})
            if (most / step <= 20) return step;
}

void count_points(const ClassGrades& grades, ClassStatistics& counted) {
    std::vector<double> points;
    for (const StudentGrade& student : grades.students) {
        if (student.is_exempt_of_all()) continue;
        const bool is_scaled = std::abs(student.max_points - grades.max_points) > 1e-9;  // exempt from something
        if (student.complete)
            points.push_back(is_scaled ? student.points_of(grades.max_points) : student.points);
        else
            ++counted.incomplete;
    }
    counted.complete = static_cast<int>(points.size());
    const double most =
        std::max({grades.max_points, points.empty() ? 0 : *std::max_element(points.begin(), points.end()), 1e-9});
    const double step = step_for(most);
    const auto steps = static_cast<std::size_t>(std::floor(most / step + 1e-9)) + 1;
    std::vector<int> bins(steps);
    for (const double one : points) ++bins[std::min(static_cast<std::size_t>(one / step + 1e-9), steps - 1)];
    for (std::size_t k = 0; k < steps; ++k) {
        const double from = static_cast<double>(k) * step;
        counted.points.emplace_back(points_text(from), bins[k]);
    }
    for (const double one : points) counted.points_mean += one / static_cast<double>(points.size());
    counted.points_quartiles = quartiles(std::move(points));
}

template <class Key>
void share(std::map<Key, Shared>& map, const Key& key, std::set<Key>& seen, const StudentGrade& student,
           const std::string& text, const GradedAttempt* attempt = nullptr, const StoredFinding* finding = nullptr) {
    if (!seen.insert(key).second) return;  // once for each student
    Shared& shared = map[key];
    ++shared.students;
    if (!shared.example) {
        shared.example = &student;
        shared.text = text;
        shared.attempt = attempt;
        shared.finding = finding;
    }
}

/// What is seen of a task that isn't right, in a line: what check mode found, else the budget or the case.
std::string seen_of(const StoredTask& task, const StoredExercise& result) {
    if (!task.found.empty()) return task.found[0].what;
    std::string text = task.budget_text;
    for (const auto& [between, part] : {std::pair(", ", &task.case_name), std::pair(": ", &task.case_text)})
        if (!part->empty()) text += (text.empty() ? "" : between) + *part;
    return text.empty() ? result.message_of(task) : text;
}

void count_result(const StudentGrade& student, const GradedAttempt& attempt, ExerciseStatistics& counted,
                  ClassStatistics& all) {
    const StoredExercise& result = *attempt.result->result;
    std::set<std::string> kinds, verdicts;
    std::set<int> tags;
    double best = 0;
    for (const StoredTask& task : result.tasks) {
        const bool right = task.status == "passed" || task.status == "noisy";
        const std::string seen = seen_of(task, result);
        if (!right && !task.star) share(counted.tasks, task.id + ": " + task.status, verdicts, student, seen);
        for (const StoredFinding& found : task.found)
            share(counted.findings, found.kind, kinds, student, found.what, &attempt, &found);
        for (const int tag : task.tags)
            share(counted.tags, tag, tags, student,
                  task.found.empty() ? task.id + (seen.empty() ? "" : ", " + seen) : seen);
        if (!task.speed || task.speed->pairs == 0) continue;
        if (right) best = std::max(best, task.speed->speedup);
        if (task.speed->bytes > 0 && task.speed->seconds > 0) {
            const double rate = task.speed->bytes / task.speed->seconds;
            all.speeds.push_back({result.number, task.speed->bytes, rate});
            if (task.speed->copy_percent > 0) {
                // Each result has the bandwidth that was measured beside it: the most of them is the device's.
                double& bandwidth = all.bandwidths[result.device];
                bandwidth = std::max(bandwidth, task.speed->implausible ? 0 : rate / (task.speed->copy_percent / 100));
            }
        }
    }
    if (best > 0) counted.speed_ups.push_back(best);
}

void count_days(const ClassResults& read, const ClassPolicy& policy, ClassStatistics& counted) {
    std::map<std::string, int> days;
    const auto date = [&](std::chrono::sys_seconds time) { return policy.time_zone.text(time).substr(0, 10); };
    std::chrono::sys_seconds first = std::chrono::sys_seconds::max(), last = std::chrono::sys_seconds::min();
    for (const ClassSubmission& one : read.intake.submissions) {
        if (!one.time) continue;
        first = std::min(first, *one.time);
        last = std::max(last, *one.time);
        ++days[date(*one.time)];
    }
    if (days.empty()) return;
    const std::string deadline = policy.deadline ? date(*policy.deadline) : "";
    constexpr int max_days = 120;  // older ones are a single bar
    const auto from = std::max(first, last - std::chrono::hours(24 * max_days));
    int before = 0;
    for (const auto& [day, count] : days)
        if (day < date(from)) before += count;
    if (before > 0) counted.days.push_back({"before " + date(from), before, false});
    std::set<std::string> done;
    for (auto time = from; done.size() < max_days + 2; time += std::chrono::hours(6)) {
        const std::string day = date(std::min(time, last));
        if (done.insert(day).second) {
            const auto at = days.find(day);
            counted.days.push_back({day, at == days.end() ? 0 : at->second, day == deadline});
        }
        if (time >= last) break;
    }
}

}  // namespace

Group group_of(const ExerciseGrade& grade) {
    if (grade.standing == Standing::not_graded) return Group::not_graded;
    if (grade.standing == Standing::nothing_handed_in) return Group::nothing;
    const StoredResult& result = *grade.counting()->result;
    return result.not_taken.empty() ? group_of_status(result.result->status) : Group::nothing;
}

Quartiles quartiles(std::vector<double> values) {
    Quartiles found{};
    if (values.empty()) return found;
    std::sort(values.begin(), values.end());
    for (std::size_t k = 0; k < found.size(); ++k) {
        const double at = static_cast<double>(k) / 4 * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        found[k] = values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
    }
    return found;
}

ClassStatistics count_class(const ClassResults& read, const ClassGrades& grades, const ClassPolicy& policy) {
    ClassStatistics counted;
    counted.exercises.resize(grades.exercises.size());
    count_points(grades, counted);
    for (const StudentGrade& student : grades.students)
        for (std::size_t k = 0; k < student.exercises.size(); ++k) {
            const ExerciseGrade& grade = student.exercises[k];
            if (grade.standing == Standing::exempt) continue;
            ExerciseStatistics& one = counted.exercises[k];
            ++one.groups[static_cast<std::size_t>(group_of(grade))];
            if (grade.standing != Standing::graded) continue;
            ++one.graded;
            one.mean += grade.points;
            count_result(student, *grade.counting(), one, counted);
        }
    for (ExerciseStatistics& one : counted.exercises)
        if (one.graded > 0) one.mean /= one.graded;
    count_days(read, policy, counted);
    for (const auto& [id, stored] : read.results) {
        if (!stored.result || !stored.not_taken.empty()) continue;  // nothing of it has run
        const StoredExercise& result = *stored.result;
        ++counted.environments[fmt::format(
            "kit {}; {}; {}; sandbox: {}", result.kit_version,
            result.compiler.empty() ? "compiler not known" : result.compiler,
            result.device.empty() ? "device not known" : result.device,
            result.sandbox.empty() ? "none" : fmt::format("{}", fmt::join(result.sandbox, ", ")))];
    }
    return counted;
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

/// In the order in which they need each other; newer releases of d3 have no d3-collection.
constexpr std::string_view parts[] = {"array", "collection",  "color", "format",    "interpolate",
                                      "time",  "time-format", "scale", "selection", "axis"};

constexpr std::size_t max_bytes = std::size_t{1} << 20;

constexpr std::string_view own = R"js(
'use strict';
(() => {
  const d3 = globalThis.d3;
  const all = (selector, from) => [...(from || document).querySelectorAll(selector)];
  const value = cell => Number(cell.dataset.v ?? cell.textContent);
  const si = number => {
    const units = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']];
    const [size, name] = units.find(([least]) => number >= least) || units[4];
    return Number((number / size).toPrecision(3)) + (name ? ' ' + name : '');
  };

  const bytes = number => si(number) + (number < 1e3 ? ' B' : 'B');

  const start = (figure, height) => {
    const plot = figure.querySelector('.plot');
    const width = Math.max(plot.clientWidth, 280);
    plot.replaceChildren();
    const svg = d3.select(plot).append('svg').attr('viewBox', `0 0 ${width} ${height}`).attr('role', 'img')
      .attr('aria-label', figure.dataset.name + ': the text and the table below say what it shows');
    return {svg, width, height};
  };
  const rows = figure => all('tbody tr', figure);
  const label = row => row.cells[0].textContent;

  // The round numbers of a logarithmic axis: 1, 2, 5, 10, or powers of ten alone where these are too many.
  const round = (scale, most) => {
    const [least, greatest] = scale.domain(), all = [];
    for (let power = 10 ** Math.floor(Math.log10(least)); power <= greatest * 1.001; power *= 10)
      for (const digit of [1, 2, 5])
        if (digit * power >= least * 0.999 && digit * power <= greatest * 1.001) all.push(digit * power);
    return all.length <= most ? all : all.filter(one => Math.abs(Math.log10(one) % 1) < 1e-9);
  };

  // A bar for each row's number; a row with data-mark has a dashed line at its end.
  const bars = figure => {
    const {svg, width, height} = start(figure, 230);
    const data = rows(figure), left = 36, bottom = height - 44;
    const x = d3.scaleBand().domain(data.map(label)).range([left, width - 4]).padding(0.15);
    const y = d3.scaleLinear().domain([0, d3.max(data, row => value(row.cells[1])) || 1]).nice().range([bottom, 30]);
    const widest = Math.max(...data.map(row => label(row).length)) * 7 + 10;
    const every = Math.ceil(widest / Math.max(x.step(), 1));
    svg.append('g').attr('transform', `translate(0,${bottom})`)
      .call(d3.axisBottom(x).tickValues(data.map(label).filter((_, k) => k % every === 0)).tickSizeOuter(0));
    svg.append('g').attr('transform', `translate(${left},0)`)
      .call(d3.axisLeft(y).ticks(Math.min(5, y.domain()[1])).tickFormat(d3.format('d')));
    svg.selectAll('.bar').data(data).enter().append('rect').attr('class', 'bar').attr('x', row => x(label(row)))
      .attr('width', x.bandwidth()).attr('y', row => y(value(row.cells[1])))
      .attr('height', row => bottom - y(value(row.cells[1])));
    if (x.bandwidth() > 18)
      svg.selectAll('.count').data(data.filter(row => value(row.cells[1]) > 0)).enter().append('text')
        .attr('text-anchor', 'middle').attr('x', row => x(label(row)) + x.bandwidth() / 2)
        .attr('y', row => y(value(row.cells[1])) - 4).text(row => value(row.cells[1]));
    for (const row of data.filter(one => one.dataset.mark)) {
      const at = x(label(row)) + x.bandwidth();
      svg.append('path').attr('class', 'bound').attr('d', `M${at},4V${bottom}`);
      svg.append('text').attr('class', 'bound-text halo').attr('text-anchor', at > width / 2 ? 'end' : 'start')
        .attr('x', at > width / 2 ? at - 5 : at + 5).attr('y', 12).text(row.dataset.mark);
    }
    svg.append('text').attr('x', width - 4).attr('y', height - 2).attr('text-anchor', 'end').text(figure.dataset.x);
  };

  // A bar in parts for each row: how many students have each kind of verdict.
  const stacks = figure => {
    const data = rows(figure), names = all('thead th', figure).slice(1).map(cell => cell.textContent);
    const used = names.map((_, k) => data.some(row => value(row.cells[k + 1]) > 0));
    const legend = [];
    let line = 0, at = 0;
    const plot = Math.max(figure.querySelector('.plot').clientWidth, 280);
    names.forEach((name, k) => {
      if (!used[k]) return;
      const wide = 36 + name.length * 7;
      if (at > 0 && at + wide > plot) { line += 1; at = 0; }
      legend.push({name, k, x: at, y: line * 18});
      at += wide;
    });
    const top = line * 18 + 30, step = 44;
    const {svg, width} = start(figure, top + data.length * step);
    for (const one of legend) {
      svg.append('rect').attr('class', `part part${one.k}`).attr('x', one.x).attr('y', one.y)
        .attr('width', 13).attr('height', 13);
      svg.append('text').attr('x', one.x + 18).attr('y', one.y + 11).text(one.name);
    }
    data.forEach((row, line) => {
      const counts = names.map((_, k) => value(row.cells[k + 1]));
      const total = counts.reduce((a, b) => a + b, 0) || 1;
      const x = d3.scaleLinear().domain([0, total]).range([0, width]);
      const y = top + line * step;
      svg.append('text').attr('x', 0).attr('y', y).text(label(row));
      let before = 0;
      counts.forEach((count, k) => {
        if (!count) return;
        svg.append('rect').attr('class', `part part${k}`).attr('x', x(before)).attr('y', y + 5)
          .attr('width', x(count)).attr('height', 20);
        if (x(count) > String(count).length * 8 + 4)
          svg.append('text').attr('class', `on${k}`).attr('text-anchor', 'middle').attr('x', x(before) + x(count) / 2)
            .attr('y', y + 19.5).text(count);
        before += count;
      });
    });
  };

  // A box for each row: least, quarter, half, three quarters, most.
  const boxes = figure => {
    const data = rows(figure), step = 48;
    const {svg, width, height} = start(figure, data.length * step + 34);
    const numbers = data.map(row => [1, 2, 3, 4, 5].map(k => value(row.cells[k])));
    const least = Math.min(1, ...numbers.map(one => one[0])), most = Math.max(2, ...numbers.map(one => one[4]));
    const x = d3.scaleLog().domain([least, most]).range([6, width - 14]).nice();
    const ticks = width < 500 ? 4 : 8;
    svg.append('g').attr('transform', `translate(0,${height - 34})`)
      .call(d3.axisBottom(x).tickValues(round(x, ticks)).tickFormat(one => si(one)).tickSizeOuter(0));
    svg.append('text').attr('x', width - 4).attr('y', height - 2).attr('text-anchor', 'end').text(figure.dataset.x);
    numbers.forEach((one, line) => {
      const y = line * step + 12, [low, quarter, half, three, high] = one.map(x);
      svg.append('text').attr('x', 0).attr('y', y).text(label(data[line]));
      svg.append('path').attr('class', 'whisker').attr('d', `M${low},${y + 15}H${high}`);
      svg.append('rect').attr('class', 'box').attr('x', quarter).attr('y', y + 6).attr('height', 18)
        .attr('width', Math.max(three - quarter, 2));
      svg.append('path').attr('class', 'median').attr('d', `M${half},${y + 4}v22`);
    });
  };

  // Bytes moved and the rate that was reached; the roof is what a copy reaches.
  const roof = figure => {
    const {svg, width, height} = start(figure, 320);
    const points = figure.dataset.points.split(' ').map(one => one.split(',').map(Number));
    const roofs = (figure.dataset.roofs || '').split('|').filter(Boolean).map(one => {
      const at = one.indexOf(',');
      return {rate: Number(one.slice(0, at)), name: one.slice(at + 1)};
    });
    const rates = [...points.map(one => one[2]), ...roofs.map(one => one.rate)];
    const around = list => [Math.min(...list) / 1.5, Math.max(...list) * 1.5];
    const x = d3.scaleLog().domain(around(points.map(one => one[1]))).range([64, width - 12]).nice();
    const y = d3.scaleLog().domain(around(rates)).range([height - 40, 16]).nice();
    svg.append('g').attr('transform', `translate(0,${height - 40})`)
      .call(d3.axisBottom(x).tickValues(round(x, width < 500 ? 4 : 8)).tickFormat(one => bytes(one)));
    svg.append('g').attr('transform', 'translate(64,0)')
      .call(d3.axisLeft(y).tickValues(round(y, 8)).tickFormat(one => bytes(one) + '/s'));
    svg.append('text').attr('x', width - 4).attr('y', height - 4).attr('text-anchor', 'end')
      .text('bytes that one call moves');
    for (const one of roofs) {
      svg.append('path').attr('class', 'bound').attr('d', `M64,${y(one.rate)}H${width - 12}`);
      svg.append('text').attr('class', 'bound-text halo').attr('x', 70).attr('y', y(one.rate) - 5)
        .text(`a copy on ${one.name}`);
    }
    // All calls of a task move the same bytes: its points are spread a little, and have their exercise's number below.
    svg.selectAll('.mark').data(points).enter().append('circle').attr('class', 'mark').attr('r', 3)
      .attr('cx', (one, k) => x(one[1]) + (k * 5 % 11 - 5)).attr('cy', one => y(one[2]));
    const columns = new Map();
    for (const one of points) {
      const key = Math.round(x(one[1]) / 24), column = columns.get(key) || {at: x(one[1]), low: 0, names: new Set()};
      column.low = Math.max(column.low, y(one[2]));
      columns.set(key, column);
      column.names.add(one[0]);
    }
    for (const {at, low, names} of columns.values())
      svg.append('text').attr('class', 'halo').attr('text-anchor', 'middle').attr('x', at)
        .attr('y', Math.min(low + 18, height - 44)).text([...names].sort((a, b) => a - b).join(', '));
  };

  const kinds = {bars, stacks, boxes, roof};
  const draw = () => {
    all('figure[data-kind]').forEach(figure => kinds[figure.dataset.kind](figure));
    // Who listens hears the chart's name, not its ticks and digits: the table has the numbers.
    all('.plot svg > *').forEach(one => one.setAttribute('aria-hidden', 'true'));
  };
  if (d3) {
    draw();
    all('figure[data-kind] details').forEach(one => { one.open = false; });
    let waiting = 0;
    addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); });
  }

  const field = document.querySelector('.filter input');
  if (field) {
    // Words with a space around each, so that ' ann ' is a word of a name and ' ann' begins one.
    const wordsOf = text => ` ${text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;
    const students = all('#students tbody tr'), texts = students.map(row => wordsOf(row.cells[0].textContent));
    const count = document.querySelector('.filter output');
    document.querySelector('.filter').hidden = false;
    field.addEventListener('input', () => {
      const words = wordsOf(field.value).split(' ').filter(Boolean);
      // By how many words are only begun; those that have all of them come first.
      const found = students.map((row, k) => ({row, begun: words.filter(word => !texts[k].includes(` ${word} `)).length,
        fits: words.every(word => texts[k].includes(` ${word}`))})).sort((a, b) => a.begun - b.begun);
      for (const {row, fits} of found) { row.hidden = !fits; row.parentNode.append(row); }
      const shown = found.filter(one => one.fits).length;
      count.textContent = words.length === 0 ? '' : shown ? `${shown} of ${students.length} students`
        : `Nobody found: no student has ${words.length > 1 ? 'all of these words' : 'a word that begins so'}.`;
    });
  }
})();
)js";

}  // namespace

std::string charts_script(const fs::path& library) {
    std::string script;
    for (const std::string_view part : parts) {
        const std::string name = "d3-" + std::string(part);
        const fs::path file = library / name / "dist" / (name + ".min.js");
        if (!fs::is_regular_file(file)) {
            if (part == "collection") continue;
            script.clear();
            break;
        }
        script += read_file(file, max_bytes) + "\n";
    }
    // Nothing in a script may look like its end.
    if (script.find("</script") != script.npos || script.find("<!--") != script.npos) script.clear();
    return script + std::string(own);
}

}  // namespace course
