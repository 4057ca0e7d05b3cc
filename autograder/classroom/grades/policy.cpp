// SPDX-License-Identifier: MIT
#include "classroom/grades/policy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/grades/extensions.hpp"
#include "manifest/toml_table.hpp"
#include "support/text.hpp"

namespace course {

namespace {

using Keys = std::vector<std::string_view>;

void know(const TomlTable& table, const Keys& known) {
    for (const std::string& key : table.keys()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string near = closest_match(key, known);
        table.fail_at_key(key, near.empty()
                                   ? fmt::format("unknown key \"{}\"; expected one of: {}", key, fmt::join(known, ", "))
                                   : fmt::format("unknown key \"{}\"; did you mean \"{}\"?", key, near));
    }
}

bool truth(const TomlTable& table, std::string_view key, bool otherwise) {
    return table.has(key) ? table.boolean_or_false(key) : otherwise;
}

double share(const TomlTable& table, std::string_view key, double otherwise) {
    if (!table.has(key)) return otherwise;
    const double value = table.number(key, 0);
    if (value > 1) table.fail(key, fmt::format("\"{}\" is {}; expected a share, 0 to 1", key, value));
    return value;
}

int exercise_number(const TomlTable& table, std::string_view key) {
    const std::int64_t number = table.integer(key, 1);
    if (number > 99) table.fail(key, fmt::format("\"{}\" is {}; exercises have numbers up to 99", key, number));
    return static_cast<int>(number);
}

BestOf best_of(const TomlTable& table) {
    const std::string text = table.text("best_of");
    if (text == "best") return BestOf::best;
    if (text == "latest") return BestOf::latest;
    table.fail("best_of", fmt::format("\"best_of\" is \"{}\"; expected \"best\" or \"latest\"", text));
}

std::chrono::sys_seconds time(const TomlTable& table, std::string_view key, const std::optional<TimeZone>& zone) {
    const toml::date_time value = table.date_time(key);
    const LocalTime local{value.date.year, value.date.month,  value.date.day,
                          value.time.hour, value.time.minute, value.time.second};
    if (value.offset) return *TimeZone("UTC").to_utc(local) - std::chrono::minutes(value.offset->minutes);
    if (!zone)
        table.fail(key,
                   fmt::format("\"{}\" says no time zone: add time_zone = \"Europe/Berlin\" (or yours) at the top, "
                               "or an offset, as in 2026-12-01T23:59:00+01:00",
                               key));
    const std::optional<std::chrono::sys_seconds> time = zone->to_utc(local);
    if (!time) table.fail(key, fmt::format("\"{}\" is an hour that {} leaves out in spring", key, zone->name()));
    return *time;
}

std::optional<std::chrono::sys_seconds> time_if(const TomlTable& table, std::string_view key,
                                                const std::optional<TimeZone>& zone) {
    if (!table.has(key)) return {};
    return time(table, key, zone);
}

LateRule read_late(const TomlTable& table) {
    know(table, {"grace_minutes", "lose", "each_hours", "floor"});
    LateRule rule;
    if (table.has("grace_minutes")) rule.grace_minutes = table.count("grace_minutes", 0);
    rule.lose = share(table, "lose", 0);
    if (table.has("each_hours")) {
        rule.each_hours = table.number("each_hours", 0);
        if (!(rule.each_hours >= 0.01)) table.fail("each_hours", "\"each_hours\" is less than a minute");
    }
    rule.floor = share(table, "floor", 0);
    return rule;
}

ExercisePolicy read_own(const TomlTable& table, const std::optional<TimeZone>& zone) {
    know(table, {"number", "points", "best_of", "hidden_share", "deadline", "last_acceptance"});
    ExercisePolicy own{.number = exercise_number(table, "number"),
                       .points = {},
                       .best_of = {},
                       .hidden_share = {},
                       .deadline = time_if(table, "deadline", zone),
                       .last_acceptance = time_if(table, "last_acceptance", zone)};
    if (table.has("points")) own.points = table.number("points", 0);
    if (table.has("best_of")) own.best_of = best_of(table);
    if (table.has("hidden_share")) own.hidden_share = share(table, "hidden_share", 1);
    return own;
}

/// A list of exercises.
std::vector<int> read_numbers(const TomlTable& table, std::string_view key) {
    std::vector<int> numbers;
    for (const std::int64_t number : table.integers(key)) {
        if (number < 1 || number > 99) table.fail(key, fmt::format("\"{}\" has {}; expected 1 to 99", key, number));
        if (std::find(numbers.begin(), numbers.end(), number) != numbers.end())
            table.fail(key, fmt::format("\"{}\" has {} twice", key, number));
        numbers.push_back(static_cast<int>(number));
    }
    return numbers;
}

/// [[student]]
Extension read_extension(const TomlTable& table, const std::optional<TimeZone>& zone) {
    know(table, {"id", "exercises", "deadline", "last_acceptance", "exempt"});
    Extension read{.student = table.text("id"),
                   .place = table.place(),
                   .exercises = {},
                   .deadline = time_if(table, "deadline", zone),
                   .last_acceptance = time_if(table, "last_acceptance", zone),
                   .exempt = {}};
    if (table.has("exercises")) read.exercises = read_numbers(table, "exercises");
    if (table.has("exempt")) read.exempt = read_numbers(table, "exempt");
    if (!read.deadline && !read.last_acceptance && read.exempt.empty())
        table.fail("", fmt::format("nothing is said of the student \"{}\": expected \"deadline\", \"last_acceptance\" "
                                   "or \"exempt\"",
                                   read.student));
    return read;
}

StudentView read_students(const TomlTable& table, const std::optional<TimeZone>& zone) {
    know(table, {"hidden_results_from", "speed_ups", "findings"});
    return {.hidden_results_from = time_if(table, "hidden_results_from", zone),
            .speed_ups = truth(table, "speed_ups", true),
            .findings = truth(table, "findings", true)};
}

}  // namespace

ExercisePolicy ClassPolicy::of(int number) const {
    ExercisePolicy all{.number = number,
                       .points = {},
                       .best_of = best_of,
                       .hidden_share = hidden_share,
                       .deadline = deadline,
                       .last_acceptance = last_acceptance};
    for (const ExercisePolicy& one : own) {
        if (one.number != number) continue;
        if (one.points) all.points = one.points;
        if (one.best_of) all.best_of = one.best_of;
        if (one.hidden_share) all.hidden_share = one.hidden_share;
        if (one.deadline) all.deadline = one.deadline;
        if (one.last_acceptance) all.last_acceptance = one.last_acceptance;
    }
    return all;
}

ExercisePolicy ClassPolicy::of(int number, const std::string& student) const {
    ExercisePolicy all = of(number);
    const auto [begin, end] = extensions.equal_range(student);
    const Extension* own_one = nullptr;  // for this exercise alone, which takes precedence over all
    for (auto at = begin; at != end; ++at) {
        const Extension& one = at->second;
        const auto has = [&](const std::vector<int>& list) {
            return std::find(list.begin(), list.end(), number) != list.end();
        };
        all.is_exempt = all.is_exempt || has(one.exempt);
        if (!one.deadline && !one.last_acceptance) continue;
        if (has(one.exercises) || (one.exercises.empty() && !own_one)) own_one = &one;
    }
    if (!own_one) return all;
    if (all.deadline && own_one->deadline > all.deadline) {
        all.deadline = own_one->deadline;
        all.extended = fmt::format("until {}: extended", time_zone.text(*all.deadline));
    }
    if (all.last_acceptance) {
        const auto last = std::max(own_one->last_acceptance, own_one->deadline);  // an empty one is the least
        if (last > all.last_acceptance) {
            all.last_acceptance = last;
            if (all.extended.empty()) all.extended = fmt::format("accepted until {}: extended", time_zone.text(*last));
        }
    }
    return all;
}

ClassPolicy read_policy(const std::filesystem::path& path, const std::string& shown) {
    const TomlDocument document(path, shown, "how a class is graded");
    const TomlTable table = document.table();
    know(table,
         {"format", "title", "time_zone", "deadline", "last_acceptance", "exercises", "best_of", "points_per_star",
          "hidden_share", "late", "exercise", "student", "extensions", "students", "leaderboard"});
    document.need_format(1, "policy");
    ClassPolicy policy;
    if (table.has("title")) policy.title = table.text("title");
    std::optional<TimeZone> zone;
    if (table.has("time_zone")) {
        try {
            zone = TimeZone(table.text("time_zone"));
        } catch (const std::invalid_argument& error) {
            table.fail("time_zone", error.what());
        }
        policy.time_zone = *zone;
    }
    policy.deadline = time_if(table, "deadline", zone);
    policy.last_acceptance = time_if(table, "last_acceptance", zone);
    if (table.has("exercises")) policy.exercises = read_numbers(table, "exercises");
    if (table.has("best_of")) policy.best_of = best_of(table);
    if (table.has("points_per_star")) policy.points_per_star = table.number("points_per_star", 0);
    policy.hidden_share = share(table, "hidden_share", 1);
    policy.asks_for_hidden = table.has("hidden_share");
    if (table.has("late")) policy.late = read_late(table.table("late"));
    std::set<int> seen;
    for (const TomlTable& one : table.tables("exercise")) {
        policy.own.push_back(read_own(one, zone));
        const int number = policy.own.back().number;
        policy.asks_for_hidden = policy.asks_for_hidden || policy.own.back().hidden_share;
        if (!seen.insert(number).second) one.fail("number", fmt::format("exercise {} is here twice", number));
        if (!policy.exercises.empty() &&
            std::find(policy.exercises.begin(), policy.exercises.end(), number) == policy.exercises.end())
            one.fail("number", fmt::format("exercise {} isn't in the list \"exercises\", so it doesn't count", number));
    }
    for (const TomlTable& one : table.tables("student")) {
        const Extension read = read_extension(one, zone);
        policy.extensions.emplace(read.student, read);
    }
    if (table.has("extensions")) {
        const std::filesystem::path file = path.parent_path() / table.text("extensions");
        if (!std::filesystem::is_regular_file(file))
            table.fail("extensions", fmt::format("\"extensions\" names {}, and there is no such file; its place is "
                                                 "beside class.toml",
                                                 table.text("extensions")));
        for (Extension& one : read_extensions(file, zone)) policy.extensions.emplace(one.student, std::move(one));
    }
    check_exercises(policy);
    if (table.has("students")) policy.students = read_students(table.table("students"), zone);
    if (table.has("leaderboard")) {
        const TomlTable board = table.table("leaderboard");
        know(board, {"show", "exercise"});
        if (truth(board, "show", true)) policy.leaderboard = exercise_number(board, "exercise");
    }
    return policy;
}

double late_factor(const LateRule& rule, std::chrono::sys_seconds deadline, std::chrono::sys_seconds handed_in) {
    if (handed_in <= deadline + std::chrono::minutes(rule.grace_minutes)) return 1;
    const double periods = std::ceil(static_cast<double>((handed_in - deadline).count()) / (rule.each_hours * 3600));
    return std::max(std::min(rule.floor, 1.0), 1 - rule.lose * periods);
}

namespace {

/// The C library knows one zone at a time, the process's own, so this object changes it only briefly.
class ZoneInForce {
public:
    explicit ZoneInForce(const std::string& name) : lock_(mutex()) {
        if (const char* before = std::getenv("TZ")) before_ = before;
        ::setenv("TZ", (":" + name).c_str(), 1);
        ::tzset();
    }
    ~ZoneInForce() {
        if (before_)
            ::setenv("TZ", before_->c_str(), 1);
        else
            ::unsetenv("TZ");
        ::tzset();
    }
    ZoneInForce(const ZoneInForce&) = delete;
    ZoneInForce& operator=(const ZoneInForce&) = delete;

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    std::lock_guard<std::mutex> lock_;
    std::optional<std::string> before_;
};

LocalTime of(const std::tm& parts) {
    return {parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec};
}

}  // namespace

TimeZone::TimeZone(std::string name) : name_(std::move(name)) {
    if (!is_time_zone(name_))
        throw std::invalid_argument(fmt::format(
            "\"{}\" isn't a time zone of this machine; expected one such as \"Europe/Berlin\" "
            "(Debian's package tzdata)",
            name_));
}

std::optional<std::chrono::sys_seconds> TimeZone::to_utc(const LocalTime& local) const {
    const ZoneInForce zone(name_);
    for (const int summer : {0, 1}) {  // 0 is winter time, the later of two
        std::tm parts{};
        parts.tm_year = local.year - 1900;
        parts.tm_mon = local.month - 1;
        parts.tm_mday = local.day;
        parts.tm_hour = local.hour;
        parts.tm_min = local.minute;
        parts.tm_sec = local.second;
        parts.tm_isdst = summer;
        const std::time_t time = std::mktime(&parts);
        std::tm back{};
        ::localtime_r(&time, &back);
        if (of(back) == local) return std::chrono::sys_seconds(std::chrono::seconds(time));
    }
    return {};
}

LocalTime TimeZone::to_local(std::chrono::sys_seconds time) const {
    const ZoneInForce zone(name_);
    const std::time_t seconds = time.time_since_epoch().count();
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    return of(parts);
}

std::string TimeZone::text(std::chrono::sys_seconds time) const {
    const LocalTime local = to_local(time);
    std::string text =
        fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.year, local.month, local.day, local.hour, local.minute);
    if (local.second != 0) text += fmt::format(":{:02}", local.second);
    return text + " " + name_;
}

std::string utc_text(std::chrono::sys_seconds time) {
    const std::time_t seconds = time.time_since_epoch().count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace course
