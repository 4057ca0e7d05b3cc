// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <gpu/export.hpp>

namespace gpu {

/// Kernel source and where it stands, so that compile errors name the learner's own file and line.
class GPU_API Source {
public:
    /// Source in a string of the C++ file. Errors count lines from the line of this call, which is right for a raw
    /// string that starts there.
    Source(const char* text, const char* file = __builtin_FILE(),  // NOLINT(google-explicit-constructor)
           int line = __builtin_LINE())
        : text_(text), file_(file), line_(line) {}
    Source(std::string text, std::string file, int line = 1)
        : text_(std::move(text)), file_(std::move(file)), line_(line) {}

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    [[nodiscard]] int line() const noexcept { return line_; }

private:
    std::string text_, file_;
    int line_;
};

/// Reads kernel source from a file. A relative path is looked up beside the C++ file that calls this, then in the
/// working folder.
/// @throws Error if the file can't be read; it names the folders that were tried.
[[nodiscard]] GPU_API Source file(std::string_view path, const char* caller = __builtin_FILE());

}  // namespace gpu
