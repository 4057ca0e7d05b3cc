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

// The one lexer of kernels' texts: all that looks for something in CUDA C++ looks at these tokens. It knows comments,
// literals of all kinds and preprocessor lines; it knows nothing of types or meaning.
namespace gpu::detail {

/// Whether a character can be part of a C++ name. ASCII only, whatever the locale.
constexpr bool is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The name alone: "scale" of "ns::scale<float>".
inline std::string bare_name(std::string_view name) {
    const std::string_view head = name.substr(0, name.find('<'));
    const auto scope = head.rfind("::");
    return std::string(scope == std::string_view::npos ? head : head.substr(scope + 2));
}

/// "f(int)" of "_Z1fi": what a compiler's symbol is called in the source. Other names stay as they are.
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
    bool in_directive = false;  ///< of a preprocessor line, the lines that continue it included
    bool starts_line = false;   ///< the first of its line: a '#' like that begins a directive
    int line = 1;               ///< of its first character, counted from 1
    std::size_t offset = 0;
    std::string_view text;  ///< of a literal with its quotes, so that "(" never equals a bracket

    [[nodiscard]] bool is_name() const { return kind == TokenKind::name; }
    [[nodiscard]] bool is_literal() const {
        return kind == TokenKind::string || kind == TokenKind::raw_string || kind == TokenKind::character;
    }
    [[nodiscard]] std::size_t end() const { return offset + text.size(); }
    /// Column of its first character, counted from 1.
    [[nodiscard]] int column() const;
};

/// The tokens of a text but for its comments. They look into the text, which must outlive them. Whatever is unfinished
/// ends with the text, an ordinary literal with its line.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text);
/// The same with comments.
[[nodiscard]] std::vector<Token> tokens_and_comments_of(std::string_view text);

/// The text with comments and the insides of literals as blanks; every other character keeps its place. The quotes of
/// ordinary literals stay.
[[nodiscard]] std::string blanked(std::string_view text);

/// The names in a piece of code, in order.
[[nodiscard]] std::vector<std::string> names_in(std::string_view code);

/// True if a text's code names this: in a comment or a literal it doesn't count.
[[nodiscard]] bool has_name(const std::vector<Token>& tokens, std::string_view name);

/// True if a text includes a header whose name begins so: "<cuda_fp16", "\"mine".
[[nodiscard]] bool includes(const std::vector<Token>& tokens, std::string_view start);
/// The same in either kind of bracket: "cuda_fp16".
[[nodiscard]] bool includes_header(const std::vector<Token>& tokens, std::string_view start);
/// What the preprocessor line that begins with the '#' at `k` includes, `<...>` or `"..."`; null if it doesn't.
[[nodiscard]] const Token* included(const std::vector<Token>& tokens, std::size_t k);

/// The number and the file of the preprocessor line `#line 7 "add.cu"` that begins with the '#' at `k`.
struct LineDirective {
    int line = 0;
    std::optional<std::string> file;  ///< none: the same as before
};
[[nodiscard]] std::optional<LineDirective> line_directive_at(const std::vector<Token>& tokens, std::size_t k);

/// The token that closes the bracket at `open`, a '(', '[' or '{'; the number of tokens if nothing does.
[[nodiscard]] std::size_t closing(const std::vector<Token>& tokens, std::size_t open);

/// The first token at or behind `from` that has this text; the number of tokens if there is none.
[[nodiscard]] std::size_t find_token(const std::vector<Token>& tokens, std::string_view text, std::size_t from = 0);

/// What a brace opens: told by the words before it, without a parser.
enum class Scope : std::uint8_t { space, type, function, value };

/// A declaration of a namespace or of a class. What stands in functions isn't one, but for their classes' members.
struct Declaration {
    std::vector<std::size_t> tokens;  ///< their places; what stands in braces isn't among them
    Scope scope = Scope::space;       ///< space or type: where it stands
    bool has_body = false;            ///< a function's, or what looks like one
};

/// The declarations of a text. Preprocessor lines are passed over.
[[nodiscard]] std::vector<Declaration> declarations_in(const std::vector<Token>& tokens);

/// By each token: true if it stands in a function, or in a class of one.
[[nodiscard]] std::vector<bool> within_functions(const std::vector<Token>& tokens);

/// By each token: true if it stands between #if and #endif, so that nobody knows here whether it will be compiled. An
/// include guard doesn't count.
[[nodiscard]] std::vector<bool> within_conditions(const std::vector<Token>& tokens);

/// An if, an else, a switch or a loop, with all that belongs to it: tokens from `begin` to before `end`.
struct ControlStatement {
    bool is_loop = false;
    std::size_t begin = 0, end = 0;
    [[nodiscard]] bool holds(std::size_t token) const { return begin <= token && token < end; }
};

/// All of them, those within others first.
[[nodiscard]] std::vector<ControlStatement> control_statements(const std::vector<Token>& tokens);

/// What may keep a thread from a place in a function.
struct WayTo {
    bool in_branch = false;      ///< it stands in an if, an else or a switch
    bool in_loop = false;        ///< it stands in a loop
    bool behind_return = false;  ///< a return stands before it in the function
};

/// The way to the first barrier that is named on this line; none if none is, as where a macro calls it.
[[nodiscard]] std::optional<WayTo> way_to_barrier(const std::vector<Token>& tokens, int line);
/// "tile" of `tile.sync()` or `cg::sync(tile)` on this line; empty if there is neither.
[[nodiscard]] std::string synchronized_group(const std::vector<Token>& tokens, int line);
/// The way to a token.
[[nodiscard]] WayTo way_to(const std::vector<Token>& tokens, std::size_t target);

}  // namespace gpu::detail
