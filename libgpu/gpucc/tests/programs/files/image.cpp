// SPDX-License-Identifier: MIT
#include "image.hpp"

std::string Image::text() const {
    std::string out;
    for (int y = 0; y < height_; ++y, out += '\n')
        for (int x = 0; x < width_; ++x) out += static_cast<char>('0' + pixels_[static_cast<std::size_t>(y) * width_ + x]);
    return out;
}

Image drawn(int width, int height) {
    Image image(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.at(x, y) = x == y || x + y == width - 1 ? 9 : (x * y) % 4;
    return image;
}
