// SPDX-License-Identifier: MIT
#include "similar/fingerprints.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "collect/code_tokens.hpp"

namespace course {

namespace {

constexpr std::uint64_t name_kind = 1, number_kind = 2, type_kind = 3;

std::uint64_t mixed(std::uint64_t hash) {  // of splitmix64
    hash ^= hash >> 30;
    hash *= 0xbf58476d1ce4e5b9;
    hash ^= hash >> 27;
    hash *= 0x94d049bb133111eb;
    return hash ^ hash >> 31;
}

std::uint64_t kind_of_text(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mixed(hash) | 8;
}

/// What a copy gains or loses without another word: these say nothing.
bool is_left_out(std::string_view text) {
    static const std::unordered_set<std::string_view> words = {"{",      "}",         "const",    "constexpr",
                                                               "static", "inline",    "volatile", "__restrict__",
                                                               "signed", "constinit", "register", "mutable"};
    return words.contains(text);
}

bool is_type(std::string_view text) {
    static const std::unordered_set<std::string_view> words = {
        "int",    "float",   "double",  "unsigned", "long",    "short",    "char",     "bool",     "auto", "size_t",
        "int8_t", "int16_t", "int32_t", "int64_t",  "uint8_t", "uint16_t", "uint32_t", "uint64_t", "void", "half"};
    return words.contains(text);
}

bool keeps_its_name(std::string_view text) {
    static const std::unordered_set<std::string_view> words = {"if",
                                                               "else",
                                                               "for",
                                                               "while",
                                                               "do",
                                                               "return",
                                                               "break",
                                                               "continue",
                                                               "switch",
                                                               "case",
                                                               "default",
                                                               "struct",
                                                               "class",
                                                               "template",
                                                               "typename",
                                                               "using",
                                                               "sizeof",
                                                               "new",
                                                               "delete",
                                                               "true",
                                                               "false",
                                                               "operator",
                                                               "this",
                                                               "goto",
                                                               "throw",
                                                               "try",
                                                               "catch",
                                                               "extern",
                                                               "union",
                                                               "enum",
                                                               "nullptr",
                                                               "alignas",
                                                               "threadIdx",
                                                               "blockIdx",
                                                               "blockDim",
                                                               "gridDim",
                                                               "typedef",
                                                               "asm",
                                                               "warpSize",
                                                               "static_cast",
                                                               "reinterpret_cast"};
    return words.contains(text) || text.starts_with("__") || text.starts_with("atomic");
}

std::uint64_t kind_of(const CodeToken& token) {
    if (token.kind == CodeToken::Kind::number) return number_kind;
    if (token.kind == CodeToken::Kind::sign) return kind_of_text(token.text);
    if (is_type(token.text)) return type_kind;
    return keeps_its_name(token.text) ? kind_of_text(token.text) : name_kind;
}

}  // namespace

std::vector<ComparedToken> compared_tokens(const std::string& text) {
    const CodeTokens code(text);
    std::vector<ComparedToken> tokens;
    for (std::size_t k = 0; k < code.size() && tokens.size() < max_answer_tokens; ++k) {
        const CodeToken& token = code[k];
        if (token.kind == CodeToken::Kind::quote || is_left_out(token.text)) continue;
        const std::uint64_t kind = kind_of(token);
        if (kind == type_kind && !tokens.empty() && tokens.back().kind == type_kind)
            tokens.back().end = token.end();  // unsigned long is one type
        else
            tokens.push_back({kind, token.begin, token.end()});
    }
    return tokens;
}

std::vector<std::uint64_t> run_hashes(const std::vector<ComparedToken>& tokens) {
    std::vector<std::uint64_t> runs;
    for (std::size_t k = 0; k + run_tokens <= tokens.size(); ++k) {
        std::uint64_t hash = 0;
        for (std::size_t i = k; i < k + run_tokens; ++i) hash = mixed(hash + 0x9e3779b97f4a7c15) ^ tokens[i].kind;
        runs.push_back(mixed(hash));
    }
    return runs;
}

std::vector<std::uint64_t> winnowed(const std::vector<std::uint64_t>& runs) {
    std::vector<std::uint64_t> chosen;
    const std::size_t width = std::min(window, runs.size());
    for (std::size_t k = 0; width > 0 && k + width <= runs.size(); ++k) {
        const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(k);
        const std::uint64_t smallest = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(width));
        if (chosen.empty() || chosen.back() != smallest) chosen.push_back(smallest);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

}  // namespace course
