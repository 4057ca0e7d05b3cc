// SPDX-License-Identifier: MIT
#include "report/json_writer.hpp"

namespace gpu::detail::report {

namespace {

// How many bytes the UTF-8 character at the front of `text` has; 0 if it is none.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xC0) != 0x80) return 0;
    // Too long for what they say, halves of a UTF-16 pair, and beyond Unicode.
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) >= 0xA0) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) >= 0x90) return 0;
    return length;
}

}  // namespace

std::string json_string(std::string_view text) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const char c = text.front();
        if (length == 0)
            out += "\xEF\xBF\xBD";
        else if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (static_cast<unsigned char>(c) < ' ')
            (((out += "\\u00") += digits[c >> 4]) += digits[c & 15]);
        else
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out + '"';
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (depth_ == 0) return;
    text_ += first_ ? "\n" : ",\n";
    text_.append(2 * static_cast<std::size_t>(depth_), ' ');
    first_ = false;
}

void JsonWriter::open(char bracket) {
    separate();
    text_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonWriter::close(char bracket) {
    --depth_;
    if (!first_) {
        text_ += '\n';
        text_.append(2 * static_cast<std::size_t>(depth_), ' ');
    }
    text_ += bracket;
    first_ = false;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    text_ += json_string(name) + ": ";
    after_key_ = true;
    return *this;
}

void JsonWriter::value(std::string_view text) { scalar(json_string(text)); }

void JsonWriter::scalar(std::string_view text) {
    separate();
    text_ += text;
}

}  // namespace gpu::detail::report
