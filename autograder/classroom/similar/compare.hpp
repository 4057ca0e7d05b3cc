// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace course {

/// A token for comparing answers: without names and layout.
struct ComparedToken {
    std::uint64_t kind = 0;          ///< equal for all names, all numbers, all built-in types; else the token's own
    std::size_t begin = 0, end = 0;  ///< in the file's text
};

/// The tokens of a file without its comments, preprocessor lines, braces, `const` and the like. Keywords, operators and
/// CUDA's own names stay distinct. At most `max_answer_tokens`. Pure.
std::vector<ComparedToken> compared_tokens(const std::string& text);

inline constexpr std::size_t max_answer_tokens = 20'000;  ///< per file; the kit's longest solution has about 1000

/// The length of a run of tokens that must be equal: about a line. Any two loops share shorter ones.
inline constexpr std::size_t run_tokens = 16;

/// A hash of each run of `run_tokens`, by its first token; empty if there are fewer tokens. Pure.
std::vector<std::uint64_t> run_hashes(const std::vector<ComparedToken>& tokens);

/// The fingerprints of a file: the smallest hash of each `window` consecutive runs, sorted, without repetition. Two
/// files that share `run_tokens` + `window` - 1 consecutive tokens share a fingerprint (Schleimer, Wilkerson, Aiken:
/// Winnowing, SIGMOD 2003). Pure.
std::vector<std::uint64_t> winnowed(const std::vector<std::uint64_t>& runs);

inline constexpr std::size_t window = 8;

/// A file of an answer, prepared for comparison.
struct ComparedFile {
    std::string name, text;
    std::vector<ComparedToken> tokens;
    std::vector<std::uint64_t> runs;
    std::vector<bool> is_grey;  ///< per token: provided, published, or written by most of the class
    ComparedFile(std::string file_name, std::string file_text);
};

/// A student's answer to one exercise.
struct ComparedAnswer {
    std::string shown;                ///< "Ada Lovelace (s1)"
    std::vector<std::string> people;  ///< the whole group: answers that share a person are one piece of work
    bool earlier = false;             ///< of another class: only compared with this class's
    std::string digest;               ///< of its files' names and bytes
    std::vector<ComparedFile> files;
};

/// Two similar answers. `a` and `b` represent all answers with the same files.
struct SimilarPair {
    std::size_t a = 0, b = 0;
    double share = 0;        ///< of both answers' own code, 0 to 1
    std::size_t common = 0;  ///< tokens in common, in the answer that has fewer of them
    std::size_t alone = 0;   ///< those of them that no third answer has
};

struct SimilarityOptions {
    double at_least = 0.8;            ///< the share from which two answers are a pair
    std::size_t min_own = 80;         ///< the tokens of its own that an answer needs to be compared
    std::size_t common_answers = 10;  ///< code in more answers than these, and in more than a quarter, is ignored
};

/// The similarities among the answers to one exercise.
struct ExerciseSimilarity {
    std::vector<std::vector<std::size_t>> same;    ///< answers with equal files, byte for byte
    std::vector<SimilarPair> pairs;                ///< by descending share
    std::vector<std::vector<std::size_t>> others;  ///< by the first answer with its files: all others with the same
    std::size_t unchanged = 0, too_short = 0;  ///< ignored answers: the stub, or with little code of their own
    std::size_t same_but_short = 0;            ///< of these: equal to another one, byte for byte
};

/// Compares the answers, and marks the code in them that doesn't count.
/// @param given runs in what the exercise provides  @param published runs in answers that everybody may have read
ExerciseSimilarity compare_answers(std::vector<ComparedAnswer>& answers, const std::unordered_set<std::uint64_t>& given,
                                   const std::unordered_set<std::uint64_t>& published,
                                   const SimilarityOptions& options);

/// For each token of the answer's files, whether `other` has it too, in a run that counts. Pure.
std::vector<std::vector<bool>> shared_tokens(const ComparedAnswer& answer, const ComparedAnswer& other);

}  // namespace course
