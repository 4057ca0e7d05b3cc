// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <gpu/export.hpp>

namespace gpu {

/// @cond internal
namespace detail {
// __builtin_LINE() as a constructor's default argument: g++ gives the line where the call ends, clang the one where it
// starts.
constexpr int first_line([[maybe_unused]] std::string_view literal, int line) noexcept {
#ifndef __clang__
    for (char letter : literal) line -= letter == '\n' ? 1 : 0;
#endif
    return line;
}
}  // namespace detail
/// @endcond

/// Kernel source and its location, so that compile errors name the learner's own file and line.
/// @snippet public/expression_test.cpp source
class GPU_API Source {
public:
    /// Source in a literal, preferably a raw string: errors name this file and count its lines.
    template <std::size_t N>
    Source(const char (&literal)[N], const char* file = __builtin_FILE(),  // NOLINT(google-explicit-constructor)
           int line = __builtin_LINE())
        : Source(std::string(literal), file, detail::first_line(literal, line)) {}
    /// Source in a computed string: errors count its own lines.
    template <class S>
        requires(std::is_same_v<S, const char*> || std::is_same_v<S, std::string>)
    Source(const S& text) : Source(std::string(text), "kernel source") {}  // NOLINT(google-explicit-constructor)
    /// Source from the named file, whose `line`-th line is the text's first.
    Source(std::string text, std::string file, int line = 1);

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    [[nodiscard]] int line() const noexcept { return line_; }
    /// The folder that `#include "..."` searches first: the file's own.
    [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

private:
    friend GPU_API Source file(std::string_view path, const char* caller);

    std::string text_, file_, folder_;
    int line_;
};

/// Reads kernel source from a file. A relative path is looked up next to the C++ file that calls this, then in the
/// working folder. Files that it includes, as in `#include "helpers.cuh"`, are searched for next to it.
/// @snippet public/names_test.cpp include
/// @throws FileError if the file can't be read; it names the folders that were tried.
[[nodiscard]] GPU_API Source file(std::string_view path, const char* caller = __builtin_FILE());

}  // namespace gpu
