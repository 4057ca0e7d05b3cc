// SPDX-License-Identifier: MIT
#include "manifest/read_budgets.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manifest/names.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::string_view formula_keys[] = {"plus", "each", "per", "of"};

/// Reads plus, each, per and of from the table for the limit `name`.
Limit read_formula(const TomlTable& formula, const Manifest& manifest) {
    Limit limit;
    if (formula.has("plus")) limit.plus = formula.number("plus", 0);
    if (formula.has("each")) limit.each = formula.number("each", 0);
    if (formula.has("per")) limit.per = formula.number("per", 1);
    if (!formula.has("of")) return limit;
    std::size_t most = 0;
    for (const Function& function : manifest.functions) most = std::max(most, function.takes.size());
    const std::int64_t of = formula.integer("of", 1);
    if (of > static_cast<std::int64_t>(most))
        formula.fail("of",
                     fmt::format("\"of\" is {}, but no function takes more than {}; expected the number "
                                 "of an argument, counted from 1",
                                 of, plural(most, "argument")));
    limit.of = static_cast<int>(of);
    return limit;
}

Limit read_limit(const TomlTable& table, std::string_view key, std::string_view counter, const Manifest& manifest) {
    if (!table.is_table(key)) return {.plus = table.number(key, 0)};
    if (is_ratio(counter))
        table.fail(key, fmt::format("\"{}\" is a ratio, which doesn't grow with n; expected a number", counter));
    const TomlTable formula = table.table(key);
    formula.know({"plus", "each", "per", "of"});
    if (!formula.has("plus") && !formula.has("each"))
        table.fail(key,
                   fmt::format("\"{}\" of \"{}\" says no limit; expected \"plus\", \"each\" or both", key, counter));
    return read_formula(formula, manifest);
}

bool is_number(const Limit& limit) { return limit.each == 0; }

// { exactly = LIMIT }, { at_least = LIMIT, at_most = LIMIT }, or a formula, which is a ceiling; and a cure.
Budget read_bounds(const TomlTable& table, const std::string& counter, const Manifest& manifest) {
    const TomlTable bounds = table.table(counter);
    bounds.know({"exactly", "at_least", "at_most", "plus", "each", "per", "of", "cure", "tag"});
    Budget budget{.counter = counter, .tag = read_tag(bounds)};
    if (bounds.has("cure")) budget.cure = bounds.text("cure");
    const auto has = [&](std::string_view key) { return bounds.has(key); };
    const bool formula = std::any_of(std::begin(formula_keys), std::end(formula_keys), has);
    const bool ends = has("at_least") || has("at_most");
    if (int{formula} + int{has("exactly")} + int{ends} > 1)
        table.fail(counter, fmt::format("\"{}\" has bounds of several kinds; expected {{ exactly = ... }}, "
                                        "{{ at_least = ..., at_most = ... }} or a formula, which is a ceiling",
                                        counter));
    if (has("exactly")) {
        budget.at_least = budget.at_most = read_limit(bounds, "exactly", counter, manifest);
    } else if (ends) {
        if (has("at_least")) budget.at_least = read_limit(bounds, "at_least", counter, manifest);
        if (has("at_most")) budget.at_most = read_limit(bounds, "at_most", counter, manifest);
        if (budget.at_least && is_number(*budget.at_least) && budget.at_least->plus == 0)
            bounds.fail("at_least",
                        fmt::format("\"at_least\" of \"{}\" is 0, which asks for nothing; expected more", counter));
        const bool numbers =
            budget.at_least && budget.at_most && is_number(*budget.at_least) && is_number(*budget.at_most);
        if (numbers && budget.at_least->plus > budget.at_most->plus)
            table.fail(counter,
                       fmt::format("\"{}\" is asked to be at least {} and at most {}; expected the floor below "
                                   "the ceiling",
                                   counter, budget.at_least->plus, budget.at_most->plus));
    } else {
        if (is_ratio(counter))
            table.fail(counter,
                       fmt::format("\"{}\" is a ratio, which doesn't grow with n; expected a number", counter));
        if (!has("plus") && !has("each"))
            table.fail(counter, fmt::format("\"{}\" says no limit; expected a number, \"exactly\", \"at_least\", "
                                            "\"at_most\", or a formula with \"plus\", \"each\" or both",
                                            counter));
        budget.at_most = read_formula(bounds, manifest);
    }
    return budget;
}

Budget read_budget(const TomlTable& table, const std::string& counter, const Manifest& manifest) {
    if (table.is_table(counter)) return read_bounds(table, counter, manifest);
    return {.counter = counter, .at_most = Limit{.plus = table.number(counter, 0)}};
}

}  // namespace

double Limit::at(const CallSize& size) const {
    auto n = static_cast<double>(size.elements);
    if (of > 0) {
        if (static_cast<std::size_t>(of) > size.arguments.size())
            throw ManifestError(fmt::format("a limit of exercise.toml grows with argument {}, and the call has {}", of,
                                            size.arguments.size()));
        n = size.arguments[static_cast<std::size_t>(of - 1)];
    }
    return plus + (each == 0 ? 0 : each * std::ceil(n / per));
}

std::vector<Budget> read_budgets(const TomlTable& table, const Manifest& manifest) {
    std::vector<Budget> budgets;
    for (const std::string& counter : table.keys()) {
        if (!is_one_of(counter, counter_names) && !is_counted_in_check_mode(counter))
            table.fail_at_key(counter, fmt::format("\"{}\" is not a valid counter; expected one of: {}, {}, {}",
                                                   counter, fmt::join(counter_names, ", "),
                                                   fmt::join(work_counter_names, ", "), fmt::join(ratio_names, ", ")));
        budgets.push_back(read_budget(table, counter, manifest));
    }
    return budgets;
}

// How many threads must share the work depends on the launch: check_parallelism() computes the floor.
void read_parallelism(const TomlTable& table, std::optional<int> tag, std::vector<Budget>& budgets) {
    if (!table.has("parallelism")) return;
    for (const std::string& work : table.texts("parallelism")) {
        if (!is_one_of(work, shared_work_names))
            table.fail("parallelism", fmt::format("\"{}\" isn't work that threads share; expected one of: {}", work,
                                                  fmt::join(shared_work_names, ", ")));
        budgets.push_back({.counter = work + " parallelism", .at_least = Limit{.plus = 1}, .tag = tag});
    }
}

RequiredKernel read_required_kernel(const TomlTable& table, const Manifest& manifest) {
    RequiredKernel kernel;
    if (manifest.check_elements == 0)
        table.fail("file",
                   "a kernel is required, and with check_elements = 0 none is looked at; expected more elements");
    kernel.name = table.text_or_empty("name");
    kernel.file = table.text("file");
    if (!is_one_of(kernel.file, manifest.edit))
        table.fail("file", fmt::format("\"{}\" is none of the student's files; expected one of \"edit\": {}",
                                       kernel.file, fmt::join(manifest.edit, ", ")));
    kernel.with = table.text_or_empty("with");
    const std::optional<int> tag = read_tag(table);
    // Whether it ran at all is the first question.
    if (table.has("launches"))
        kernel.budgets.push_back(read_budget(table, "launches", manifest));
    else
        kernel.budgets.push_back({.counter = "launches", .at_least = Limit{.plus = 1}});
    for (const std::string& counter : table.keys()) {
        constexpr std::string_view others[] = {"name", "file", "with", "launches", "tag", "parallelism"};
        if (is_one_of(counter, others)) continue;
        if (!is_one_of(counter, kernel_counter_names) && !is_counted_in_check_mode(counter))
            table.fail_at_key(
                counter, fmt::format("\"{}\" isn't counted of a kernel; expected name, file, with, tag, parallelism, "
                                     "or one of: {}, {}, {}",
                                     counter, fmt::join(kernel_counter_names, ", "),
                                     fmt::join(work_counter_names, ", "), fmt::join(ratio_names, ", ")));
        kernel.budgets.push_back(read_budget(table, counter, manifest));
        if (!kernel.budgets.back().tag) kernel.budgets.back().tag = tag;
    }
    read_parallelism(table, tag, kernel.budgets);
    return kernel;
}

namespace {

constexpr std::int64_t last_tag = 16;

int tag_at(const TomlTable& table, std::string_view key) {
    const std::int64_t tag = table.integer(key, 1);
    if (tag > last_tag)
        table.fail(key, fmt::format("\"{}\" is {}; expected the number of a misconception, 1 to {}", key, tag,
                                    last_tag));
    return static_cast<int>(tag);
}

}  // namespace

std::optional<int> read_tag(const TomlTable& table) {
    return table.has("tag") ? std::optional(tag_at(table, "tag")) : std::nullopt;
}

std::vector<Sign> read_signs(const TomlTable& table) {
    std::vector<Sign> signs;
    for (const std::string& says : table.keys()) {
        if (says.find_first_not_of(' ') == says.npos)
            table.fail_at_key(says, "\"\" is in every verdict; expected a few words that one may say");
        signs.push_back({says, tag_at(table, says)});
    }
    return signs;
}

}  // namespace course
