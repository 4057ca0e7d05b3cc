// SPDX-License-Identifier: MIT

// What exercise 5 is checked for: a clock that follows a drawn script, and the calls that were made. They are run again
// here, and what should have been reported follows from them.

#include <course/check.hpp>

#include <cmath>
#include <iterator>
#include <string>

#include "bench.cpp"

namespace {

using course::Vector;

constexpr double one_percent = 0.01;

bool is_near(double a, double b) { return std::abs(a - b) <= one_percent * std::abs(b); }

/// A cold first launch, then a machine whose times come in two groups, with an outlier in every fourth: of ten in a row
/// mean, best, median, and all that lie in the middle are more than 1 % apart.
struct Script {
    std::vector<double> host_us, device_us;
};

Script draw_script(course::Draw& draw) {
    const double base = draw.between(100.0, 400.0);
    const int shift = 2 * static_cast<int>(draw.between(0, 1));
    Script script{{draw.between(40.0, 90.0) * base}, {draw.between(2.0, 3.0) * base}};
    for (int k = 0; k < 240; ++k) {
        const int turn = (k + shift) % 12;
        const double group = turn % 2 == 0   ? 1 + 0.03 * (turn / 2)
                             : turn % 4 == 1 ? 1.21 + 0.03 * (turn / 4)
                                             : draw.between(2.5, 6.0);
        script.host_us.push_back(draw.between(3.0, 4.0));
        script.device_us.push_back(base * group * draw.between(0.999, 1.001));
    }
    return script;
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

enum class Fault {
    none,
    nothing_timed,
    no_wait,
    not_alone,
    busy_before,
    first_not_reported,
    cold,
    few_repeats,
    mean,
    best,
    first_among,
    upper_middle,
    other
};

/// What the calls and the two numbers say about the stopwatch.
struct Finding {
    Fault fault = Fault::none;
    double first_us = 0, median_us = 0;  ///< what should have been reported
};

/// From one reading of the clock to the next, as far as there was a launch in between.
struct Interval {
    double us = 0;
    int launches = 0, waits = 0;
    bool waited = false, idle_before = true;
};

std::vector<Interval> intervals(const Script& script, const Vector<int>& events) {
    Bench bench(script.host_us, script.device_us);
    std::vector<Interval> found;
    Interval current;
    double last = -1;
    for (const int event : events) {
        if (event == static_cast<int>(Event::launch)) {
            bench.launch();
            ++current.launches;
            current.waited = false;
        } else if (event == static_cast<int>(Event::wait)) {
            bench.wait();
            ++current.waits;
            current.waited = true;
        } else {
            const double now = bench.now_us();
            current.us = now - last;
            if (current.launches > 0 && last >= 0) found.push_back(current);
            current = Interval{.idle_before = bench.is_idle()};
            last = now;
        }
    }
    return found;
}

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

Finding look(const Script& script, double first_us, double median_us, const Vector<int>& events, int repeats) {
    const std::vector<Interval> timed = intervals(script, events);
    const auto is_single = [](const Interval& one) { return one.waited && one.launches == 1 && one.waits == 1; };
    std::vector<Interval> single;  // others may lie between them: calls to warm up
    std::copy_if(timed.begin(), timed.end(), std::back_inserter(single), is_single);
    if (timed.empty()) return {Fault::nothing_timed};
    if (static_cast<int>(single.size()) < repeats + 1) {
        const bool unwaited = std::any_of(timed.begin(), timed.end(), [](const Interval& one) { return !one.waited; });
        if (unwaited) return {Fault::no_wait};
        if (is_near(median_us, first_us) && is_near(first_us, timed[0].us)) return {Fault::cold};
        return {single.size() < timed.size() ? Fault::not_alone : Fault::few_repeats};
    }
    if (std::any_of(single.begin(), single.end(), [](const Interval& one) { return !one.idle_before; }))
        return {Fault::busy_before};
    if (!is_single(timed[0]) || timed[0].us < script.host_us[0]) return {Fault::first_not_reported};
    std::vector<double> all;
    for (const Interval& one : single) all.push_back(one.us);
    // More warm calls than asked for are fine: the repeats are the last ones.
    std::vector<double> last(all.end() - repeats, all.end());
    std::sort(last.begin(), last.end());
    const double median = median_of(last);
    const auto report = [&](Fault fault) { return Finding{fault, timed[0].us, median}; };
    if (is_near(median_us, median))
        return report(is_near(first_us, timed[0].us) ? Fault::none : Fault::first_not_reported);
    if (is_near(median_us, timed[0].us)) return report(Fault::cold);
    if (is_near(median_us, mean_of(last)) || is_near(median_us, mean_of(all))) return report(Fault::mean);
    if (is_near(median_us, last[0])) return report(Fault::best);
    if (is_near(median_us, median_of(all)) && repeats % 2 == 1) return report(Fault::first_among);
    if (is_near(median_us, last[last.size() / 2])) return report(Fault::upper_middle);
    return report(Fault::other);
}

}  // namespace

GRADER_TASK(stopwatch, "stopwatch") {
    for (int repeats : {7, 5, 6, 10, 31, 32}) {
        const Script script = draw_script(draw);
        next_case(std::to_string(repeats) + " repeats");
        Call made = call("run_stopwatch", script.host_us, script.device_us, repeats);
        Finding finding;
        const auto holds = [&](std::string_view statement, Fault fault) {
            made.satisfies(statement, [&](double first_us, double median_us, const Vector<int>& events) {
                finding = look(script, first_us, median_us, events, repeats);
                return finding.fault != fault;
            });
        };
        holds("the clock is read before a launch and after it", Fault::nothing_timed);
        holds("the clock is read after a wait: a launch returns long before its work is done", Fault::no_wait);
        holds("each time is that of one launch, with one wait", Fault::not_alone);
        holds("nothing is still running when a time begins", Fault::busy_before);
        holds("the first call is timed, and reported as first_us", Fault::first_not_reported);
        holds("median_us is the time of calls that are warm: the first one compiles", Fault::cold);
        holds("the repeats are as many as asked for, after the first call", Fault::few_repeats);
        holds("median_us is the median: a single outlier moves the mean", Fault::mean);
        holds("median_us is the median: the best time is luck", Fault::best);
        holds("the first call is none of the repeats", Fault::first_among);
        holds("of an even number of repeats the median lies halfway between the middle two", Fault::upper_middle);
        if (finding.first_us > 0) made.result(0, finding.first_us, Tolerance{.absolute = 0, .relative = one_percent});
        if (finding.median_us > 0) made.result(1, finding.median_us, Tolerance{.absolute = 0, .relative = one_percent});
    }
}
