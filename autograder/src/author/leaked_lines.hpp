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

/// Lines of a solution that stand in another file, one right after the other.
struct LeakedLines {
    std::string file;         ///< that holds them
    int line = 0;             ///< of that file, where they begin
    std::string solution;     ///< "15-histogram/histogram.cu"
    int first = 0, last = 0;  ///< lines of the solution
    int count = 0;            ///< how many of those are code of its own
};

/// The solutions of a kit, to be looked for in other files: three lines of code in a row are one's own work. Only lines
/// of the student's parts count, and of those neither lone braces nor lines that the exercise hands out. Comments,
/// white space, braces and quotes make no difference, so code in a string or in other lines is found as well.
class SolutionSearch {
public:
    /// Adds a file of a solution. @param given the texts that the exercise hands out
    void add(const std::string& solution, const std::string& text, const std::vector<std::string>& given);
    /// The longest runs of three lines or more that the text has, by solution and line.
    [[nodiscard]] std::vector<LeakedLines> find_in(const std::string& file, const std::string& text) const;

private:
    /// Three lines that count, and what stands between them.
    struct Window {
        std::string bare;
        std::size_t solution = 0;
        int first = 0, last = 0;
        int index = 0;  ///< of its first line among those of its part that count; parts are far apart
    };
    std::vector<std::string> solutions_;
    std::vector<Window> windows_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_beginning_;
    int next_index_ = 0;
};

/// All solutions of the tree, and beside each what its exercise, or capstone, hands out. @throws FileError
SolutionSearch search_for_solutions(const std::filesystem::path& root);

/// Refuses an edition with lines of solutions that its plan doesn't name, and a plan that names some which aren't
/// there.
/// @param folder the edition  @throws UsageError that lists them
void refuse_leaked_lines(const std::filesystem::path& root, const std::filesystem::path& folder,
                         const std::vector<std::string>& files, const EditionPlan& plan);

}  // namespace course
