// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace course {

/// The terms of docs/glossary.md, and the anchors of the sections that they stand in.
class Glossary {
public:
    explicit Glossary(std::string_view page);

    /// The term itself for "Warp", "warps", "bank conflicts"; nothing for what isn't one.
    [[nodiscard]] std::optional<std::string> term(std::string_view text) const;
    /// "threads", of a term.
    [[nodiscard]] const std::string& anchor(const std::string& term) const { return anchors_.at(term); }

private:
    std::map<std::string, std::string> anchors_;
};

}  // namespace course
