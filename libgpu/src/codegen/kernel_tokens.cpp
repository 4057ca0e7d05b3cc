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
            // Code after a comment at the beginning of a line is still the line's first.
            starts_line_ = starts_line && kind == TokenKind::comment;
        }
        return std::move(tokens_);
    }

private:
    [[nodiscard]] char peek(std::size_t k) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }

    // The length of a line continuation (a backslash at the end of a line), or 0.
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

    // "1.5e-3f", "0x1p+4", "1'000": any letter or digit after a digit belongs to it.
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
        if (open == npos || text_[open] != '(') return read_literal();  // no compiler accepts it
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

// The part of a token that blanked() blanks out: none of a name.
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

// A plain name is kept: "v" would be the mangled type void.
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

namespace {

/// Iterates over a text's braces, with the statement before each.
class Walk {
public:
    explicit Walk(const std::vector<Token>& tokens) : tokens_(tokens), within_(tokens.size()) {}

    void run() {
        for (std::size_t k = 0; k < tokens_.size(); ++k) {
            within_[k] = in_function();
            if (tokens_[k].in_directive) continue;
            const std::string_view text = tokens_[k].text;
            if (text == "{") {
                open(k);
            } else if (text == "}") {
                close();
            } else if (text == ";" && round_ == 0) {
                finish(false);
            } else if (text == ":" && is_label()) {
                statement_.clear();
            } else {
                if (text == "(") ++round_;
                if (text == ")") round_ = std::max(round_ - 1, 0);
                statement_.push_back(k);
            }
        }
    }

    std::vector<Declaration> declarations_;
    std::vector<bool> take_within() { return std::move(within_); }

private:
    struct Open {
        Scope scope;
        std::vector<std::size_t> statement;  // to continue after the brace
        int round;
    };

    [[nodiscard]] bool in_function() const {
        return std::any_of(open_.begin(), open_.end(), [](const Open& one) { return one.scope == Scope::function; });
    }
    [[nodiscard]] Scope here() const { return open_.empty() ? Scope::space : open_.back().scope; }

    // True for "public:", not for "struct A : B" or "A::b".
    [[nodiscard]] bool is_label() const {
        if (statement_.size() != 1) return false;
        const std::string_view word = tokens_[statement_.front()].text;
        return word == "public" || word == "private" || word == "protected";
    }

    [[nodiscard]] Scope opened() const {
        const Scope outer = here();
        if (outer == Scope::value || round_ > 0) return in_function() ? Scope::function : Scope::value;
        bool is_type = false, has_list = false, has_initialiser = false;
        for (std::size_t k = 0; k < statement_.size(); ++k) {
            const std::string_view word = tokens_[statement_[k]].text;
            const std::string_view before = k > 0 ? tokens_[statement_[k - 1]].text : "";
            if (word == "namespace") return Scope::space;
            if (word == "extern" && k + 2 == statement_.size() && tokens_[statement_[k + 1]].is_literal())
                return Scope::space;
            if (word == "enum") return Scope::value;
            if ((word == "struct" || word == "class" || word == "union") && before != "<" && before != ",")
                is_type = true;
            if (word == "=" && !has_list && !is_operator(k)) return outer == Scope::function ? outer : Scope::value;
            if (word == "(" && is_named(k)) has_list = true;
            if (word == ":" && has_list) has_initialiser = true;
        }
        if (has_list) {
            // "S(int b) : a{b} {}": the first brace initialises a member.
            const bool is_members = has_initialiser && !statement_.empty() && tokens_[statement_.back()].is_name();
            return is_members ? Scope::value : Scope::function;
        }
        if (outer == Scope::function && !is_type) return Scope::function;
        return is_type ? Scope::type : Scope::value;
    }

    // True if the sign at k is part of an operator's name.
    [[nodiscard]] bool is_operator(std::size_t k) const {
        for (std::size_t at = k; at-- > 0 && at + 4 > k;)
            if (tokens_[statement_[at]].text == "operator") return true;
        return false;
    }

    // True if the bracket at k is a function's: after a name that isn't an attribute's, or after an operator's sign.
    [[nodiscard]] bool is_named(std::size_t k) const {
        if (k == 0) return false;
        if (is_operator(k)) return true;
        const Token& before = tokens_[statement_[k - 1]];
        return before.is_name() && !before.text.starts_with("__") && before.text != "alignas" &&
               before.text != "decltype" && before.text != "noexcept" && before.text != "explicit" &&
               before.text != "sizeof";
    }

    void open(std::size_t) {
        const Scope scope = opened();
        const bool is_body = scope == Scope::function && (here() == Scope::space || here() == Scope::type);
        if (is_body) finish(true);
        const bool goes_on = scope == Scope::value || scope == Scope::type;
        open_.push_back({scope, goes_on ? std::move(statement_) : std::vector<std::size_t>(), round_});
        statement_.clear();
        round_ = 0;
    }
    void close() {
        statement_.clear();
        round_ = 0;
        if (open_.empty()) return;
        statement_ = std::move(open_.back().statement);
        round_ = open_.back().round;
        open_.pop_back();
    }
    void finish(bool has_body) {
        const Scope scope = here();
        if (!statement_.empty() && (scope == Scope::space || scope == Scope::type))
            declarations_.push_back({statement_, scope, has_body});
        if (!has_body) statement_.clear();
    }

    const std::vector<Token>& tokens_;
    std::vector<bool> within_;
    std::vector<Open> open_;
    std::vector<std::size_t> statement_;
    int round_ = 0;
};

}  // namespace

std::vector<Declaration> declarations_in(const std::vector<Token>& tokens) {
    Walk walk(tokens);
    walk.run();
    return std::move(walk.declarations_);
}

std::vector<bool> within_functions(const std::vector<Token>& tokens) {
    Walk walk(tokens);
    walk.run();
    return walk.take_within();
}

std::vector<bool> within_conditions(const std::vector<Token>& tokens) {
    std::vector<bool> within(tokens.size());
    std::vector<bool> open;  // per #if: whether it is a real condition
    const auto text = [&](std::size_t k) { return k < tokens.size() ? tokens[k].text : std::string_view(); };
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].starts_line && tokens[k].text == "#") {
            const bool is_guard =
                text(k + 1) == "ifndef" && text(k + 3) == "#" && text(k + 4) == "define" && text(k + 5) == text(k + 2);
            if (text(k + 1).starts_with("if")) open.push_back(!is_guard);
            if (text(k + 1) == "endif" && !open.empty()) open.pop_back();
        }
        within[k] = std::find(open.begin(), open.end(), true) != open.end();
    }
    return within;
}

namespace {

// Tracks open statements: the one after an if or a loop, or a block in braces.
class OpenStatements {
public:
    enum class Part { other, branch, loop };

    void open(Part part, std::size_t at, bool braced) { open_.push_back({part, at, braced}); }
    void brace(std::size_t at) {
        if (!open_.empty() && !open_.back().braced)
            open_.back().braced = true;
        else
            open(Part::other, at, true);
    }
    void close_brace(std::size_t at) {
        close_bare(at);
        if (!open_.empty()) close(at);
        close_bare(at);
    }
    void close_bare(std::size_t at) {
        while (!open_.empty() && !open_.back().braced) close(at);
    }
    void close_all(std::size_t at) {
        while (!open_.empty()) close(at);
    }
    std::vector<ControlStatement> closed;

private:
    struct Open {
        Part part;
        std::size_t begin;
        bool braced;
    };
    void close(std::size_t at) {
        const Open& last = open_.back();
        if (last.part != Part::other) closed.push_back({last.part == Part::loop, last.begin, at + 1});
        open_.pop_back();
    }
    std::vector<Open> open_;
};

std::optional<OpenStatements::Part> begun_by(std::string_view word) {
    using enum OpenStatements::Part;
    if (word == "if" || word == "else" || word == "switch") return branch;
    if (word == "for" || word == "while" || word == "do") return loop;
    return std::nullopt;
}

}  // namespace

std::vector<ControlStatement> control_statements(const std::vector<Token>& tokens) {
    OpenStatements open;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].in_directive) continue;
        const std::string_view text = tokens[k].text;
        if (const auto part = begun_by(text)) {
            open.open(*part, k, false);
            const std::size_t condition = find_token(tokens, "(", k);
            if (text == "else" || text == "do" || condition > k + 2) continue;  // at most "if constexpr ("
            k = closing(tokens, condition);
        } else if (text == "{") {
            open.brace(k);
        } else if (text == "}") {
            open.close_brace(k);
        } else if (text == ";") {
            open.close_bare(k);
        }
    }
    open.close_all(tokens.size());
    return std::move(open.closed);
}

WayTo way_to(const std::vector<Token>& tokens, std::size_t target) {
    const std::vector<bool> in_function = within_functions(tokens);
    WayTo way;
    for (std::size_t k = 0; k < target; ++k) {
        if (tokens[k].in_directive) continue;
        if (!in_function[k]) way.behind_return = false;  // that belonged to another function
        if (tokens[k].text == "return") way.behind_return = true;
    }
    for (const ControlStatement& one : control_statements(tokens)) {
        if (!one.holds(target)) continue;
        way.in_branch = way.in_branch || !one.is_loop;
        way.in_loop = way.in_loop || one.is_loop;
    }
    return way;
}

std::string synchronized_group(const std::vector<Token>& tokens, int line) {
    for (std::size_t k = 2; k + 3 < tokens.size(); ++k) {
        if (tokens[k].line != line || tokens[k].text != "sync" || tokens[k + 1].text != "(") continue;
        if (tokens[k - 1].text == "." && tokens[k - 2].is_name()) return std::string(tokens[k - 2].text);
        if (tokens[k + 2].is_name() && tokens[k + 3].text == ")") return std::string(tokens[k + 2].text);
    }
    return {};
}

std::optional<WayTo> way_to_barrier(const std::vector<Token>& tokens, int line) {
    const auto target = std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) {
        return token.line == line && !token.in_directive && token.is_name() &&
               token.text.find("sync") != token.text.npos;
    });
    if (target == tokens.end()) return std::nullopt;
    return way_to(tokens, static_cast<std::size_t>(target - tokens.begin()));
}

}  // namespace gpu::detail
