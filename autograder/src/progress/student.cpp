// SPDX-License-Identifier: MIT
#include "progress/student.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t longest = 100;  // characters

std::size_t characters(const std::string& utf8) {
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string with_value(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (!line.starts_with(key + " ")) continue;
        const std::string value = line.substr(key.size() + 1);
        return why_not_a_name(value, key).empty() ? value : "";
    }
    return "";
}

}  // namespace

std::string why_not_a_name(const std::string& text, const std::string& what) {
    if (text.find_first_not_of(" \t\r\n") == text.npos) return fmt::format("the {} is empty", what);
    if (text.front() == ' ' || text.back() == ' ') return fmt::format("the {} begins or ends with a blank", what);
    if (characters(text) > longest) return fmt::format("the {} is longer than {} characters", what, longest);
    if (text.find_first_of("\n\t") != text.npos || plain_text(text, text.size(), 1) != text)
        return fmt::format("the {} has a byte that isn't UTF-8, or a character that can't be seen", what);
    return "";
}

Student read_student(const std::filesystem::path& file) {
    try {
        const std::string text = read_file(file, 4096);
        return {with_value(text, "name"), with_value(text, "id")};
    } catch (const FileError&) {
        return {};
    }
}

void write_student(const std::filesystem::path& file, const Student& student) {
    make_folders(file.parent_path());
    write_file_atomically(
        file, fmt::format("# written by course submit; safe to delete\nname {}\nid {}\n", student.name, student.id),
        0600);
}

}  // namespace course
