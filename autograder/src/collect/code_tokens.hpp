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

/// A token of an answer's file. Text in quotes is code, too: the kit's kernels may stand in strings.
struct CodeToken {
    enum class Kind { name, number, sign, quote };
    Kind kind = Kind::sign;
    std::string_view text;          ///< points into the file's text
    std::size_t begin = 0;          ///< in the file's text
    bool spaced = false;            ///< white space on both sides, as the kit writes a comparison
    int part = 0;                   ///< the student's part that it stands in, from 1; 0: none
    [[nodiscard]] std::size_t end() const { return begin + text.size(); }
};

/// A file as tokens, and the parts of it that students write: between the marks, or, in a file without marks, all that
/// stands in braces. Comments and preprocessor lines have no tokens.
class CodeTokens {
public:
    explicit CodeTokens(const std::string& text);   ///< it must live as long as the tokens
    explicit CodeTokens(std::string&&) = delete;

    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    /// Beyond the end: an empty sign.
    [[nodiscard]] const CodeToken& operator[](std::size_t k) const { return k < tokens_.size() ? tokens_[k] : none_; }
    [[nodiscard]] bool is(std::size_t k, std::string_view text) const { return (*this)[k].text == text; }
    /// True if all of [first, last] stand in one of the student's parts.
    [[nodiscard]] bool in_one_part(std::size_t first, std::size_t last) const;
    /// The token that closes the bracket k; size() if there is none, or only behind the end of a string.
    [[nodiscard]] std::size_t closing(std::size_t k) const;
    /// The last token of the statement that begins with k, with its `else`; size() if it isn't complete.
    [[nodiscard]] std::size_t statement_end(std::size_t k) const;
    /// The task that a starred part names, which may be empty; none for another part.
    [[nodiscard]] const std::optional<std::string>& star(int part) const {
        return stars_[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::size_t scan_token(std::size_t at);
    void mark_parts();

    const std::string& text_;
    std::vector<CodeToken> tokens_;
    std::vector<std::optional<std::string>> stars_{std::nullopt};   // by part
    CodeToken none_;
};

/// A function or kernel at the beginning of a line, from its head to its last brace.
struct FunctionText {
    std::string name;   ///< "sum_tree"
    std::string text;
};

/// The functions of a file that is laid out as the kit's stubs are. Pure.
std::vector<FunctionText> functions_in(const std::string& text);

/// By name, the functions in which the stub has a part for the student, those for a star left out: whether the answer's
/// text of it is another one. A name that several have is begun if one of them is. Pure.
std::map<std::string, bool> functions_begun(const std::vector<FileAndStub>& files);

}  // namespace course
