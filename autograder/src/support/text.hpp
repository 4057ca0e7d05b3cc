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

/// The number of characters in UTF-8 text. Pure.
std::size_t characters(std::string_view utf8);

/// The longest beginning that fits into `max_bytes` without cutting a character. Pure.
std::string_view cut_between_characters(std::string_view utf8, std::size_t max_bytes);

/// The text escaped for an HTML element or attribute. Pure.
std::string html_text(std::string_view text);

/// The text escaped for an HTML element, with <br> for line ends and quotation marks unchanged. Pure.
std::string html_lines(std::string_view text);

/// The bytes in base64, with "=" at the end. Pure.
std::string base64(std::string_view bytes);

/// plain_text() of a name, on one line: it can't look like lines of ours.
std::string plain_line(std::string_view text);

/// The text without surrounding white space.
std::string_view trimmed(std::string_view text);

/// The parts of a text, each ended by this character; the last one may lack it.
std::vector<std::string> split(std::string_view text, char end);

template <class Names = std::initializer_list<std::string_view>>
bool is_one_of(std::string_view name, const Names& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// The known word that was probably meant: at most one letter wrong, left out, doubled or swapped with its neighbour,
/// two in longer words. Empty if none is that near. Pure.
std::string closest_match(std::string_view word, const std::vector<std::string_view>& known);

/// A warning, and the student, submission or row that it is about.
struct WarningOn {
    std::string who, what;       ///< who empty: it is about all of them
    std::string between = ": ";  ///< " " if `what` continues the sentence, as in "ada handed in nothing"
    friend bool operator==(const WarningOn&, const WarningOn&) = default;
};

/// One line per distinct warning, in order of first occurrence, with the number of equal ones and whom they are about:
/// "handed in nothing (35: ada, bob, ...)". Pure.
std::vector<std::string> warning_lines(const std::vector<WarningOn>& warnings);

/// The columns for text on stdout: the terminal's, or `usual` if it has more or there is none.
std::size_t text_columns(std::size_t usual);

/// The width of the terminal at stdout; 0: it isn't one, or doesn't say.
std::size_t terminal_columns();

/// The text with each line longer than `columns` broken at a space, its continuation below its own column. Lines of
/// code ("12 | int i;") stay unchanged, and a word that is too long gets its own line. Colours take no columns. Pure.
std::string fitted(std::string_view text, std::size_t columns);

/// Paragraphs filled to at most `columns`, each line indented; indented lines of the text stay unchanged.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = text_columns(96));

/// The text parsed as a number: "12", "2.5", "-3"; nothing if it is anything else or out of Number's range.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

/// The K-th of N equal shares, "K/N"; nothing unless 1 <= K <= N <= `max_of`. Pure.
struct Share {
    std::size_t number = 1, of = 1;
    friend bool operator==(const Share&, const Share&) = default;
};
std::optional<Share> share_from(std::string_view text, std::size_t max_of);

}  // namespace course
