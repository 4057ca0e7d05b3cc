// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace census {

/// One small text of kernels, which some compilers take and others refuse.
struct Text {
    std::string name = {};   ///< "shared memory: two arrays in one declaration"
    std::string entry = {};  ///< the kernel that is asked for: "k", "mul<float>"
    std::string source = {};
    int line = 1;  ///< where it begins in its file
    std::string file = {};
    [[nodiscard]] std::string digest() const;
};

/// All texts of the folder `texts/`, ordered by file and place. @throws std::runtime_error for two of one name
[[nodiscard]] std::vector<Text> read_texts();

/// What a compiler says: by the text's name.
using Verdicts = std::map<std::string, bool>;

/// What NVRTC said of each text when `nvrtc.txt` was written: by name and digest.
struct Record {
    std::map<std::string, bool> takes;  ///< by digest
    std::map<std::string, std::string> names;
};
[[nodiscard]] Record read_record();
void write_record(const std::vector<Text>& texts, const Verdicts& verdicts);

/// A difference that is known: who takes a text, and why not all do.
struct Difference {
    std::set<std::string> takers;  ///< "g++", "clang++", "NVRTC"
    std::string reason;
};
[[nodiscard]] std::map<std::string, Difference> read_differences();

/// What is wrong with the list of differences: unlisted ones, and listed ones that aren't (as far as the compilers that
/// are here can tell).
[[nodiscard]] std::vector<std::string> compared(const std::vector<Text>& texts,
                                                const std::map<std::string, Verdicts>& by_compiler,
                                                const std::map<std::string, Difference>& differences);

}  // namespace census
