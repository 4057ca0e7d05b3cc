// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "libgpu/src/base.hpp"

namespace course {

using gpu::detail::bytes_text, gpu::detail::first_character, gpu::detail::plural, gpu::detail::thousands,
    gpu::detail::Utf8Character;

/// Text of an untrusted program made fit to print: valid UTF-8 (else U+FFFD), no control characters but \n and \t, no
/// characters that turn the direction of writing, no more than so many bytes and lines ("..." marks what was cut).
std::string plain_text(std::string_view text, std::size_t max_bytes, std::size_t max_lines);

/// The offset of the first byte that isn't UTF-8, or npos. Pure.
std::size_t first_invalid_utf8(std::string_view text);

/// How many characters UTF-8 has. Pure.
std::size_t characters(std::string_view utf8);

/// As much of the beginning as fits into `max_bytes` without cutting a character. Pure.
std::string_view cut_between_characters(std::string_view utf8, std::size_t max_bytes);

/// The text as an HTML element or attribute has it. Pure.
std::string html_text(std::string_view text);

/// The text between tags, with <br> for line ends and quotation marks as they are. Pure.
std::string html_lines(std::string_view text);

/// The bytes in base64, with "=" at the end. Pure.
std::string base64(std::string_view bytes);

/// plain_text() of a name, on one line: it can't look like lines of ours.
std::string plain_line(std::string_view text);

/// Without the white space around it.
std::string_view trimmed(std::string_view text);

/// The parts of a text, each ended by this character; the last one may do without.
std::vector<std::string> split(std::string_view text, char end);

template <class Names = std::initializer_list<std::string_view>>
bool is_one_of(std::string_view name, const Names& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// The word that is meant, if one is so near that it is likely: a letter wrong, left out, doubled or swapped with its
/// neighbour, in longer words two. Empty if none is. Pure.
std::string near_word(std::string_view word, const std::vector<std::string_view>& known);

/// A warning, and the student, submission or row that it is about.
struct WarningOn {
    std::string who, what;       ///< who empty: it is about all of them
    std::string between = ": ";  ///< " " where `what` goes on from the name, as in "ada handed in nothing"
    friend bool operator==(const WarningOn&, const WarningOn&) = default;
};

/// A line for each warning, in the order in which they first came; equal ones are one line with their number and whom
/// they are about: "handed in nothing (35: ada, bob, ...)". Pure.
std::vector<std::string> warning_lines(const std::vector<WarningOn>& warnings);

/// How many columns text may take on stdout: the terminal's, or `usual` where it has more or there is none.
std::size_t text_columns(std::size_t usual);

/// The columns of the terminal that stdout is; 0: it isn't one, or doesn't say.
std::size_t terminal_columns();

/// The text with each line that is longer than `columns` broken at a space, what follows below its own column. Lines of
/// code ("12 | int i;") stay as they are, and a word that is too long has a line of its own. Colours take no room.
/// Pure.
std::string fitted(std::string_view text, std::size_t columns);

/// Paragraphs filled to `columns` at most, each line behind the indent; lines of the text that are indented stay as
/// they are.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = text_columns(96));

/// The number that all of the text is: "12", "2.5", "-3"; none if it is anything else, or more than a Number holds.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

/// The K-th of N equal shares of something, "K/N"; none unless K goes from 1 to N and N up to `max_of`. Pure.
struct Share {
    std::size_t number = 1, of = 1;
    friend bool operator==(const Share&, const Share&) = default;
};
std::optional<Share> share_from(std::string_view text, std::size_t max_of);

}  // namespace course
