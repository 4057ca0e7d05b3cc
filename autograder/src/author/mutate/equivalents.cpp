// SPDX-License-Identifier: MIT
#include "author/mutate/equivalents.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "manifest/toml_document.hpp"

namespace course {

bool Equivalent::is(const std::string& exercise_folder, const Mutant& mutant) const {
    const auto fits = [](const std::string& listed, const std::string& text) {
        return listed.empty() || listed == text;
    };
    if (made_by != mutant.made_by || !fits(exercise, exercise_folder) || !fits(answer, mutant.answer) ||
        !fits(file, mutant.file) || !(occurrence == 0 || occurrence == mutant.occurrence))
        return false;
    if (pattern) return std::regex_match(mutant.before + '\n' + mutant.after, *pattern);
    return before == mutant.before && after == mutant.after;
}

namespace {

void read_change(const TomlTable& table, Equivalent& entry) {
    if (table.has("before") || table.has("after")) table.fail("change", "it stands in place of before and after");
    entry.change = table.text("change");
    try {
        entry.pattern.emplace(entry.change);
    } catch (const std::regex_error& error) {
        table.fail("change",
                   fmt::format("\"{}\" can't be read as a regular expression: {}", entry.change, error.what()));
    }
}

}  // namespace

EquivalentsList read_equivalents(const std::filesystem::path& root) {
    const std::string shown = "solutions/equivalent_mutants.toml";
    EquivalentsList list;
    if (!std::filesystem::exists(root / shown)) return list;
    const TomlDocument document(root / shown, shown, "the list of equivalent mutants");
    document.need_format(1, "the list of equivalent mutants");
    const TomlTable table = document.table();
    table.know({"format", "rules", "equivalent"});
    if (table.has("rules")) {
        const TomlTable rules = table.table("rules");
        for (const std::string& name : rules.keys()) list.rules[name] = rules.text(name);
    }
    for (const TomlTable& one : table.tables("equivalent")) {
        one.know({"exercise", "answer", "file", "operator", "before", "after", "change", "occurrence", "rule", "why"});
        const bool kind = one.has("change");
        Equivalent entry;
        entry.exercise = kind ? one.text_or_empty("exercise") : one.text("exercise");
        entry.answer = one.text_or_empty("answer");
        entry.file = kind ? one.text_or_empty("file") : one.text("file");
        entry.made_by = one.text("operator");
        entry.before = one.text_or_empty("before");
        entry.after = one.text_or_empty("after");
        if (kind) read_change(one, entry);
        if (one.has("occurrence")) entry.occurrence = one.count("occurrence", 1);
        entry.rule = one.text("rule");
        entry.why = one.text_or_empty("why");
        if (!list.rules.contains(entry.rule)) one.fail("rule", fmt::format("[rules] has no \"{}\"", entry.rule));
        const auto operators = mutation_operators();
        const bool known = std::any_of(operators.begin(), operators.end(), [&](const MutationOperator& known_one) {
            return known_one.name == entry.made_by;
        });
        if (!known) one.fail("operator", fmt::format("there is no operator \"{}\"", entry.made_by));
        list.entries.push_back(std::move(entry));
    }
    return list;
}

}  // namespace course
