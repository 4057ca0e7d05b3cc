// SPDX-License-Identifier: MIT
#include "author/mutate/results.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "manifest/toml_table.hpp"

namespace course {

namespace {

/// A cell of the tables.
struct Tally {
    int killed = 0, equivalent = 0, survived = 0, not_compiled = 0, not_judged = 0;

    void add(const JudgedMutant& one) {
        if (!one.result) ++not_judged;
        else if (!one.result->compiles()) ++not_compiled;
        else if (!one.result->survived()) ++killed;
        else if (one.listed != nullptr) ++equivalent;
        else ++survived;
    }
};

std::string table(const std::string& title, const std::vector<JudgedMutant>& mutants,
                  const std::vector<std::string>& rows, const std::function<std::string(const JudgedMutant&)>& row_of) {
    std::map<std::string, Tally> tallies;
    Tally all;
    for (const JudgedMutant& one : mutants) {
        tallies[row_of(one)].add(one);
        all.add(one);
    }
    std::string text = fmt::format("| {} | killed | equivalent | survived | doesn't compile | not judged |\n"
                                   "|---|---:|---:|---:|---:|---:|\n", title);
    const auto row = [&](const std::string& name, const Tally& tally) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, tally.killed, tally.equivalent, tally.survived,
                            tally.not_compiled, tally.not_judged);
    };
    for (const std::string& name : rows)
        if (tallies.contains(name)) row(name, tallies[name]);
    row("all", all);
    return text;
}

/// The text as code in a table cell.
std::string code_cell(std::string text) {
    constexpr std::size_t max_length = 100;
    if (text.size() > max_length) text = text.substr(0, max_length) + " ...";
    for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
    return text.empty() ? "(nothing)" : "`` " + text + " ``";
}

}  // namespace

std::string to_json_line(const MutantResult& result) {
    return nlohmann::json{{"mutant", result.key},      {"circumstances", result.circumstances},
                          {"verdict", result.verdict}, {"task", result.task},
                          {"seconds", result.seconds}}
               .dump() +
           "\n";
}

std::optional<MutantResult> parse_mutant_result(std::string_view line) {
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("mutant")) return std::nullopt;
    try {
        return MutantResult{json.at("mutant"), json.at("circumstances"), json.at("verdict"), json.at("task"),
                            json.at("seconds")};
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

std::string mutant_text(const JudgedMutant& one) {
    constexpr std::size_t max_length = 300;
    const std::string after = one.mutant.after.size() > max_length ? one.mutant.after.substr(0, max_length) + " ..."
                                                                : one.mutant.after;
    return fmt::format("{} {} {}:{} ({}) {}\n- {}\n+ {}\n", one.exercise, one.mutant.answer, one.mutant.file,
                       one.mutant.line, one.mutant.made_by, one.mutant.key, one.mutant.before, after);
}

std::string mutants_page(const std::vector<JudgedMutant>& mutants, const EquivalentsList& equivalents) {
    std::string text = "# Mutants of the right answers\n\n"
                       "`course dev mutate --report FILE` has written this; [author.md](../author.md) says what it "
                       "does. A\n"
                       "mutant is a right answer with one mistake. Those that don't compile count nowhere.\n\n";
    std::vector<std::string> exercises, operators;
    for (const JudgedMutant& one : mutants)
        if (exercises.empty() || exercises.back() != one.exercise) exercises.push_back(one.exercise);
    for (const MutationOperator& one : mutation_operators()) operators.emplace_back(one.name);
    text += "## By exercise\n\n";
    text += table("exercise", mutants, exercises, [](const JudgedMutant& one) { return one.exercise; });
    text += "\n## By operator\n\n";
    text += table("operator", mutants, operators,
                  [](const JudgedMutant& one) { return std::string(one.mutant.made_by); });
    text += "\n";
    for (const MutationOperator& one : mutation_operators())
        text += fmt::format("- {}: {}\n", one.name, one.description);

    std::map<std::string, int> verdicts;
    for (const JudgedMutant& one : mutants)
        if (one.result && one.result->compiles() && !one.result->survived()) ++verdicts[one.result->verdict];
    text += "\n## What the killed ones got\n\n| verdict | mutants |\n|---|---:|\n";
    for (const auto& [verdict, count] : verdicts) text += fmt::format("| {} | {} |\n", verdict, count);

    text += "\n## Equivalent mutants\n";
    for (const auto& [rule, sentence] : equivalents.rules) {
        std::string rows;
        for (const JudgedMutant& one : mutants)
            if (one.listed != nullptr && one.listed->rule == rule && one.result && one.result->survived())
                rows += fmt::format("| {} {} {} | {} | {} | {} |\n", one.exercise, one.mutant.answer, one.mutant.file,
                                    code_cell(one.mutant.before), code_cell(one.mutant.after), one.listed->why);
        if (!rows.empty())
            text += fmt::format("\n### {}\n\n{}\n\n| where | before | after | why |\n|---|---|---|---|\n{}", rule,
                                sentence, rows);
    }
    std::string survivors;
    for (const JudgedMutant& one : mutants)
        if (one.result && one.result->survived() && one.listed == nullptr)
            survivors += fmt::format("| {} {} {}:{} | {} | {} | {} |\n", one.exercise, one.mutant.answer,
                                     one.mutant.file, one.mutant.line, one.mutant.made_by,
                                     code_cell(one.mutant.before), code_cell(one.mutant.after));
    if (!survivors.empty())
        text += "\n## Survivors\n\n| where | operator | before | after |\n|---|---|---|---|\n" + survivors;
    return text;
}

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
