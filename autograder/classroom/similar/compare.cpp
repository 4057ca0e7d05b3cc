// SPDX-License-Identifier: MIT
#include "classroom/similar/compare.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "collect/code_tokens.hpp"

namespace course {

namespace {

using Runs = std::unordered_set<std::uint64_t>;

bool is_grey_run(const ComparedFile& file, std::size_t run) {
    const auto begin = file.is_grey.begin() + static_cast<std::ptrdiff_t>(run);
    return std::all_of(begin, begin + run_tokens, [](bool grey) { return grey; });
}

/// The runs that aren't entirely grey.
Runs own_runs(const ComparedAnswer& answer) {
    Runs runs;
    for (const ComparedFile& file : answer.files)
        for (std::size_t k = 0; k < file.runs.size(); ++k)
            if (!is_grey_run(file, k)) runs.insert(file.runs[k]);
    return runs;
}

std::vector<std::vector<bool>> covered(const ComparedAnswer& answer, const Runs& by) {
    std::vector<std::vector<bool>> all;
    for (const ComparedFile& file : answer.files) {
        std::vector<bool> tokens(file.tokens.size());
        for (std::size_t k = 0; k < file.runs.size(); ++k)
            if (!is_grey_run(file, k) && by.contains(file.runs[k]))
                std::fill_n(tokens.begin() + static_cast<std::ptrdiff_t>(k), run_tokens, true);
        for (std::size_t k = 0; k < tokens.size(); ++k)
            if (file.is_grey[k]) tokens[k] = false;
        all.push_back(std::move(tokens));
    }
    return all;
}

std::size_t count_of(const std::vector<std::vector<bool>>& tokens) {
    std::size_t count = 0;
    for (const std::vector<bool>& file : tokens)
        count += static_cast<std::size_t>(std::count(file.begin(), file.end(), true));
    return count;
}

std::size_t own_tokens(const ComparedAnswer& answer) {
    std::size_t count = 0;
    for (const ComparedFile& file : answer.files)
        count += static_cast<std::size_t>(std::count(file.is_grey.begin(), file.is_grey.end(), false));
    return count;
}

void grey(ComparedAnswer& answer, const auto& is_grey) {
    for (ComparedFile& file : answer.files)
        for (std::size_t k = 0; k < file.runs.size(); ++k)
            if (is_grey(file.runs[k]))
                std::fill_n(file.is_grey.begin() + static_cast<std::ptrdiff_t>(k), run_tokens, true);
}

bool have_in_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](const std::string& one) { return std::find(b.begin(), b.end(), one) != b.end(); });
}

class Comparison {
public:
    Comparison(std::vector<ComparedAnswer>& answers, const SimilarityOptions& options)
        : answers_(answers), options_(options) {}

    ExerciseSimilarity run(const Runs& given, const Runs& published) {
        result_.others.resize(answers_.size());
        group_equal_files();
        leave_out(given, published);
        find_pairs(candidates());
        return std::move(result_);
    }

private:
    /// Leaves one answer per text in `first_`; `group_` has the others.
    void group_equal_files() {
        std::map<std::string, std::size_t> by_digest;
        group_.resize(answers_.size());
        for (std::size_t k = 0; k < answers_.size(); ++k) {
            const auto [at, is_new] = by_digest.emplace(answers_[k].digest, k);
            if (is_new) first_.push_back(k);
            group_[at->second].push_back(k);
        }
        for (const std::size_t k : first_) result_.others[k].assign(group_[k].begin() + 1, group_[k].end());
    }

    /// Greys what doesn't count, and leaves in `first_` the answers with enough code of their own.
    void leave_out(const Runs& given, const Runs& published) {
        std::unordered_map<std::uint64_t, std::size_t> answers_with;
        std::vector<std::size_t> begun;
        for (const std::size_t k : first_) {
            grey(answers_[k], [&](std::uint64_t run) { return given.contains(run); });
            if (own_tokens(answers_[k]) == 0) {
                result_.unchanged += group_[k].size();
                continue;
            }
            begun.push_back(k);
            grey(answers_[k], [&](std::uint64_t run) { return published.contains(run); });
            for (const std::uint64_t run : own_runs(answers_[k])) ++answers_with[run];
        }
        const std::size_t limit = std::max(options_.common_answers, begun.size() / 4);
        first_.clear();
        for (const std::size_t k : begun) {
            grey(answers_[k], [&](std::uint64_t run) {
                const auto at = answers_with.find(run);
                return at != answers_with.end() && at->second > limit;
            });
            const bool is_short = own_tokens(answers_[k]) < options_.min_own, is_pair = is_of_two(group_[k], group_[k]);
            if (is_short) result_.too_short += group_[k].size();
            if (is_short && is_pair) result_.same_but_short += group_[k].size();
            if (!is_short && is_pair) result_.same.push_back(group_[k]);
            if (!is_short) first_.push_back(k);
        }
        for (const auto& [run, count] : answers_with)
            if (count == 2) of_two_.insert(run);
    }

    /// Pairs of `first_` with at least half the fingerprints in common that a similar pair has.
    std::vector<std::pair<std::size_t, std::size_t>> candidates() {
        std::unordered_map<std::uint64_t, std::vector<std::size_t>> with;
        std::vector<std::vector<std::uint64_t>> prints;
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        std::vector<std::size_t> common(first_.size());
        for (std::size_t b = 0; b < first_.size(); ++b) {
            prints.push_back(fingerprints(answers_[first_[b]]));
            std::fill(common.begin(), common.end(), 0);
            for (const std::uint64_t print : prints[b]) {
                std::vector<std::size_t>& others = with[print];
                for (const std::size_t a : others) ++common[a];
                others.push_back(b);
            }
            for (std::size_t a = 0; a < b; ++a) {
                const auto fewer = static_cast<double>(std::min(prints[a].size(), prints[b].size()));
                if (common[a] > 0 && static_cast<double>(common[a]) >= options_.at_least / 2 * fewer)
                    pairs.emplace_back(first_[a], first_[b]);
            }
        }
        return pairs;
    }

    static std::vector<std::uint64_t> fingerprints(const ComparedAnswer& answer) {
        std::vector<std::uint64_t> prints;
        for (const ComparedFile& file : answer.files) {
            std::vector<std::uint64_t> runs;
            for (std::size_t k = 0; k < file.runs.size(); ++k)
                if (!is_grey_run(file, k)) runs.push_back(file.runs[k]);
            const std::vector<std::uint64_t> own = winnowed(runs);
            prints.insert(prints.end(), own.begin(), own.end());
        }
        std::sort(prints.begin(), prints.end());
        prints.erase(std::unique(prints.begin(), prints.end()), prints.end());
        return prints;
    }

    void find_pairs(const std::vector<std::pair<std::size_t, std::size_t>>& all) {
        std::unordered_map<std::size_t, Runs> runs;
        const auto runs_of = [&](std::size_t k) -> const Runs& {
            const auto at = runs.find(k);
            return at != runs.end() ? at->second : runs.emplace(k, own_runs(answers_[k])).first->second;
        };
        for (const auto& [a, b] : all) {
            if (!is_of_two(group_[a], group_[b])) continue;
            const auto in_a = covered(answers_[a], runs_of(b)), in_b = covered(answers_[b], runs_of(a));
            const std::size_t common_a = count_of(in_a), common_b = count_of(in_b);
            const double share = static_cast<double>(common_a + common_b) /
                                 static_cast<double>(own_tokens(answers_[a]) + own_tokens(answers_[b]));
            if (share < options_.at_least) continue;
            Runs rare;
            for (const std::uint64_t run : runs_of(a))
                if (of_two_.contains(run) && runs_of(b).contains(run)) rare.insert(run);
            result_.pairs.push_back({a, b, share, std::min(common_a, common_b), count_of(covered(answers_[a], rare))});
        }
        std::stable_sort(result_.pairs.begin(), result_.pairs.end(),
                         [](const SimilarPair& one, const SimilarPair& two) {
                             return one.share > two.share || (!(one.share < two.share) && one.alone > two.alone);
                         });
    }

    /// True if the groups have answers by different people, and not both of another class.
    [[nodiscard]] bool is_of_two(const std::vector<std::size_t>& one, const std::vector<std::size_t>& two) const {
        return std::any_of(one.begin(), one.end(), [&](std::size_t a) {
            return std::any_of(two.begin(), two.end(), [&](std::size_t b) {
                return a != b && !(answers_[a].earlier && answers_[b].earlier) &&
                       !(answers_[a].earlier == answers_[b].earlier &&
                         have_in_common(answers_[a].people, answers_[b].people));
            });
        });
    }

    std::vector<ComparedAnswer>& answers_;
    const SimilarityOptions& options_;
    ExerciseSimilarity result_;
    std::vector<std::size_t> first_;
    std::vector<std::vector<std::size_t>> group_;  // by its first answer
    Runs of_two_;                                  // runs that exactly two answers have
};

}  // namespace

ComparedFile::ComparedFile(std::string file_name, std::string file_text)
    : name(std::move(file_name)),
      text(std::move(file_text)),
      tokens(compared_tokens(text)),
      runs(run_hashes(tokens)),
      is_grey(tokens.size()) {}

ExerciseSimilarity compare_answers(std::vector<ComparedAnswer>& answers, const std::unordered_set<std::uint64_t>& given,
                                   const std::unordered_set<std::uint64_t>& published,
                                   const SimilarityOptions& options) {
    return Comparison(answers, options).run(given, published);
}

std::vector<std::vector<bool>> shared_tokens(const ComparedAnswer& answer, const ComparedAnswer& other) {
    return covered(answer, own_runs(other));
}

namespace {

constexpr std::uint64_t name_kind = 1, number_kind = 2, type_kind = 3;

std::uint64_t mixed(std::uint64_t hash) {  // of splitmix64
    hash ^= hash >> 30;
    hash *= 0xbf58476d1ce4e5b9;
    hash ^= hash >> 27;
    hash *= 0x94d049bb133111eb;
    return hash ^ hash >> 31;
}

std::uint64_t kind_of_text(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mixed(hash) | 8;
}

/// True for tokens that a copy gains or loses without changing anything else: they are ignored.
bool is_left_out(std::string_view text) {
    static const std::unordered_set<std::string_view> words = {"{",      "}",         "const",    "constexpr",
                                                               "static", "inline",    "volatile", "__restrict__",
                                                               "signed", "constinit", "register", "mutable"};
    return words.contains(text);
}

bool is_type(std::string_view text) {
    static const std::unordered_set<std::string_view> words = {
        "int",    "float",   "double",  "unsigned", "long",    "short",    "char",     "bool",     "auto", "size_t",
        "int8_t", "int16_t", "int32_t", "int64_t",  "uint8_t", "uint16_t", "uint32_t", "uint64_t", "void", "half"};
    return words.contains(text);
}

bool keeps_its_name(std::string_view text) {
    static const std::unordered_set<std::string_view> words = {"if",
                                                               "else",
                                                               "for",
                                                               "while",
                                                               "do",
                                                               "return",
                                                               "break",
                                                               "continue",
                                                               "switch",
                                                               "case",
                                                               "default",
                                                               "struct",
                                                               "class",
                                                               "template",
                                                               "typename",
                                                               "using",
                                                               "sizeof",
                                                               "new",
                                                               "delete",
                                                               "true",
                                                               "false",
                                                               "operator",
                                                               "this",
                                                               "goto",
                                                               "throw",
                                                               "try",
                                                               "catch",
                                                               "extern",
                                                               "union",
                                                               "enum",
                                                               "nullptr",
                                                               "alignas",
                                                               "threadIdx",
                                                               "blockIdx",
                                                               "blockDim",
                                                               "gridDim",
                                                               "typedef",
                                                               "asm",
                                                               "warpSize",
                                                               "static_cast",
                                                               "reinterpret_cast"};
    return words.contains(text) || text.starts_with("__") || text.starts_with("atomic");
}

std::uint64_t kind_of(const CodeToken& token) {
    if (token.kind == CodeToken::Kind::number) return number_kind;
    if (token.kind == CodeToken::Kind::sign) return kind_of_text(token.text);
    if (is_type(token.text)) return type_kind;
    return keeps_its_name(token.text) ? kind_of_text(token.text) : name_kind;
}

}  // namespace

std::vector<ComparedToken> compared_tokens(const std::string& text) {
    const CodeTokens code(text);
    std::vector<ComparedToken> tokens;
    for (std::size_t k = 0; k < code.size() && tokens.size() < max_answer_tokens; ++k) {
        const CodeToken& token = code[k];
        if (token.kind == CodeToken::Kind::quote || is_left_out(token.text)) continue;
        const std::uint64_t kind = kind_of(token);
        if (kind == type_kind && !tokens.empty() && tokens.back().kind == type_kind)
            tokens.back().end = token.end();  // unsigned long is one type
        else
            tokens.push_back({kind, token.begin, token.end()});
    }
    return tokens;
}

std::vector<std::uint64_t> run_hashes(const std::vector<ComparedToken>& tokens) {
    std::vector<std::uint64_t> runs;
    for (std::size_t k = 0; k + run_tokens <= tokens.size(); ++k) {
        std::uint64_t hash = 0;
        for (std::size_t i = k; i < k + run_tokens; ++i) hash = mixed(hash + 0x9e3779b97f4a7c15) ^ tokens[i].kind;
        runs.push_back(mixed(hash));
    }
    return runs;
}

std::vector<std::uint64_t> winnowed(const std::vector<std::uint64_t>& runs) {
    std::vector<std::uint64_t> chosen;
    const std::size_t width = std::min(window, runs.size());
    for (std::size_t k = 0; width > 0 && k + width <= runs.size(); ++k) {
        const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(k);
        const std::uint64_t smallest = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(width));
        if (chosen.empty() || chosen.back() != smallest) chosen.push_back(smallest);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

}  // namespace course
