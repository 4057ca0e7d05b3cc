// SPDX-License-Identifier: MIT
#include "support/png_file.hpp"

#include <stdexcept>

#include <png.h>

namespace course {

std::string png_file(int rows, int columns, int channels, std::span<const std::uint8_t> pixels) {
    const auto refuse = [](const std::string& why) { throw std::runtime_error("could not make the PNG file: " + why); };
    if (rows <= 0 || columns <= 0 || (channels != 1 && channels != 3)) refuse("it has no pixels");
    const auto size_of = [](int length) { return static_cast<std::size_t>(length); };
    if (pixels.size() != size_of(rows) * size_of(columns) * size_of(channels))
        refuse("not as many pixels as it has room for");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(columns);
    image.height = static_cast<png_uint_32>(rows);
    image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
    png_alloc_size_t size = bytes.size();
    const int written = png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
    if (written == 0) refuse(image.message);
    bytes.resize(size);
    return bytes;
}

}  // namespace course
