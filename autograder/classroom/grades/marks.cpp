// SPDX-License-Identifier: MIT
#include "classroom/grades/marks.hpp"

#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "classroom/grades/read_json.hpp"
#include "kit/kit.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t max_marks_bytes = std::size_t{64} << 20;
constexpr double max_marked_points = 1e6;

double points_in(const JsonObject& json, const char* key) {
    const double points = json.has(key) ? json.number(key) : -1;
    if (!(points >= 0 && points <= max_marked_points)) json.fail(key, fmt::format("0 to {:.0f}", max_marked_points));
    return points;
}

Mark read_mark(const JsonObject& json) {
    Mark mark{.student = json.text("student")};
    try {
        json.know({"student", "exercise", "task", "points", "of", "comment", "by", "when", "submission", "digest"});
        mark.exercise = json.integer("exercise", 1, 99);
        mark.task = json.text("task");
        mark.of = points_in(json, "of");
        if (json.has("points")) mark.points = points_in(json, "points");
        if (mark.points && *mark.points > mark.of)
            json.fail("points", fmt::format("{} at most, as \"of\" has", mark.of));
        mark.comment = plain_text(json.text("comment"), max_comment_bytes, max_comment_lines);
        mark.by = plain_line(json.text("by"));
        mark.when = json.text("when");
        mark.submission = json.text("submission");
        mark.digest = json.text("digest");
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("the mark of {}: {}", plain_line(mark.student), error.what()));
    }
    return mark;
}

std::string marks_json(const std::vector<Mark>& marks) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Mark& one : marks) {
        nlohmann::ordered_json points = nullptr;
        if (one.points) points = *one.points;
        list.push_back({{"student", one.student},
                        {"exercise", one.exercise},
                        {"task", one.task},
                        {"points", points},
                        {"of", one.of},
                        {"comment", one.comment},
                        {"by", one.by},
                        {"when", one.when},
                        {"submission", one.submission},
                        {"digest", one.digest}});
    }
    const nlohmann::ordered_json json = {{"schema", 1}, {"marks", list}};
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

double Mark::points_of(double possible) const {
    if (!points) return 0;
    return std::abs(possible - of) < 1e-9 || of <= 0 ? std::min(*points, possible) : *points / of * possible;
}

std::vector<Mark> read_marks_json(std::string_view text) {
    const nlohmann::json document = read_json(text);
    const JsonObject json(document, "");
    if (json.integer("schema", 1, 1000) != 1) json.fail("schema", "1");
    json.know({"schema", "marks"});
    std::vector<Mark> marks;
    std::set<std::tuple<std::string, int, std::string>> seen;
    for (const JsonObject& one : json.objects("marks")) {
        const Mark& mark = marks.emplace_back(read_mark(one));
        if (!seen.emplace(mark.student, mark.exercise, mark.task).second)
            throw std::runtime_error(fmt::format("two marks of {} on exercise {}{}", plain_line(mark.student),
                                                 mark.exercise, mark.task.empty() ? "" : ", " + mark.task));
    }
    return marks;
}

std::vector<Mark> read_marks(const fs::path& folder) {
    const fs::path path = folder / "marks.json";
    if (!fs::exists(path)) return {};
    try {
        const std::string text = read_file(path, max_marks_bytes);
        if (text.size() > max_marks_bytes)
            throw std::runtime_error(fmt::format("it has more than {} MiB", max_marks_bytes >> 20));
        return read_marks_json(text);
    } catch (const std::exception& error) {
        throw UsageError(
            fmt::format("{}: {}; the points given by hand are in it, so nothing goes on without it: put "
                        "back a copy, or move it away to do without them",
                        path.string(), plain_line(error.what())));
    }
}

void change_marks(const fs::path& folder, const std::function<void(std::vector<Mark>&)>& change) {
    const FileLock lock(folder / "marks.lock");
    std::vector<Mark> marks = read_marks(folder);
    change(marks);
    write_file_atomically(folder / "marks.json", marks_json(marks));
}

}  // namespace course
