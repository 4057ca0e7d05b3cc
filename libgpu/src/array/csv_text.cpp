// SPDX-License-Identifier: MIT
#include "array/csv_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// What a number says that no T can hold: an infinity if it is too large, otherwise a zero. Both are where its first
// digit other than 0 stands: this power of ten.
template <class T>
T beyond(std::string_view number) {
    const bool is_negative = number.front() == '-';
    const std::size_t e = number.find_first_of("eE");
    const std::string_view digits = number.substr(0, e);
    long long exponent = 0;
    if (e != std::string_view::npos) {
        std::string_view text = number.substr(e + 1);
        const bool is_small = text.starts_with('-');
        if (is_small || text.starts_with('+')) text.remove_prefix(1);
        if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc())
            exponent = std::numeric_limits<int>::max();
        exponent = (is_small ? -1 : 1) * std::min<long long>(exponent, std::numeric_limits<int>::max());
    }
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
    const long long place = static_cast<long long>(point) - static_cast<long long>(first);
    const T size = place + exponent > 0 ? std::numeric_limits<T>::infinity() : T(0);
    return is_negative ? -size : size;
}

// Reads a number at the beginning, and returns what follows it; nothing if there is no number.
template <class T>
const char* parse_floating(std::string_view text, T& value) {
    const bool has_plus = text.starts_with('+');
    if (has_plus) text.remove_prefix(1);
    if (has_plus && text.starts_with('-')) return nullptr;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument) return nullptr;
    if (error == std::errc::result_out_of_range) {
        value = beyond<T>(text.substr(0, static_cast<std::size_t>(end - text.data())));
    }
    return end;
}

template <class T>
bool parse_whole(std::string_view text, T& value) {
    const char* const end = parse_floating(text, value);
    return end != nullptr && end == text.data() + text.size();
}

// "1", "2j", "1-2j", "(1+2j)"
template <class T>
bool parse_complex(std::string_view text, T parts[2]) {
    if (text.starts_with('(') && text.ends_with(')')) text = trimmed(text.substr(1, text.size() - 2));
    parts[0] = parts[1] = 0;
    const bool has_imaginary = text.ends_with('j') || text.ends_with('J') || text.ends_with('i');
    if (!has_imaginary) return parse_whole(text, parts[0]);
    const std::string_view inside = text.substr(0, text.size() - 1);
    if (parse_whole(inside, parts[1])) return true;
    const char* const end = parse_floating(inside, parts[0]);
    if (end == nullptr || end == inside.data() + inside.size() || (*end != '+' && *end != '-')) return false;
    return parse_whole(inside.substr(static_cast<std::size_t>(end - inside.data())), parts[1]);
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

// The word as a message can show it.
std::string shown(std::string_view word) {
    constexpr std::size_t max_length = 40;
    std::string text;
    for (const char letter : word.substr(0, max_length)) text += static_cast<unsigned char>(letter) < 32 ? '?' : letter;
    return "'" + text + (word.size() > max_length ? "...'" : "'");
}

template <class T>
void append(std::vector<unsigned char>& to, const T& value) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
}

// Why a word isn't an element of this type; empty if it is one, which is then appended.
template <class T>
std::string append_integer(std::vector<unsigned char>& to, std::string_view word, DType dtype) {
    std::string_view text = word;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    T value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error == std::errc() && end == last) {
        append(to, value);
        return {};
    }
    const bool has_digits = text.find_first_not_of("-0123456789") == std::string_view::npos;
    if (error == std::errc::result_out_of_range || (has_digits && std::is_unsigned_v<T> && text.size() > 1)) {
        return "doesn't fit " + std::string(name(dtype));
    }
    double other = 0;
    return parse_whole(word, other) ? "isn't a whole number" : "isn't a number";
}
template <class T>
std::string append_floating(std::vector<unsigned char>& to, std::string_view word) {
    T value = 0;
    if (!parse_whole(word, value)) return "isn't a number";
    append(to, value);
    return {};
}
template <class T>
std::string append_complex(std::vector<unsigned char>& to, std::string_view word) {
    T parts[2];
    if (!parse_complex(word, parts)) return "isn't a number";
    append(to, parts);
    return {};
}
std::string append_bool(std::vector<unsigned char>& to, std::string_view word) {
    const bool is_true = equals_ignoring_case(word, "true");
    double number = is_true ? 1 : 0;
    if (!is_true && !equals_ignoring_case(word, "false") && !parse_whole(word, number))
        return "is neither a number nor true or false";
    append(to, static_cast<unsigned char>(number != 0));
    return {};
}
template <class T>
std::string append_half(std::vector<unsigned char>& to, std::string_view word) {
    double value = 0;
    if (!parse_whole(word, value)) return "isn't a number";
    append(to, T(value));
    return {};
}

std::string append_word(std::vector<unsigned char>& to, std::string_view word, DType dtype) {
    switch (dtype) {
        case DType::boolean: return append_bool(to, word);
        case DType::int8: return append_integer<std::int8_t>(to, word, dtype);
        case DType::int16: return append_integer<std::int16_t>(to, word, dtype);
        case DType::int32: return append_integer<std::int32_t>(to, word, dtype);
        case DType::int64: return append_integer<std::int64_t>(to, word, dtype);
        case DType::uint8: return append_integer<std::uint8_t>(to, word, dtype);
        case DType::uint16: return append_integer<std::uint16_t>(to, word, dtype);
        case DType::uint32: return append_integer<std::uint32_t>(to, word, dtype);
        case DType::uint64: return append_integer<std::uint64_t>(to, word, dtype);
        case DType::float16: return append_half<half>(to, word);
        case DType::bfloat16: return append_half<bfloat16>(to, word);
        case DType::float32: return append_floating<float>(to, word);
        case DType::float64: return append_floating<double>(to, word);
        case DType::complex64: return append_complex<float>(to, word);
        case DType::complex128: return append_complex<double>(to, word);
    }
    return {};
}

template <class T>
T element(const void* elements, std::int64_t k) {
    T value;
    std::memcpy(&value, static_cast<const unsigned char*>(elements) + static_cast<std::size_t>(k) * sizeof value,
                sizeof value);
    return value;
}
template <class T>
void add_number(std::string& text, T value) {
    char digits[64];
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(value)) value = std::abs(value);  // "nan" without a sign
    }
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}
template <class T>
void add_complex(std::string& text, T real, T imaginary) {
    text += '(';
    add_number(text, real);
    if (std::isnan(imaginary) || !std::signbit(imaginary)) text += '+';
    add_number(text, imaginary);
    text += "j)";
}

void add_element(std::string& text, DType dtype, const void* elements, std::int64_t k) {
    switch (dtype) {
        case DType::boolean: text += element<unsigned char>(elements, k) != 0 ? '1' : '0'; return;
        case DType::int8: return add_number<int>(text, element<std::int8_t>(elements, k));
        case DType::int16: return add_number(text, element<std::int16_t>(elements, k));
        case DType::int32: return add_number(text, element<std::int32_t>(elements, k));
        case DType::int64: return add_number(text, element<std::int64_t>(elements, k));
        case DType::uint8: return add_number<int>(text, element<std::uint8_t>(elements, k));
        case DType::uint16: return add_number(text, element<std::uint16_t>(elements, k));
        case DType::uint32: return add_number(text, element<std::uint32_t>(elements, k));
        case DType::uint64: return add_number(text, element<std::uint64_t>(elements, k));
        case DType::float16: return add_number(text, static_cast<float>(element<half>(elements, k)));
        case DType::bfloat16: return add_number(text, static_cast<float>(element<bfloat16>(elements, k)));
        case DType::float32: return add_number(text, element<float>(elements, k));
        case DType::float64: return add_number(text, element<double>(elements, k));
        case DType::complex64:
            return add_complex(text, element<float>(elements, 2 * k), element<float>(elements, 2 * k + 1));
        case DType::complex128:
            return add_complex(text, element<double>(elements, 2 * k), element<double>(elements, 2 * k + 1));
    }
}

}  // namespace

void check_delimiter(char delimiter, const std::string& where) {
    const auto is_in = [&](char first, char last) { return delimiter >= first && delimiter <= last; };
    if (!is_in('0', '9') && !is_in('a', 'z') && !is_in('A', 'Z') &&
        std::string_view("+-.()\n").find(delimiter) == std::string_view::npos)
        return;
    throw Error(where + ": '" + (delimiter == '\n' ? "\\n" : std::string(1, delimiter)) +
                "' can't separate numbers, as it may be part of one");
}

CsvReader::CsvReader(DType dtype, const CsvOptions& options, std::string where)
    : dtype_(dtype), options_(options), where_(std::move(where)) {
    if (options.skip_rows < 0)
        throw Error(where_ + ": .skip_rows is " + std::to_string(options.skip_rows) + ": at least 0");
    check_delimiter(options.delimiter, where_);
}

void CsvReader::line(std::string_view text) {
    if (++lines_ == 1 && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
    if (lines_ <= options_.skip_rows) return;
    if (options_.comment != '\0') text = text.substr(0, text.find(options_.comment));
    if (trimmed(text).empty() && (options_.delimiter != '\t' || text.find('\t') == std::string_view::npos)) return;
    const bool any_blanks = options_.delimiter == ' ';
    if (any_blanks) text = trimmed(text);
    std::int64_t column = 0;
    for (bool is_last = false; !is_last;) {
        std::size_t end = any_blanks ? text.find_first_of(blanks) : text.find(options_.delimiter);
        is_last = end == std::string_view::npos;
        if (is_last) end = text.size();
        word(trimmed(text.substr(0, end)), ++column);
        if (is_last) break;
        text.remove_prefix(end + 1);
        if (any_blanks) text = trimmed(text);
    }
    if (rows_ == 0) {
        columns_ = column;
        first_row_ = lines_;
    } else if (column != columns_) {
        throw FileError(where_ + ": line " + std::to_string(lines_) + " has " + std::to_string(column) +
                        (column == 1 ? " column" : " columns") + ", and line " + std::to_string(first_row_) + " has " +
                        std::to_string(columns_) + ": all rows of an array have the same length");
    }
    ++rows_;
}

void CsvReader::word(std::string_view text, std::int64_t column) {
    if (text.empty()) refuse(column, text, "there is no number");
    const std::string wrong = append_word(elements_, text, dtype_);
    if (!wrong.empty()) refuse(column, text, wrong);
}

void CsvReader::refuse(std::int64_t column, std::string_view word, const std::string& rule) const {
    const std::string place = where_ + ": line " + std::to_string(lines_) + ", column " + std::to_string(column) + ": ";
    if (word.empty()) throw FileError(place + rule + ": write nan where a value is missing");
    if (const std::size_t at = word.find_first_of(";|\t"); at != word.npos && rule == "isn't a number") {
        const std::string delimiter = word[at] == '\t' ? "\\t" : std::string(1, word[at]);
        throw FileError(place + shown(word) + " " + rule + ": if this parts the columns, add {.delimiter = '" +
                        delimiter + "'}");
    }
    const bool may_be_a_title = rows_ == 0 && rule == "isn't a number";
    throw FileError(
        place + shown(word) + " " + rule +
        (may_be_a_title ? ": if this is a line of titles, add {.skip_rows = " + std::to_string(lines_) + "}" : ""));
}

std::string csv_text(DType dtype, const void* elements, std::int64_t rows, std::int64_t columns, char delimiter) {
    std::string text;
    for (std::int64_t row = 0, k = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column, ++k) {
            if (column > 0) text += delimiter;
            add_element(text, dtype, elements, k);
        }
        text += '\n';
    }
    return text;
}

}  // namespace gpu::detail
