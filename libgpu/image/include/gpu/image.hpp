// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <gpu/reductions.hpp>

/// @file
/// Pictures as arrays: PNG, PGM and PPM files in and out, grey values, other sizes, and colours for numbers. A library
/// of its own: link gpu::image, and include this header beside `<gpu/gpu.hpp>`.
///
/// A picture is an array of shape (height, width), or (height, width, channels) with 2 channels (grey, opacity), 3
/// (red, green, blue) or 4 (and opacity). Its elements are std::uint8_t from 0 to 255, or float from 0 to 1.

/// Pictures.
namespace gpu::image {

/// What the elements of a picture can be when it is read.
template <class T>
concept Pixel = std::same_as<T, std::uint8_t> || std::same_as<T, float>;

/// A size in elements: `{480, 640}` is 480 rows of 640.
struct Size {
    std::int64_t height = 0, width = 0;
};

/// The options of resize().
struct ResizeOptions {
    Flag antialias = false;  ///< where it shrinks, average over all elements, as Pillow does
};

/// Red, green and blue, from 0 to 255.
using Colour = std::array<std::uint8_t, 3>;

}  // namespace gpu::image

/// @cond internal
namespace gpu::detail {

GPU_API ArrayCore load_image(const std::string& path, DType type);
GPU_API void save_image(const std::string& path, const ArrayCore& picture);
GPU_API ArrayCore grey_image(const ArrayCore& picture);
GPU_API ArrayCore resized_image(const ArrayCore& picture, const image::Size& size, bool antialias);
struct HeatmapRange {
    double low, high;
};
/// @throws ShapeError unless there are two axes
GPU_API void check_heatmap(const Shape& shape);
GPU_API ArrayCore heatmap(const ArrayCore& values, const HeatmapRange& range, const std::vector<image::Colour>& colours,
                          const image::Colour& of_nan);

template <class A>
concept PictureLike = Lazy<A> && (std::same_as<typename OperandTraits<A>::element, std::uint8_t> ||
                                  std::same_as<typename OperandTraits<A>::element, float> ||
                                  std::same_as<typename OperandTraits<A>::element, double>);
// The elements in memory: an expression is evaluated.
template <class A>
ArrayCore image_core(const A& a, const char* operation) {
    if constexpr (requires { a.core(operation); })
        return a.core(operation);
    else
        return a.eval().core(operation);
}

}  // namespace gpu::detail
/// @endcond

namespace gpu::image {

/// Reads a PNG, PGM or PPM file to a new array on the current device. The file's first bytes say which it is.
///
/// Palettes become colours, a transparent colour becomes opacity, and fewer than 8 bits are spread to 0...255. Of 16
/// bits uint8_t keeps the nearest 8, float all of them. The shape is (height, width) for grey values, otherwise
/// (height, width, channels). Values are taken as they are in the file: nothing is done about gamma or colour profiles.
/// @throws FileError if it can't be read, is damaged or truncated, or isn't such a file. A size that the file can't
/// hold is seen before memory is allocated.
/// @snippet image/image_test.cpp load
template <Pixel T>
[[nodiscard]] Array<T> load(const std::string& path) {
    return Array<T>(gpu::detail::load_image(path, dtype_of<T>));
}

/// Writes a picture to a file, whose ending says which: .png; .pgm for grey values; .ppm for three channels. Waits.
///
/// Elements of uint8_t are written as they are. Floating-point numbers are clamped to 0...1 and rounded to the nearest
/// of 256 steps; NaN becomes 0. Of bools, true is white. Views, transposed ones too, and expressions are written as
/// they read.
/// @throws ShapeError if it isn't the shape of a picture, or has no elements; DTypeError for other elements
/// @throws FileError if the ending is another one, or the file can't be written
/// @snippet image/image_test.cpp load
template <gpu::detail::Lazy A>
void save(const std::string& path, const A& picture) {
    gpu::detail::save_image(path, gpu::detail::image_core(picture, "image::save"));
}

/// The grey values of a picture, of shape (height, width): 0.299 red + 0.587 green + 0.114 blue, the luma of Rec. 601,
/// which OpenCV and Pillow use as well. Opacity is left out; for grey values it is a copy. uint8_t is rounded to the
/// nearest.
/// @throws ShapeError if it isn't the shape of a picture
/// @snippet image/image_test.cpp grey
template <gpu::detail::PictureLike A>
[[nodiscard]] auto grey(const A& picture) {
    using T = gpu::detail::LazyElement<A>;
    return Array<T>(gpu::detail::grey_image(gpu::detail::image_core(picture, "image::grey")));
}

/// The picture in another size, bilinear: element centres are at halves, as in OpenCV's INTER_LINEAR and in PyTorch
/// with align_corners=False, and at the border the outermost elements go on. uint8_t is computed in float and rounded.
///
/// Each element is made of four, so a picture that shrinks to less than half loses fine lines or gets patterns that it
/// didn't have. With `.antialias` it is the weighted mean of all elements that it covers, as in Pillow and in PyTorch
/// with antialias=True; a picture that grows is the same with both.
/// @throws ShapeError if it isn't the shape of a picture, or a size isn't positive
/// @snippet image/image_test.cpp resize
template <gpu::detail::PictureLike A>
[[nodiscard]] auto resize(const A& picture, const Size& size, const ResizeOptions& options = {}) {
    using T = gpu::detail::LazyElement<A>;
    return Array<T>(
        gpu::detail::resized_image(gpu::detail::image_core(picture, "image::resize"), size, options.antialias));
}

/// Dark blue over green to yellow, always brighter: its order is seen without colours, too.
/// @snippet image/image_test.cpp heatmap
[[nodiscard]] GPU_API std::vector<Colour> blue_to_yellow();
/// Black to white.
[[nodiscard]] inline std::vector<Colour> black_to_white() { return {{0, 0, 0}, {255, 255, 255}}; }

/// The options of heatmap(): `heatmap(x, {.low = 0, .colours = gpu::image::black_to_white()})`.
struct HeatmapOptions {
    std::optional<double> low = {};                  ///< gets the first colour; without it, the smallest finite number
    std::optional<double> high = {};                 ///< gets the last colour; without it, the largest finite number
    std::vector<Colour> colours = blue_to_yellow();  ///< two or more, evenly spaced, with all shades between them
    Colour nan = {255, 0, 255};                      ///< of NaNs: magenta
};

/// A picture of numbers, of shape (height, width, 3): each element of a matrix gets the colour of its place between two
/// limits, and those beyond them the first or the last one. Waits for the limits, unless both are given.
/// @throws ShapeError unless there are two axes; Error if `low` is above `high`, or with fewer than two colours
/// @snippet image/image_test.cpp heatmap
template <gpu::detail::Lazy A>
    requires gpu::detail::Ordered<A>
[[nodiscard]] Array<std::uint8_t> heatmap(const A& values, const HeatmapOptions& options = {}) {
    if constexpr (!requires { values.core(); }) {
        return image::heatmap(values.eval(), options);
    } else {
        using T = gpu::detail::LazyElement<A>;
        gpu::detail::check_heatmap(values.shape());
        gpu::detail::HeatmapRange range{options.low.value_or(0), options.high.value_or(1)};
        const auto find_limits = [&](const auto& finite) {
            const auto smallest = gpu::nanmin(finite), largest = gpu::nanmax(finite);
            if (!options.low) range.low = static_cast<double>(smallest.item());
            if (!options.high) range.high = static_cast<double>(largest.item());
        };
        if (values.size() > 0 && !(options.low && options.high)) {
            if constexpr (is_floating(dtype_of<T>))
                find_limits(gpu::where(gpu::isfinite(values), values, static_cast<T>(__builtin_nanf(""))));
            else
                find_limits(values);
        }
        // One that was found doesn't pass the other, which was given.
        if (!options.low && !(range.low <= range.high)) range.low = range.high;
        if (!options.high && !(range.low <= range.high)) range.high = range.low;
        return Array<std::uint8_t>(
            gpu::detail::heatmap(values.core("image::heatmap"), range, options.colours, options.nan));
    }
}

}  // namespace gpu::image
