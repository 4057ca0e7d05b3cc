// SPDX-License-Identifier: MIT
// The header of a .npy file: a Python dictionary with the keys descr, fortran_order and shape.
#include "array/npy_header.hpp"

#include <array>
#include <cctype>
#include <charconv>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

struct Code {
    std::string_view code;
    DType dtype;
};
constexpr std::array codes{Code{"b1", DType::boolean},   Code{"i1", DType::int8},       Code{"i2", DType::int16},
                           Code{"i4", DType::int32},     Code{"i8", DType::int64},      Code{"u1", DType::uint8},
                           Code{"u2", DType::uint16},    Code{"u4", DType::uint32},     Code{"u8", DType::uint64},
                           Code{"f2", DType::float16},   Code{"f4", DType::float32},    Code{"f8", DType::float64},
                           Code{"c8", DType::complex64}, Code{"c16", DType::complex128}};
static_assert(codes.size() == static_cast<std::size_t>(dtype_count) - 1);  // NumPy has no bfloat16

// Reads the few kinds of Python literals that headers are made of.
class Literals {
public:
    Literals(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw FileError(where_ + ": the file's header is broken: " + what + " in " + shown());
    }
    bool take(char wanted) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!take(wanted)) refuse(std::string("no '") + wanted + "' at character " + std::to_string(at_ + 1));
    }
    std::string string() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') refuse("no string at character " + std::to_string(at_ + 1));
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) refuse("an unterminated string");
        const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return std::string(inside);
    }
    bool boolean() {
        if (take_word("True")) return true;
        if (!take_word("False")) refuse("neither True nor False at character " + std::to_string(at_ + 1));
        return false;
    }
    Shape shape() {
        Shape result;
        expect('(');
        while (!take(')')) {
            result.append(length());
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return result;
    }
    void expect_end() {
        skip_space();
        if (at_ != text_.size()) refuse("something after the dictionary");
    }
    [[nodiscard]] bool is_at(char letter) {
        skip_space();
        return at_ < text_.size() && text_[at_] == letter;
    }

private:
    // The text without its padding.
    [[nodiscard]] std::string shown() const { return std::string(text_.substr(0, text_.find_last_not_of(" \n") + 1)); }
    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }
    bool take_word(std::string_view word) {
        skip_space();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    std::int64_t length() {
        skip_space();
        std::int64_t value = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error == std::errc::result_out_of_range) {
            throw ShapeError(where_ + ": a length of the file's shape doesn't fit 63 bits: " + shown());
        }
        if (error != std::errc() || value < 0) refuse("no length at character " + std::to_string(at_ + 1));
        at_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t at_ = 0;
};

void read_type(const std::string& descr, const std::string& where, NpyHeader& header) {
    const char order = descr.empty() ? '\0' : descr.front();
    const std::string_view code = std::string_view(descr).substr(descr.empty() ? 0 : 1);
    for (const Code& known : codes) {
        if (code != known.code || std::string_view("<>=|").find(order) == std::string_view::npos) continue;
        header.dtype = known.dtype;
        header.big_endian = order == '>';
        return;
    }
    throw DTypeError(where + ": the file has elements of NumPy's type '" + descr + "'" +
                     (code.starts_with('O') ? ", pickled Python objects;" : ";") + " an array can't hold them");
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& where) {
    Literals in(text, where);
    NpyHeader header;
    bool has_type = false, has_order = false, has_shape = false;
    in.expect('{');
    while (!in.take('}')) {
        const std::string key = in.string();
        in.expect(':');
        if (key == "descr") {
            if (in.is_at('[')) throw DTypeError(where + ": the file has structured elements; an array can't hold them");
            read_type(in.string(), where, header);
            has_type = true;
        } else if (key == "fortran_order") {
            header.layout = in.boolean() ? Layout::column_major : Layout::row_major;
            has_order = true;
        } else if (key == "shape") {
            try {
                header.shape = in.shape();
                (void)header.shape.size();
            } catch (const ShapeError& error) {
                const std::string what = error.what();
                throw ShapeError(what.starts_with(where) ? what : where + ": " + what);
            }
            has_shape = true;
        } else {
            in.refuse("an unknown key '" + key + "'");
        }
        if (!in.take(',')) {
            in.expect('}');
            break;
        }
    }
    in.expect_end();
    if (!has_type || !has_order || !has_shape) in.refuse("one of descr, fortran_order and shape is missing");
    return header;
}

std::string npy_start(const NpyHeader& header) {
    if (header.dtype == DType::bfloat16) {
        throw DTypeError("NumPy's files have no bfloat16: save x.astype<float>(), which holds the same numbers");
    }
    std::string text = "{'descr': '";
    for (const Code& known : codes) {
        if (known.dtype != header.dtype) continue;
        text += size_of(header.dtype) == 1 ? '|' : '<';
        text += known.code;
    }
    text += std::string("', 'fortran_order': ") + (header.layout == Layout::column_major ? "True" : "False");
    text += ", 'shape': (";
    for (int axis = 0; axis < header.shape.rank(); ++axis) {
        text += std::to_string(header.shape[axis]) + (axis + 1 < header.shape.rank() ? ", " : "");
    }
    text += header.shape.rank() == 1 ? ",), }" : "), }";
    constexpr std::size_t before = 10;  // magic, version, length
    text.append(63 - (before + text.size()) % 64, ' ');
    text += '\n';
    std::string start(npy_magic);
    start += '\x01';
    start += '\x00';
    start += static_cast<char>(text.size() & 0xff);
    start += static_cast<char>(text.size() >> 8);
    return start + text;
}

}  // namespace gpu::detail
