// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// A picture of the host; plain C++, which files without kernels use as well.
class Image {
public:
    Image(int width, int height) : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * height) {}
    int width() const { return width_; }
    int height() const { return height_; }
    int& at(int x, int y) { return pixels_[static_cast<std::size_t>(y) * width_ + x]; }
    std::vector<int>& pixels() { return pixels_; }
    std::string text() const;

private:
    int width_, height_;
    std::vector<int> pixels_;
};

Image drawn(int width, int height);
