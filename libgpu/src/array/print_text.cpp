// SPDX-License-Identifier: MIT
// Brackets, indentation and line breaks as in NumPy.
#include "array/print_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "array/print_numbers.hpp"

namespace gpu::detail {

namespace {

std::int64_t edge_of(const PrintOptions& options) { return std::max(options.edge_items, 1); }

bool is_summarised(const Shape& shape, const PrintOptions& options) { return shape.size() > options.threshold; }

class Layouter {
public:
    Layouter(const Shape& shape, std::vector<std::string> words, const PrintOptions& options)
        : shape_(shape),
          words_(std::move(words)),
          edge_(edge_of(options)),
          line_width_(options.line_width),
          summarised_(is_summarised(shape, options)) {}

    // One axis in brackets. Lines but the first begin with a space for each bracket that is open.
    std::string text(int axis = 0) {
        const std::int64_t length = shape_[axis];
        const bool cut = summarised_ && length > 2 * edge_;
        const std::int64_t shown = cut ? 2 * edge_ : length;
        const bool last_axis = axis == shape_.rank() - 1;
        begin_row(axis);
        std::string nested = "[";
        for (std::int64_t k = 0; k < shown; ++k) {
            if (cut && k == edge_) {
                if (last_axis)
                    add_word("...", false);
                else
                    nested += "..." + between(axis);
            }
            if (last_axis)
                add_word(words_[next_++], k == shown - 1);
            else
                nested += text(axis + 1) + (k == shown - 1 ? std::string() : between(axis));
        }
        return (last_axis ? nested + finished_row() : std::move(nested)) + "]";
    }

private:
    [[nodiscard]] std::string between(int axis) const {
        return std::string(static_cast<std::size_t>(shape_.rank() - 1 - axis), '\n') +
               std::string(static_cast<std::size_t>(axis) + 1, ' ');
    }

    void begin_row(int axis) {
        indent_ = static_cast<std::size_t>(axis) + 1;
        width_ = static_cast<std::size_t>(std::max(line_width_ - axis - 1, 0));  // the closing bracket needs one
        rows_.clear();
        line_.assign(indent_, ' ');
    }
    void add_word(const std::string& word, bool is_last) {
        if (line_.size() + word.size() > width_ && line_.size() > indent_) {
            rows_ += without_end(line_) + "\n";
            line_.assign(indent_, ' ');
        }
        line_ += word;
        if (!is_last) line_ += ' ';
    }
    std::string finished_row() { return (rows_ + line_).substr(indent_); }
    static std::string without_end(const std::string& line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

    const Shape& shape_;
    const std::vector<std::string> words_;
    const std::int64_t edge_;
    const int line_width_;
    const bool summarised_;
    std::size_t next_ = 0;
    std::string rows_, line_;
    std::size_t indent_ = 0, width_ = 0;
};

}  // namespace

Shape shown_shape(const Shape& shape, const PrintOptions& options) {
    Shape shown = shape;
    if (!is_summarised(shape, options)) return shown;
    for (int axis = 0; axis < shape.rank(); ++axis) shown[axis] = std::min(shape[axis], 2 * edge_of(options));
    return shown;
}

std::string print_text(DType dtype, const Shape& shape, const void* shown, const PrintOptions& options) {
    if (shape.rank() == 0) return scalar_word(dtype, shown);
    if (shape.size() == 0) return "[]";
    const auto count = static_cast<std::size_t>(shown_shape(shape, options).size());
    return Layouter(shape, element_words(dtype, shown, count, options), options).text();
}

}  // namespace gpu::detail
