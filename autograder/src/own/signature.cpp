// SPDX-License-Identifier: MIT
#include "own/signature.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <regex>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/code_tokens.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::array<OwnType, 11> own_types = {{{"VectorXf", "float", 1, false},
                                                {"VectorXd", "double", 1, false},
                                                {"ArrayXf", "float", 1, true},
                                                {"ArrayXd", "double", 1, true},
                                                {"MatrixXf", "float", 2, false},
                                                {"MatrixXd", "double", 2, false},
                                                {"ArrayXXf", "float", 2, true},
                                                {"ArrayXXd", "double", 2, true},
                                                {"float", "float", 0, false},
                                                {"double", "double", 0, false},
                                                {"int", "int", 0, false}}};

constexpr std::string_view supported =
    "Supported are Eigen's VectorXf, ArrayXf, MatrixXf and ArrayXXf, the same with d for double, and float, double and "
    "int; arrays come in by value or as const references, and the result is returned.";

constexpr std::size_t max_letters = 4;

[[noreturn]] void refuse(const std::string& what) { throw OwnFunctionError(fmt::format("{}\n{}", what, supported)); }

using TokenTexts = std::vector<std::string>;

/// The tokens as a person would write them: "const Eigen::VectorXf&".
std::string joined(const TokenTexts& words) {
    std::string text;
    for (const std::string& word : words) {
        const bool is_name = is_name_part(word[0]);
        if (is_name && !text.empty() && (is_name_part(text.back()) || text.back() == ',')) text += ' ';
        text += word;
    }
    return text;
}

/// A type without what makes no difference to a copy of the value.
const OwnType* find_type(TokenTexts words) {
    std::erase(words, "const");
    if (!words.empty() && words.back() == "&") words.pop_back();
    if (words.size() == 3 && words[0] == "Eigen" && words[1] == "::") words.erase(words.begin(), words.begin() + 2);
    if (words.size() != 1) return nullptr;
    const auto found =
        std::find_if(own_types.begin(), own_types.end(), [&](const OwnType& one) { return one.eigen == words[0]; });
    return found == own_types.end() ? nullptr : &*found;
}

OwnParameter read_parameter(const std::string& function, TokenTexts words) {
    const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    if (has("=")) refuse(fmt::format("{}: {} has a default value; leave it out", function, joined(words)));
    if (words.size() < 2 || !is_name_part(words.back()[0]) ||
        is_one_of(words.back(), {"const", "int", "float", "double"}))
        refuse(fmt::format("{}: the parameter {} needs a type and a name", function, joined(words)));
    OwnParameter parameter{.name = words.back()};
    words.pop_back();
    parameter.type = find_type(words);
    if (parameter.type == nullptr)
        refuse(fmt::format("{}: the parameter {} has the type {}, which isn't supported", function, parameter.name,
                           joined(words)));
    if (has("&") && !has("const"))
        refuse(fmt::format("{}: the parameter {} is changed in place; take it by const reference, and return the new "
                           "values", function, parameter.name));
    if (has("&") && parameter.type->rank == 0)
        refuse(fmt::format("{}: take the number {} by value", function, parameter.name));
    const bool is_integer = std::string_view(parameter.type->element) == "int";
    parameter.low = is_integer ? "1" : "-1";
    parameter.high = is_integer ? "10" : "1";
    parameter.lengths.assign(static_cast<std::size_t>(parameter.type->rank), "n");
    return parameter;
}

/// Where a function's head stands among the tokens: its name, and its brackets.
struct Head {
    std::size_t begin = 0, name = 0, open = 0, close = 0;
};

/// The definitions at the file's own level, and the names of all functions there.
struct Found {
    std::vector<Head> heads;
    std::vector<std::string> names;
};

Found find_heads(const CodeTokens& tokens, const std::string& name) {
    Found found;
    for (std::size_t k = 0, begin = 0; k < tokens.size(); ++k) {
        if (tokens.is(k, ";")) begin = k + 1;
        if (tokens.is(k, "(") && k > begin && tokens[k - 1].kind == CodeToken::Kind::name) {
            const Head head{begin, k - 1, k, tokens.closing(k)};
            std::size_t body = head.close + 1;
            while (tokens.is(body, "noexcept") || tokens.is(body, "const")) ++body;
            if (tokens.is(body, "{")) {
                found.names.emplace_back(tokens[k - 1].text);
                if (tokens[k - 1].text == name) found.heads.push_back(head);
            }
            k = head.close;
        } else if (tokens.is(k, "{")) {
            k = tokens.closing(k);
            begin = k + 1;
        }
    }
    return found;
}

TokenTexts words_of(const CodeTokens& tokens, std::size_t first, std::size_t end) {
    TokenTexts words;
    for (std::size_t k = first; k < end; ++k) words.emplace_back(tokens[k].text);
    return words;
}

std::vector<OwnParameter> read_parameters(const CodeTokens& tokens, const Head& head, const std::string& name) {
    std::vector<OwnParameter> parameters;
    int depth = 0;
    std::size_t first = head.open + 1;
    for (std::size_t k = first; k <= head.close; ++k) {
        const bool opens = tokens.is(k, "<") || tokens.is(k, "(");
        const bool closes = tokens.is(k, ">") || tokens.is(k, ")");
        const bool ends = k == head.close || (depth == 0 && tokens.is(k, ","));
        if (ends && (k > first || !parameters.empty())) {
            parameters.push_back(read_parameter(name, words_of(tokens, first, k)));
            first = k + 1;
        }
        depth += opens ? 1 : closes ? -1 : 0;
    }
    return parameters;
}

/// What a line "own: ..." says of a parameter.
void read_line(const std::string& line, OwnFunction& function) {
    static const std::regex form(
        R"(\s*([A-Za-z_]\w*)\s*(?:\(\s*([a-z])\s*(?:,\s*([a-z])\s*)?\))?)"
        R"(\s*(?:from\s+([-+.\w]+)\s+to\s+([-+.\w]+))?\s*)");
    std::smatch match;
    const auto wrong = [&](const std::string& why) {
        throw OwnFunctionError(fmt::format("// own:{}\n{}. Such a line reads: // own: x(n) from 0.1 to 10, or "
                                           "// own: A(m, n), with a letter for each length", plain_line(line), why));
    };
    if (!std::regex_match(line, match, form)) wrong("that can't be understood");
    const auto found = std::find_if(function.parameters.begin(), function.parameters.end(),
                                    [&](const OwnParameter& one) { return one.name == match[1].str(); });
    if (found == function.parameters.end())
        return wrong(fmt::format("{} has no parameter {}", function.name, match[1].str()));
    const int rank = (match[2].matched ? 1 : 0) + (match[3].matched ? 1 : 0);
    if (rank > 0) {
        if (rank != found->type->rank)
            wrong(fmt::format("{} is a {}, which takes {}", found->name, found->type->eigen,
                              found->type->rank == 0 ? "no lengths" : plural(found->type->rank, "length")));
        found->lengths = {match[2].str()};
        if (rank == 2) found->lengths.push_back(match[3].str());
    }
    if (!match[4].matched) return;
    const auto low = number_from<double>(match[4].str()), high = number_from<double>(match[5].str());
    if (!low || !high || !(*low < *high)) wrong("\"from\" and \"to\" take two numbers, the smaller one first");
    if (std::string_view(found->type->element) == "int" &&
        (!number_from<int>(match[4].str()) || !number_from<int>(match[5].str())))
        wrong(fmt::format("{} is an int: give whole numbers", found->name));
    found->low = match[4].str();
    found->high = match[5].str();
}

void read_lines(const std::string& text, OwnFunction& function) {
    std::istringstream lines(text);
    constexpr std::string_view mark = "own:";
    for (std::string line; std::getline(lines, line);) {
        std::string_view rest = trimmed(line);
        if (!rest.starts_with("//")) continue;
        rest = trimmed(rest.substr(2));
        if (rest.starts_with(mark)) read_line(std::string(rest.substr(mark.size())), function);
    }
    if (function.letters().size() > max_letters)
        throw OwnFunctionError(fmt::format("{} has {} lengths that differ; {} are the most", function.name,
                                           function.letters().size(), max_letters));
}

void refuse_includes(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::string_view rest = trimmed(line);
        if (!rest.starts_with('#')) continue;
        rest = trimmed(rest.substr(1));
        if (rest.starts_with("include") && rest.find('"') != rest.npos)
            throw OwnFunctionError(fmt::format("{}: a header of yours can't come along; put what the function needs of "
                                               "it into the file", plain_line(line)));
    }
}

}  // namespace

std::vector<std::string> OwnFunction::letters() const {
    std::vector<std::string> all;
    for (const OwnParameter& parameter : parameters)
        for (const std::string& letter : parameter.lengths)
            if (std::find(all.begin(), all.end(), letter) == all.end()) all.push_back(letter);
    return all;
}

OwnFunction own_function(const std::string& text, const std::string& name) {
    refuse_includes(text);
    const CodeTokens tokens(text);
    const Found found = find_heads(tokens, name);
    if (found.heads.empty())
        refuse(fmt::format("No function {0} stands in the file; the file is named like the function to port.{1} It has "
                           "to stand outside classes and namespaces", name,
                           found.names.empty() ? "" : fmt::format(" It has: {}.", fmt::join(found.names, ", "))));
    if (found.heads.size() > 1) refuse(fmt::format("There are {} functions {}; leave one", found.heads.size(), name));
    const Head& head = found.heads.front();
    TokenTexts before = words_of(tokens, head.begin, head.name);
    if (std::find(before.begin(), before.end(), "template") != before.end())
        refuse(fmt::format("{} is a template; write it for one type, such as float", name));
    for (const char* const word : {"inline", "static", "constexpr"}) std::erase(before, word);
    OwnFunction function{.name = name, .returns = find_type(before), .parameters = {}};
    if (function.returns == nullptr || before.back() == "&")
        refuse(fmt::format("{} returns {}, which isn't supported", name, joined(before)));
    function.parameters = read_parameters(tokens, head, name);
    if (std::none_of(function.parameters.begin(), function.parameters.end(),
                     [](const OwnParameter& one) { return one.type->rank > 0; }))
        refuse(fmt::format("{} takes no vector and no matrix: there is nothing to port", name));
    read_lines(text, function);
    return function;
}

}  // namespace course
