// SPDX-License-Identifier: MIT
#include "lessons/markdown.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <sstream>

#include "support/text.hpp"

namespace course {

namespace {

using Kind = MarkdownPage::Kind;

/// The words of a line that is one comment; empty for other lines.
std::vector<std::string> comment_words(std::string_view line) {
    line = trimmed(line);
    std::vector<std::string> words;
    if (!line.starts_with("<!--") || !line.ends_with("-->") || line.size() < 7) return words;
    std::istringstream stream(std::string(line.substr(4, line.size() - 7)));
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

bool is_fence(std::string_view line) { return trimmed(line).starts_with("```"); }

/// The text with everything between backticks blanked out: no links or bold words begin there.
std::string without_code(std::string text) {
    for (std::size_t begin = 0; (begin = text.find('`', begin)) != text.npos;) {
        const std::size_t run = std::min(text.find_first_not_of('`', begin), text.size()) - begin;
        const std::size_t end = text.find(std::string(run, '`'), begin + run);
        if (end == text.npos) break;
        for (std::size_t k = begin; k < end + run; ++k)
            if (text[k] != '\n') text[k] = 'x';
        begin = end + run;
    }
    return text;
}

// std::regex uses stack for each character, and a paragraph may be long: everything below is searched by hand.

constexpr std::string_view white = " \t\n\r\f\v";

/// The text without the targets of links: "[a]" for "[a](b.md)".
std::string without_targets(std::string_view text) {
    std::string rest;
    for (std::size_t begin; (begin = text.find("](")) != text.npos;) {
        const std::size_t end = text.find(')', begin);
        if (end == text.npos) break;
        rest += text.substr(0, begin + 1);
        text.remove_prefix(end + 1);
    }
    return rest.append(text);
}

/// The anchors of HTML in a page: id="..." and name="...".
std::vector<std::string> written_anchors(std::string_view text) {
    std::vector<std::string> anchors;
    for (std::size_t at = 0; (at = text.find("=\"", at)) != text.npos;) {
        const std::string_view before = text.substr(0, at);
        const std::size_t end = text.find('"', at + 2);
        if (end == text.npos) break;
        const bool names = before.ends_with("id") || before.ends_with("name");
        if (names && end > at + 2) anchors.emplace_back(text.substr(at + 2, end - at - 2));
        at += 2;
    }
    return anchors;
}

/// Converts positions in a paragraph to line numbers, asked for in order.
class LineCounter {
public:
    LineCounter(std::string_view text, std::size_t first_line) : text_(text), line_(first_line) {}
    std::size_t line_of(std::size_t place) {
        const std::string_view passed = text_.substr(at_, place - at_);
        line_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
        at_ = place;
        return line_;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0, line_;
};

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

std::optional<LinkPlace> link_at(std::string_view text, std::size_t bracket) {
    if (text[bracket] != '[') return std::nullopt;
    LinkPlace link{.text = bracket + 1};
    link.text_end = text.find_first_of("[]", link.text);
    if (link.text_end == text.npos || !text.substr(link.text_end).starts_with("](")) return std::nullopt;
    link.target = link.text_end + 2;
    link.target_end = std::min(text.find_first_of("() \t\n\r\f\v", link.target), text.size());
    if (link.target_end == link.target) return std::nullopt;
    link.end = link.target_end;
    const std::size_t title = text.find_first_not_of(white, link.target_end);
    if (title != text.npos && title > link.target_end && text[title] == '"') {
        const std::size_t quote = text.find('"', title + 1);
        if (quote == text.npos) return std::nullopt;
        link.end = quote + 1;
    }
    if (link.end >= text.size() || text[link.end] != ')') return std::nullopt;
    ++link.end;
    return link;
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char c : trimmed(heading)) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80)
            anchor += static_cast<char>(std::tolower(byte));
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

MarkdownPage::MarkdownPage(std::string_view text, const std::vector<std::string_view>& block_kinds) {
    read_lines(text, block_kinds);
    read_headings();
    read_paragraphs();
}

void MarkdownPage::read_lines(std::string_view text, const std::vector<std::string_view>& block_kinds) {
    bool in_code = false, in_comment = false, in_block = false;
    for (std::string& line : split_lines(text)) {
        const std::size_t number = lines_.size() + 1;
        const std::vector<std::string> words = in_code || in_comment ? std::vector<std::string>() : comment_words(line);
        const bool begins =
            !words.empty() && std::find(block_kinds.begin(), block_kinds.end(), words[0]) != block_kinds.end();
        const bool ends = words.size() == 1 && words[0] == "end";
        Kind kind = in_block ? Kind::generated : in_code ? Kind::code : in_comment ? Kind::comment : Kind::prose;
        if (begins || (ends && !in_block)) {
            if ((in_block || ends) && unmatched_ == 0) unmatched_ = in_block ? blocks_.back().begin : number;
            if (begins) blocks_.push_back({number, 0, words});
            in_block = begins;
            kind = Kind::comment;
        } else if (ends) {
            blocks_.back().end = number;
            in_block = false;
            kind = Kind::comment;
        } else if (is_fence(line) && !in_comment) {
            in_code = !in_code;
            if (!in_block) kind = Kind::code;
        } else if (!in_code && !in_block) {
            if (!in_comment && trimmed(line).starts_with("<!--")) in_comment = true, kind = Kind::comment;
            if (in_comment && line.find("-->") != line.npos) in_comment = false;
        }
        lines_.push_back({std::move(line), kind});
    }
    if (in_block && unmatched_ == 0) unmatched_ = blocks_.back().begin;
    std::erase_if(blocks_, [](const Block& block) { return block.end == 0; });
}

void MarkdownPage::read_headings() {
    std::map<std::string, int> copies;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
        const std::string& text = lines_[k].text;
        if (lines_[k].kind != Kind::prose && lines_[k].kind != Kind::generated) continue;
        for (std::string& anchor : written_anchors(text)) anchors_.insert(std::move(anchor));
        const std::size_t level = std::min(text.find_first_not_of('#'), text.size());
        if (level == 0 || level > 6 || level >= text.size() || text[level] != ' ') continue;
        headings_.push_back({k + 1, static_cast<int>(level), std::string(trimmed(text.substr(level)))});
        const std::string anchor = anchor_of(without_targets(headings_.back().text));
        const int copy = copies[anchor]++;
        anchors_.insert(copy == 0 ? anchor : anchor + "-" + std::to_string(copy));
    }
}

/// Links and bold words may continue on the next line, so paragraphs are read as a whole.
void MarkdownPage::read_paragraphs() {
    std::string paragraph;
    std::size_t first = 0;
    Kind kind = Kind::prose;
    bool in_code = false;
    const auto finish = [&] {
        if (!paragraph.empty()) read_spans(paragraph, first, kind);
        paragraph.clear();
    };
    for (std::size_t k = 0; k < lines_.size(); ++k) {
        const Line& line = lines_[k];
        const bool fence = line.kind == Kind::generated && is_fence(line.text);
        if (line.kind != Kind::generated) in_code = false;
        if (fence) in_code = !in_code;
        const bool text = (line.kind == Kind::prose || (line.kind == Kind::generated && !in_code && !fence)) &&
                          !trimmed(line.text).empty();
        if (!text || line.kind != kind) finish();
        if (!text) continue;
        if (paragraph.empty()) first = k + 1, kind = line.kind;
        paragraph += line.text + "\n";
    }
    finish();
}

void MarkdownPage::read_spans(const std::string& paragraph, std::size_t first_line, Kind kind) {
    const std::string text = without_code(paragraph);
    const auto written = [&](std::size_t begin, std::size_t end) {  // including code
        return one_line(paragraph.substr(begin, end - begin));
    };
    LineCounter of_links(text, first_line);
    for (std::size_t at = 0; (at = text.find('[', at)) != text.npos;) {
        const std::optional<LinkPlace> link = link_at(text, at);
        if (link)
            links_.push_back({of_links.line_of(at), written(link->text, link->text_end),
                              written(link->target, link->target_end), at > 0 && text[at - 1] == '!'});
        at = link ? link->end : at + 1;
    }
    if (kind != Kind::prose) return;
    LineCounter of_bolds(text, first_line);
    for (std::size_t at = 0; (at = text.find("**", at)) != text.npos;) {
        const std::size_t begin = at + 2, end = std::min(text.find('*', begin), text.size());
        if (end == begin || text.substr(end, 2) != "**") {
            ++at;
            continue;
        }
        Bold found{of_bolds.line_of(at), written(begin, end), ""};
        const std::string within = found.text;
        if (const auto inner = link_at(within, 0); within.starts_with('[') && inner && inner->end == within.size()) {
            found.text = within.substr(inner->text, inner->text_end - inner->text);
            found.target = within.substr(inner->target, inner->target_end - inner->target);
        }
        const auto outer = at > 0 && text[at - 1] == '[' ? link_at(text, at - 1) : std::nullopt;
        if (outer && outer->text_end == end + 2) found.target = written(outer->target, outer->target_end);
        bolds_.push_back(found);
        at = end + 2;
    }
}

std::size_t MarkdownPage::words() const {
    std::size_t count = 0;
    for (const Line& line : lines_) {
        if (line.kind != Kind::prose) continue;
        std::istringstream stream(without_targets(line.text));
        for (std::string word; stream >> word;)
            count +=
                std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c >= 0x80; });
    }
    return count;
}

}  // namespace course
