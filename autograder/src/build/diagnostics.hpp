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
    /// Adds one of the student's files, whose text supplies lines for messages without them.
    void add_answer(std::string real, std::string shown, std::string text);

    /// The text with every real path replaced.
    [[nodiscard]] std::string apply(std::string text) const;
    /// The same for kernels' compile errors: also replaces bare "raw_add.cu:12:" at the beginning of lines, and blames
    /// a missing kernel on the C++ line that names it.
    [[nodiscard]] std::string apply_to_kernel_error(const std::string& text) const;
    /// True if the displayed path is one of the student's files.
    [[nodiscard]] bool is_answer(const std::string& shown) const;
    /// A line of one of the student's files, counted from 1; empty if there is none.
    [[nodiscard]] std::string line(const std::string& shown, int number) const;

private:
    std::vector<std::pair<std::string, std::string>> names_;   // real, shown; the longest first
    std::vector<std::pair<std::string, std::string>> answers_; // shown, text
};

/// In whose words advice on errors may be: a plain CUDA program has none of libgpu's functions.
enum class Vocabulary { libgpu, plain_cuda };

/// The first error in a compiler's output (g++ or clang++), in the form for students: file:line:col, message, source
/// line, caret, and up to three of the compiler's notes that explain it. An error in a header of the kit is reported at
/// the student's line that led there. Empty if there is none.
std::string first_error(const std::string& output, const PathNames& names, Vocabulary words = Vocabulary::libgpu);

/// The compiler's warnings about the student's own files, each with source line and caret; only those named in
/// `wanted`, such as "return-type", since compilers enable others by default.
std::vector<std::string> warnings(const std::string& output, const PathNames& names,
                                  std::span<const std::string_view> wanted);

/// The same for the linker: functions that are called but not defined, or defined twice. Empty if there are none.
std::string first_link_error(const std::string& output, const PathNames& names, Vocabulary words = Vocabulary::libgpu);

}  // namespace course
