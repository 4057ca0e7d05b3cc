// SPDX-License-Identifier: MIT
#include "array/print_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

// Brackets, indentation and line breaks as in NumPy.
namespace gpu::detail {

namespace {

std::int64_t edge_of(const PrintOptions& options) { return std::max(options.edge_items, 1); }

bool is_summarised(const Shape& shape, const PrintOptions& options) { return shape.size() > options.threshold; }

class Layouter {
public:
    Layouter(const Shape& shape, std::vector<std::string> words, const PrintOptions& options)
        : shape_(shape),
          words_(std::move(words)),
          edge_(edge_of(options)),
          line_width_(options.line_width),
          summarised_(is_summarised(shape, options)) {}

    // One axis in brackets. Every line but the first is indented by one space per open bracket.
    std::string text(int axis = 0) {
        const std::int64_t length = shape_[axis];
        const bool cut = summarised_ && length > 2 * edge_;
        const std::int64_t shown = cut ? 2 * edge_ : length;
        const bool last_axis = axis == shape_.rank() - 1;
        begin_row(axis);
        std::string nested = "[";
        for (std::int64_t k = 0; k < shown; ++k) {
            if (cut && k == edge_) {
                if (last_axis)
                    add_word("...", false);
                else
                    nested += "..." + between(axis);
            }
            if (last_axis)
                add_word(words_[next_++], k == shown - 1);
            else
                nested += text(axis + 1) + (k == shown - 1 ? std::string() : between(axis));
        }
        return (last_axis ? nested + finished_row() : std::move(nested)) + "]";
    }

private:
    [[nodiscard]] std::string between(int axis) const {
        return std::string(static_cast<std::size_t>(shape_.rank() - 1 - axis), '\n') +
               std::string(static_cast<std::size_t>(axis) + 1, ' ');
    }

    void begin_row(int axis) {
        indent_ = static_cast<std::size_t>(axis) + 1;
        width_ = static_cast<std::size_t>(std::max(line_width_ - axis - 1, 0));  // one column for the closing bracket
        rows_.clear();
        line_.assign(indent_, ' ');
    }
    void add_word(const std::string& word, bool is_last) {
        if (line_.size() + word.size() > width_ && line_.size() > indent_) {
            rows_ += without_end(line_) + "\n";
            line_.assign(indent_, ' ');
        }
        line_ += word;
        if (!is_last) line_ += ' ';
    }
    std::string finished_row() { return (rows_ + line_).substr(indent_); }
    static std::string without_end(const std::string& line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

    const Shape& shape_;
    const std::vector<std::string> words_;
    const std::int64_t edge_;
    const int line_width_;
    const bool summarised_;
    std::size_t next_ = 0;
    std::string rows_, line_;
    std::size_t indent_ = 0, width_ = 0;
};

}  // namespace

Shape shown_shape(const Shape& shape, const PrintOptions& options) {
    Shape shown = shape;
    if (!is_summarised(shape, options)) return shown;
    for (int axis = 0; axis < shape.rank(); ++axis) shown[axis] = std::min(shape[axis], 2 * edge_of(options));
    return shown;
}

std::string print_text(DType dtype, const Shape& shape, const void* shown, const PrintOptions& options) {
    if (shape.rank() == 0) return scalar_word(dtype, shown);
    if (shape.size() == 0) return "[]";
    const auto count = static_cast<std::size_t>(shown_shape(shape, options).size());
    return Layouter(shape, element_words(dtype, shown, count, options), options).text();
}

namespace {

std::size_t places(const std::string& digits) {
    const std::size_t point = digits.find('.');
    return point == std::string::npos ? 0 : digits.size() - point - 1;
}

}  // namespace

template <class T>
std::string written(T value, std::chars_format format) {
    char text[400];  // a double has up to 309 digits before the point
    return {text, std::to_chars(text, text + sizeof text, value, format).ptr};
}
template <class T>
std::string written(T value, std::chars_format format, int precision) {
    char text[800];
    return {text, std::to_chars(text, text + sizeof text, value, format, std::clamp(precision, 0, 400)).ptr};
}

Pieces taken_apart(std::string digits) {
    Pieces result;
    if (const std::size_t e = digits.find('e'); e != std::string::npos) {
        result.exponent = digits.substr(e + 1);
        digits.resize(e);
    }
    const std::size_t point = std::min(digits.find('.'), digits.size());
    result.whole = digits.substr(0, point);
    if (point < digits.size()) result.fraction = digits.substr(point + 1);
    return result;
}

template <class T>
Pieces pieces(T value, T exact, std::chars_format format, int precision) {
    std::string digits = written(value, format);
    const auto without_exponent = [](const std::string& text) { return text.substr(0, text.find('e')); };
    if (places(without_exponent(digits)) > static_cast<std::size_t>(precision)) {
        digits = written(exact, format, precision);
    }
    Pieces result = taken_apart(std::move(digits));
    result.fraction.resize(result.fraction.find_last_not_of('0') + 1);
    return result;
}

template std::string written(float, std::chars_format);
template std::string written(double, std::chars_format);
template std::string written(float, std::chars_format, int);
template std::string written(double, std::chars_format, int);
template Pieces pieces(float, float, std::chars_format, int);
template Pieces pieces(double, double, std::chars_format, int);

std::string not_finite(double value, bool with_plus) {
    if (std::isnan(value)) return with_plus ? "+nan" : "nan";
    return value < 0 ? "-inf" : with_plus ? "+inf" : "inf";
}

// Numbers as NumPy writes them: the shortest digits that identify a value, cut at `precision` places; all with
// exponents if some are very large, very small or far apart.

namespace {

/// The magnitude from which numbers of a type get exponents: in arrays, and alone.
struct Limits {
    double in_array, alone;
};
constexpr Limits double_limits{1e8, 1e16}, float_limits{1e6, 1e6}, half_limits{1e3, 1e3};

// Chooses one format for all numbers of an array, then writes each of them in it.
template <class T>
class FloatingWords {
public:
    /// @param exact the values that the shortest digits of `values` stand for; the same for most types
    FloatingWords(const std::vector<T>& values, const std::vector<T>& exact, const PrintOptions& options,
                  const Limits& limits, bool with_plus)
        : precision_(std::max(options.precision, 0)), with_plus_(with_plus) {
        choose_exponents(values, static_cast<T>(limits.in_array), options.suppress_small);
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (std::isfinite(values[k])) measure(values[k], exact[k]);
        }
        for (const T value : values) {
            if (!std::isfinite(value)) whole_ = std::max(whole_, room_before(not_finite(value, with_plus_).size()));
        }
    }

    /// @param exact supplies the digits that fill the places of numbers with exponents
    [[nodiscard]] std::string word(T value, T exact) const {
        const std::size_t width = whole_ + 1 + behind();
        if (!std::isfinite(value)) {
            const std::string text = not_finite(value, with_plus_);
            return std::string(width - text.size(), ' ') + text;
        }
        Pieces parts = split(value, exact);
        if (exponents_) parts = taken_apart(written(exact, std::chars_format::scientific, static_cast<int>(fraction_)));
        const std::string whole = signed_whole(parts, value);
        std::string text = std::string(whole_ - whole.size(), ' ') + whole + "." + parts.fraction;
        if (!exponents_) return text + std::string(fraction_ - parts.fraction.size(), ' ');
        text += std::string("e") + parts.exponent.front();
        return text + std::string(exponent_ - parts.exponent.size(), '0') + parts.exponent.substr(1);
    }
    [[nodiscard]] std::string word(T value) const { return word(value, value); }

private:
    void choose_exponents(const std::vector<T>& values, T limit, bool suppress_small) {
        T min_size = 0, max_size = 0;
        for (const T value : values) {
            const T size = std::abs(value);
            if (!std::isfinite(value) || size == 0) continue;
            min_size = min_size == 0 ? size : std::min(min_size, size);
            max_size = std::max(max_size, size);
        }
        if (max_size == 0) return;
        exponents_ = max_size >= limit || (!suppress_small && (min_size < T(0.0001) || max_size / min_size > T(1000)));
    }
    void measure(T value, T exact) {
        const Pieces parts = split(value, exact);
        whole_ = std::max(whole_, signed_whole(parts, value).size());
        fraction_ = std::max(fraction_, parts.fraction.size());
        exponent_ = std::max(exponent_, parts.exponent.size());
    }
    [[nodiscard]] Pieces split(T value, T exact) const {
        return pieces(value, exact, exponents_ ? std::chars_format::scientific : std::chars_format::fixed, precision_);
    }
    [[nodiscard]] std::string signed_whole(const Pieces& parts, T value) const {
        return with_plus_ && !std::signbit(value) ? "+" + parts.whole : parts.whole;
    }
    [[nodiscard]] std::size_t behind() const { return fraction_ + (exponents_ ? exponent_ + 1 : 0); }
    [[nodiscard]] std::size_t room_before(std::size_t length) const {
        return length > behind() + 1 ? length - behind() - 1 : 0;
    }

    int precision_;
    bool with_plus_, exponents_ = false;
    std::size_t whole_ = 0, fraction_ = 0, exponent_ = 0;
};

template <class T>
std::vector<T> loaded(const void* elements, std::size_t count) {
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), elements, count * sizeof(T));
    return values;
}

// The shortest decimal number that rounds to this number of 16 bits; its digits are the ones to print.
template <class T>
double shortest(T value) {
    const auto exact = static_cast<double>(static_cast<float>(value));
    if (!std::isfinite(exact)) return exact;
    for (int digits = 0; digits < 5; ++digits) {
        const std::string text = written(exact, std::chars_format::scientific, digits);
        double number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        if (T(number).bits() == value.bits()) return number;
    }
    return exact;
}
template <class T>
std::vector<double> loaded_halves(const void* elements, std::size_t count) {
    std::vector<double> numbers;
    for (const T value : loaded<T>(elements, count)) numbers.push_back(shortest(value));
    return numbers;
}

template <class T>
std::vector<std::string> floating_words(const std::vector<T>& values, const PrintOptions& options,
                                        const Limits& limits) {
    const FloatingWords<T> form(values, values, options, limits, false);
    std::vector<std::string> words;
    for (const T value : values) words.push_back(form.word(value));
    return words;
}

template <class T>
std::vector<std::string> half_words(const void* elements, std::size_t count, const PrintOptions& options) {
    const std::vector<double> numbers = loaded_halves<T>(elements, count);
    std::vector<double> exact;
    for (const T value : loaded<T>(elements, count)) exact.push_back(static_cast<float>(value));
    const FloatingWords<double> form(numbers, exact, options, half_limits, false);
    std::vector<std::string> words;
    for (std::size_t k = 0; k < count; ++k) words.push_back(form.word(numbers[k], exact[k]));
    return words;
}

template <class T>
std::vector<std::string> complex_words(const std::vector<T>& pairs, const PrintOptions& options, const Limits& limits) {
    std::vector<T> real, imaginary;
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
        real.push_back(pairs[k]);
        imaginary.push_back(pairs[k + 1]);
    }
    const FloatingWords<T> real_form(real, real, options, limits, false);
    const FloatingWords<T> imaginary_form(imaginary, imaginary, options, limits, true);
    std::vector<std::string> words;
    for (std::size_t k = 0; k < real.size(); ++k) {
        std::string second = imaginary_form.word(imaginary[k]);
        second.insert(second.find_last_not_of(' ') + 1, 1, 'j');
        words.push_back(real_form.word(real[k]) + second);
    }
    return words;
}

template <class T>
std::vector<std::string> integer_words(const void* elements, std::size_t count) {
    std::vector<std::string> words;
    std::size_t width = 0;
    for (const T value : loaded<T>(elements, count)) {
        words.push_back(std::to_string(value));
        width = std::max(width, words.back().size());
    }
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
    return words;
}

std::vector<std::string> bool_words(const void* elements, std::size_t count) {
    std::vector<std::string> words;
    for (const unsigned char value : loaded<unsigned char>(elements, count)) {
        words.emplace_back(value != 0 ? " True" : "False");
    }
    return words;
}

// A single number: all its digits, without padding.
template <class T>
std::string plain(T value, const Limits& limits, bool is_part = false) {
    if (!std::isfinite(value)) return not_finite(value, false);
    const T size = std::abs(value);
    const bool fixed = size == 0 || (size >= T(1e-4) && size < static_cast<T>(limits.alone));
    const Pieces parts = pieces(value, value, fixed ? std::chars_format::fixed : std::chars_format::scientific, 400);
    std::string text = parts.whole;
    if (!parts.fraction.empty())
        text += "." + parts.fraction;
    else if (fixed && !is_part)
        text += ".0";
    return fixed ? text : text + "e" + parts.exponent;
}

template <class T>
std::string complex_word(const std::vector<T>& parts, const Limits& limits) {
    const T real = parts[0], imaginary = parts[1];
    const std::string second = plain(imaginary, limits, true) + "j";
    if (real == 0 && !std::signbit(real)) return second;
    const bool plus = std::isnan(imaginary) || !std::signbit(imaginary);
    return "(" + plain(real, limits, true) + (plus ? "+" : "") + second + ")";
}

}  // namespace

std::vector<std::string> element_words(DType dtype, const void* elements, std::size_t count,
                                       const PrintOptions& options) {
    switch (dtype) {
        case DType::boolean: return bool_words(elements, count);
        case DType::int8: return integer_words<std::int8_t>(elements, count);
        case DType::int16: return integer_words<std::int16_t>(elements, count);
        case DType::int32: return integer_words<std::int32_t>(elements, count);
        case DType::int64: return integer_words<std::int64_t>(elements, count);
        case DType::uint8: return integer_words<std::uint8_t>(elements, count);
        case DType::uint16: return integer_words<std::uint16_t>(elements, count);
        case DType::uint32: return integer_words<std::uint32_t>(elements, count);
        case DType::uint64: return integer_words<std::uint64_t>(elements, count);
        case DType::float16: return half_words<half>(elements, count, options);
        case DType::bfloat16: return half_words<bfloat16>(elements, count, options);
        case DType::float32: return floating_words(loaded<float>(elements, count), options, float_limits);
        case DType::float64: return floating_words(loaded<double>(elements, count), options, double_limits);
        case DType::complex64: return complex_words(loaded<float>(elements, 2 * count), options, float_limits);
        case DType::complex128: return complex_words(loaded<double>(elements, 2 * count), options, double_limits);
    }
    return {};
}

std::string scalar_word(DType dtype, const void* element) {
    if (dtype == DType::float32) return plain(loaded<float>(element, 1).front(), float_limits);
    if (dtype == DType::float64) return plain(loaded<double>(element, 1).front(), double_limits);
    if (dtype == DType::float16) return plain(loaded_halves<half>(element, 1).front(), half_limits);
    if (dtype == DType::bfloat16) return plain(loaded_halves<bfloat16>(element, 1).front(), half_limits);
    if (dtype == DType::complex64) return complex_word(loaded<float>(element, 2), float_limits);
    if (dtype == DType::complex128) return complex_word(loaded<double>(element, 2), double_limits);
    const std::string word = element_words(dtype, element, 1, {}).front();
    return word.substr(word.find_first_not_of(' '));
}

std::string text_of_number(DType type, const void* number) { return scalar_word(type, number); }

}  // namespace gpu::detail
