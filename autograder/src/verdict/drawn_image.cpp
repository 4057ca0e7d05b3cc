// SPDX-License-Identifier: MIT
#include "verdict/drawn_image.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "manifest/identifier.hpp"

namespace course {

namespace {

constexpr std::int64_t most_on_a_side = 2048;
constexpr std::uint8_t magenta[] = {255, 0, 255};

std::uint8_t level(float value) {   // of no NaN
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0F, 1.0F)));
}

bool is_plain(const std::string& name) {
    const auto plain = [](char c) { return is_of_identifier(c) || c == '-'; };
    return !name.empty() && name.size() <= 60 && std::all_of(name.begin(), name.end(), plain);
}

}  // namespace

std::optional<DrawnImage> draw_image(const Image& image) {
    if (!is_plain(image.name))
        throw CheckError(fmt::format("image(\"{}\"): a name has letters, digits, - and _", image.name));
    if (image.rows < 0 || image.columns < 0 || (image.channels != 1 && image.channels != 3) ||
        std::ssize(image.values) != image.rows * image.columns * image.channels)
        throw CheckError(fmt::format("image(\"{}\"): {} values for {} x {} pixels of {}", image.name,
                                     image.values.size(), image.rows, image.columns, image.channels));
    if (image.values.empty()) return std::nullopt;
    const std::int64_t step = (std::max(image.rows, image.columns) + most_on_a_side - 1) / most_on_a_side;
    const bool marked = std::any_of(image.values.begin(), image.values.end(), [](float v) { return std::isnan(v); });
    DrawnImage drawn{.name = image.name,
                     .rows = static_cast<int>((image.rows + step - 1) / step),
                     .columns = static_cast<int>((image.columns + step - 1) / step),
                     .channels = marked ? 3 : image.channels};
    drawn.pixels.reserve(static_cast<std::size_t>(drawn.rows) * drawn.columns * drawn.channels);
    for (std::int64_t row = 0; row < image.rows; row += step) {
        for (std::int64_t column = 0; column < image.columns; column += step) {
            const float* const pixel = image.values.data() + (row * image.columns + column) * image.channels;
            const bool is_nan = std::any_of(pixel, pixel + image.channels, [](float v) { return std::isnan(v); });
            for (int k = 0; k < drawn.channels; ++k)
                drawn.pixels.push_back(is_nan ? magenta[k] : level(pixel[std::min(k, image.channels - 1)]));
        }
    }
    return drawn;
}

}  // namespace course
