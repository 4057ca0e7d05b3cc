// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kit/edition.hpp"

namespace course {

/// Consecutive lines of a solution that occur in another file.
struct LeakedLines {
    std::string file;         ///< the one that contains them
    int line = 0;             ///< of that file: the first one
    std::string solution;     ///< "15-histogram/histogram.cu"
    int first = 0, last = 0;  ///< lines of the solution
    int count = 0;            ///< how many of those are its own code
};

/// Searches other files for a kit's solutions: three consecutive lines of code are distinctive. Only lines of the
/// student's parts count, except lone braces and lines that the exercise hands out. Comments, white space, braces and
/// quotes are ignored, so code in a string or with other line breaks is found as well.
class SolutionSearch {
public:
    /// Adds a file of a solution. @param given the texts that the exercise hands out
    void add(const std::string& solution, const std::string& text, const std::vector<std::string>& given);
    /// The longest runs of at least three lines in the text, by solution and line.
    [[nodiscard]] std::vector<LeakedLines> find_in(const std::string& file, const std::string& text) const;

private:
    /// Three lines that count, and the text between them.
    struct Window {
        std::string bare;
        std::size_t solution = 0;
        int first = 0, last = 0;
        int index = 0;  ///< of its first line among the counted lines of its part; parts are far apart
    };
    std::vector<std::string> solutions_;
    std::vector<Window> windows_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_beginning_;
    int next_index_ = 0;
};

/// All solutions of the tree, each with what its exercise, or capstone, hands out. @throws FileError
SolutionSearch search_for_solutions(const std::filesystem::path& root);

/// Rejects an edition with lines of solutions that its plan doesn't name, and a plan that names some which aren't
/// there.
/// @param folder the edition  @throws UsageError that lists them
void refuse_leaked_lines(const std::filesystem::path& root, const std::filesystem::path& folder,
                         const std::vector<std::string>& files, const EditionPlan& plan);

}  // namespace course
