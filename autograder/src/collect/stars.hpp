// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifest/manifest.hpp"

namespace course {

/// Of a line `// ---- your code, star ID (...) ----` the ID, which may be empty; none of any other line. Pure.
std::optional<std::string> star_named_by(const std::string& line);

/// The student's parts of a file that belong to the starred task `id`: what stands below a line
/// `// ---- your code, star (about 8 lines) ----`, or `..., star ID (...)` where there are several. Pure.
std::vector<std::string> starred_parts(const std::string& text, const std::string& id);

/// The text without the parts of any starred task. Pure.
std::string without_starred_parts(const std::string& text);

/// A file of an answer beside its stub.
struct FileAndStub {
    std::string text, stub;
};

/// The starred tasks that nobody has begun: their parts of the answer are still those of the stub. A task without parts
/// of its own is never among them. Pure.
std::vector<std::string> stars_not_begun(const Manifest& manifest, const std::vector<FileAndStub>& files);

}  // namespace course
