// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace course {

/// Where files were compiled and how messages name them: /tmp/course-scratch-x/student/a.cpp is work/09-x/a.cpp.
class PathNames {
public:
    void add(std::string real, std::string shown);
    /// One of the student's files; its text is shown in messages that have none.
    void add_answer(std::string real, std::string shown, std::string text);

    /// The text with every real path replaced.
    [[nodiscard]] std::string apply(std::string text) const;
    /// The same for what kernels' compile errors say: lines that begin with a bare "raw_add.cu:12:" as well, and a
    /// kernel that no source has is blamed on the C++ line that names it.
    [[nodiscard]] std::string apply_to_kernel_error(const std::string& text) const;
    /// True if the path is one of the student's files, as it is shown.
    [[nodiscard]] bool is_answer(const std::string& shown) const;
    /// A line of one of the student's files, counted from 1; empty if there is none.
    [[nodiscard]] std::string line(const std::string& shown, int number) const;

private:
    std::vector<std::pair<std::string, std::string>> names_;   // real, shown; the longest first
    std::vector<std::pair<std::string, std::string>> answers_; // shown, text
};

/// The first error of a compiler's output (g++ or clang++), as a student should see it: file:line:col, message, source
/// line, caret, and up to three of the compiler's notes that say why. If it lies in a header of the kit, at the
/// student's line that led there. Empty if there is none.
std::string first_error(const std::string& output, const PathNames& names);

/// The compiler's warnings of the student's own files, each with source line and caret; of the names `wanted` only,
/// such as "return-type", as a compiler has others that are on by default.
std::vector<std::string> warnings(const std::string& output, const PathNames& names,
                                  std::span<const std::string_view> wanted);

/// The same for the linker: what is called but nowhere defined, or defined twice. Empty if there is no such thing.
std::string first_link_error(const std::string& output, const PathNames& names);

}  // namespace course
