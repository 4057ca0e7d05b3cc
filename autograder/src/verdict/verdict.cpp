// SPDX-License-Identifier: MIT
#include "verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "manifest/names.hpp"

namespace course {

namespace {

struct VerdictRow {
    Verdict verdict;
    std::string_view name;
    int exit_code;
    int severity;
};

constexpr VerdictRow verdict_rows[] = {
    {Verdict::passed, "passed", 0, 0},
    {Verdict::noisy, "noisy", 0, 1},
    {Verdict::review, "review", 1, 2},
    {Verdict::wrong, "wrong", 1, 6},
    {Verdict::not_as_asked, "not as asked", 1, 5},
    {Verdict::over_budget, "over budget", 1, 4},
    {Verdict::too_slow, "too slow", 1, 3},
    {Verdict::crashed, "crashed", 1, 9},
    {Verdict::timed_out, "timed out", 1, 7},
    {Verdict::out_of_memory, "out of memory", 1, 8},
    {Verdict::does_not_compile, "does not compile", 2, 10},
    {Verdict::not_started, "not started", 3, 11},
    {Verdict::environment, "environment", 4, 12},
};

constexpr const VerdictRow& row(Verdict verdict) noexcept { return verdict_rows[static_cast<std::size_t>(verdict)]; }

constexpr bool verdicts_in_order() {
    for (std::size_t k = 0; k < std::size(verdict_rows); ++k)
        if (verdict_rows[k].verdict != static_cast<Verdict>(k)) return false;
    return true;
}
static_assert(verdicts_in_order());

}  // namespace

std::string_view to_string(Verdict verdict) noexcept { return row(verdict).name; }

int exit_code(Verdict verdict) noexcept { return row(verdict).exit_code; }

bool is_right(Verdict verdict) noexcept { return row(verdict).severity <= row(Verdict::not_as_asked).severity; }

Verdict worst(Verdict a, Verdict b) noexcept { return row(a).severity < row(b).severity ? b : a; }

int Result::points() const {
    int sum = 0;
    for (const TaskResult& task : tasks) sum += task.points;
    return sum;
}

int Result::max_points() const {
    int sum = 0;
    for (const TaskResult& task : tasks) sum += task.max_points;
    return sum;
}

int Result::stars() const {
    return static_cast<int>(
        std::count_if(tasks.begin(), tasks.end(), [](const TaskResult& task) { return task.star && is_passed(task); }));
}

int Result::max_stars() const {
    return static_cast<int>(
        std::count_if(tasks.begin(), tasks.end(), [](const TaskResult& task) { return task.star; }));
}

const CaseResult* telling_case(const TaskResult& task) {
    constexpr std::int64_t easily_read = 2000;
    const auto of_good_size = [](const CaseResult& one) {
        return one.elements >= min_telling && one.elements <= easily_read;
    };
    // An infinite wrong element is no pattern if infinities were passed in.
    const auto has_pattern = [](const CaseResult& one) {
        return one.difference && !one.difference->pattern.empty() && !one.has_nonfinite;
    };
    const auto rank = [&](const CaseResult& one) {
        if (exit_code(one.verdict) == 0) return 0;
        if (one.verdict != task.verdict) return 1;
        const int plain = one.has_nonfinite ? 0 : 4;  // plain numbers are easier to follow
        if (has_pattern(one) && of_good_size(one)) return 5 + plain;
        if (has_pattern(one) && one.difference->total > 1 && one.difference->total <= easily_read) return 4 + plain;
        return (of_good_size(one) ? 3 : 2) + plain;
    };
    const CaseResult* best = nullptr;
    for (const CaseResult& one : task.cases)
        if (rank(one) > (best ? rank(*best) : 0)) best = &one;
    return best;
}

namespace {

struct OutcomeRow {
    Outcome outcome;
    Verdict verdict;
    bool ends_task;
    std::string_view message;
};

constexpr OutcomeRow outcome_rows[] = {
    {Outcome::returned, Verdict::passed, false, ""},
    {Outcome::kernel_does_not_compile, Verdict::does_not_compile, true, "a kernel doesn't compile"},
    {Outcome::kernel_fault, Verdict::crashed, true, "a kernel failed while it ran"},
    {Outcome::exception, Verdict::crashed, false, "the function threw an exception"},
    {Outcome::missing_function, Verdict::does_not_compile, true,
     "the function is missing, or takes or returns other types than exercise.hpp says"},
    {Outcome::bad_reply, Verdict::crashed, true, "the program's reply can't be read: its memory may be damaged"},
    {Outcome::crashed, Verdict::crashed, true, "the program crashed"},
    {Outcome::exited, Verdict::crashed, true, "the program ended itself, before the function returned"},
    {Outcome::timed_out, Verdict::timed_out, true,
     "the function didn't return in time: is there a loop that never ends?"},
    {Outcome::out_of_memory, Verdict::out_of_memory, true, "the program used more memory than it may"},
    {Outcome::no_device, Verdict::environment, true, "the device can't be used"},
    {Outcome::no_check, Verdict::crashed, true, "check mode can't be used any more"},
    {Outcome::cannot_load, Verdict::does_not_compile, true,
     "the program can't be loaded: a function may be declared, but not defined"},
    {Outcome::left_behind, Verdict::wrong, false, "the function leaves another device or stream current than it found"},
};

constexpr const OutcomeRow& row(Outcome outcome) noexcept { return outcome_rows[static_cast<std::size_t>(outcome)]; }

constexpr bool outcomes_in_order() {
    for (std::size_t k = 0; k < std::size(outcome_rows); ++k)
        if (outcome_rows[k].outcome != static_cast<Outcome>(k)) return false;
    return true;
}
static_assert(outcomes_in_order());

}  // namespace

Verdict verdict_of(Outcome outcome) noexcept { return row(outcome).verdict; }

bool ends_task(Outcome outcome) noexcept { return row(outcome).ends_task; }

std::string_view default_message(Outcome outcome) noexcept { return row(outcome).message; }

namespace {

constexpr std::int64_t max_on_a_side = 2048;
constexpr std::uint8_t magenta[] = {255, 0, 255};

std::uint8_t level(float value) {  // not for NaN
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0F, 1.0F)));
}

bool is_plain(const std::string& name) {
    const auto plain = [](char c) { return is_of_identifier(c) || c == '-'; };
    return !name.empty() && name.size() <= 60 && std::all_of(name.begin(), name.end(), plain);
}

}  // namespace

std::optional<DrawnImage> draw_image(const Image& image) {
    if (!is_plain(image.name))
        throw CheckError(fmt::format("image(\"{}\"): a name has letters, digits, - and _", image.name));
    if (image.rows < 0 || image.columns < 0 || (image.channels != 1 && image.channels != 3) ||
        std::ssize(image.values) != image.rows * image.columns * image.channels)
        throw CheckError(fmt::format("image(\"{}\"): {} values for {} x {} pixels of {}", image.name,
                                     image.values.size(), image.rows, image.columns, image.channels));
    if (image.values.empty()) return std::nullopt;
    const std::int64_t step = (std::max(image.rows, image.columns) + max_on_a_side - 1) / max_on_a_side;
    const bool marked = std::any_of(image.values.begin(), image.values.end(), [](float v) { return std::isnan(v); });
    DrawnImage drawn{.name = image.name,
                     .rows = static_cast<int>((image.rows + step - 1) / step),
                     .columns = static_cast<int>((image.columns + step - 1) / step),
                     .channels = marked ? 3 : image.channels};
    drawn.pixels.reserve(static_cast<std::size_t>(drawn.rows) * drawn.columns * drawn.channels);
    for (std::int64_t row = 0; row < image.rows; row += step) {
        for (std::int64_t column = 0; column < image.columns; column += step) {
            const float* const pixel = image.values.data() + (row * image.columns + column) * image.channels;
            const bool is_nan = std::any_of(pixel, pixel + image.channels, [](float v) { return std::isnan(v); });
            for (int k = 0; k < drawn.channels; ++k)
                drawn.pixels.push_back(is_nan ? magenta[k] : level(pixel[std::min(k, image.channels - 1)]));
        }
    }
    return drawn;
}

// The misconceptions that a verdict shows.

namespace {

void add(std::vector<int>& tags, int tag) {
    const auto place = std::lower_bound(tags.begin(), tags.end(), tag);
    if (tag > 0 && (place == tags.end() || *place != tag)) tags.insert(place, tag);
}

/// A verdict's text, split into the words of whoever found the mistake and what they quote of the student's code: a
/// comment or a string there says nothing about its author's beliefs.
struct Said {
    std::string words, quoted;
    std::vector<std::string> names = {};  ///< the student's own, among the words
};

/// True for "  11 | z[i] = x[i]", for the caret below it, and for a line that a compiler quotes without its number.
bool is_quoted_source(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t number_end = std::min(line.find_first_not_of("0123456789", begin), line.size());
    const std::size_t bar = line.find_first_not_of(' ', number_end);
    constexpr std::size_t indented = 4;
    return begin >= indented || (number_end > 0 && bar != line.npos && line[bar] == '|');
}

/// The line without text in double quotes, and without messages of the student's own #error or static_assert.
std::string without_quotes(std::string_view line) {
    for (const std::string_view own_text : {"#error", "static assertion failed"})
        line = line.substr(0, line.find(own_text));
    std::string words;
    bool is_in_quotes = false;
    for (const char c : line) {
        if (c == '"')
            is_in_quotes = !is_in_quotes;
        else if (!is_in_quotes)
            words += c;
    }
    return words;
}

Said said_by(std::string_view message) {
    Said said;
    constexpr std::string_view threw = "your code threw ";
    if (message.starts_with(threw) && !message.substr(threw.size()).starts_with("gpu::")) return said;  // its own words
    std::istringstream lines{std::string(message)};
    for (std::string line; std::getline(lines, line);) {
        const bool is_quoted = is_quoted_source(line);
        (is_quoted ? said.quoted : said.words) += (is_quoted ? line : without_quotes(line)) + '\n';
    }
    return said;
}

Said said_by(const Finding& finding) {
    // A failed assertion's text is the student's own condition.
    const std::string& what = finding.kind == FindingKind::failed_assertion ? "" : finding.what;
    Said said = said_by(fmt::format("{}: {}\n{}", to_string(finding.kind), what, finding.advice));
    said.names = {finding.variable, finding.kernel, finding.file};
    return said;
}

/// True if this position of the words is inside one of the student's names.
bool is_in_a_name(const Said& said, std::size_t at, std::size_t size) {
    return std::any_of(said.names.begin(), said.names.end(), [&](const std::string& name) {
        if (name.size() < size) return false;
        const std::size_t from = at + size - std::min(at + size, name.size());
        const std::size_t found = said.words.find(name, from);
        return found != said.words.npos && found <= at;
    });
}

/// The tags of all signs that occur in the words and not in the quoted code.
std::vector<int> tags_in(const Said& said, const std::vector<Sign>& signs) {
    std::vector<int> tags;
    for (const Sign& sign : signs) {
        if (said.quoted.find(sign.says) != std::string::npos) continue;
        for (std::size_t at = said.words.find(sign.says); at != std::string::npos;
             at = said.words.find(sign.says, at + 1))
            if (!is_in_a_name(said, at, sign.says.size())) add(tags, sign.tag);
    }
    return tags;
}

}  // namespace

int tag_of(const Finding& finding) noexcept {
    const bool in_shared_memory = finding.rule == gpu::Rule::shared_memory;
    if (finding.kind == FindingKind::uninitialized_read && in_shared_memory) return 7;
    return gpu::facts_of(finding.kind).misconception;
}

void note_tags(const Task& task, TaskResult& result) {
    if (is_passed(result) || result.verdict == Verdict::environment || result.verdict == Verdict::not_started) return;
    const auto all = [&](const std::vector<int>& tags) {
        for (const int tag : tags) add(result.tags, tag);
    };
    for (CaseResult& one : result.cases) {
        if (exit_code(one.verdict) == 0) continue;
        Said said = said_by(one.message);
        if (one.difference) said.words += one.difference->pattern;
        one.tags = tags_in(said, task.signs);
    }
    if (const CaseResult* const shown = telling_case(result)) all(shown->tags);
    if (result.check) {
        for (const FoundMistake& found : result.check->found) {
            std::vector<int> tags = tags_in(said_by(found.finding), task.signs);
            if (tags.empty()) add(tags, tag_of(found.finding));
            all(tags);
            for (CaseResult& one : result.cases)
                if (one.name == found.case_name)
                    for (const int tag : tags) add(one.tags, tag);
        }
    }
    if (result.predictions && result.predictions->right < result.predictions->at_least)
        for (const WrongPrediction& one : result.predictions->wrong)
            if (!one.predicted.empty()) all(tags_in({.words = one.what, .quoted = {}}, task.signs));
    for (const BudgetResult& budget : result.budgets)
        if (budget.decides) add(result.tags, budget.tag);
}

}  // namespace course
