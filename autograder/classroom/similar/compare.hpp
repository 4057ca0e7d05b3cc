// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace course {

/// A token as answers are compared: names and layout are gone.
struct ComparedToken {
    std::uint64_t kind = 0;          ///< equal for all names, all numbers, all built-in types; else the token's own
    std::size_t begin = 0, end = 0;  ///< in the file's text
};

/// The tokens of a file without its comments, preprocessor lines, braces, `const` and the like. Keywords, signs and
/// CUDA's own names stay what they are. At most `max_answer_tokens`. Pure.
std::vector<ComparedToken> compared_tokens(const std::string& text);

inline constexpr std::size_t max_answer_tokens = 20'000;  ///< of a file; the kit's longest solution has about 1000

/// So many tokens in a row must be the same: about a line. Fewer are alike in any two loops.
inline constexpr std::size_t run_tokens = 16;

/// A hash of each run of `run_tokens`, by its first token; none if there are fewer tokens. Pure.
std::vector<std::uint64_t> run_hashes(const std::vector<ComparedToken>& tokens);

/// The fingerprints of a file: of each `window` runs that follow each other the one with the smallest hash, sorted,
/// each once. Two files with `run_tokens` + `window` - 1 tokens in common, in a row, have one in common (Schleimer,
/// Wilkerson, Aiken: Winnowing, SIGMOD 2003). Pure.
std::vector<std::uint64_t> winnowed(const std::vector<std::uint64_t>& runs);

inline constexpr std::size_t window = 8;

/// A file of an answer, ready to be compared.
struct ComparedFile {
    std::string name, text;
    std::vector<ComparedToken> tokens;
    std::vector<std::uint64_t> runs;
    std::vector<bool> is_grey;  ///< of each token: handed out, published, or what most of the class wrote
    ComparedFile(std::string file_name, std::string file_text);
};

/// What a student handed in for one exercise.
struct ComparedAnswer {
    std::string shown;                ///< "Ada Lovelace (s1)"
    std::vector<std::string> people;  ///< all of the group: answers with one in common are one piece of work
    bool earlier = false;             ///< of another class: compared with this one's alone
    std::string digest;               ///< of its files, names and bytes
    std::vector<ComparedFile> files;
};

/// Two answers with much in common. `a` and `b` stand for all answers with the same files.
struct SimilarPair {
    std::size_t a = 0, b = 0;
    double share = 0;        ///< of both answers' own code, 0 to 1
    std::size_t common = 0;  ///< tokens in common, of the answer that has fewer of them
    std::size_t alone = 0;   ///< of these such that no third answer has
};

struct SimilarityOptions {
    double at_least = 0.8;            ///< the share from which on two answers are a pair
    std::size_t min_own = 80;         ///< tokens of its own that an answer must have to be compared
    std::size_t common_answers = 10;  ///< code in more answers than these, and in more than a quarter, tells nothing
};

/// What is similar among the answers to one exercise.
struct ExerciseSimilarity {
    std::vector<std::vector<std::size_t>> same;    ///< answers whose files are equal, byte for byte
    std::vector<SimilarPair> pairs;                ///< the largest share first
    std::vector<std::vector<std::size_t>> others;  ///< of the first answer with its files: all others with the same
    std::size_t unchanged = 0, too_short = 0;  ///< answers that say nothing: the stub's, or with little of their own
    std::size_t same_but_short = 0;            ///< of these: as another one, byte for byte
};

/// Compares the answers, and marks in each of them the code that doesn't count.
/// @param given runs of what the exercise hands out  @param published runs of answers that everybody may have read
ExerciseSimilarity compare_answers(std::vector<ComparedAnswer>& answers, const std::unordered_set<std::uint64_t>& given,
                                   const std::unordered_set<std::uint64_t>& published,
                                   const SimilarityOptions& options);

/// For each token of the answer's files, whether `other` has it as well, in a run that counts. Pure.
std::vector<std::vector<bool>> shared_tokens(const ComparedAnswer& answer, const ComparedAnswer& other);

}  // namespace course
