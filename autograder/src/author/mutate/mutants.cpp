// SPDX-License-Identifier: MIT
#include "author/mutate/mutants.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "support/files.hpp"

namespace course {

namespace {

/// Without comments, and with one space for all white space.
std::string squeezed(std::string_view text) {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text.substr(k, 2) == "//") {
            k = std::min(text.find('\n', k), text.size());
            if (k == text.size()) break;
        }
        if (std::isspace(static_cast<unsigned char>(text[k])) == 0) out += text[k];
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
}

std::vector<std::string> squeezed_lines(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(squeezed(text.substr(at, end - at)));
        at = end + 1;
    }
    return lines;
}

/// The first line in which the two texts differ; an empty one counts as the next that isn't.
void name_lines(const std::string& before, const std::string& after, Mutant& mutant) {
    const std::vector<std::string> old_lines = squeezed_lines(before), new_lines = squeezed_lines(after);
    std::size_t k = 0;
    while (k + 1 < std::min(old_lines.size(), new_lines.size()) && old_lines[k] == new_lines[k]) ++k;
    mutant.line = 1 + static_cast<int>(k);
    mutant.before = old_lines[k];
    for (; k < new_lines.size() && mutant.after.empty(); ++k) mutant.after = new_lines[k];
}

}  // namespace

std::string Mutant::text(const std::string& original) const {
    return original.substr(0, edit.begin) + edit.by + original.substr(edit.end);
}

std::vector<Mutant> mutants_of(const std::string& answer, const std::string& file, const std::string& text) {
    const CodeTokens tokens(text);
    std::set<std::string> seen{squeezed(text)};
    std::map<std::tuple<std::string_view, std::string, std::string>, int> occurrences;
    std::vector<Mutant> mutants;
    for (const MutationOperator& one : mutation_operators()) {
        std::vector<Edit> edits = one.edits(tokens);
        std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
        for (Edit& edit : edits) {
            Mutant mutant{.answer = answer, .file = file, .made_by = one.name, .before = "", .after = "",
                          .edit = std::move(edit)};
            const std::string changed = mutant.text(text);
            if (!seen.insert(squeezed(changed)).second) continue;
            name_lines(text, changed, mutant);
            if (!mutant.edit.says.empty()) mutant.after = mutant.edit.says;
            for (std::size_t k = 0; k < tokens.size(); ++k)
                if (tokens[k].end() > mutant.edit.begin || k + 1 == tokens.size()) {
                    mutant.star = tokens.star(tokens[k].part);
                    break;
                }
            mutant.occurrence = ++occurrences[{one.name, mutant.before, mutant.after}];
            mutant.key = digest(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", answer, file, one.name, mutant.before,
                                            mutant.after, mutant.occurrence))
                             .substr(0, 12);
            mutants.push_back(std::move(mutant));
        }
    }
    return mutants;
}

}  // namespace course
