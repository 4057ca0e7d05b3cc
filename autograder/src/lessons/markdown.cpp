// SPDX-License-Identifier: MIT
#include "lessons/markdown.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace course {

namespace {

using Kind = MarkdownPage::Kind;

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// The words of a line that is one comment; none if it isn't.
std::vector<std::string> comment_words(std::string_view line) {
    line = trimmed(line);
    std::vector<std::string> words;
    if (!line.starts_with("<!--") || !line.ends_with("-->") || line.size() < 7) return words;
    std::istringstream stream(std::string(line.substr(4, line.size() - 7)));
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

bool is_fence(std::string_view line) { return trimmed(line).starts_with("```"); }

/// The text with what stands between backticks blanked out: no link and no bold begins there.
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

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

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
    std::set<std::string> seen;
    static const std::regex id("(?:id|name)=\"([^\"]+)\"");
    for (std::size_t k = 0; k < lines_.size(); ++k) {
        const std::string& text = lines_[k].text;
        if (lines_[k].kind != Kind::prose && lines_[k].kind != Kind::generated) continue;
        for (std::sregex_iterator at(text.begin(), text.end(), id), end; at != end; ++at) anchors_.insert((*at)[1]);
        const std::size_t level = std::min(text.find_first_not_of('#'), text.size());
        if (level == 0 || level > 6 || level >= text.size() || text[level] != ' ') continue;
        headings_.push_back({k + 1, static_cast<int>(level), std::string(trimmed(text.substr(level)))});
        std::string anchor = anchor_of(std::regex_replace(headings_.back().text, std::regex("\\]\\([^)]*\\)"), ""));
        for (int copy = 1; !seen.insert(anchor).second; ++copy)
            anchor = anchor_of(headings_.back().text) + "-" + std::to_string(copy);
        anchors_.insert(anchor);
    }
}

/// Links and bold words may go on in the next line, so paragraphs are looked at as a whole.
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
    const auto line_of = [&](std::size_t at) {
        return first_line +
               static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    const auto written = [&](const std::smatch& match, std::size_t group) {  // with its code
        return one_line(paragraph.substr(static_cast<std::size_t>(match.position(group)),
                                         static_cast<std::size_t>(match.length(group))));
    };
    static const std::regex link("(!?)\\[([^\\[\\]]*)\\]\\(([^()\\s]+)(?:\\s+\"[^\"]*\")?\\)");
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at)
        links_.push_back(
            {line_of(static_cast<std::size_t>(at->position())), written(*at, 2), written(*at, 3), at->length(1) > 0});
    if (kind != Kind::prose) return;
    static const std::regex bold("\\*\\*([^*]+)\\*\\*"), inner("\\[([^\\]]*)\\]\\(([^()\\s]+)\\)");
    static const std::regex outer("\\[\\*\\*([^*]+)\\*\\*\\]\\(([^()\\s]+)\\)");
    for (std::sregex_iterator at(text.begin(), text.end(), bold), end; at != end; ++at) {
        Bold found{line_of(static_cast<std::size_t>(at->position())), written(*at, 1), ""};
        std::smatch linked;
        const std::string within = found.text;
        if (std::regex_match(within, linked, inner)) found.text = linked[1], found.target = linked[2];
        const auto before = text.begin() + std::max<std::ptrdiff_t>(at->position() - 1, 0);
        if (std::regex_search(before, text.end(), linked, outer, std::regex_constants::match_continuous))
            found.target = linked[2];
        bolds_.push_back(found);
    }
}

std::size_t MarkdownPage::words() const {
    std::size_t count = 0;
    for (const Line& line : lines_) {
        if (line.kind != Kind::prose) continue;
        static const std::regex target("\\]\\([^)]*\\)");
        std::istringstream stream(std::regex_replace(line.text, target, "]"));
        for (std::string word; stream >> word;)
            count +=
                std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c >= 0x80; });
    }
    return count;
}

}  // namespace course
