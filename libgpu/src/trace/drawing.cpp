// SPDX-License-Identifier: MIT
#include "trace/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <embedded/trace.hpp>

#include "base.hpp"

namespace gpu::detail::trace {

namespace {

// "12", "12.5": no more digits than a picture needs, whatever the program's locale.
std::string number(double value) {
    const long long tenths = std::llround(value * 10);
    std::string text = (tenths < 0 ? "-" : "") + std::to_string(std::abs(tenths) / 10);
    if (tenths % 10 != 0) text += '.' + std::to_string(std::abs(tenths) % 10);
    return text;
}

std::string attribute(std::string_view name, std::string_view value) {
    return value.empty() ? "" : ' ' + std::string(name) + "=\"" + escaped(value) + '"';
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string made;
    while (!text.empty()) {
        const Utf8Character next = first_character(text);
        const std::size_t length = next.valid ? next.bytes : 1;
        const char first = text.front();
        if (!next.valid || (static_cast<unsigned char>(first) < ' ' && first != '\n' && first != '\t') || first == 0x7f)
            made += '?';
        else if (first == '&')
            made += "&amp;";
        else if (first == '<')
            made += "&lt;";
        else if (first == '>')
            made += "&gt;";
        else if (first == '"')
            made += "&quot;";
        else
            made += text.substr(0, length);
        text.remove_prefix(length);
    }
    return made;
}

std::string colour_of(int thread) {
    const int lane = thread % 32, warp = thread / 32 % 2;
    return "hsl(" + std::to_string(lane * 360 / 32) + (warp == 0 ? " 72% 76%)" : " 48% 62%)");
}

void Drawing::reach(double x, double y) {
    width = std::max(width, static_cast<int>(std::ceil(x)));
    height = std::max(height, static_cast<int>(std::ceil(y)));
}

void Drawing::box(double x, double y, double w, double h, std::string_view classes, const Attributes& attributes,
                  std::string_view tip) {
    body_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) + "\" height=\"" + number(h) +
             '"' + attribute("class", classes);
    for (const auto& [name, value] : attributes) body_ += attribute(name, value);
    body_ += tip.empty() ? "/>\n" : "><title>" + escaped(tip) + "</title></rect>\n";
    reach(x + w + 1, y + h + 1);
}

void Drawing::label(double x, double y, std::string_view words, std::string_view classes,
                    const Attributes& attributes) {
    body_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + '"' + attribute("class", classes);
    for (const auto& [name, value] : attributes) body_ += attribute(name, value);
    body_ += '>' + escaped(words) + "</text>\n";
    const bool is_centred = classes.find('c') != std::string_view::npos;
    reach(x + (is_centred ? 0 : 6.7 * static_cast<double>(words.size())), y + 4);
}

void Drawing::line(double x1, double y1, double x2, double y2, std::string_view classes) {
    body_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
             '"' + attribute("class", classes) + "/>\n";
    reach(std::max(x1, x2) + 1, std::max(y1, y2) + 1);
}

std::string Drawing::element() const {
    const std::string size = "0 0 " + std::to_string(width) + ' ' + std::to_string(height);
    return "<svg viewBox=\"" + size + "\" width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) +
           "\" role=\"img\" aria-label=\"" + escaped(title) + "\">\n" + body_ + "</svg>\n";
}

std::string Drawing::document() const {
    constexpr int head = 44, margin = 12;
    const int min_width = static_cast<int>(std::max(9 * title.size(), 7 * question.size()));
    const int w = std::max(width, min_width) + 2 * margin, h = height + head + 2 * margin;
    const std::string size = std::to_string(w) + "\" height=\"" + std::to_string(h);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(w) + ' ' + std::to_string(h) +
           "\" width=\"" + size + "\" role=\"img\">\n<title>" + escaped(title) + "</title>\n<desc>" +
           escaped(question) + "</desc>\n<style>" + text::picture_style +
           "</style>\n<rect class=\"paper\" width=\"" + size + "\"/>\n<text class=\"h\" x=\"12\" y=\"22\">" +
           escaped(title) + "</text>\n<text class=\"l\" x=\"12\" y=\"42\">" + escaped(question) +
           "</text>\n<g transform=\"translate(" + std::to_string(margin) + ' ' + std::to_string(head + margin) +
           ")\">\n" + body_ + "</g>\n</svg>\n";
}

}  // namespace gpu::detail::trace
