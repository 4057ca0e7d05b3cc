// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The only lexer of kernels' texts: everything that searches CUDA C++ uses these tokens. It knows comments, literals of
// all kinds and preprocessor lines; it knows nothing about types or meaning.
namespace gpu::detail {

/// Whether a character can be part of a C++ name. ASCII only, whatever the locale.
constexpr bool is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The name alone: "scale" for "ns::scale<float>".
inline std::string bare_name(std::string_view name) {
    const std::string_view head = name.substr(0, name.find('<'));
    const auto scope = head.rfind("::");
    return std::string(scope == std::string_view::npos ? head : head.substr(scope + 2));
}

/// "f(int)" for "_Z1fi": a symbol's name in the source. Other names are unchanged.
[[nodiscard]] std::string demangled(const std::string& symbol);

enum class TokenKind : std::uint8_t {
    name,         ///< and keywords
    number,       ///< 1'000.5e-3f
    string,       ///< "text" with its quotes and prefix
    raw_string,   ///< R"(text)"
    character,    ///< 'c'
    header,       ///< <cuda_fp16.h>, behind #include
    punctuation,  ///< one character each: ">>" may close two templates
    comment,
};

struct Token {
    TokenKind kind = TokenKind::punctuation;
    bool in_directive = false;  ///< in a preprocessor line, including its continuations
    bool starts_line = false;   ///< the first in its line: such a '#' begins a directive
    int line = 1;               ///< of its first character, counted from 1
    std::size_t offset = 0;
    std::string_view text;  ///< a literal's includes its quotes, so that "(" never equals a bracket

    [[nodiscard]] bool is_name() const { return kind == TokenKind::name; }
    [[nodiscard]] bool is_literal() const {
        return kind == TokenKind::string || kind == TokenKind::raw_string || kind == TokenKind::character;
    }
    [[nodiscard]] std::size_t end() const { return offset + text.size(); }
    /// Column of its first character, counted from 1.
    [[nodiscard]] int column() const;
};

/// The tokens of a text without its comments. They refer to the text, which must outlive them. Unfinished tokens end
/// with the text, an ordinary literal with its line.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text);
/// The same with comments.
[[nodiscard]] std::vector<Token> tokens_and_comments_of(std::string_view text);

/// The text with comments and the contents of literals replaced by blanks; every other character keeps its place. The
/// quotes of ordinary literals stay.
[[nodiscard]] std::string blanked(std::string_view text);

/// The names in a piece of code, in order.
[[nodiscard]] std::vector<std::string> names_in(std::string_view code);

/// True if a text's code names this: comments and literals don't count.
[[nodiscard]] bool has_name(const std::vector<Token>& tokens, std::string_view name);

/// True if a text includes a header whose name begins like this: "<cuda_fp16", "\"mine".
[[nodiscard]] bool includes(const std::vector<Token>& tokens, std::string_view start);
/// The same with either kind of bracket: "cuda_fp16".
[[nodiscard]] bool includes_header(const std::vector<Token>& tokens, std::string_view start);
/// The header included by the preprocessor line with its '#' at `k`, `<...>` or `"..."`; null if it isn't an include.
[[nodiscard]] const Token* included(const std::vector<Token>& tokens, std::size_t k);

/// The number and the file in the preprocessor line `#line 7 "add.cu"` with its '#' at `k`.
struct LineDirective {
    int line = 0;
    std::optional<std::string> file;  ///< none: unchanged
};
[[nodiscard]] std::optional<LineDirective> line_directive_at(const std::vector<Token>& tokens, std::size_t k);

/// The token that closes the bracket at `open`, a '(', '[' or '{'; the number of tokens if none does.
[[nodiscard]] std::size_t closing(const std::vector<Token>& tokens, std::size_t open);

/// The first token from `from` on with this text; the number of tokens if there is none.
[[nodiscard]] std::size_t find_token(const std::vector<Token>& tokens, std::string_view text, std::size_t from = 0);

/// What a brace opens: judged by the words before it, without a parser.
enum class Scope : std::uint8_t { space, type, function, value };

/// A declaration in a namespace or a class. Those in functions don't count, except members of their classes.
struct Declaration {
    std::vector<std::size_t> tokens;  ///< their indices, without those in braces
    Scope scope = Scope::space;       ///< space or type: what contains it
    bool has_body = false;            ///< a function's, or similar
};

/// The declarations of a text. Skips preprocessor lines.
[[nodiscard]] std::vector<Declaration> declarations_in(const std::vector<Token>& tokens);

/// Per token: true inside a function, or a class in one.
[[nodiscard]] std::vector<bool> within_functions(const std::vector<Token>& tokens);

/// Per token: true between #if and #endif, where it isn't known whether it is compiled. Include guards don't count.
[[nodiscard]] std::vector<bool> within_conditions(const std::vector<Token>& tokens);

/// An if, an else, a switch or a loop with everything that belongs to it: tokens from `begin` to before `end`.
struct ControlStatement {
    bool is_loop = false;
    std::size_t begin = 0, end = 0;
    [[nodiscard]] bool holds(std::size_t token) const { return begin <= token && token < end; }
};

/// All control statements, nested ones first.
[[nodiscard]] std::vector<ControlStatement> control_statements(const std::vector<Token>& tokens);

/// What may keep a thread from reaching a place in a function.
struct WayTo {
    bool in_branch = false;      ///< it is in an if, an else or a switch
    bool in_loop = false;        ///< it is in a loop
    bool behind_return = false;  ///< a return precedes it in the function
};

/// The way to the first barrier named on this line; none if there is none, for example because a macro calls it.
[[nodiscard]] std::optional<WayTo> way_to_barrier(const std::vector<Token>& tokens, int line);
/// "tile" of `tile.sync()` or `cg::sync(tile)` on this line; empty if there is neither.
[[nodiscard]] std::string synchronized_group(const std::vector<Token>& tokens, int line);
/// The way to a token.
[[nodiscard]] WayTo way_to(const std::vector<Token>& tokens, std::size_t target);

}  // namespace gpu::detail
