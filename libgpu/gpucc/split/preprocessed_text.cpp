// SPDX-License-Identifier: MIT
#include "gpucc/split/preprocessed_text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace gpucc {

namespace {

/// `# 12 "saxpy.cu" 1 3`
struct Marker {
    Place place;
    bool enters = false, is_system = false;
};

std::optional<Marker> marker_in(std::string_view line) {
    if (line.substr(0, 5) == "#line")
        line.remove_prefix(4);
    else if (line.size() < 2 || line[0] != '#' || line[1] != ' ')
        return std::nullopt;
    line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
    Marker marker;
    const auto number = std::from_chars(line.data(), line.data() + line.size(), marker.place.line);
    if (number.ec != std::errc()) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(number.ptr - line.data()));
    std::size_t at = line.find('"');
    if (at == std::string_view::npos) return std::nullopt;
    for (++at; at < line.size() && line[at] != '"'; ++at) {
        if (line[at] == '\\' && at + 1 < line.size()) ++at;
        marker.place.file += line[at];
    }
    for (; at < line.size(); ++at) {
        marker.enters = marker.enters || line[at] == '1';
        marker.is_system = marker.is_system || line[at] == '3';
    }
    return marker;
}

std::string marker_text(const Place& place) {
    std::string name;
    for (const char letter : place.file) {
        if (letter == '"' || letter == '\\') name += '\\';
        name += letter;
    }
    return "\n# " + std::to_string(place.line) + " \"" + name + "\"\n";
}

}  // namespace

std::string with_line_directives(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end);
        const auto marker = marker_in(line);
        if (marker)
            out += "#line " + std::to_string(marker->place.line) + " \"" + marker->place.file + "\"\n";
        else
            out += line;
    }
    return out;
}

std::vector<gpu::detail::Token> code_tokens(std::string_view text) {
    std::vector<gpu::detail::Token> tokens = gpu::detail::tokens_of(text);
    std::erase_if(tokens, [](const gpu::detail::Token& token) { return token.in_directive; });
    return tokens;
}

PreprocessedText::PreprocessedText(std::string_view text) {
    bool is_system = false;
    std::set<std::string> own_files;
    std::string skipped;
    places_[0] = {};
    const auto end_skipped = [&] {
        if (!skipped.empty()) systems_.emplace_back(own_.size(), std::move(skipped));
        skipped.clear();
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end);
        if (const auto marker = marker_in(line)) {
            if (marker->enters && marker->is_system && !is_system) headers_.push_back(marker->place.file);
            // In its own files the flag says that a system header's macro stood there.
            if (!marker->is_system) own_files.insert(marker->place.file);
            const bool was_system =
                std::exchange(is_system, marker->is_system && !own_files.contains(marker->place.file));
            if (was_system && !is_system) end_skipped();
            if (!is_system) places_[own_.size() + line.size()] = marker->place;
        }
        (is_system ? skipped : own_) += line;
    }
    end_skipped();
    for (std::size_t at = 0; (at = own_.find('\n', at)) != std::string::npos; ++at) line_ends_.push_back(at);
}

Place PreprocessedText::place(std::size_t offset) const {
    const auto& [begin, first] = *std::prev(places_.upper_bound(offset));
    const auto from = std::lower_bound(line_ends_.begin(), line_ends_.end(), begin);
    const auto to = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
    return {first.file, first.line + static_cast<int>(to - from)};
}

std::string PreprocessedText::moved_to(std::size_t offset) const {
    const std::size_t begin = offset == 0 ? 0 : own_.rfind('\n', offset - 1) + 1;
    return marker_text(place(offset)) + std::string(offset - begin, ' ');
}

std::string PreprocessedText::edited(std::vector<Edit> edits) const {
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
    std::string out;
    out.reserve(own_.size() * 2);
    auto system = systems_.begin();
    std::size_t at = 0;
    const auto copy_to = [&](std::size_t end) {
        for (; system != systems_.end() && system->first <= end; ++system) {
            if (system->first >= at) {
                out.append(own_, at, system->first - at);
                at = system->first;
            }
            out += system->second;
        }
        if (end > at) out.append(own_, at, end - at);
        at = std::max(at, end);
    };
    for (const Edit& edit : edits) {
        copy_to(edit.offset);
        out += edit.text;
        const auto begin = own_.begin() + static_cast<std::ptrdiff_t>(edit.offset);
        const bool has_lines = std::count(begin, begin + static_cast<std::ptrdiff_t>(edit.length), '\n') > 0;
        at = std::max(at, edit.offset + edit.length);
        if (has_lines) out += moved_to(at);
    }
    copy_to(own_.size());
    return out;
}

}  // namespace gpucc
