// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <course/check_host.hpp>

namespace course {

/// A picture as it goes into a file.
struct DrawnImage {
    std::string name;                    ///< "output"
    int rows = 0, columns = 0;
    int channels = 1;                    ///< 1: grey; 3: red, green and blue
    std::vector<std::uint8_t> pixels = {};   ///< row by row, a pixel's channels together
    std::string file = {};               ///< where it was written, as it is shown: "work/16-conv2d/pictures/output.png"
};

/// Draws an image: values from 0 to 1 become 0 to 255, what lies outside is clamped, and a NaN is magenta (a grey
/// picture that has one becomes coloured). Of more than 2048 rows or columns every second, third, ... is drawn. None if
/// it has no pixels. @throws CheckError for a name that isn't plain, or another number of values than its shape has.
std::optional<DrawnImage> draw_image(const Image& image);

}  // namespace course
