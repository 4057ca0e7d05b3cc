// SPDX-License-Identifier: MIT
#include "codegen/kernel_tokens.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace gpu::detail {

namespace {

constexpr std::size_t npos = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    std::vector<Token> run() {
        while (pass_blanks()) {
            const std::size_t begin = at_;
            const int line = line_;
            const bool starts_line = starts_line_;
            if (starts_line && text_[at_] == '#') in_directive_ = true;
            const TokenKind kind = read();
            tokens_.push_back({.kind = kind,
                               .in_directive = in_directive_,
                               .starts_line = starts_line,
                               .line = line,
                               .offset = begin,
                               .text = text_.substr(begin, at_ - begin)});
            line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
            // Code behind a comment at a line's start is still the line's first.
            starts_line_ = starts_line && kind == TokenKind::comment;
        }
        return std::move(tokens_);
    }

private:
    [[nodiscard]] char peek(std::size_t k) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }

    // A backslash at the end of a line, which joins it to the next: its length, or 0.
    [[nodiscard]] std::size_t splice(std::size_t at) const {
        if (text_[at] != '\\') return 0;
        if (text_.substr(at + 1, 1) == "\n") return 2;
        return text_.substr(at + 1, 2) == "\r\n" ? 3 : 0;
    }

    bool pass_blanks() {
        while (at_ < text_.size()) {
            if (const std::size_t length = splice(at_); length > 0) {
                at_ += length;
                ++line_;
            } else if (text_[at_] == '\n') {
                ++at_;
                ++line_;
                starts_line_ = true;
                in_directive_ = false;
            } else if (is_blank(text_[at_])) {
                ++at_;
            } else {
                return true;
            }
        }
        return false;
    }

    TokenKind read() {
        const char c = text_[at_];
        if (c == '/' && peek(1) == '/') return read_line_comment();
        if (c == '/' && peek(1) == '*') return read_comment();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return read_number();
        if (is_name_part(c)) return read_name();
        if (c == '"' || c == '\'') return read_literal();
        if (c == '<' && is_behind_include()) return read_header();
        ++at_;
        return TokenKind::punctuation;
    }

    TokenKind read_line_comment() {
        while (at_ < text_.size() && text_[at_] != '\n') at_ += std::max<std::size_t>(splice(at_), 1);
        at_ = std::min(at_, text_.size());
        return TokenKind::comment;
    }

    TokenKind read_comment() {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == npos ? text_.size() : end + 2;
        return TokenKind::comment;
    }

    // "1.5e-3f", "0x1p+4", "1'000": any letter or digit behind a digit belongs to it.
    TokenKind read_number() {
        while (at_ < text_.size()) {
            const char c = text_[at_], next = peek(1);
            const bool exponent = (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (next == '+' || next == '-');
            if (c == '\'' ? !is_name_part(next) : !is_name_part(c) && c != '.') break;
            at_ += exponent ? 2 : 1;
        }
        return TokenKind::number;
    }

    TokenKind read_name() {
        const std::size_t begin = at_;
        while (is_name_part(peek(0))) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        const char next = peek(0);
        if (next == '"' && (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R"))
            return read_raw_string();
        if ((next == '"' || next == '\'') && (name == "L" || name == "u" || name == "U" || name == "u8"))
            return read_literal();
        return TokenKind::name;
    }

    TokenKind read_literal() {
        const char quote = text_[at_++];
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            const std::size_t joined = splice(at_);
            at_ += joined > 0 ? joined : text_[at_] == '\\' && peek(1) != '\n' ? 2 : 1;
        }
        at_ = std::min(at_, text_.size());
        if (peek(0) == quote) ++at_;
        return quote == '"' ? TokenKind::string : TokenKind::character;
    }

    TokenKind read_raw_string() {
        const std::size_t open = text_.find_first_of("( )\\\n\"", at_ + 1);
        if (open == npos || text_[open] != '(') return read_literal();  // no compiler takes it
        const std::string close = ')' + std::string(text_.substr(at_ + 1, open - at_ - 1)) + '"';
        const std::size_t end = text_.find(close, open);
        at_ = end == npos ? text_.size() : end + close.size();
        return TokenKind::raw_string;
    }

    [[nodiscard]] bool is_behind_include() const {
        const std::size_t count = tokens_.size();
        const auto code = [this](std::size_t k) { return tokens_[k].in_directive ? tokens_[k].text : ""; };
        return in_directive_ && count >= 2 && code(count - 2) == "#" && tokens_[count - 2].starts_line &&
               (code(count - 1) == "include" || code(count - 1) == "include_next");
    }
    TokenKind read_header() {
        const std::size_t end = text_.find_first_of(">\n", at_);
        if (end == npos || text_[end] == '\n') {
            ++at_;
            return TokenKind::punctuation;
        }
        at_ = end + 1;
        return TokenKind::header;
    }

    std::string_view text_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool starts_line_ = true, in_directive_ = false;
};

// What of a token blanked() leaves out: nothing of a name.
struct Range {
    std::size_t begin, end;
};
Range hidden_part(const Token& token) {
    switch (token.kind) {
        case TokenKind::comment:
        case TokenKind::raw_string: return {token.offset, token.end()};
        case TokenKind::string:
        case TokenKind::character: {
            const std::size_t quote = token.text.find_first_of("\"'");
            const bool closed = token.text.size() > quote + 1 && token.text.back() == token.text[quote];
            return {token.offset + quote + 1, token.end() - (closed ? 1 : 0)};
        }
        case TokenKind::name:
        case TokenKind::number:
        case TokenKind::header:
        case TokenKind::punctuation: break;
    }
    return {token.offset, token.offset};
}

}  // namespace

int Token::column() const {
    const char* const begin = text.data() - offset;
    const auto* const newline = static_cast<const char*>(::memrchr(begin, '\n', offset));
    return static_cast<int>(text.data() - (newline == nullptr ? begin : newline + 1)) + 1;
}

std::vector<Token> tokens_and_comments_of(std::string_view text) { return Lexer(text).run(); }

// A plain name stays: "v" would be the mangled type void.
std::string demangled(const std::string& symbol) {
    if (symbol.compare(0, 2, "_Z") != 0) return symbol;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? text.get() : symbol;
}

std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens = tokens_and_comments_of(text);
    std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::comment; });
    return tokens;
}

std::string blanked(std::string_view text) {
    std::string result(text);
    for (const Token& token : tokens_and_comments_of(text)) {
        const Range hidden = hidden_part(token);
        for (std::size_t k = hidden.begin; k < hidden.end; ++k)
            if (result[k] != '\n') result[k] = ' ';
    }
    return result;
}

std::vector<std::string> names_in(std::string_view code) {
    std::vector<std::string> names;
    for (const Token& token : tokens_of(code))
        if (token.is_name()) names.emplace_back(token.text);
    return names;
}

const Token* included(const std::vector<Token>& tokens, std::size_t k) {
    if (!tokens[k].starts_line || tokens[k].text != "#" || k + 2 >= tokens.size()) return nullptr;
    const Token& named = tokens[k + 2];
    const bool is_file = named.kind == TokenKind::header || named.kind == TokenKind::string;
    return tokens[k + 1].text == "include" && is_file && named.in_directive ? &named : nullptr;
}

bool includes(const std::vector<Token>& tokens, std::string_view start) {
    for (std::size_t k = 0; k < tokens.size(); ++k)
        if (const Token* const file = included(tokens, k); file != nullptr && file->text.starts_with(start))
            return true;
    return false;
}

bool includes_header(const std::vector<Token>& tokens, std::string_view start) {
    return includes(tokens, '<' + std::string(start)) || includes(tokens, '"' + std::string(start));
}

std::optional<LineDirective> line_directive_at(const std::vector<Token>& tokens, std::size_t k) {
    if (!tokens[k].starts_line || tokens[k].text != "#" || k + 2 >= tokens.size()) return std::nullopt;
    const std::string_view number = tokens[k + 2].text;
    if (tokens[k + 1].text != "line" || tokens[k + 2].kind != TokenKind::number) return std::nullopt;
    LineDirective found;
    std::from_chars(number.data(), number.data() + number.size(), found.line);
    if (k + 3 == tokens.size() || tokens[k + 3].kind != TokenKind::string || !tokens[k + 3].in_directive) return found;
    const std::string_view quoted = tokens[k + 3].text;
    std::string file;
    for (std::size_t at = 1; at + 1 < quoted.size(); ++at) {
        if (quoted[at] == '\\') ++at;
        file += quoted[at];
    }
    found.file = std::move(file);
    return found;
}

bool has_name(const std::vector<Token>& tokens, std::string_view name) {
    return std::any_of(tokens.begin(), tokens.end(),
                       [name](const Token& token) { return token.is_name() && token.text == name; });
}

std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
    const std::string_view begin = tokens[open].text, end = begin == "(" ? ")" : begin == "[" ? "]" : "}";
    int depth = 0;
    for (std::size_t k = open; k < tokens.size(); ++k) {
        if (tokens[k].text == begin) ++depth;
        if (tokens[k].text == end && --depth == 0) return k;
    }
    return tokens.size();
}

std::size_t find_token(const std::vector<Token>& tokens, std::string_view text, std::size_t from) {
    while (from < tokens.size() && tokens[from].text != text) ++from;
    return std::min(from, tokens.size());
}

}  // namespace gpu::detail
