// SPDX-License-Identifier: MIT
#include "submissions/formats/names.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// The bytes of the character that `text` begins with, and its code point; no bytes if it isn't UTF-8.
std::pair<std::size_t, char32_t> first_character(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {1, first};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || length > text.size() || first > 0xF4) return {0, 0};
    char32_t point = first & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(k) & 0xC0) != 0x80) return {0, 0};
        point = (point << 6) | (byte(k) & 0x3Fu);
    }
    const bool valid = !(length == 3 && point < 0x800) && !(length == 4 && point < 0x10000) && point <= 0x10FFFF &&
                       !(point >= 0xD800 && point <= 0xDFFF);
    return valid ? std::pair{length, point} : std::pair<std::size_t, char32_t>{0, 0};
}

/// The letters of U+00C0 to U+017F without their accents; a dot for what isn't a letter.
const std::string& letters_without_accents() {
    static const std::string letters = [] {
        std::string all = "aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuyty";
        constexpr std::pair<std::size_t, char> runs[] = {
            {6, 'a'}, {8, 'c'}, {4, 'd'}, {10, 'e'}, {8, 'g'}, {4, 'h'},  {12, 'i'}, {2, 'j'}, {3, 'k'}, {10, 'l'},
            {9, 'n'}, {8, 'o'}, {6, 'r'}, {8, 's'},  {6, 't'}, {12, 'u'}, {2, 'w'},  {3, 'y'}, {6, 'z'}, {1, 's'}};
        for (const auto& [count, letter] : runs) all.append(count, letter);
        return all;
    }();
    return letters;
}

/// Takes the number of a copy off the end of a name without its ending; 0 if there is none.
std::int64_t take_copy_number(std::string_view& stem) {
    std::string_view rest = stem;
    const bool in_brackets = rest.ends_with(')');
    if (in_brackets) rest.remove_suffix(1);
    const std::size_t begin = rest.find_last_not_of("0123456789") + 1;
    const std::string_view digits = rest.substr(begin);
    rest.remove_suffix(digits.size());
    if (digits.empty() || digits.size() > 4 || rest.empty()) return 0;
    const char mark = rest.back();
    rest.remove_suffix(1);
    if (in_brackets ? mark != '(' : mark != '-' && mark != ' ') return 0;
    if (in_brackets && rest.ends_with(' ')) rest.remove_suffix(1);
    const int number = std::stoi(std::string(digits));
    if (rest.empty() || number == 0) return 0;
    stem = rest;
    return number;
}

constexpr std::int64_t copies_of_copy = 10'000;  // more than four digits say
constexpr int max_copies_of_copies = 3;

bool is_ascii_letter_or_digit(char32_t point) {
    return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') || (point >= '0' && point <= '9');
}

}  // namespace

IntakeError::IntakeError(const std::string& text) : std::runtime_error(plain_text(text, 8192, 20)) {}

std::string shown_name(std::string_view bytes) {
    std::string shown;
    while (!bytes.empty()) {
        const auto [length, point] = first_character(bytes);
        if (length == 0 || point < 0x20 || point == 0x7F) {
            shown += fmt::format("\\x{:02X}", static_cast<unsigned>(static_cast<unsigned char>(bytes[0])));
            bytes.remove_prefix(1);
        } else {
            shown += bytes.substr(0, length);
            bytes.remove_prefix(length);
        }
        if (shown.size() > 300) return plain_line(shown) + "...";
    }
    return plain_line(shown);
}

bool is_part_of_file_name(std::string_view text) {
    while (!text.empty()) {
        const auto [length, point] = first_character(text);
        if (length == 0 || point < 0x20 || (point >= 0x7F && point < 0xA0) || point == U'/' || point == U'\\')
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string lower_ascii(std::string_view text) {
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return low;
}

std::string folded_name(std::string_view text) {
    std::string folded;
    while (!text.empty()) {
        auto [length, point] = first_character(text);
        if (length == 0) length = 1, point = 0x10FFFF;  // kept as it is
        const std::string_view bytes = text.substr(0, length);
        text.remove_prefix(length);
        if (point < 0x80) {
            if (is_ascii_letter_or_digit(point)) folded += lower_ascii(bytes);
        } else if (point >= 0xC0 && point < 0x180) {
            if (const char letter = letters_without_accents()[point - 0xC0]; letter != '.') folded += letter;
        } else if (point < 0xC0 || (point >= 0x300 && point < 0x370) || (point >= 0x2000 && point < 0x2070)) {
            continue;  // signs, combining accents, punctuation
        } else if ((point >= 0x391 && point <= 0x3A9) || (point >= 0x410 && point <= 0x42F)) {  // Greek, Cyrillic
            const char32_t low = point + 32;
            folded += static_cast<char>(0xC0 | (low >> 6));
            folded += static_cast<char>(0x80 | (low & 0x3F));
        } else {
            folded += bytes;
        }
    }
    return folded;
}

std::string safe_file_name(std::string_view id) {
    constexpr std::size_t longest = 60;
    std::string safe, spaced(id);
    // "Participant 101" is Participant_101: of names with blanks only those without such a line.
    if (id.find('_') == id.npos) std::replace(spaced.begin(), spaced.end(), ' ', '_');
    for (const char c : std::string_view(spaced).substr(0, longest)) {
        const bool fine = is_ascii_letter_or_digit(static_cast<unsigned char>(c)) ||
                          (std::string_view("._@+-").find(c) != std::string_view::npos);
        safe += fine ? c : '-';
    }
    if (!safe.empty() && (safe[0] == '.' || safe[0] == '-')) safe[0] = '_';
    return safe == spaced && !safe.empty() ? safe : fmt::format("{}~{}", safe, digest(id).substr(0, 8));
}

std::vector<std::string> path_parts(std::string_view path) {
    std::vector<std::string> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
        const std::string_view part = path.substr(0, end);
        if (!part.empty() && part != ".") parts.emplace_back(part);
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

std::vector<NumberedCopy> possible_originals(const std::string& file_name) {
    std::vector<NumberedCopy> all = {{file_name, 0}};
    const std::size_t dot = file_name.rfind('.');
    if (dot == file_name.npos) return all;
    std::string_view stem = std::string_view(file_name).substr(0, dot);
    for (int k = 0; k < max_copies_of_copies; ++k) {
        const std::int64_t number = take_copy_number(stem);
        if (number == 0) break;
        all.push_back({std::string(stem) + file_name.substr(dot), all.back().number * copies_of_copy + number});
    }
    return all;
}

std::string_view without_copy_number(std::string_view stem) {
    take_copy_number(stem);
    return stem;
}

std::int64_t copy_number_of_archive(std::string_view file_name) {
    std::string_view stem = without_archive_ending(file_name);
    return take_copy_number(stem);
}

std::string_view without_archive_ending(std::string_view name) {
    static constexpr std::array<std::string_view, 14> endings = {".zip",  ".tar",     ".tar.gz", ".tgz",     ".tar.xz",
                                                                 ".txz",  ".tar.zst", ".tzst",   ".tar.bz2", ".tbz",
                                                                 ".tbz2", ".rar",     ".7z",     ".tar.lz4"};
    const std::string low = lower_ascii(name);
    for (const std::string_view ending : endings)
        if (low.size() > ending.size() && low.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return name;
}

bool is_litter(std::string_view name) {
    const std::string low = lower_ascii(name);
    return low.starts_with("._") || low == ".ds_store" || low == "__macosx" || low == "thumbs.db" ||
           low == "desktop.ini";
}

}  // namespace course
