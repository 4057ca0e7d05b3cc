// SPDX-License-Identifier: MIT
#include "progress/answers.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "support/files.hpp"

namespace course {

std::string answer_line(const RecordedAnswer& answer) {
    return fmt::format("{} {} {} {}\n", answer.date, answer.question, answer.right ? "right" : "wrong",
                       answer.tag == 0 ? "-" : std::to_string(answer.tag));
}

std::vector<RecordedAnswer> parse_answers(const std::string& text) {
    std::vector<RecordedAnswer> answers;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        RecordedAnswer answer;
        std::string state, tag;
        if (!(words >> answer.date >> answer.question >> state) || day_of(answer.date) < 0 ||
            (state != "right" && state != "wrong"))
            continue;
        answer.right = state == "right";
        words >> tag;
        if (!tag.empty() && tag.size() < 4 && tag.find_first_not_of("0123456789") == tag.npos)
            answer.tag = std::stoi(tag);
        answers.push_back(answer);
    }
    return answers;
}

std::vector<RecordedAnswer> Answers::read() const {
    try {
        return parse_answers(read_file(file_));
    } catch (const FileError&) {
        return {};
    }
}

void Answers::add(const RecordedAnswer& answer) const {
    make_folders(file_.parent_path());
    const OpenFile file(::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644));
    if (!file) throw FileError("write", file_, errno);
    std::string text = ::lseek(file.get(), 0, SEEK_END) == 0
                           ? "# written by course; safe to delete\n# date, question, right or wrong, misconception\n"
                           : "";
    text += answer_line(answer);
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw FileError("write", file_, errno);
}

long day_of(const std::string& date) {
    int year = 0, month = 0, day = 0, end = 0;
    if (std::sscanf(date.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3 ||
        static_cast<std::size_t>(end) != date.size())
        return -1;
    const std::chrono::year_month_day parsed{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                             std::chrono::day(static_cast<unsigned>(day))};
    return parsed.ok() ? std::chrono::sys_days(parsed).time_since_epoch().count() : -1;
}

std::string date_of(long day) {
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()));
}

long today() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return day_of(fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday));
}

}  // namespace course
