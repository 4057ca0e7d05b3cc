// SPDX-License-Identifier: MIT
#include "collect/code_tokens.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "collect/collect.hpp"
#include "manifest/names.hpp"

namespace course {

namespace {

using Kind = CodeToken::Kind;

constexpr std::array<std::string_view, 24> long_signs = {"<<=", ">>=", "...", "<=", ">=", "==", "!=", "&&",
                                                         "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=",
                                                         "^=",  "++",  "--",  "->", "<<", ">>", "::", "##"};

std::size_t end_of_number(const std::string& text, std::size_t at) {
    while (at < text.size()) {
        const bool exponent_sign = (text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E');
        if (!is_name_part(text[at]) && text[at] != '.' && text[at] != '\'' && !exponent_sign) break;
        ++at;
    }
    return at;
}

/// The position of the bracket of R"name(, whose name has at most 16 characters; 0: no raw string begins here.
std::size_t raw_string_opens(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "R\"") != 0) return 0;
    const std::size_t open = std::string_view(text).substr(at + 2, 17).find('(');
    return open == std::string_view::npos ? 0 : at + 2 + open;
}

}  // namespace

CodeTokens::CodeTokens(const std::string& text) : text_(text) {
    bool line_begins = true;
    char quote = 0;          // of the string that is open; 'R': a raw one
    std::string raw_end;
    const auto add = [&](Kind kind, std::size_t begin, std::size_t end) {
        tokens_.push_back({kind, std::string_view(text_).substr(begin, end - begin), begin});
    };
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '\n') line_begins = true;
        if (is_space(c)) {
            ++at;
            continue;
        }
        const bool directive = c == '#' && line_begins && quote == 0;
        line_begins = false;
        if (directive || text.compare(at, 2, "//") == 0) {
            while (at < text.size() && text[at] != '\n') at += directive && text[at] == '\\' ? 2 : 1;
        } else if (text.compare(at, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", at + 2);
            at = end == text.npos ? text.size() : end + 2;
        } else if (quote == 'R' && text.compare(at, raw_end.size(), raw_end) == 0) {
            add(Kind::quote, at, at + raw_end.size());
            at += raw_end.size();
            quote = 0;
        } else if (quote == '"' && c == '\\') {
            at += 2;
        } else if (quote == '"' && c == '"') {
            add(Kind::quote, at, at + 1);
            ++at;
            quote = 0;
        } else if (c == '"' && quote == 0) {
            add(Kind::quote, at, at + 1);
            ++at;
            quote = '"';
        } else if (const std::size_t open = quote == 0 ? raw_string_opens(text, at) : 0; open > 0) {
            raw_end = ")" + text.substr(at + 2, open - at - 2) + "\"";
            add(Kind::quote, at, open + 1);
            at = open + 1;
            quote = 'R';
        } else if (c == '\'') {
            std::size_t end = at + 1;
            while (end < text.size() && text[end] != '\'' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
            at = end + 1;
        } else {
            at = scan_token(at);
        }
    }
    mark_parts();
}

std::size_t CodeTokens::scan_token(std::size_t at) {
    const char c = text_[at];
    std::size_t end = at + 1;
    Kind kind = Kind::sign;
    if (is_digit(c) || (c == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]))) {
        kind = Kind::number;
        end = end_of_number(text_, end);
    } else if (is_name_part(c)) {
        kind = Kind::name;
        while (end < text_.size() && is_name_part(text_[end])) ++end;
    } else {
        for (const std::string_view sign : long_signs)
            if (text_.compare(at, sign.size(), sign) == 0) {
                end = at + sign.size();
                break;
            }
    }
    const bool spaced = at > 0 && is_space(text_[at - 1]) && end < text_.size() && is_space(text_[end]);
    tokens_.push_back({kind, std::string_view(text_).substr(at, end - at), at, spaced});
    return end;
}

void CodeTokens::mark_parts() {
    const bool marked = text_.find(part_mark) != text_.npos;
    int part = 0, depth = 0;
    std::size_t line = 0, line_end = text_.find('\n');
    const auto read_marks_before = [&](std::size_t place) {   // on the lines above that position
        for (; line_end < place; line = line_end + 1, line_end = text_.find('\n', line)) {
            const std::string one = text_.substr(line, line_end - line);
            if (one.find(part_mark) != one.npos) {
                part = static_cast<int>(stars_.size());
                stars_.push_back(star_named_by(one));
            }
            if (one.find(part_end_mark) != one.npos) part = 0;
        }
    };
    if (!marked) stars_.emplace_back();
    for (CodeToken& token : tokens_) {
        if (marked) {
            read_marks_before(token.begin);
            token.part = part;
        } else {
            if (token.text == "}") --depth;
            token.part = depth > 0 ? 1 : 0;
            if (token.text == "{") ++depth;
        }
    }
}

bool CodeTokens::in_one_part(std::size_t first, std::size_t last) const {
    if (last >= size() || first > last || tokens_[first].part == 0) return false;
    for (std::size_t k = first; k <= last; ++k)
        if (tokens_[k].part != tokens_[first].part) return false;
    return true;
}

std::size_t CodeTokens::closing(std::size_t k) const {
    int depth = 0;
    for (std::size_t i = k; i < size(); ++i) {
        const std::string_view text = tokens_[i].text;
        if (tokens_[i].kind == Kind::quote) continue;
        if (text == "(" || text == "[" || text == "{") ++depth;
        if (text == ")" || text == "]" || text == "}") --depth;
        if (depth == 0) return i;
    }
    return size();
}

std::size_t CodeTokens::statement_end(std::size_t k) const {
    if (is(k, "{")) return closing(k);
    if ((is(k, "if") || is(k, "for") || is(k, "while")) && is(k + 1, "(")) {
        const std::size_t bracket = closing(k + 1);
        if (bracket >= size()) return size();
        const std::size_t end = statement_end(bracket + 1);
        return is(k, "if") && is(end + 1, "else") ? statement_end(end + 2) : end;
    }
    for (std::size_t i = k; i < size(); ++i) {
        if (is(i, ";")) return i;
        if (is(i, "}") || is(i, ")") || is(i, "]")) return size();
        if (is(i, "(") || is(i, "[") || is(i, "{")) i = closing(i);
    }
    return size();
}

namespace {

/// "sum_tree" for "__global__ void sum_tree(const float* x, ..."; empty: no function's head begins with this line.
std::string function_named(const std::string& line) {
    const bool at_margin = !line.empty() && (is_name_part(line[0]) || line[0] == ':');
    const std::size_t bracket = line.find('(');
    if (!at_margin || bracket == line.npos || line.ends_with(';')) return "";
    std::size_t end = bracket;
    while (end > 0 && line[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && is_name_part(line[begin - 1])) --begin;
    return line.substr(begin, end - begin);
}

}  // namespace

std::vector<FunctionText> functions_in(const std::string& text) {
    std::vector<FunctionText> functions;
    bool inside = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!inside) {
            const std::string name = function_named(line);
            if (name.empty()) continue;
            functions.push_back({name, ""});
            inside = true;
        }
        functions.back().text += line + "\n";
        const std::size_t last = line.find_last_not_of(" \t");
        const bool one_line = functions.back().text == line + "\n" && last != line.npos && line[last] == '}';
        if (line.starts_with('}') || one_line) inside = false;
    }
    return functions;
}

std::map<std::string, bool> functions_begun(const std::vector<FileAndStub>& files) {
    std::map<std::string, bool> begun;
    for (const FileAndStub& file : files) {
        const std::vector<FunctionText> own = functions_in(file.text);
        for (const FunctionText& given : functions_in(file.stub)) {
            if (without_starred_parts(given.text).find(part_mark) == std::string::npos) continue;
            const bool unchanged = std::any_of(own.begin(), own.end(), [&](const FunctionText& one) {
                return one.name == given.name && same_but_for_space(one.text, given.text);
            });
            begun[given.name] = begun[given.name] || !unchanged;
        }
    }
    return begun;
}

}  // namespace course
