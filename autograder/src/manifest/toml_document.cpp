// SPDX-License-Identifier: MIT
#include "manifest/toml_document.hpp"

#include <fmt/format.h>

namespace course {

TomlDocument::TomlDocument(const std::filesystem::path& path, std::string shown, const std::string& what)
    : shown_(std::move(shown)) {
    if (!std::filesystem::is_regular_file(path))
        throw ManifestError(fmt::format("{}: there is no such file; expected the description of {}", shown_, what));
    try {
        document_ = toml::parse_file(path.string());
    } catch (const toml::parse_error& error) {
        throw ManifestError(fmt::format("{}:{}:{}: this isn't TOML: {}", shown_, error.source().begin.line,
                                        error.source().begin.column, error.description()));
    }
}

void TomlDocument::need_format(std::int64_t newest, const std::string& what) const {
    const TomlTable all = table();
    if (const std::int64_t format = all.integer("format", 1); format > newest)
        all.fail("format",
                 fmt::format("this {} needs a newer kit: it has format {}, and this kit knows formats up to {}", what,
                             format, newest));
}

}  // namespace course
