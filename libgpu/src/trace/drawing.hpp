// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The elements that all pictures of a trace are drawn with.
namespace gpu::detail::trace {

/// Text for a page: & < > " escaped, control characters and bytes that aren't UTF-8 replaced by question marks.
std::string escaped(std::string_view text);

/// The colour of a thread, the same in all pictures: 32 hues for the lanes of a warp, in two shades for its neighbours.
std::string colour_of(int thread);

/// A picture: SVG elements without their document, and the same in words.
class Drawing {
public:
    std::string title;              ///< with the main number
    std::string question;           ///< for the reader
    std::vector<std::string> text;  ///< the picture for terminals, line by line
    int width = 0, height = 0;

    using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;
    /// Adds a box. `classes` and the attributes are the page's; `tip` is shown on hover and read aloud.
    void box(double x, double y, double w, double h, std::string_view classes, const Attributes& attributes = {},
             std::string_view tip = {});
    void label(double x, double y, std::string_view words, std::string_view classes = "l",
               const Attributes& attributes = {});
    void line(double x1, double y1, double x2, double y2, std::string_view classes);
    /// Grows the picture to contain this point.
    void reach(double x, double y);

    /// As an element of a page, with name and description.
    [[nodiscard]] std::string element() const;
    /// As a document of its own, with its colours.
    [[nodiscard]] std::string document() const;

private:
    std::string body_;
};

}  // namespace gpu::detail::trace
