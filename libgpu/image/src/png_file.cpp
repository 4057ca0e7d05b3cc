// SPDX-License-Identifier: MIT PNG, by libpng. It reports errors by longjmp, which destroys no C++ object: what has a
// destructor lives in the caller of the functions that call setjmp, and they have no variables of their own that an
// error would leave undefined.
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>

#include <gpu/error.hpp>

#include "file_bytes.hpp"

namespace gpu::detail::image_files {

namespace {

// What libpng's callbacks get: memory to read or to write, and room for what went wrong.
struct Transfer {
    const std::uint8_t* next = nullptr;
    std::size_t left = 0;
    Bytes* target = nullptr;
    std::array<char, 200> problem{};
};

void note_problem(Transfer& transfer, const char* text) {
    std::snprintf(transfer.problem.data(), transfer.problem.size(), "%s", text);
}
extern "C" {
[[noreturn]] static void on_error(png_structp png, png_const_charp text) {
    note_problem(*static_cast<Transfer*>(png_get_error_ptr(png)), text);
    png_longjmp(png, 1);
}
static void on_warning(png_structp, png_const_charp) {}
static void on_read(png_structp png, png_bytep to, png_size_t bytes) {
    auto& transfer = *static_cast<Transfer*>(png_get_io_ptr(png));
    if (bytes > transfer.left) png_error(png, "the file is truncated");
    std::memcpy(to, transfer.next, bytes);
    transfer.next += bytes;
    transfer.left -= bytes;
}
static void on_write(png_structp png, png_bytep from, png_size_t bytes) {
    auto& transfer = *static_cast<Transfer*>(png_get_io_ptr(png));
    bool fits = true;
    try {
        transfer.target->insert(transfer.target->end(), from, from + bytes);
    } catch (const std::bad_alloc&) {  // not jumped out of: the exception ends here
        fits = false;
    }
    if (!fits) png_error(png, "out of memory");
}
static void on_flush(png_structp) {}
}

class Reader {
public:
    explicit Reader(Transfer& transfer)
        : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &transfer, on_error, on_warning)),
          info(png ? png_create_info_struct(png) : nullptr) {
        if (!info) {
            png_destroy_read_struct(&png, nullptr, nullptr);
            throw std::bad_alloc();
        }
    }
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    png_structp png;
    png_infop info;
    std::size_t expansion = 1;  ///< bytes of samples that a byte of the file's rows becomes, at most
};

class Writer {
public:
    explicit Writer(Transfer& transfer)
        : png(png_create_write_struct(PNG_LIBPNG_VER_STRING, &transfer, on_error, on_warning)),
          info(png ? png_create_info_struct(png) : nullptr) {
        if (!info) {
            png_destroy_write_struct(&png, nullptr);
            throw std::bad_alloc();
        }
    }
    ~Writer() { png_destroy_write_struct(&png, &info); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    png_structp png;
    png_infop info;
};

// Up to the first pixel: the size, and what becomes of the samples. False after an error.
bool read_header(Reader& reader, Transfer& transfer, Pixels& picture) {
    if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
    png_set_read_fn(reader.png, &transfer, on_read);
    png_read_info(reader.png, reader.info);
    reader.expansion = static_cast<std::size_t>(32 / png_get_bit_depth(reader.png, reader.info));
    png_set_expand(reader.png);  // palettes, fewer than 8 bits, a transparent colour
    if (png_get_bit_depth(reader.png, reader.info) == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(reader.png);
    (void)png_set_interlace_handling(reader.png);
    png_read_update_info(reader.png, reader.info);
    picture.height = png_get_image_height(reader.png, reader.info);
    picture.width = png_get_image_width(reader.png, reader.info);
    picture.channels = png_get_channels(reader.png, reader.info);
    picture.largest = png_get_bit_depth(reader.png, reader.info) == 16 ? 65535 : 255;
    return true;
}

bool read_pixels(Reader& reader, png_bytep* rows) {
    if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
    png_read_image(reader.png, rows);
    png_read_end(reader.png, nullptr);
    return true;
}

bool write_picture(Writer& writer, Transfer& transfer, const Pixels& picture, png_bytep* rows) {
    if (setjmp(png_jmpbuf(writer.png)) != 0) return false;
    png_set_write_fn(writer.png, &transfer, on_write, on_flush);
    png_set_IHDR(
        writer.png, writer.info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height), 8,
        (picture.channels > 2 ? PNG_COLOR_MASK_COLOR : 0) | (picture.channels % 2 == 0 ? PNG_COLOR_MASK_ALPHA : 0),
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(writer.png, writer.info);
    png_write_image(writer.png, rows);
    png_write_end(writer.png, nullptr);
    return true;
}

std::vector<png_bytep> rows_of(const Pixels& picture) {
    std::vector<png_bytep> rows(static_cast<std::size_t>(picture.height));
    const std::size_t length = picture.bytes.size() / rows.size();
    auto* first = const_cast<png_bytep>(picture.bytes.data());  // libpng's writer takes rows that it only reads
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = first + k * length;
    return rows;
}

}  // namespace

bool is_png(const Bytes& file) {
    return png_sig_cmp(file.data(), 0, std::min<std::size_t>(file.size(), 8)) == 0 && !file.empty();
}

Pixels read_png(const Bytes& file, const std::string& where) {
    Transfer transfer{.next = file.data(), .left = file.size()};
    Reader reader(transfer);
    const auto check = [&](bool is_done) {
        if (!is_done) throw FileError(where + ": not a PNG file that can be read: " + transfer.problem.data());
    };
    Pixels picture;
    check(read_header(reader, transfer, picture));
    // A byte of deflate makes at most 1032, and a bit of a palette at most 4 bytes, of red, green, blue and opacity.
    picture.bytes.resize(checked_size(picture, file.size() * 1032 * reader.expansion, where));
    std::vector<png_bytep> rows = rows_of(picture);
    check(read_pixels(reader, rows.data()));
    return picture;
}

Bytes png_of(const Pixels& picture, const std::string& where) {
    Bytes file;
    Transfer transfer{.target = &file};
    Writer writer(transfer);
    std::vector<png_bytep> rows = rows_of(picture);
    if (!write_picture(writer, transfer, picture, rows.data()))
        throw FileError(where + ": it can't be written as PNG: " + transfer.problem.data());
    return file;
}

}  // namespace gpu::detail::image_files
