// SPDX-License-Identifier: MIT
#include "header_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace gallery {

namespace {

void align(std::vector<std::byte>& bytes, std::size_t alignment) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
}

template <class T>
bool append(std::vector<std::byte>& bytes, T value) {
    align(bytes, sizeof value);
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
    return true;
}

bool append_number(std::vector<std::byte>& bytes, const std::string& text) {
    const bool real = text.find_first_of(".e") != std::string::npos;
    char* end = nullptr;
    if (real) {
        const double value = std::strtod(text.c_str(), &end);
        const std::string suffix = end;
        if (suffix == "f") return append(bytes, std::strtof(text.c_str(), nullptr));
        return suffix.empty() && append(bytes, value);
    }
    const long long value = std::strtoll(text.c_str(), &end, 0);
    const std::string suffix = end;
    if (end == text.c_str()) return false;
    if (suffix == "u") return append(bytes, static_cast<unsigned>(value));
    if (suffix == "ll") return append(bytes, value);
    if (suffix == "ull") return append(bytes, static_cast<unsigned long long>(std::strtoull(text.c_str(), nullptr, 0)));
    return suffix.empty() && append(bytes, static_cast<int>(value));
}

}  // namespace

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    if (trimmed(text).empty()) return parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (c == '(' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '}' || c == ']') --depth;
        if (c != separator || depth != 0) continue;
        parts.push_back(trimmed(text.substr(begin, k - begin)));
        begin = k + 1;
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string word; stream >> word;) parts.push_back(word);
    return parts;
}

bool append_literal(std::vector<std::byte>& bytes, const std::string& text) {
    if (text == "true" || text == "false") return append(bytes, text == "true");
    if (text.empty() || text.front() != '{') return append_number(bytes, text);
    if (text.back() != '}') return false;
    std::vector<std::byte> members;
    std::size_t alignment = 1;
    for (const std::string& member : split(text.substr(1, text.size() - 2), ',')) {
        std::vector<std::byte> alone;
        if (!append_literal(alone, member)) return false;
        alignment = std::max(alignment, alone.size() > 8 ? std::size_t{8} : alone.size());
        if (!append_literal(members, member)) return false;
    }
    align(members, alignment);
    bytes.insert(bytes.end(), members.begin(), members.end());
    return true;
}

}  // namespace gallery
