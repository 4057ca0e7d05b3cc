// SPDX-License-Identifier: MIT
#include "verdict/tags.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace course {

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
