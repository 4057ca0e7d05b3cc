// SPDX-License-Identifier: MIT
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/image.hpp>

#include "file_bytes.hpp"

namespace gpu::detail {

namespace image_files {

Bytes read_bytes(const std::string& path, const std::string& where) {
    errno = 0;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw FileError(where + ": " + std::strerror(errno));
    const auto size = static_cast<std::int64_t>(file.tellg());
    if (size < 0 || size > std::int64_t{1} << 40 || !file.seekg(0))
        throw FileError(where + ": not a file that can be read");
    Bytes bytes(static_cast<std::size_t>(size));
    if (size > 0 && !file.read(reinterpret_cast<char*>(bytes.data()), size))
        throw FileError(where + ": the file can't be read: " + std::strerror(errno));
    return bytes;
}

void write_bytes(const std::string& path, const Bytes& bytes, const std::string& where) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!file) throw FileError(where + ": " + std::strerror(errno));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw FileError(where + ": the file can't be written: " + std::strerror(errno));
}

std::size_t checked_size(const Pixels& picture, std::size_t capacity, const std::string& where) {
    const auto size = [&] { return std::to_string(picture.width) + " x " + std::to_string(picture.height); };
    if (picture.width == 0 || picture.height == 0)
        throw FileError(where + ": a picture of " + size() + " has no elements");
    // Neither length is above 2^31, and a sample has two bytes at most: this fits 64 bits.
    const std::size_t line =
        static_cast<std::size_t>(picture.width * picture.channels) * (picture.largest > 255 ? 2 : 1);
    const std::size_t bytes = line * static_cast<std::size_t>(picture.height);
    if (bytes > capacity) {
        throw FileError(where + ": the file is truncated: it can't hold " + size() + " elements of " +
                        std::to_string(picture.channels) + (picture.channels == 1 ? " channel" : " channels"));
    }
    return bytes;
}

}  // namespace image_files

namespace {

using image_files::Pixels;

// Height, width and channels of an array. @throws ShapeError
struct PictureShape {
    std::int64_t height, width, channels;
};
PictureShape picture_shape(const Shape& shape, const std::string& operation) {
    const int rank = shape.rank();
    if (rank != 2 && (rank != 3 || shape[2] < 1 || shape[2] > 4)) {
        throw ShapeError(
            operation + ": an array of shape " + to_string(shape) +
            " isn't a picture: that is (height, width), or (height, width, channels) with 1 to 4 channels");
    }
    return {shape[0], shape[1], rank == 2 ? 1 : shape[2]};
}

std::string ending_of(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    std::string ending = dot == std::string::npos || path.find('/', dot) != std::string::npos ? "" : path.substr(dot);
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return ending;
}

// The value of each sample: 16-bit ones lie in pairs of bytes.
std::uint32_t sample_of(const Pixels& picture, std::size_t k) {
    if (picture.largest <= 255) return picture.bytes[k];
    std::uint16_t wide = 0;
    std::memcpy(&wide, &picture.bytes[2 * k], 2);
    return wide;
}

template <class T, class F>
ArrayCore to_array(const Pixels& picture, F value) {
    const std::size_t count = picture.bytes.size() / (picture.largest > 255 ? 2 : 1);
    std::vector<T> values(count);
    for (std::size_t k = 0; k < count; ++k) values[k] = value(sample_of(picture, k));
    Shape shape{picture.height, picture.width};
    if (picture.channels > 1) shape = Shape{picture.height, picture.width, picture.channels};
    return gpu::to_device(shape, values).core("image::load");
}

// The elements as bytes, on the device: in this array's row-major order.
Array<std::uint8_t> bytes_of_picture(const ArrayCore& picture, const std::string& where) {
    const ElementwiseKernel from_number(
        "T x", "uint8 y", "y = x >= (T)1 ? 255 : x > (T)0 ? (unsigned char)rint((double)x * 255.0) : 0", "image_bytes");
    switch (picture.dtype) {
        case DType::uint8: return View<const std::uint8_t>(picture).copy();
        case DType::boolean: return View<const bool>(picture).astype<std::uint8_t>() * std::uint8_t{255};
        case DType::float32:
        case DType::float64: return Array<std::uint8_t>(from_number(AnyArray(picture)));
        case DType::bfloat16: return Array<std::uint8_t>(from_number(View<const bfloat16>(picture).astype<float>()));
        case DType::float16: return Array<std::uint8_t>(from_number(View<const half>(picture).astype<float>()));
        default:
            throw DTypeError(where +
                             ": a picture's elements are uint8, from 0 to 255, or floating-point numbers from 0 to "
                             "1, not " +
                             std::string(name(picture.dtype)) + ": gpu::image::heatmap makes colours of any numbers");
    }
}

// float64 is computed in double, everything else in float.
std::string in_wide(DType type, std::string text) {
    const std::string wide = type == DType::float64 ? "double" : "float";
    for (std::size_t at; (at = text.find('S')) != std::string::npos;) text.replace(at, 1, wide);
    return text;
}
// uint8 is rounded.
std::string rounded(DType type, const std::string& value) {
    return type == DType::uint8 ? "(unsigned char)rint(" + value + ")" : value;
}

}  // namespace

ArrayCore load_image(const std::string& path, DType type) {
    const std::string where = "image::load(" + path + ")";
    const image_files::Bytes file = image_files::read_bytes(path, where);
    Pixels picture;
    if (image_files::is_png(file)) {
        picture = image_files::read_png(file, where);
    } else if (image_files::is_netpbm(file)) {
        picture = image_files::read_netpbm(file, where);
    } else {
        throw FileError(where + ": not a PNG, PGM or PPM file: it begins otherwise");
    }
    const std::uint32_t largest = picture.largest;
    if (type == DType::float32) {
        return to_array<float>(picture, [&](std::uint32_t sample) {
            return static_cast<float>(static_cast<double>(sample) / static_cast<double>(largest));
        });
    }
    return to_array<std::uint8_t>(picture, [&](std::uint32_t sample) {
        return static_cast<std::uint8_t>((sample * 255 + largest / 2) / largest);
    });
}

void save_image(const std::string& path, const ArrayCore& picture) {
    const std::string where = "image::save(" + path + ")", ending = ending_of(path);
    const auto [height, width, channels] = picture_shape(picture.shape, where);
    if (ending != ".png" && ending != ".pgm" && ending != ".ppm") {
        throw FileError(where + ": the ending says what is written, and can be .png, .pgm or .ppm");
    }
    if (picture.shape.size() == 0)
        throw ShapeError(where + ": a picture of shape " + to_string(picture.shape) + " has no elements");
    const std::int64_t wanted = ending == ".pgm" ? 1 : 3;
    if (ending != ".png" && channels != wanted) {
        throw ShapeError(where + ": a " + ending + " file has " + std::to_string(wanted) +
                         (wanted == 1 ? " channel" : " channels") + ", and the picture has " +
                         std::to_string(channels) + ": write a .png file");
    }
    Pixels pixels{.height = height, .width = width, .channels = channels, .largest = 255, .bytes = {}};
    pixels.bytes = gpu::to_host(bytes_of_picture(picture, where));
    image_files::write_bytes(
        path, ending == ".png" ? image_files::png_of(pixels, where) : image_files::netpbm_of(pixels), where);
}

ArrayCore grey_image(const ArrayCore& picture) {
    const auto [height, width, channels] = picture_shape(picture.shape, "image::grey");
    const DeviceGuard guard(AnyArray(picture).device());
    const ArrayCore result = make_array(picture.dtype, Shape{height, width});
    const std::string value = channels < 3
                                  ? "x[channels * i]"
                                  : rounded(picture.dtype,
                                            "(S)0.299 * (S)x[channels * i] + (S)0.587 * (S)x[channels * i + 1] + "
                                            "(S)0.114 * (S)x[channels * i + 2]");
    ElementwiseKernel("raw T x, int64 channels", "T y", in_wide(picture.dtype, "y = " + value),
                      channels < 3 ? "image_first_channel" : "image_grey")(AnyArray(picture), channels, Output(result));
    return result;
}

ArrayCore resized_image(const ArrayCore& picture, const image::Size& size, bool antialias) {
    const auto [height, width, channels] = picture_shape(picture.shape, "image::resize");
    const auto text = [](std::int64_t rows, std::int64_t columns) {
        return std::to_string(rows) + " x " + std::to_string(columns);
    };
    if (size.height < 1 || size.width < 1)
        throw ShapeError("image::resize: a size of " + text(size.height, size.width) + ": both lengths are 1 or more");
    if (height < 1 || width < 1)
        throw ShapeError("image::resize: a picture of shape " + to_string(picture.shape) + " has no elements");
    Shape shape{size.height, size.width};
    if (picture.shape.rank() == 3) shape = Shape{size.height, size.width, channels};
    const DeviceGuard guard(AnyArray(picture).device());
    const ArrayCore result = make_array(picture.dtype, shape);
    // Weights fall linearly from the new element's centre to the reach, and add up to 1 within the picture.
    const std::string body = rounded(picture.dtype, "total / weights");
    const ElementwiseKernel kernel(
        "raw T x, int64 height, int64 width, int64 channels, int64 columns, float64 down, float64 along, float64 "
        "reach_down, "
        "float64 reach_along",
        "T y",
        in_wide(picture.dtype,
                "const long long channel = i % channels, c = i / channels % columns, r = i / channels / columns;\n"
                "const double at_r = (r + 0.5) * down, at_c = (c + 0.5) * along;\n"
                "long long r0 = (long long)floor(at_r - reach_down + 0.5), r1 = (long long)floor(at_r + reach_down + "
                "0.5);\n"
                "long long c0 = (long long)floor(at_c - reach_along + 0.5), c1 = (long long)floor(at_c + reach_along + "
                "0.5);\n"
                "r0 = r0 > 0 ? r0 : 0; c0 = c0 > 0 ? c0 : 0;\n"
                "r1 = r1 < height ? r1 : height; c1 = c1 < width ? c1 : width;\n"
                "S total = 0, weights = 0;\n"
                "for (long long p = r0; p < r1; ++p) {\n"
                "    const S down_weight = (S)(1 - fabs((p + 0.5 - at_r) / reach_down));\n"
                "    for (long long q = c0; q < c1; ++q) {\n"
                "        const S weight = down_weight * (S)(1 - fabs((q + 0.5 - at_c) / reach_along));\n"
                "        if (weight <= 0) continue;\n"  // a NaN there doesn't count
                "        total += weight * (S)x[(p * width + q) * channels + channel];\n"
                "        weights += weight;\n"
                "    }\n"
                "}\n"
                "y = ") +
            body,
        "image_resize");
    const double down = static_cast<double>(height) / static_cast<double>(size.height);
    const double along = static_cast<double>(width) / static_cast<double>(size.width);
    const auto reach = [antialias](double scale) { return antialias && scale > 1 ? scale : 1.0; };
    kernel({AnyArray(picture), height, width, channels, size.width, down, along, reach(down), reach(along),
            Output(result)});
    return result;
}

void check_heatmap(const Shape& shape) {
    if (shape.rank() != 2)
        throw ShapeError("image::heatmap: an array of shape " + to_string(shape) +
                         " has no rows and columns: two axes are needed");
}

ArrayCore heatmap(const ArrayCore& values, const HeatmapRange& range, const std::vector<image::Colour>& colours,
                  const image::Colour& of_nan) {
    if (colours.size() < 2)
        throw Error("image::heatmap: " + std::to_string(colours.size()) + " colours; there are two or more");
    if (range.low > range.high || std::isnan(range.low) != std::isnan(range.high)) {
        std::array<char, 100> limits{};
        std::snprintf(limits.data(), limits.size(), "%g and %g", range.low, range.high);
        throw Error("image::heatmap: limits " + std::string(limits.data()) + ": the lower one comes first");
    }
    const DeviceGuard guard(AnyArray(values).device());
    std::vector<float> table;
    for (const image::Colour& colour : colours) table.insert(table.end(), colour.begin(), colour.end());
    table.insert(table.end(), of_nan.begin(), of_nan.end());
    const ArrayCore result = make_array(DType::uint8, Shape{values.shape[0], values.shape[1], 3});
    const ElementwiseKernel kernel(
        "raw T x, raw float32 colours, int64 last, float64 low, float64 high", "uint8 y",
        "const double value = (double)x[i / 3];\n"
        "const long long channel = i % 3;\n"
        "double at = value >= high ? 1 : value > low ? (value - low) / (high - low) : 0;\n"
        "if (high <= low) at = value > high ? 1 : 0;\n"
        "at *= last;\n"
        "const long long below = at < last ? (long long)at : last - 1;\n"
        "const float share = (float)(at - below);\n"
        "const float c0 = colours[3 * below + channel], c1 = colours[3 * below + 3 + channel];\n"
        "y = value != value ? (unsigned char)colours[3 * last + 3 + channel]\n"
        "                   : (unsigned char)rint(c0 + share * (c1 - c0));\n",
        "image_heatmap");
    kernel({AnyArray(values), gpu::to_device(table), static_cast<std::int64_t>(colours.size()) - 1, range.low,
            range.high, Output(result)});
    return result;
}

}  // namespace gpu::detail

namespace gpu::image {

std::vector<Colour> blue_to_yellow() {
    return {{40, 16, 88}, {45, 85, 150}, {25, 148, 142}, {120, 202, 86}, {252, 234, 66}};
}

}  // namespace gpu::image
