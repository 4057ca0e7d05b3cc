// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collect/collect.hpp"

namespace course {

/// A token of an answer's file. Text in quotes counts as code, too: the kit's kernels may be in strings.
struct CodeToken {
    enum class Kind { name, number, sign, quote };
    Kind kind = Kind::sign;
    std::string_view text;          ///< points into the file's text
    std::size_t begin = 0;          ///< in the file's text
    bool spaced = false;            ///< white space on both sides, which is how the kit writes a comparison
    int part = 0;                   ///< the student's part that contains it, from 1; 0: none
    [[nodiscard]] std::size_t end() const { return begin + text.size(); }
};

/// A file as tokens, and the parts of it that students write: between the marks or, in a file without marks, everything
/// in braces. Comments and preprocessor lines have no tokens.
class CodeTokens {
public:
    explicit CodeTokens(const std::string& text);   ///< it must live as long as the tokens
    explicit CodeTokens(std::string&&) = delete;

    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    /// Beyond the end: an empty sign.
    [[nodiscard]] const CodeToken& operator[](std::size_t k) const { return k < tokens_.size() ? tokens_[k] : none_; }
    [[nodiscard]] bool is(std::size_t k, std::string_view text) const { return (*this)[k].text == text; }
    /// True if all of [first, last] is in one of the student's parts.
    [[nodiscard]] bool in_one_part(std::size_t first, std::size_t last) const;
    /// The token that closes bracket k; size() if there is none, or only after the end of a string.
    [[nodiscard]] std::size_t closing(std::size_t k) const;
    /// The last token of the statement that begins with k, with its `else`; size() if it isn't complete.
    [[nodiscard]] std::size_t statement_end(std::size_t k) const;
    /// The task that a starred part names, which may be empty; none for other parts.
    [[nodiscard]] const std::optional<std::string>& star(int part) const {
        return stars_[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::size_t scan_token(std::size_t at);
    void mark_parts();

    const std::string& text_;
    std::vector<CodeToken> tokens_;
    std::vector<std::optional<std::string>> stars_{std::nullopt};   // per part
    CodeToken none_;
};

/// A function or kernel that begins at the left margin, from its head to its last brace.
struct FunctionText {
    std::string name;   ///< "sum_tree"
    std::string text;
};

/// The functions of a file laid out like the kit's stubs. Pure.
std::vector<FunctionText> functions_in(const std::string& text);

/// For each function with a part for the student, except a star's: whether the answer's text differs from the stub's.
/// If several have the same name, it is begun if one of them is. Pure.
std::map<std::string, bool> functions_begun(const std::vector<FileAndStub>& files);

}  // namespace course
