// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A page, as far as lessons are checked: lines of prose and of code, links, bold words, headings, and generated
/// blocks. Line numbers count from 1.
class MarkdownPage {
public:
    enum class Kind { prose, code, comment, generated };

    struct Line {
        std::string text;
        Kind kind = Kind::prose;
    };
    /// [text](target) or ![text](target).
    struct Link {
        std::size_t line = 0;
        std::string text, target;
        bool image = false;
    };
    /// **text**; `target` if all of it is a link.
    struct Bold {
        std::size_t line = 0;
        std::string text, target;
    };
    struct Heading {
        std::size_t line = 0;
        int level = 0;
        std::string text;
    };
    /// From `<!-- snippet add.cu kernel -->` to `<!-- end -->`: the lines between them are generated.
    struct Block {
        std::size_t begin = 0, end = 0;  ///< the lines with the two marks
        std::vector<std::string> words;  ///< "snippet", "add.cu", "kernel"
    };

    /// @param block_kinds first words of the marks that begin a block
    MarkdownPage(std::string_view text, const std::vector<std::string_view>& block_kinds);

    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }  ///< in prose and generated text
    [[nodiscard]] const std::vector<Bold>& bolds() const { return bolds_; }  ///< in prose
    [[nodiscard]] const std::vector<Heading>& headings() const { return headings_; }
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    /// A line with a mark whose partner is missing; 0: none.
    [[nodiscard]] std::size_t unmatched_mark() const { return unmatched_; }
    /// The anchors that GitHub makes from the headings.
    [[nodiscard]] const std::set<std::string>& anchors() const { return anchors_; }
    /// The number of words of prose: no code, no generated text, no comments.
    [[nodiscard]] std::size_t words() const;

private:
    void read_lines(std::string_view text, const std::vector<std::string_view>& block_kinds);
    void read_paragraphs();
    void read_spans(const std::string& paragraph, std::size_t first_line, Kind kind);
    void read_headings();

    std::vector<Line> lines_;
    std::vector<Link> links_;
    std::vector<Bold> bolds_;
    std::vector<Heading> headings_;
    std::vector<Block> blocks_;
    std::set<std::string> anchors_;
    std::size_t unmatched_ = 0;
};

/// "Order and waiting" -> "order-and-waiting".
std::string anchor_of(std::string_view heading);

/// [text](target), [text](target "title"): the ranges of its parts.
struct LinkPlace {
    std::size_t text = 0, text_end = 0, target = 0, target_end = 0, end = 0;
};

/// The link whose opening bracket is there.
std::optional<LinkPlace> link_at(std::string_view text, std::size_t bracket);

std::vector<std::string> split_lines(std::string_view text);

}  // namespace course
