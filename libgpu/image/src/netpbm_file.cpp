// SPDX-License-Identifier: MIT
// PGM and PPM: a head in characters, then samples as bytes (P5, P6) or as numbers in characters (P2, P3).
#include <algorithm>
#include <cstring>
#include <string>

#include <gpu/error.hpp>

#include "file_bytes.hpp"

namespace gpu::detail::image_files {

namespace {

class NetpbmReader {
public:
    NetpbmReader(const Bytes& file, const std::string& where) : file_(file), where_(where) {}

    Pixels read() {
        const char kind = static_cast<char>(file_[1]);
        if (kind == '1' || kind == '4')
            fail("a bitmap (P" + std::string(1, kind) + ") isn't read; P2, P3, P5 and P6 are");
        at_ = 2;
        Pixels picture;
        picture.channels = kind == '3' || kind == '6' ? 3 : 1;
        picture.width = number("width", max_length);
        picture.height = number("height", max_length);
        picture.largest = number("largest value", 65535);
        if (picture.largest == 0) fail("the largest value is 0; it is 1 to 65535");
        const bool is_text = kind == '2' || kind == '3';
        if (!is_text) {  // one blank, then samples
            if (at_ >= file_.size() || !is_blank(file_[at_])) fail("a blank is missing before the samples");
            ++at_;
        }
        read_samples(picture, is_text);
        return picture;
    }

private:
    static constexpr std::uint32_t max_length = 1'000'000;  // libpng's limit, too

    static bool is_blank(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
    static bool is_digit(std::uint8_t c) { return c >= '0' && c <= '9'; }

    [[noreturn]] void fail(const std::string& text) const {
        throw FileError(where_ + ": not a PGM or PPM file that can be read: " + text);
    }

    void skip_blanks() {
        while (at_ < file_.size() && (is_blank(file_[at_]) || file_[at_] == '#')) {
            if (file_[at_] == '#') {  // a comment: up to the end of its line
                while (at_ < file_.size() && file_[at_] != '\n' && file_[at_] != '\r') ++at_;
            } else {
                ++at_;
            }
        }
    }

    std::uint32_t number(const char* what, std::uint32_t largest) {
        skip_blanks();
        if (at_ == file_.size()) fail("the file is truncated: no " + std::string(what));
        if (!is_digit(file_[at_])) fail("its " + std::string(what) + " isn't a number");
        std::uint32_t value = 0;
        for (; at_ < file_.size() && is_digit(file_[at_]); ++at_) {
            value = value * 10 + (file_[at_] - '0');
            if (value > largest) fail("its " + std::string(what) + " is above " + std::to_string(largest));
        }
        return value;
    }

    void read_samples(Pixels& picture, bool is_text) {
        const std::size_t width = picture.largest > 255 ? 2 : 1, left = file_.size() - at_;
        // In characters a sample takes two bytes at least, but for the last.
        const std::size_t bytes = checked_size(picture, is_text ? (left + 1) / 2 * width : left, where_);
        picture.bytes.resize(bytes);
        for (std::size_t k = 0; k < bytes / width; ++k) {
            std::uint32_t sample = 0;
            if (is_text) {
                sample = number("sample", 65535);
            } else {
                for (std::size_t byte = 0; byte < width; ++byte) sample = sample << 8 | file_[at_++];
            }
            if (sample > picture.largest) {
                fail("a sample is " + std::to_string(sample) + ", more than the header's maximum, " +
                     std::to_string(picture.largest));
            }
            const auto narrow = static_cast<std::uint8_t>(sample);
            const auto wide = static_cast<std::uint16_t>(sample);
            std::memcpy(&picture.bytes[k * width], width == 1 ? static_cast<const void*>(&narrow) : &wide, width);
        }
    }

    const Bytes& file_;
    const std::string& where_;
    std::size_t at_ = 0;
};

}  // namespace

bool is_netpbm(const Bytes& file) {
    return file.size() > 2 && file[0] == 'P' && file[1] >= '1' && file[1] <= '6' &&
           (file[2] == '#' || file[2] == ' ' || (file[2] >= '\t' && file[2] <= '\r'));
}

Pixels read_netpbm(const Bytes& file, const std::string& where) { return NetpbmReader(file, where).read(); }

Bytes netpbm_of(const Pixels& picture) {
    const std::string head = (picture.channels == 3 ? "P6\n" : "P5\n") + std::to_string(picture.width) + ' ' +
                             std::to_string(picture.height) + "\n255\n";
    Bytes file(head.begin(), head.end());
    file.insert(file.end(), picture.bytes.begin(), picture.bytes.end());
    return file;
}

}  // namespace gpu::detail::image_files
